"""Pig: roll as often as you dare; a 1 loses the turn, holding banks it, and 100 points win.

A turn begins with a roll, so at an anchor (nothing gained yet) fate moves at once; afterwards
the player rolls or holds. With one player the aim is the least expected number of turns.

Piglet (Neller and Presser, 2004) is Pig with a coin: tails lose the turn, heads gain one point.

The text of a position is `mover/opponent/turn`, for one player `score/turn`; a last `@` says
that the player has chosen to roll and the die is in the air. Nobody needs to hold to win: the
game ends as soon as score and turn reach the target, in one and the same position.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from backroll.dice import die
from backroll.errors import NotationError, SpecError
from backroll.game import ABSENT, COST, WIN, Chance, Choice, Game, Node, Swap, Terminal
from backroll.games.reading import quoted, whole_number
from backroll.spec import Range


class Score(NamedTuple):
    """The points of both sides, those of the turn, and whether the die is in the air."""

    mine: int
    theirs: int = 0
    turn: int = 0
    rolling: bool = False


ROLL_OR_HOLD = Choice(("roll", "hold"))
COIN = {"tails": 1, "heads": 1}


class Pig(Game[Score]):
    """Roll as often as you dare: a 1 loses the turn, holding banks it, the target wins."""

    name = "pig"

    def __init__(
        self,
        target: Annotated[int, Range(1, 1000)] = 100,
        sides: Annotated[int, Range(2, 100)] = 6,
        players: Literal[1, 2] = 2,
        piglet: Literal["no", "yes"] = "no",
    ) -> None:
        """Play to `target` with a die of `sides`, or with the coin of Piglet."""
        if piglet == "yes" and sides != 6:
            raise SpecError(f"pig: Piglet is played with a coin, so leave out sides={sides}")
        self.target, self.sides, self.players, self.piglet = target, sides, players, piglet
        self.quantity = WIN if players == 2 else COST
        outcomes: dict[Any, int] = COIN if piglet == "yes" else dict(die(sides))
        self.gains = {"heads": 1} if piglet == "yes" else {f: f for f in range(2, sides + 1)}
        self.lost = sum(outcomes.values()) - len(self.gains)
        self._roll = Chance(outcomes)
        self._first_roll = Chance(outcomes, adds=0 if players == 2 else 1)
        self._won = Score(target)
        self._below = range(target)
        self._end = Terminal(1 if players == 2 else 0)

    def start(self) -> Score:
        """Nobody has a point."""
        return Score(0)

    def node(self, position: Score) -> Node:
        """Roll first; with points to lose, roll or hold."""
        if position.rolling:
            return self._roll
        if position.turn:
            return ROLL_OR_HOLD
        if position.mine >= self.target:
            return self._end
        if position.theirs not in self._below:
            raise ValueError(f"expected nobody at {self.target} yet, found {position.theirs}")
        return self._first_roll

    def play(self, position: Score, move: Any) -> Score | Swap[Score]:
        """Throw, bank, or take what the die says."""
        mine, theirs, turn, _ = position
        gain = self.gains.get(move)
        if gain:
            turn += gain
            return Score(mine, theirs, turn, False) if mine + turn < self.target else self._won
        if move == "roll":
            return Score(mine, theirs, turn, True)
        return self._pass(mine + turn if move == "hold" else mine, theirs)

    def _pass(self, mine: int, theirs: int) -> Score | Swap[Score]:
        if self.players == 1:
            return Score(mine)
        return Swap(Score(theirs, mine, 0, False))

    def anchor(self, position: Score) -> bool:
        """A turn starts with nothing gained."""
        return not position.turn and position.mine < self.target

    def anchor_count(self) -> int:
        """A row a score, or a pair of them."""
        return int(self.target**self.players)

    def anchor_row(self, position: Score) -> int:
        """The mover's score, then the other's; ABSENT for what is no score below the target."""
        mine, theirs, turn, _ = position
        if turn or mine not in self._below or theirs not in self._below:
            return ABSENT
        return mine * self.target + theirs if self.players == 2 else mine

    def anchor_at(self, row: int) -> Score:
        """The scores at a row."""
        return Score(*divmod(row, self.target)) if self.players == 2 else Score(row)

    def show(self, position: Score) -> str:
        """`mover/opponent/turn`, or `score/turn` for one player."""
        mine, theirs, turn, rolling = position
        points = f"{mine}/{theirs}/{turn}" if self.players == 2 else f"{mine}/{turn}"
        return points + "@" * rolling

    def parse(self, text: str) -> Score:
        """The position that a text shows; whatever reaches the target is the one end."""
        points, at, rest = text.strip().partition("@")
        numbers = points.split("/")
        form = "mover/opponent/turn" if self.players == 2 else "score/turn"
        if rest or len(numbers) != self.players + 1:
            raise NotationError(
                f"expected {form} (and @ when the die is in the air), found {quoted(text)}"
            )
        mine = whole_number(numbers[0], 0, self.target + self.sides, "the score")
        turn = whole_number(numbers[-1], 0, self.target + self.sides, "the turn total")
        theirs = 0
        if self.players == 2:
            theirs = whole_number(numbers[1], 0, self.target - 1, "the opponent's score")
        return self._checked(Score(mine, theirs, turn, bool(at)), text)

    def _checked(self, position: Score, text: str) -> Score:
        won = position.mine + position.turn >= self.target
        if position.rolling and (won or not position.turn):
            when = "the game is won" if won else "a turn begins with a roll"
            raise NotationError(f"{when}: expected no @, found {quoted(text)}")
        return self._won if won else position

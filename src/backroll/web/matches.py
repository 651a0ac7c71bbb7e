"""A game in progress: its steps, whose turn it is, and the dice, which depend on the seed alone.

What was undone is rolled again with the same dice. A person throws the dice that begin a turn of
his himself, as the move `roll`; all other chance comes up at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from backroll.arena.playing import Luck, Step, luck_of
from backroll.arena.transcripts import Transcript, written_down
from backroll.board.faces import face_of
from backroll.board.state import ROLL, Hint, State, state_of
from backroll.errors import IllegalMove, StrategyError, TranscriptError
from backroll.game import Chance, Choice, Game, Move, Node, Swap, Terminal
from backroll.spec import spec_of
from backroll.web.allowed import YOU

LONGEST = 20_000
"""Steps of a game: Can't Stop takes some 200."""


class Match:
    """A game between people and strategies; `seats` are their texts."""

    def __init__(
        self, game: Game[Any], seats: Sequence[str], *, seed: int | None = None, start: Any = None
    ) -> None:
        if len(seats) != game.players:
            wanted = "one player" if game.players == 1 else "two players"
            raise StrategyError(f"{spec_of(game)}: expected {wanted}, found {len(seats)}")
        self.game = game
        self.seats = tuple(seats)
        self.seed = secrets.randbelow(2**62) if seed is None else seed
        self.whole = start is None
        """Whether it began at the start of the game."""
        self.steps: list[Step] = []
        self.moves: list[str] = []
        """The texts of the moves and of what came up."""
        self._start = game.start() if start is None else start
        self._begin()

    def _begin(self) -> None:
        self.position, self.who = self._start, 1
        self._luck: Luck = luck_of(self.game, self.seed, 0)
        self._luck.turn(1)

    @property
    def start(self) -> str:
        """The text of the position that it began with."""
        return str(self.game.show(self._start))

    @property
    def node(self) -> Node:
        """What happens now."""
        return self.game.node(self.position)

    @property
    def mover(self) -> int:
        """The seat that is to move, 0 where nobody is: for chance and at the end."""
        node = self.node
        if isinstance(node, Choice):
            return node.player if self.who == 1 else 3 - node.player
        return self.who if isinstance(node, Chance) and self._thrown_by_hand() else 0

    def _thrown_by_hand(self) -> bool:
        """Whether a person throws the dice: at the beginning of his turn."""
        if self.seats[self.who - 1] != YOU or face_of(self.game).kind == "plain":
            return False
        chose = bool(self.steps) and self.steps[-1].mover == self.who
        return not chose or self.game.anchor(self.position)

    @property
    def waits(self) -> bool:
        """Whether a person is to move."""
        return self.mover > 0 and self.seats[self.mover - 1] == YOU

    @property
    def over(self) -> bool:
        """Whether it is over."""
        return isinstance(self.node, Terminal)

    def choose(self, text: str) -> None:
        """Make the move of that text, whoever is to choose; chance comes up by `roll`."""
        node = self.node
        if isinstance(node, Terminal):
            raise IllegalMove(f"{self._here}: expected no move, as the game is over")
        if isinstance(node, Chance):
            if text != ROLL["move"]:
                raise IllegalMove(f"{self._here}: expected the move to be roll, found {text!r}")
            self.throw()
            return
        self.make(_named(self.game, list(node.moves), text, self._here))

    def throw(self) -> None:
        """Let chance come up."""
        node = self.node
        assert isinstance(node, Chance)
        self._step(0, self._luck.draw(node.outcomes))

    def make(self, move: Move) -> None:
        """Make a move of the game at a choice."""
        self._step(self.mover, move)

    def settle(self) -> None:
        """Let all chance come up that nobody throws by hand."""
        while isinstance(self.node, Chance) and not self.waits:
            self.throw()

    def _step(self, mover: int, move: Move) -> None:
        if len(self.steps) >= LONGEST:
            raise IllegalMove(f"expected a game of {LONGEST:,} steps at most, found no end")
        self.moves.append(self.game.show_move(move))
        self.steps.append(Step(self.position, self.who, mover, move))
        self._arrive(self.game.play(self.position, move))

    def _arrive(self, child: Any) -> None:
        if isinstance(child, Swap):
            self.position, self.who = child.position, 3 - self.who
        else:
            self.position = child
        if self.game.anchor(self.position):
            self._luck.turn(self.who)

    def undo(self) -> None:
        """Go back to before the last thing that a person did."""
        own = [at for at, step in enumerate(self.steps) if self._by_hand(step)]
        if not own:
            raise IllegalMove("expected something to undo, found nothing")
        self._again([step.move for step in self.steps[: own[-1]]])

    def _by_hand(self, step: Step) -> bool:
        return step.mover > 0 and self.seats[step.mover - 1] == YOU

    def _again(self, moves: Sequence[Move]) -> None:
        """Go through moves from the start, and through the chance that came up."""
        self.steps, self.moves = [], []
        self._begin()
        for move in moves:
            node = self.node
            if isinstance(node, Chance):
                self._luck.draw(node.outcomes)
            self._step(0 if isinstance(node, Chance) else self.mover, move)

    def restore(self, texts: Sequence[str]) -> None:
        """Go through the texts of moves and of outcomes; IllegalMove where one is none."""
        for text in texts:
            node = self.node
            if isinstance(node, Terminal):
                raise IllegalMove(f"{self._here}: expected no move, found {text!r}")
            if isinstance(node, Chance):
                self._luck.draw(node.outcomes)
                self._step(0, _named(self.game, list(node.outcomes), text, self._here))
            else:
                self._step(self.mover, _named(self.game, list(node.moves), text, self._here))

    def state(self, hints: Sequence[Hint] = ()) -> State:
        """What the board draws."""
        return state_of(
            self.game, self.position, side=self.who, names=self.seats, steps=self.steps, hints=hints
        )

    def transcript(self) -> Transcript:
        """The game written down, once it is over; TranscriptError before."""
        if not self.whole or not self.over:
            found = "one that is not over" if self.whole else f"one from {self.start}"
            raise TranscriptError(f"expected a whole game, found {found}")
        steps = [*self.steps, Step(self.position, self.who, 0, None)]
        return written_down(self.game, self.seats, steps, seed=self.seed)

    @property
    def _here(self) -> str:
        return str(self.game.show(self.position))


def _named(game: Game[Any], moves: Sequence[Move], text: str, where: str) -> Move:
    """The move of that text."""
    for move in moves:
        if game.show_move(move) == text:
            return move
    offered = ", ".join(map(game.show_move, moves[:10])) + ", …" * (len(moves) > 10)
    raise IllegalMove(f"{where}: expected a move among {offered}; found {text[:60]!r}")

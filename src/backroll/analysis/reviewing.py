"""A game that was played, decision by decision: what each cost, and what luck did.

Let v be what a position is worth to a player, with what was paid on the way there. At a decision
he loses v less what the move that he made is worth, a *mistake*; where chance decides, v moves by
*luck*, whose expectation is 0. What is left, the *revisions*, is how far figures of one turn and
the next do not agree: nothing for an exact source. So, for player 1 and with player 2's luck and
mistakes counted against his,

    value at the end = value at the start + luck - mistakes + revisions
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from backroll.analysis.analyst import Analyst
from backroll.analysis.figures import Basis
from backroll.analysis.grades import grade, mark
from backroll.analysis.sources import Found
from backroll.arena.playing import Step
from backroll.errors import BackrollError
from backroll.game import COST, WIN, Choice, Game, Swap, Terminal
from backroll.spec import spec_of

WORST = 3


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody chose, and what would have been best."""

    step: int
    """Among the steps of the game, from 1."""
    player: int
    position: str
    played: str
    best: str
    options: int
    value: float
    """Of the best move, to the player."""
    cost: float
    mark: str
    """`doubtful`, `bad`, `very bad` or nothing."""


@dataclass(frozen=True, slots=True)
class Record:
    """How one player did."""

    player: int
    name: str
    decisions: int
    """Those that were not forced."""
    mistakes: float
    """What they cost, added up."""
    mean: float
    """What one cost."""
    luck: float
    grade: str


@dataclass(frozen=True, slots=True)
class Review:
    """A game that was played and judged."""

    spec: str
    quantity: str
    basis: Basis
    start: float
    """What the game was worth to player 1 at its start."""
    end: float
    """What it came to for him, or is worth where the steps end."""
    revisions: float
    """How far the source did not agree with itself."""
    players: tuple[Record, ...]
    decisions: tuple[Decision, ...]
    curve: tuple[float, ...]
    """What the game was worth to player 1 at each step, and after the last."""

    @property
    def worst(self) -> tuple[Decision, ...]:
        """The worst moves, the worst first: three at most."""
        wrong = [each for each in self.decisions if each.cost > 0]
        return tuple(sorted(wrong, key=lambda each: -each.cost)[:WORST])

    def as_dict(self) -> dict[str, Any]:
        """The review as plain data."""
        found = asdict(self) | {"worst": [asdict(each) for each in self.worst]}
        return {name: list(v) if isinstance(v, tuple) else v for name, v in found.items()}


def review(
    game: Game[Any], steps: Sequence[Step], analyst: Analyst | None = None,
    names: Sequence[str] = (),
) -> Review:  # fmt: skip
    """Judge each decision of a game, or of its beginning."""
    if not steps:
        raise BackrollError(f"{spec_of(game)}: expected a game to review, found no step")
    return _Judge(game, _ended(game, steps), analyst or Analyst(game)).review(names)


def _ended(game: Game[Any], steps: Sequence[Step]) -> list[Step]:
    """The steps and where they lead."""
    last = steps[-1]
    if isinstance(game.node(last.position), Terminal):
        return [*steps]
    child = game.play(last.position, last.move)
    if isinstance(child, Swap):
        return [*steps, Step(child.position, 3 - last.who, 0, None)]
    return [*steps, Step(child, last.who, 0, None)]


class _Judge:
    """A game on the way to its review."""

    def __init__(self, game: Game[Any], steps: Sequence[Step], analyst: Analyst) -> None:
        self.game, self.steps, self.analyst = game, steps, analyst
        self.found = [analyst.found(step.position) for step in steps]
        self.curve = list(self._curve())

    def review(self, names: Sequence[str]) -> Review:
        """Everything, put together."""
        decisions = tuple(self._decisions())
        sides = range(1, self.game.players + 1)
        records = tuple(self._record(side, decisions, names) for side in sides)
        start, end = self.curve[0], self.curve[-1]
        told = sum(self._good(each.player) * (each.luck - each.mistakes) for each in records)
        return Review(
            spec=spec_of(self.game),
            quantity=self.game.quantity,
            basis=self.found[0].basis,
            start=start,
            end=end,
            revisions=end - start - told,
            players=records,
            decisions=decisions,
            curve=tuple(self.curve),
        )

    def _good(self, player: int) -> int:
        """1 if player 1's value moves up with what is good for a player, or else -1."""
        return (1 if player == 1 else -1) * (-1 if self.game.quantity == COST else 1)

    def _curve(self) -> Iterator[float]:
        """What the game is worth to player 1 at each step, with what was paid until then."""
        game, paid = self.game, 0.0
        for step, found in zip(self.steps, self.found, strict=True):
            node = game.node(step.position)
            # a choice is valued by whoever makes it, anything else as the game writes it
            other = isinstance(node, Choice) and node.player == 2
            yield paid + (found.value if other == (step.who == 2) else game.total - found.value)
            if not isinstance(node, Terminal):
                paid += node.adds if step.who == 1 else -node.adds

    def _decisions(self) -> Iterator[Decision]:
        game = self.game
        scale = 1.0 if game.quantity == WIN else max(abs(self.curve[0]), 1e-9)
        for at, (step, found) in enumerate(zip(self.steps, self.found, strict=True), 1):
            if step.mover:
                cost = _cost(found, step)
                shown = game.show_move(found.moves[0].move if cost > 0 else step.move)
                yield Decision(
                    at, step.mover, game.show(step.position), game.show_move(step.move), shown,
                    len(found.moves), found.value, cost, mark(cost / scale),
                )  # fmt: skip

    def _record(self, player: int, decisions: Sequence[Decision], names: Sequence[str]) -> Record:
        own = [each for each in decisions if each.player == player and each.options > 1]
        mistakes = sum(each.cost for each in own)
        mean = mistakes / max(len(own), 1)
        scale = 1.0 if self.game.quantity == WIN else max(abs(self.curve[0]), 1e-9)
        name = names[player - 1] if player <= len(names) else f"player {player}"
        return Record(
            player, name, len(own), mistakes, mean, self._luck(player), grade(mean / scale)
        )

    def _luck(self, player: int) -> float:
        """What chance gave a player, in his turns."""
        moved = sum(
            self.curve[at + 1] - self.curve[at]
            for at, step in enumerate(self.steps[:-1])
            if not step.mover and self._turn_of(at) == player
        )
        return self._good(player) * moved

    def _turn_of(self, at: int) -> int:
        """Whose turn it is where chance decides.

        In an absolute game, of whoever chooses next if a turn begins there, and else of whoever
        chose last.
        """
        if self.analyst.relative or self.game.players == 1:
            return self.steps[at].who
        before = [step.mover for step in reversed(self.steps[:at]) if step.mover]
        after = [step.mover for step in self.steps[at:] if step.mover]
        begins = self.game.anchor(self.steps[at].position)
        return next(iter(after + before if begins else before + after), 1)


def _cost(found: Found, step: Step) -> float:
    """What a move cost whoever made it."""
    return next(each.loss for each in found.moves if each.move == step.move)

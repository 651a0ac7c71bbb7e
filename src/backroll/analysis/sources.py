"""What a source of figures is, and the plainest one: a database.

A kind of source is a value that gives a source for a game, or None where it has nothing to say of
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from backroll.analysis.figures import Basis
from backroll.analysis.losing import can_be_lost, in_turn
from backroll.arena.intervals import Interval
from backroll.database import Database
from backroll.game import Game
from backroll.turn import MoveValue, seen_by


class Found(NamedTuple):
    """What a source says of a position: values are those of whoever chooses."""

    value: float
    moves: Sequence[MoveValue[Any]]
    basis: Basis
    interval: Interval | None = None
    intervals: Sequence[tuple[Interval, Interval]] = ()
    """Of each move's value and loss, where they were simulated."""


class Source(Protocol):
    """What tells values of the positions of one game."""

    distances: bool
    """Whether it knows how far positions are from the end."""

    def refine(self, position: Any) -> Iterator[Found]:
        """Better and better figures; exact ones at once, and no others."""
        ...

    def lost(self, position: Any) -> float | None:
        """The chance to lose the turn that goes on at a position, with best play."""
        ...

    def distance(self, position: Any) -> int | None:
        """How many moves it is to the end."""
        ...


class Kind(Protocol):
    """A kind of source."""

    def of(self, game: Game[Any]) -> Source | None:
        """The source for a game; None if there is none of this kind."""
        ...


class Solved:
    """A database, asked in plain Python."""

    def __init__(self, database: Database[Any], basis: Basis) -> None:
        self.database, self.basis = database, basis
        self.distances = database.distances

    def refine(self, position: Any) -> Iterator[Found]:
        """What the database says, once."""
        database = self.database
        value, moves = database.value(position), database.moves(position)
        yield Found(seen_by(database.game, database.game.node(position), value), moves, self.basis)

    def lost(self, position: Any) -> float | None:
        """The chance to lose the turn, in games in which turns are lost."""
        game = self.database.game
        if not can_be_lost(game):
            return None
        return in_turn(game, position, self.database.value)

    def distance(self, position: Any) -> int | None:
        """How many moves it is to the end, in games without chance."""
        return self.database.distance(position)

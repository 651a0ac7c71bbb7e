"""What an analysis says of a position, as values that can be printed, kept and sent."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from backroll.arena.intervals import Interval


@dataclass(frozen=True, slots=True)
class Basis:
    """What figures rest on."""

    text: str
    """For people: `exact, from the table pig`."""
    exact: bool = False
    games: int = 0
    """How many games an option were played, where figures were simulated."""


class Danger(NamedTuple):
    """The chance to lose the turn."""

    roll: float
    """At the next roll, if there is one."""
    turn: float | None
    """In this turn, with the best play that the source knows; None where it cannot tell."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move, where it leads, what it is worth to whoever makes it, and what it costs him."""

    move: str
    position: str
    value: float
    loss: float
    distance: int | None = None
    interval: Interval | None = None
    """Of the value, where it was simulated."""
    loss_interval: Interval | None = None
    danger: Danger | None = None
    """After the move; in games in which turns are lost."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What there is to say of a position: moves best first, and what that rests on."""

    spec: str
    quantity: str
    position: str
    value: float
    """What the position is worth to whoever chooses; with chance to come, by the view."""
    view: str
    """`mover` or `player 1`."""
    kind: str
    """`choice`, `chance` or `terminal`."""
    moves: tuple[Candidate, ...]
    basis: Basis
    interval: Interval | None = None
    danger: Danger | None = None
    """With the best move."""
    distance: int | None = None
    distances: bool = False
    """Whether it is known how far positions are from the end."""

    def as_dict(self) -> dict[str, Any]:
        """The analysis as plain data: what `probe --json` says, and more."""
        moves = [_plain(each, distances=self.distances) for each in self.moves]
        found = _plain(self, distances=self.distances) | {
            "moves": moves,
            "basis": asdict(self.basis),
        }
        del found["distances"]
        return found


def _plain(each: Analysis | Candidate, *, distances: bool) -> dict[str, Any]:
    """What a dataclass says, with intervals as two numbers."""
    found = {field.name: getattr(each, field.name) for field in fields(each)}
    for name, value in found.items():
        if isinstance(value, Interval):
            found[name] = [*value]
        if isinstance(value, Danger):
            found[name] = value._asdict()
    if not distances:
        del found["distance"]
    return found

"""What the turns engine works through: levels of jobs that do not rest on one another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np

from backroll.arrays import (
    APART,
    COUNTS,
    RADIUS,
    RESIDUAL,
    TALLY,
    Desk,
    Floats,
    Longs,
    Programs,
    Steps,
)

LINE = 8
"""Numbers in a line of the cache."""


class Needs(NamedTuple):
    """How much room a thread needs: states and shifts of its programs, rows of offsets."""

    programs: int
    states: int
    shifts: int
    slabs: int
    folds: int
    columns: int
    longest: int
    """States of the longest program."""
    flags: int


@dataclass(slots=True)
class Counts:
    """What was solved, and how well."""

    components: int = 0
    positions: int = 0
    iterations: int = 0
    rolls: int = 0
    residual: float = 0.0
    radius: float = 0.0
    """How far a value can be from the truth: the most of a level, added up over the levels."""
    apart: float = 0.0
    """How far the last step of a component still went that is not proven."""
    tally: list[int] = field(default_factory=lambda: [0] * (COUNTS - TALLY))
    """Of two players, components and iterations by fifths of both anchors' values."""

    def add(self, counts: Longs, found: Floats) -> None:
        """Count what a job of the same level solved."""
        self.components += int(counts[0])
        self.positions += int(counts[1])
        self.iterations += int(counts[2])
        self.rolls += int(counts[3])
        self.tally = _added(self.tally, counts[TALLY:].tolist())
        self.residual = max(self.residual, float(found[RESIDUAL]))
        self.radius = max(self.radius, float(found[RADIUS]))
        if not found[APART] <= self.apart:
            self.apart = float(found[APART])

    def plus(self, later: Counts) -> Counts:
        """Both together, the other on a later level."""
        return Counts(
            self.components + later.components,
            self.positions + later.positions,
            self.iterations + later.iterations,
            self.rolls + later.rolls,
            max(self.residual, later.residual),
            self.radius + later.radius,
            later.apart if not later.apart <= self.apart else self.apart,
            _added(self.tally, later.tally),
        )


def _added(one: list[int], two: list[int]) -> list[int]:
    return [a + b for a, b in zip(one, two, strict=True)]


Work = Callable[[Floats, Desk, Steps, Longs, Floats], None]
"""Solves into a table, counts, and says how far apart things are at the most."""


class Job(NamedTuple):
    """Some components of a level, and about how many positions their turns have."""

    cost: int
    work: Work


class Jobs(Protocol):
    """A game as levels of jobs over a table of its own layout."""

    size: int
    """Numbers in the table."""

    def needs(self) -> Needs:
        """The room that a thread needs."""
        ...

    def fill(self, table: Floats) -> None:
        """Put in what is known from the start."""
        ...

    def levels(self) -> Sequence[int]:
        """The levels, supports first."""
        ...

    def jobs(self, level: int) -> list[Job]:
        """What there is to do on a level."""
        ...

    def values(self, table: Floats) -> Floats:
        """What the anchors are worth, in the order of the game's rows."""
        ...


def room(needs: Needs, lanes: int) -> Desk:
    """A desk for one thread."""
    return Desk(
        programs=Programs(
            first=np.zeros(needs.programs + 1, np.int64),
            lists=np.zeros(needs.states, np.int32),
            shift=np.zeros(needs.states, np.int32),
            leaf=np.zeros(needs.states, np.int64),
            fold=np.zeros(needs.states, np.int32),
            shifts=np.zeros(needs.shifts, np.int32),
        ),
        slab_base=np.zeros(needs.slabs, np.int64),
        slab_stride=np.zeros((needs.slabs, 3), np.int64),
        off=np.zeros((needs.folds, lanes), np.int64),
        tracks=(_aligned(needs.longest, lanes), _aligned(needs.longest, lanes)),
        high=np.zeros((needs.columns, lanes)),
        stopped=np.zeros(needs.flags, np.uint8),
    )


def _aligned(rows: int, lanes: int) -> Floats:
    """Rows of lanes that each begin where a line of the cache does."""
    numbers = np.zeros(rows * lanes + LINE)
    skipped = -numbers.ctypes.data % (8 * LINE) // 8
    return numbers[skipped : skipped + rows * lanes].reshape(rows, lanes)

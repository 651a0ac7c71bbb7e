"""What the turns engine works through: levels of jobs that do not rest on one another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np

from backroll.arrays import Desk, Floats, Longs, Programs, Steps


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
    """What was done: as the kernels count it."""

    components: int = 0
    positions: int = 0
    iterations: int = 0
    rolls: int = 0
    residual: float = 0.0
    apart: float = field(default=0.0)
    """The largest residual of a component that has not settled."""

    def add(self, counts: Longs, found: float) -> None:
        """Add what a job has done."""
        components, positions, iterations, rolls = counts.tolist()
        self.components += components
        self.positions += positions
        self.iterations += iterations
        self.rolls += rolls
        if found >= 0:
            self.residual = max(self.residual, found)
        elif not -found <= self.apart:
            self.apart = -found


Work = Callable[[Floats, Desk, Steps, Longs], float]
"""Solves into a table, counts, and gives the largest residual, below 0 if something is open."""


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

    def cost(self) -> int:
        """About how many positions there are in all."""
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
        tracks=(np.zeros((needs.longest, lanes)), np.zeros((needs.longest, lanes))),
        high=np.zeros((needs.columns, lanes)),
        stopped=np.zeros(needs.flags, np.uint8),
    )

"""Solitaire Can't Stop as levels of jobs: each some cells of one set of closed columns.

The table has a number for each placement of the open columns, by set of closed columns. A level
is the anchors with equally many squares climbed, a closed column counting its length.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import product
from typing import NamedTuple

import numpy as np

from backroll.arrays import Desk, Floats, Leaves, Longs, Steps
from backroll.engines.jobs import Job, Needs
from backroll.games.cantstop.index import blocks
from backroll.games.cantstop.rules import CantStop
from backroll.kernels.climbs import count_shifts, count_states
from backroll.kernels.solos import solve_cells
from backroll.programs.boards import Boards, Hand, Merging, no_leaves

CHUNK = 8_000_000
"""Positions a job, about a tenth of a second."""


class Cells(NamedTuple):
    """The cells of a closed set: their corners, squares climbed there, positions of a turn."""

    corners: Longs
    squares: Longs
    cost: Longs


class Solos:
    """Solitaire Can't Stop, solved a cell and a level at a time."""

    def __init__(self, game: CantStop, merging: Merging) -> None:
        self.game = game
        self.boards = Boards(game, merging)
        self.merging = merging
        self.start: dict[int, int] = {}
        self.size = 0
        for hand in self.boards.hands:
            self.start[hand.closed] = self.size
            self.size += self.boards.size(hand.closed)
        self._cells = cache(self._make_cells)
        self._leaves = cache(self._make_leaves)

    def needs(self) -> Needs:
        """The room that a thread needs: the first cell is the largest."""
        climbs = self.boards.climbs(0)[0]
        nothing = np.zeros(climbs.length.size, np.int64)
        states = int(count_states(climbs, nothing, True))
        return Needs(
            programs=1,
            states=states,
            shifts=int(count_shifts(climbs, nothing, True)),
            slabs=climbs.entered.size,
            folds=8 * climbs.size.size,
            columns=climbs.length.size,
            longest=states,
            flags=states,
        )

    def fill(self, table: Floats) -> None:
        """Nothing is known from the start."""
        table[:] = np.nan

    def values(self, table: Floats) -> Floats:
        """What the anchors are worth, in the order of the game's rows."""
        values = np.empty(self.game.anchor_count())
        end = 0
        for block in blocks(self.game):
            start = self.start[block.closed]
            begin, end = end, end + block.size
            values[begin:end] = table[start : start + block.size]
        return values

    def levels(self) -> list[int]:
        """The levels, supports first."""
        return list(range(sum(self.game.lengths), -1, -1))

    def jobs(self, level: int) -> list[Job]:
        """Cells of each closed set, some at a time."""
        found = []
        for closed in self.start:
            cells = self._cells(closed)
            climbed = level - sum(n for c, n in enumerate(self.game.lengths) if closed >> c & 1)
            spare = climbed - cells.squares
            columns = len(self.boards.opened(closed))
            chosen = np.flatnonzero((spare >= 0) & (spare <= columns))
            if not chosen.size:
                continue
            lanes = self._lanes(columns)[spare[chosen]]
            costs = np.cumsum(cells.cost[chosen] * lanes)
            cuts = np.searchsorted(costs, np.arange(CHUNK, costs[-1], CHUNK))
            for part in np.split(chosen, np.unique(cuts)):
                if part.size:
                    cost = int((cells.cost[part] * self._lanes(columns)[spare[part]]).sum())
                    work = partial(self._work, closed, cells.corners[part], climbed)
                    found.append(Job(cost, work))
        return found

    def _lanes(self, columns: int) -> Longs:
        """How many lanes a cell has at most, by squares above its corner."""
        row = [1]
        for n in range(columns):
            row.append(row[-1] * (columns - n) // (n + 1))
        return np.array(row, np.int64)

    def _work(
        self,
        closed: int,
        corners: Longs,
        climbed: int,
        table: Floats,
        desk: Desk,
        steps: Steps,
        counts: Longs,
        found: Floats,
    ) -> None:
        climbs, lists = self.boards.climbs(closed)
        leaves, mirrored = self._leaves(closed)
        solve_cells(
            climbs, lists, leaves, table, mirrored, corners, climbed, desk, steps, counts, found
        )

    def _make_cells(self, closed: int) -> Cells:
        lengths = [self.game.lengths[c] for c in self.boards.opened(closed)]
        corners = np.array(list(product(*(range(0, n, 2) for n in lengths))), np.int64)
        strides = self.boards.strides(closed)
        if self._symmetric(closed):
            corners = corners[corners @ strides <= corners[:, ::-1] @ strides]
        return Cells(corners, corners.sum(1), self.boards.cost(closed, corners))

    def _symmetric(self, closed: int) -> bool:
        return self.merging.mirror and self.boards.mirror(closed) == closed

    def _make_leaves(self, closed: int) -> tuple[Leaves, Longs]:
        """Where stops lead, and what a square adds to the number of the mirror image."""
        folds = self.boards.folds(closed)
        leaves = no_leaves(len(folds), len(self.boards.opened(closed)))
        for f, fold in enumerate(folds):
            after = closed | sum(1 << c for c in fold)
            if after.bit_count() <= self.boards.most:
                (onto, _), mirrored = self.boards.standing(Hand(after))
                leaves.start[f] = self.start[onto]
                leaves.stride[f] = self.boards.strides_from(closed, onto, mirrored)
        strides = self.boards.strides(closed)
        return leaves, strides[::-1].copy() if self._symmetric(closed) else strides

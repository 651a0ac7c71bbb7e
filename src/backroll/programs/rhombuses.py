"""Chinese Checkers as states: the board as arrays, and links worked out block by block."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import comb

import numpy as np

from backroll.arrays import LOST, Bytes, Ints, Links, Longs, Rhombus
from backroll.games.chinese_checkers.index import Classes
from backroll.kernels import checkers

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
APART = Classes([], [], [])
"""Mirror images are not merged."""


def rhombus(height: int, width: int, home: list[int], classes: Classes | None) -> Rhombus:
    """A board of height rows, the mover's home on it, and what mirror images are merged by."""
    kept, of, own = classes or APART
    cells = height * width
    near, over = np.full((2, cells, len(STEPS)), -1, np.int64)
    for row, column in product(range(height), range(width)):
        for d, (down, right) in enumerate(STEPS):
            for far, found in ((1, near), (2, over)):
                r, c = row + far * down, column + far * right
                if 0 <= r < height and 0 <= c < width:
                    found[row * width + column, d] = r * width + c
    ways = [[comb(n, k) for k in range(len(home) + 1)] for n in range(cells + 1)]
    numbers = np.arange(cells)
    mirror = numbers.reshape(height, width).T.ravel() if kept else numbers
    return Rhombus(
        near,
        over,
        choose=np.array(ways, np.int64),
        home=np.array(home, np.int64),
        mirror=mirror,
        kept=np.array(kept, np.int64),
        classes=np.array(of, np.int64),
        own=np.array(own, np.bool_),
    )


class Checkers:
    """All states of Chinese Checkers, each for both sides and, if merged, its mirror image."""

    def __init__(self, board: Rhombus) -> None:
        self.board = board
        self.pieces = board.home.size
        cells = board.near.shape[0]
        sets = board.kept.size or comb(cells, self.pieces)
        self.size = sets * comb(cells - self.pieces, self.pieces)
        self.turns: Bytes = np.zeros(0, np.uint8)
        self._widest = 2 * self.pieces * cells

    def ends(self, begin: int, end: int) -> Bytes:
        """Where the mover has lost: beaten, or unable to move."""
        outcome = np.empty(end - begin, np.uint8)
        checkers.ends(self.board, self.pieces, begin, outcome, LOST)
        return outcome

    def successors(self, states: Longs) -> Links:
        """Where some states lead."""
        return self._links(checkers.successors, states)

    def predecessors(self, states: Longs) -> Links:
        """What leads to some states."""
        return self._links(checkers.predecessors, states)

    def by_cells(self) -> Longs:
        """The states for both sides, two a state, by what lies on one cell after the other.

        Cells come in diagonals across the way from home to home, as they do in the study's board.
        """
        cells, row_above = self.board.near.shape[0], self.board.near[0, 0]
        rows, columns = np.divmod(np.arange(cells), row_above)
        along = np.lexsort((rows, rows + columns))
        rank = np.empty(2 * self.size, np.int64)
        checkers.by_cells(self.board, self.pieces, along, rank)
        return np.argsort(rank)

    def _links(
        self, kernel: Callable[[Rhombus, int, Longs, Longs, Ints], int], states: Longs
    ) -> Links:
        first = np.empty(states.size + 1, np.int64)
        room = 12 * self.pieces * states.size + self._widest
        while True:
            state = np.empty(room, np.int32)
            count = kernel(self.board, self.pieces, states, first, state)
            if count != checkers.FULL:
                return Links(first, state[:count])
            room *= 2

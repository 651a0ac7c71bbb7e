"""Positions of Chinese Checkers <-> 0..n-1, by arithmetic.

Of m cells, k cells a₁ < a₂ < … < a_k have the colexicographic rank Σ C(aᵢ, i) (numbering cells
from 0), a number below C(m, k). The mover's pieces are ranked among all cells, the other side's
among those that are left: each of its cells less the number of the mover's cells before it. A row
is rank(mine) · C(m-k, k) + rank(theirs), so rows and positions answer to one another one to one.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from math import comb
from operator import lt

from backroll.game import ABSENT
from backroll.games.chinese_checkers.board import Cells


@dataclass(frozen=True, slots=True)
class Index:
    """The rows of all placements of `pieces` a side on so many cells."""

    cells: int
    pieces: int

    @property
    def others(self) -> int:
        """How many placements the other side has for each of the mover's."""
        return comb(self.cells - self.pieces, self.pieces)

    def __len__(self) -> int:
        return comb(self.cells, self.pieces) * self.others

    def row(self, mine: Cells, theirs: Cells) -> int:
        """The row of a placement; ABSENT for what is none."""
        if not (self._placed(mine) and self._placed(theirs) and set(mine).isdisjoint(theirs)):
            return ABSENT
        left = [cell - bisect_left(mine, cell) for cell in theirs]
        return rank(mine) * self.others + rank(left)

    def _placed(self, cells: Cells) -> bool:
        """Whether these are `pieces` cells of the board in order."""
        return (
            len(cells) == self.pieces
            and cells[0] >= 0
            and cells[-1] < self.cells
            and all(map(lt, cells, cells[1:]))
        )

    def at(self, row: int) -> tuple[Cells, Cells]:
        """The placement at a row."""
        if not 0 <= row < len(self):
            raise IndexError(f"expected a row from 0 to {len(self) - 1:,}, found {row:,}")
        first, second = divmod(row, self.others)
        mine = unrank(first, self.pieces)
        return mine, tuple(_put_back(cell, mine) for cell in unrank(second, self.pieces))


def rank(cells: Cells | list[int]) -> int:
    """The place of some cells, given in order, among all as many.

    >>> [rank(pair) for pair in ((0, 1), (0, 2), (1, 2), (0, 3))]
    [0, 1, 2, 3]
    """
    return sum(comb(cell, place) for place, cell in enumerate(cells, 1))


def unrank(rank: int, pieces: int) -> Cells:
    """The cells at a place.

    >>> unrank(3, 2)
    (0, 3)
    """
    found = []
    for place in range(pieces, 0, -1):
        cell = place - 1
        while comb(cell + 1, place) <= rank:
            cell += 1
        rank -= comb(cell, place)
        found.append(cell)
    return tuple(found[::-1])


def _put_back(cell: int, mine: Cells) -> int:
    """A cell counted without the mover's, counted with them."""
    for taken in mine:
        cell += taken <= cell
    return cell

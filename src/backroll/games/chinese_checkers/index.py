"""Positions of Chinese Checkers <-> 0..n-1, by arithmetic.

Of m cells, k cells a₁ < a₂ < … < a_k have the colexicographic rank Σ C(aᵢ, i) (numbering cells
from 0), a number below C(m, k). The mover's pieces are ranked among all cells, the other side's
among those that are left: each of its cells less the number of the mover's cells before it. A row
is rank(mine) · C(m-k, k) + rank(theirs), so rows and positions answer to one another one to one.

Where mirror images are merged, the sets of cells make classes, each of a set and its image. The
smaller of the two is kept, and a row is class(mine) · C(m-k, k) + rank(theirs), once the position
is mirrored if the mover's cells are not those that are kept. A set that is its own image is a
class by itself; the two images of a position have a row each then, which makes rows a little more
than half.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from math import comb
from operator import lt
from typing import NamedTuple

from backroll.game import ABSENT
from backroll.games.chinese_checkers.board import Board, Cells, board

MOST_SETS = 50_000
"""Sets of one side's cells that are merged: with more there are more rows than 2^31."""


class Classes(NamedTuple):
    """The sets of cells of one side, each merged with its mirror image."""

    kept: list[int]
    """Of each class, the rank of the set that is kept."""
    of: list[int]
    """Of each rank its class, or ~class where the mirror image is kept."""
    own: list[bool]
    """Of each class, whether the set is its own mirror image."""


@cache
def classes(size: int, pieces: int) -> Classes:
    """The classes of the sets of so many cells of a board that is as wide as high."""
    mirrored = board(size, size, pieces).mirrored
    sets = [unrank(place, pieces) for place in range(comb(size * size, pieces))]
    images = list(map(mirrored, sets))
    kept = [place for place, cells in enumerate(sets) if cells <= images[place]]
    number = {sets[place]: each for each, place in enumerate(kept)}
    of = [
        number[cells] if cells in number else ~number[image]
        for cells, image in zip(sets, images, strict=True)
    ]
    return Classes(kept, of, [sets[place] == images[place] for place in kept])


@dataclass(frozen=True, slots=True)
class Index:
    """The rows of all placements of `pieces` a side, mirror images merged if there are classes."""

    board: Board
    pieces: int
    classes: Classes | None

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.board.cells

    @property
    def others(self) -> int:
        """How many placements the other side has for each of the mover's."""
        return comb(self.cells - self.pieces, self.pieces)

    def __len__(self) -> int:
        sets = comb(self.cells, self.pieces) if self.classes is None else len(self.classes.kept)
        return sets * self.others

    def row(self, mine: Cells, theirs: Cells) -> int:
        """The row of a placement; ABSENT for what is none."""
        if not (self._placed(mine) and self._placed(theirs) and set(mine).isdisjoint(theirs)):
            return ABSENT
        first = rank(mine)
        if self.classes is not None:
            first = self.classes.of[first]
            if first < 0:
                first, mine, theirs = ~first, *map(self.board.mirrored, (mine, theirs))
        left = [cell - bisect_left(mine, cell) for cell in theirs]
        return first * self.others + rank(left)

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
        mine = unrank(first if self.classes is None else self.classes.kept[first], self.pieces)
        return mine, tuple(_put_back(cell, mine) for cell in unrank(second, self.pieces))


def index(board: Board, pieces: int, *, merged: bool) -> Index:
    """The rows of a board, its mirror images merged if that is wanted and can be done."""
    possible = board.symmetric and comb(board.cells, pieces) <= MOST_SETS
    return Index(board, pieces, classes(board.rows, pieces) if merged and possible else None)


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

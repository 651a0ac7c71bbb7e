"""The rhombus: its cells, which of them touch, and where the two sides are at home.

The cell in row r and column c of w columns has the number r·w + c. Drawn with every row half a
cell further to the right than the one below, the cells make a hexagonal lattice:

    (r+1, c-1)  (r+1, c)
  (r, c-1)  (r, c)  (r, c+1)
      (r-1, c)  (r-1, c+1)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

Cells: TypeAlias = tuple[int, ...]

DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
"""The six neighbours of a cell, as (rows, columns)."""


@dataclass(frozen=True, slots=True)
class Board:
    """A rhombus of rows × columns cells with two homes in opposite corners."""

    rows: int
    columns: int
    home: Cells
    """Where the mover began, in the corner of cell 0; the other side's goal."""
    goal: Cells
    """The home of the other side: the mover's, turned by 180°."""
    steps: tuple[Cells, ...]
    """Of each cell, its neighbours."""
    jumps: tuple[tuple[tuple[int, int], ...], ...]
    """Of each cell, the pairs of a neighbour and the cell behind it."""

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.rows * self.columns

    @property
    def symmetric(self) -> bool:
        """Whether the board and its homes are their own mirror image."""
        return self.rows == self.columns and self.mirrored(self.home) == self.home

    def turned(self, cells: Cells) -> Cells:
        """The cells after a turn of the board by 180°, in order."""
        last = self.cells - 1
        return tuple([last - cell for cell in cells[::-1]])

    def mirrored(self, cells: Cells) -> Cells:
        """The cells with rows and columns exchanged, in order: of a board as wide as high."""
        places = (divmod(cell, self.columns) for cell in cells)
        return tuple(sorted([column * self.columns + row for row, column in places]))


@cache
def board(rows: int, columns: int, pieces: int) -> Board:
    """The rhombus with homes for so many pieces."""
    places = [(row, column) for row in range(rows) for column in range(columns)]
    nearest = sorted(places, key=lambda place: (sum(place), place[0]))[:pieces]
    home = tuple(sorted(row * columns + column for row, column in nearest))
    shape = rows, columns
    return Board(
        rows,
        columns,
        home,
        goal=tuple(rows * columns - 1 - cell for cell in home[::-1]),
        steps=tuple(tuple(_lines(shape, place, 1)) for place in places),
        jumps=tuple(tuple(_lines(shape, place, 2).items()) for place in places),
    )


def _lines(shape: tuple[int, int], place: tuple[int, int], length: int) -> dict[int, int]:
    """Neighbour -> the cell so many steps away in its direction, where the board has one."""
    (rows, columns), (row, column) = shape, place
    found = {}
    for down, right in DIRECTIONS:
        far_row, far_column = row + length * down, column + length * right
        if 0 <= far_row < rows and 0 <= far_column < columns:
            found[(row + down) * columns + column + right] = far_row * columns + far_column
    return found

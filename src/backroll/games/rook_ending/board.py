"""The square board: where kings and rooks go, what a rook attacks, and the eight symmetries.

The square in rank r and file f, counted from 0, has the number r·size + f.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TypeAlias

Squares: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A board of size × size squares."""

    size: int
    near: tuple[Squares, ...]
    """Of each square, the squares that touch it, in order: a king's steps."""
    rays: tuple[tuple[Squares, ...], ...]
    """Of each square, the squares in each of the four directions of a rook, nearest first."""
    images: tuple[Squares, ...]
    """The symmetries of the square: of each, where it takes every square."""

    def attacked(self, square: int, rook: int, king: int) -> bool:
        """Whether the rook attacks a square, with no other piece in between than the king."""
        for ray in self.rays[rook]:
            if square in ray:
                return king not in ray[: ray.index(square)]
        return False


@cache
def board(size: int) -> Board:
    """The board of a size."""
    places = list(product(range(size), repeat=2))
    return Board(
        size,
        near=tuple(tuple(_near(size, *place)) for place in places),
        rays=tuple(_rays(size, *place) for place in places),
        images=tuple(_images(size)),
    )


def _near(size: int, rank: int, file: int) -> list[int]:
    ranks, files = (range(max(at - 1, 0), min(at + 2, size)) for at in (rank, file))
    return [r * size + f for r in ranks for f in files if (r, f) != (rank, file)]


def _rays(size: int, rank: int, file: int) -> tuple[Squares, ...]:
    """Up, down, right and left."""
    return (
        tuple(r * size + file for r in range(rank + 1, size)),
        tuple(r * size + file for r in range(rank - 1, -1, -1)),
        tuple(rank * size + f for f in range(file + 1, size)),
        tuple(rank * size + f for f in range(file - 1, -1, -1)),
    )


def _images(size: int) -> list[Squares]:
    """Ranks upside down or not, files left to right or not, and both exchanged or not."""
    ways = (range(size), range(size - 1, -1, -1))
    found: list[Squares] = []
    for ranks, files in product(ways, repeat=2):
        found.append(tuple(r * size + f for r in ranks for f in files))
        found.append(tuple(f * size + r for r in ranks for f in files))
    return found

"""Positions of the rook ending <-> 0..n-1, the eight images of a position sharing a row.

A *standing* position is the one of its images with the smallest numbers of king, lone king and
rook, in this order. Rows come in blocks, by player to move and squares of the kings; within a
block the rook goes through its squares in order, the lost rook (-1) before all of them. On the
chessboard there are 462 standing pairs of kings, so two look-ups and a bisection find a row.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache
from typing import TypeAlias

from backroll.game import ABSENT
from backroll.games.rook_ending.board import Board, Squares, board
from backroll.games.rook_ending.position import BLACK, LOST, WHITE, Ending, legal, standing

Kings: TypeAlias = tuple[int, int, int]
"""The player to move, the king and the lone king."""


class Index:
    """Position -> row and back."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._blocks: list[tuple[Kings, Squares]] = []
        self._starts: list[int] = []
        self._found: dict[Kings, tuple[int, Squares]] = {}
        self._length = 0
        squares = range(board.size**2)
        for player in (WHITE, BLACK):
            for king in squares:
                for lone in squares:
                    self._add((player, king, lone))

    def _add(self, kings: Kings) -> None:
        """Add the block of a player and a pair of kings, if any standing position has them."""
        player, king, lone = kings
        places = (Ending(player, king, lone, rook) for rook in range(LOST, self._board.size**2))
        rooks = tuple(
            each.rook for each in places if legal(self._board, each) and self._stands(each)
        )
        if rooks:
            self._found[kings] = self._length, rooks
            self._blocks.append((kings, rooks))
            self._starts.append(self._length)
            self._length += len(rooks)

    def _stands(self, position: Ending) -> bool:
        return standing(self._board, position) == position

    def __len__(self) -> int:
        return self._length

    def row(self, position: Ending) -> int:
        """The row of a position; ABSENT for what is none."""
        if not legal(self._board, position):
            return ABSENT
        player, king, lone, rook = standing(self._board, position)
        start, rooks = self._found[player, king, lone]
        return start + bisect_left(rooks, rook)

    def at(self, row: int) -> Ending:
        """The standing position at a row."""
        if not 0 <= row < self._length:
            raise IndexError(f"expected a row from 0 to {self._length - 1:,}, found {row:,}")
        block = bisect_right(self._starts, row) - 1
        kings, rooks = self._blocks[block]
        return Ending(*kings, rooks[row - self._starts[block]])


@cache
def index_of(size: int) -> Index:
    """The index of the positions on a board."""
    return Index(board(size))

"""Positions of the rook ending: which can stand on a board, and which are images of one another."""

from __future__ import annotations

from typing import Final, NamedTuple

from backroll.games.rook_ending.board import Board

WHITE: Final = 1
BLACK: Final = 2
LOST: Final = -1
"""Where a rook is that was taken."""


class Ending(NamedTuple):
    """Who is to move, and where the pieces are."""

    player: int
    king: int
    lone: int
    rook: int


def touching(board: Board, one: int, other: int) -> bool:
    """Whether two squares touch."""
    return other in board.near[one]


def check(board: Board, position: Ending) -> bool:
    """Whether the rook attacks the lone king."""
    _, king, lone, rook = position
    return rook != LOST and board.attacked(lone, rook, king)


def legal(board: Board, position: Ending) -> bool:
    """Whether the pieces can stand there: nobody has left a king to be taken."""
    player, king, lone, rook = position
    if len({king, lone, rook}) < 3 or touching(board, king, lone):
        return False
    return rook != LOST if player == BLACK else not check(board, position)


def standing(board: Board, position: Ending) -> Ending:
    """The image of a position with the smallest numbers."""
    player, *pieces = position
    images = ([image[at] if at != LOST else LOST for at in pieces] for image in board.images)
    return Ending(player, *min(images))

"""King and rook against king, on boards from 3 × 3 to the chessboard."""

from backroll.games.rook_ending.position import Ending
from backroll.games.rook_ending.rules import RookEnding

__all__ = ["Ending", "RookEnding"]

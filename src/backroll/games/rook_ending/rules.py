"""King and rook against king: White mates the lone king, or does not.

The board has size × size squares; 8 is the chessboard. The rules are those of chess.

1. A king goes to a square that touches its own, a rook any way along its rank or file, not over
   a piece. No king goes where it can be taken: next to the other king, or (Black) where the rook
   attacks. The rook does not see through its own king, but it does through the king that flees.
2. Black may take the rook with the king, if White's king does not guard it.
3. Black, attacked and without a move, is mated: White has won. A side that is not attacked and
   has no move is stalemated, and who has lost the rook cannot mate: both are draws. A game that
   goes on for ever is a draw as well: there is no end for it among the rules, so whoever solves
   the game by its ends must say what is worth neither a win nor a loss.

The game is absolute: player 1 is White, values are White's (1 mate, ½ a draw; Black never wins).
A position is the player to move, White's king, Black's lone king, and the rook, or -1 when it is
lost. A move is the piece, `K`, `R` or `k`, and the square it goes to; king first, squares in order.

On the chessboard White mates in 16 moves at most (31 single moves), and 28,056 positions with
Black to move are different under the symmetries of the board (Bain and Hoff, UCI, 1994).
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from backroll.game import Choice, Game, Terminal
from backroll.games.rook_ending import notation
from backroll.games.rook_ending.board import board
from backroll.games.rook_ending.index import index_of
from backroll.games.rook_ending.position import (
    BLACK,
    LOST,
    WHITE,
    Ending,
    check,
    standing,
    touching,
)
from backroll.spec import Range

MATE = Terminal(1)
DRAW = Terminal(0.5)

Move: TypeAlias = tuple[str, int]
"""The piece and where it goes."""


class RookEnding(Game[Ending]):
    """King and rook against king: mate, on a board from 3 × 3 to the chessboard."""

    name = "rookending"
    chance = False

    def __init__(self, size: Annotated[int, Range(3, 8)] = 8) -> None:
        """Play on `size` × `size` squares."""
        self.size = size
        self.board = board(size)

    def start(self) -> Ending:
        """Kings at home, the rook in its corner, White to move."""
        middle = self.size // 2
        return Ending(WHITE, middle, self.size * (self.size - 1) + middle, self.size - 1)

    def node(self, position: Ending) -> Terminal | Choice:
        """Move, unless it is mate, stalemate, or the rook is lost."""
        if position.rook == LOST:
            return DRAW
        moves = self._moves(position)
        if moves:
            return Choice(moves, position.player)
        return MATE if position.player == BLACK and check(self.board, position) else DRAW

    def play(self, position: Ending, move: Move) -> Ending:
        """Move a piece; the lone king takes a rook that stands in its way."""
        player, king, lone, rook = position
        piece, to = move
        if piece == "K":
            return Ending(3 - player, to, lone, rook)
        if piece == "R":
            return Ending(3 - player, king, lone, to)
        return Ending(3 - player, king, to, LOST if to == rook else rook)

    def _moves(self, position: Ending) -> list[Move]:
        player, king, lone, rook = position
        if player == BLACK:
            return [("k", to) for to in self.board.near[lone] if self._safe(position, to)]
        steps = [to for to in self.board.near[king] if to != rook]
        kings = [("K", to) for to in steps if not touching(self.board, to, lone)]
        return kings + [("R", to) for to in self._slides(rook, (king, lone))]

    def _safe(self, position: Ending, to: int) -> bool:
        """Whether the lone king may go to a square, be it the rook's: no rook attacks its own."""
        _, king, _, rook = position
        if to == king or touching(self.board, to, king):
            return False
        return not self.board.attacked(to, rook, king)

    def _slides(self, rook: int, pieces: tuple[int, int]) -> list[int]:
        """Where the rook can go, in order."""
        found = []
        for ray in self.board.rays[rook]:
            for to in ray:
                if to in pieces:
                    break
                found.append(to)
        return sorted(found)

    def symmetry(self, position: Ending) -> Ending:
        """The first of the eight images of a position on the board."""
        return standing(self.board, position)

    def anchor_count(self) -> int:
        """How many positions there are, images for one, the ends included."""
        return len(index_of(self.size))

    def anchor_row(self, position: Ending) -> int:
        """The row of a position."""
        return index_of(self.size).row(position)

    def anchor_at(self, row: int) -> Ending:
        """The position at a row."""
        return index_of(self.size).at(row)

    def show(self, position: Ending) -> str:
        """Who is to move, and the pieces: `w Ke1 Rh1 ke8`."""
        return notation.show(self, position)

    def parse(self, text: str) -> Ending:
        """The position that a text shows, if moves can lead to it."""
        return notation.parse(self, text)

    def show_move(self, move: Move) -> str:
        """The piece and where it goes: `Ra8`."""
        return notation.show_move(self, move)

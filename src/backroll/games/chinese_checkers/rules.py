"""Chinese Checkers for two on a rhombus: who first fills the far corner wins.

The board has `size` rows and `width` columns, by default as many; each cell has up to six
neighbours. Each side begins with its pieces in its home, the cells nearest to its corner, and its
goal is the home of the other side.

1. A move takes one piece. It steps to an empty neighbour, or it jumps over a piece of either
   colour on a neighbour into the empty cell behind, and may jump on from there, as often as it
   can. It has left the cell it came from, which is empty while it jumps. No piece is taken.
2. A side has won when every cell of its goal is filled and at least one of the pieces there is
   its own (the other side cannot spoil the game by staying at home).
3. Whoever is to move when the other side has won, or has no move, has lost. Nobody may pass.

A position is the cells of the mover's pieces and of the other side's, each in order and seen from
the mover, whose home is in the corner of cell 0: after a move the board is turned by 180°. Every
placement is a position, also one that no game leads to. A move is the cell a piece leaves and the
one where it ends; however many ways lead there, it is one move. Moves come in order of their
numbers. Every move can be taken back by a move, so games can go round in circles.

With two pieces on 7 × 7, Sturtevant and Saffidine count both colours: 2 × 1,271,256 positions.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, TypeAlias

from backroll.errors import SpecError
from backroll.game import Choice, Game, Swap, Terminal
from backroll.games.chinese_checkers import notation
from backroll.games.chinese_checkers.board import Cells, board
from backroll.games.chinese_checkers.index import Index, index
from backroll.spec import Range

Position: TypeAlias = tuple[Cells, Cells]
"""The mover's cells and the other side's."""
Move: TypeAlias = tuple[int, int]
"""From, to."""

LOST = Terminal(0)


class ChineseCheckers(Game[Position]):
    """Step and jump your pieces to the far corner before the other side gets to yours; a width of 0
    is the size.
    """

    name = "chinesecheckers"
    chance = False

    def __init__(
        self,
        size: Annotated[int, Range(3, 9)] = 7,
        pieces: Annotated[int, Range(1, 6)] = 2,
        width: Annotated[int, Range(0, 15)] = 0,
        *,
        merged: bool = True,
    ) -> None:
        """Play on a rhombus of `size` rows and `width` columns with so many `pieces` a side.

        Mirror images are `merged` where the homes are their own mirror image, which they are with
        1, 3 and 6 pieces on boards as wide as high.
        """
        self.size, self.pieces, self.width, self.merged = size, pieces, width, merged
        self.board = board(size, width or size, pieces)
        overlap = not set(self.board.home).isdisjoint(self.board.goal)
        if overlap or 2 * pieces == self.board.cells:
            wanted = "do not overlap" if overlap else "leave a cell empty"
            across = f",width={width}" * bool(width)
            raise SpecError(
                f"chinesecheckers: expected homes that {wanted}, "
                f"found pieces={pieces} with size={size}{across}"
            )
        self._home = frozenset(self.board.home)

    def start(self) -> Position:
        """Everybody is at home."""
        return self.board.home, self.board.goal

    def node(self, position: Position) -> Terminal | Choice:
        """Move a piece, unless the other side has won or there is no move."""
        moves = [] if self.lost(position) else self.moves(position)
        return Choice(moves) if moves else LOST

    def play(self, position: Position, move: Move) -> Swap[Position]:
        """Move the piece and turn the board to the other side."""
        mine, theirs = position
        return Swap((self.board.turned(theirs), self.board.turned(_moved(mine, move))))

    def lost(self, position: Position) -> bool:
        """Whether the other side has won: its goal is filled, and not by the mover alone."""
        mine, theirs = map(self._home.intersection, position)
        return bool(theirs) and len(mine) + len(theirs) == self.pieces

    def moves(self, position: Position) -> list[Move]:
        """Every step and every chain of jumps, whoever has won."""
        mine, theirs = position
        return [(piece, to) for piece in mine for to in self._reached(piece, {*mine, *theirs})]

    def _reached(self, piece: int, filled: set[int]) -> list[int]:
        """The cells where a piece can go, in order.

        Jumps keep rows and columns even or odd, so a piece can come back to the cell that it left
        but never stand beside it: that the cell is empty opens no way.
        """
        others = filled - {piece}
        landings = [piece]
        for cell in landings:
            for over, behind in self.board.jumps[cell]:
                if over in others and behind not in others and behind not in landings:
                    landings.append(behind)
        return sorted({*self.board.steps[piece], *landings[1:]} - others)

    def predecessors(self, position: Position) -> list[Position]:
        """The positions from which one move leads here: every move can be taken back."""
        before = self._other_side(position)
        mine, theirs = before
        found = [(_moved(mine, move), theirs) for move in self.moves(before)]
        return [each for each in found if not self.lost(each)]

    def _other_side(self, position: Position) -> Position:
        """The same pieces as the other side sees them."""
        mine, theirs = position
        return self.board.turned(theirs), self.board.turned(mine)

    def symmetry(self, position: Position) -> Position:
        """The smaller of a position and its mirror image, where these are merged."""
        if not (self.merged and self.board.symmetric):
            return position
        mine, theirs = position
        return min(position, (self.board.mirrored(mine), self.board.mirrored(theirs)))

    @cached_property
    def index(self) -> Index:
        """Rows and positions, made when they are first wanted."""
        return index(self.board, self.pieces, merged=self.merged)

    def anchor_count(self) -> int:
        """How many rows there are."""
        return len(self.index)

    def anchor_row(self, position: Position) -> int:
        """The row of a position, or of its mirror image if that is kept."""
        return self.index.row(*position)

    def anchor_at(self, row: int) -> Position:
        """The position at a row."""
        return self.index.at(row)

    def show(self, position: Position) -> str:
        """The mover's cells and the other side's: `a1,b1/f7,g7`."""
        return notation.show(self, position)

    def parse(self, text: str) -> Position:
        """The position that a text shows, its cells in any order."""
        return notation.parse(self, text)

    def show_move(self, move: Move) -> str:
        """The cells it leaves and reaches: `a1-c1`."""
        return notation.show_move(self, move)


def _moved(cells: Cells, move: Move) -> Cells:
    """The cells of a side after a move of one of its pieces."""
    piece, to = move
    return tuple(sorted([to if cell == piece else cell for cell in cells]))

"""The text form of Chinese Checkers: `a1,b1/f7,g7`.

The mover's cells, then the other side's, as the mover sees them: files a, b, c … are the columns,
ranks 1, 2, 3 … the rows, and the mover's home is around a1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from backroll.errors import NotationError
from backroll.games.reading import cell_name, named_cell, quoted

if TYPE_CHECKING:
    from backroll.games.chinese_checkers.board import Cells
    from backroll.games.chinese_checkers.rules import ChineseCheckers, Move, Position


def show(game: ChineseCheckers, position: Position) -> str:
    """The text of a position."""
    return "/".join(
        ",".join(cell_name(cell, game.board.columns) for cell in side) for side in position
    )


def show_move(game: ChineseCheckers, move: Move) -> str:
    """The text of a move."""
    return "-".join(cell_name(cell, game.board.columns) for cell in move)


def parse(game: ChineseCheckers, text: str) -> Position:
    """The position that a text shows, if it is one of this game."""
    sides = text.split("/")
    if len(sides) != 2:
        raise NotationError(
            f"expected the mover's cells / the other side's, as in {show(game, game.start())}, "
            f"found {quoted(text)}"
        )
    mine = _cells(game, sides[0], "the mover")
    theirs = _cells(game, sides[1], "the other side")
    for cell in mine:
        if cell in theirs:
            name = cell_name(cell, game.board.columns)
            raise NotationError(f"expected one piece a cell, found both sides on {name}")
    return mine, theirs


def _cells(game: ChineseCheckers, text: str, whose: str) -> Cells:
    names, shape = text.split(","), (game.board.rows, game.board.columns)
    cells = tuple(sorted({named_cell(name, shape, whose) for name in names}))
    if len(cells) != game.pieces or len(names) != game.pieces:
        raise NotationError(
            f"{whose}: expected {game.pieces} different cell{'s' * (game.pieces > 1)}, "
            f"found {quoted(text.strip())}"
        )
    return cells

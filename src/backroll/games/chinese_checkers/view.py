"""The board of Chinese Checkers as text and as SVG, seen from the mover, whose home is below.

Each row stands half a cell further to the right than the one below it, so that cells which touch
in the drawing are neighbours in the game. In text `x` is the mover, `o` the other side, `.` an
empty cell and `+` an empty cell of a home. In SVG the mover's pieces are discs, the other side's
are squares on their corner: they differ without colours too.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from backroll.games.reading import cell_name

if TYPE_CHECKING:
    from backroll.games.chinese_checkers.rules import ChineseCheckers, Position

PITCH = 40
"""From the middle of a cell to that of its neighbour, in pixels."""
_RISE = PITCH * sqrt(3) / 2
_STYLE = (
    ".cell{fill:#fff;stroke:#999}.home{fill:#e4e4e4}.mover{fill:#0b5cad}"
    ".other{fill:#e08a00;stroke:#000}text{font:13px sans-serif;text-anchor:middle}"
)


def drawn(game: ChineseCheckers, position: Position) -> str:
    """The board in text.

    >>> from backroll.games.chinese_checkers import ChineseCheckers
    >>> print(drawn(ChineseCheckers(4), ((0, 5), (14, 15))))
    4     . . o o
    3    . . . .
    2   . x . .
    1  x + . .
       a b c d
    """
    homes, columns = {*game.board.home, *game.board.goal}, game.board.columns
    marks = ["+" if cell in homes else "." for cell in range(game.board.cells)]
    for mark, side in zip("xo", position, strict=True):
        for cell in side:
            marks[cell] = mark
    rows = [marks[first : first + columns] for first in range(0, game.board.cells, columns)]
    lines = [f"{rank:<{rank + 2}}{' '.join(row)}" for rank, row in enumerate(rows, 1)]
    files = " ".join(cell_name(file, columns)[0] for file in range(columns))
    return "\n".join([*lines[::-1], f"   {files}"])


def svg(game: ChineseCheckers, position: Position) -> str:
    """The board as a drawing that stands by itself, with a title that says the position."""
    width = round(PITCH * (game.board.columns + game.board.rows / 2 + 1))
    height = round(_RISE * game.board.rows + 1.5 * PITCH)
    title = f"{game.show(position)}: the mover's discs, the other side's squares"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{title}</title>",
            f"<style>{_STYLE}</style>",
            *(_cell(game, cell) for cell in range(game.board.cells)),
            *(_disc(game, cell) for cell in position[0]),
            *(_square(game, cell) for cell in position[1]),
            *_labels(game),
            "</svg>",
        ]
    )


def _middle(game: ChineseCheckers, row: float, column: float) -> tuple[float, float]:
    """Where a cell is drawn: the first row is the lowest."""
    x = PITCH * (column + row / 2 + 1.25)
    y = PITCH * 0.75 + _RISE * (game.board.rows - 1 - row)
    return round(x, 1), round(y, 1)


def _at(game: ChineseCheckers, cell: int) -> tuple[float, float]:
    return _middle(game, *divmod(cell, game.board.columns))


def _cell(game: ChineseCheckers, cell: int) -> str:
    x, y = _at(game, cell)
    home = " home" * (cell in game.board.home or cell in game.board.goal)
    name = cell_name(cell, game.board.columns)
    circle = f'<circle class="cell{home}" cx="{x}" cy="{y}" r="{PITCH * 0.45:g}">'
    return f"{circle}<title>{name}</title></circle>"


def _disc(game: ChineseCheckers, cell: int) -> str:
    x, y = _at(game, cell)
    return f'<circle class="mover" cx="{x}" cy="{y}" r="{PITCH * 0.33:g}"/>'


def _square(game: ChineseCheckers, cell: int) -> str:
    x, y = _at(game, cell)
    half = PITCH * 0.25
    turn = f'transform="rotate(45 {x} {y})"'
    side = f'width="{2 * half:g}" height="{2 * half:g}"'
    return f'<rect class="other" x="{x - half:g}" y="{y - half:g}" {side} {turn}/>'


def _labels(game: ChineseCheckers) -> list[str]:
    """Ranks to the left of the rows, files below the first row."""
    rows, columns = game.board.rows, game.board.columns
    ranks = [(cell_name(row * columns, columns)[1:], (row, -0.8)) for row in range(rows)]
    files = [(cell_name(file, columns)[0], (-1, file + 0.5)) for file in range(columns)]
    found = []
    for label, at in ranks + files:
        x, y = _middle(game, *at)
        found.append(f'<text x="{x}" y="{y + 5:g}">{label}</text>')
    return found

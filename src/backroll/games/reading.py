"""What the text forms of positions share: whole numbers, and texts quoted in messages."""

import re
from reprlib import Repr

from backroll.errors import NotationError

_DIGITS = re.compile(r"[0-9]{1,9}")
_brief = Repr()
_brief.maxstring = 60


def quoted(text: str) -> str:
    """A text as a message quotes it, the middle of a long one left out.

    >>> quoted("3,5")
    "'3,5'"
    """
    return _brief.repr(text)


def whole_number(text: str, low: int, high: int, what: str) -> int:
    """The number that a text shows, from low to high.

    >>> whole_number(" 7", 1, 9, "the roll")
    7
    """
    digits = text.strip()
    if _DIGITS.fullmatch(digits) and low <= int(digits) <= high:
        return int(digits)
    raise NotationError(
        f"{what}: expected a whole number from {low} to {high}, found {quoted(text)}"
    )


def cell_name(cell: int, columns: int) -> str:
    """The name of a cell, numbered row by row on a board of so many columns: file, then rank.

    >>> cell_name(0, 7), cell_name(9, 7)
    ('a1', 'c2')
    """
    rank, file = divmod(cell, columns)
    return f"{chr(ord('a') + file)}{rank + 1}"


def named_cell(text: str, shape: tuple[int, int], what: str) -> int:
    """The cell that a text names, on a board of so many rows and columns.

    >>> named_cell(" c2", (7, 7), "a piece")
    9
    """
    rows, columns = shape
    name = text.strip()
    file, rank = ord(name[:1] or " ") - ord("a"), name[1:]
    if 0 <= file < columns and rank in map(str, range(1, rows + 1)):
        return (int(rank) - 1) * columns + file
    last = cell_name(rows * columns - 1, columns)
    raise NotationError(f"{what}: expected a cell from a1 to {last}, found {quoted(text)}")

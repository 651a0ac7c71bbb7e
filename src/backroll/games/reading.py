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


def cell_name(cell: int, size: int) -> str:
    """The name of a cell, numbered row by row on a board of size × size: file, then rank.

    >>> cell_name(0, 7), cell_name(9, 7)
    ('a1', 'c2')
    """
    rank, file = divmod(cell, size)
    return f"{chr(ord('a') + file)}{rank + 1}"


def named_cell(text: str, size: int, what: str) -> int:
    """The cell that a text names.

    >>> named_cell(" c2", 7, "a piece")
    9
    """
    name = text.strip()
    file, rank = ord(name[:1] or " ") - ord("a"), name[1:]
    if 0 <= file < size and rank in map(str, range(1, size + 1)):
        return (int(rank) - 1) * size + file
    last = cell_name(size * size - 1, size)
    raise NotationError(f"{what}: expected a cell from a1 to {last}, found {quoted(text)}")

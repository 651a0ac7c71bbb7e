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

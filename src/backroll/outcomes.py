"""Words: who wins and in how many moves, and what that is worth."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from backroll.arrays import LOST, WON, Longs


class Numbers(Protocol):
    """A number an anchor: a column of a table, or an array."""

    def item(self, row: int, /) -> Any:
        """One number."""
        ...

    def take(self, rows: Longs, /) -> NDArray[Any]:
        """The numbers of many rows."""
        ...


def worth(word: int, total: float) -> float:
    """The value of a word: all, nothing, or half where nobody wins.

    >>> worth(4 * 7 + WON, 1.0), worth(4 * 6 + LOST, 1.0), worth(0, 1.0)
    (1.0, 0.0, 0.5)
    """
    return {WON: float(total), LOST: 0.0}.get(word & 3, total / 2)


class Outcomes:
    """Words as values."""

    def __init__(self, words: Numbers, total: float, *, distances: bool) -> None:
        self.words, self.total = words, total
        self.distances = distances
        """Whether words have distances; or else outcomes alone."""
        self._worth = np.array([worth(word, total) for word in range(4)])

    def item(self, row: int) -> float:
        """What one anchor is worth."""
        return worth(self.words.item(row), self.total)

    def take(self, rows: Longs) -> NDArray[np.float64]:
        """What many anchors are worth."""
        worths: NDArray[np.float64] = self._worth[self.words.take(rows) & 3]
        return worths

    def distance(self, row: int) -> int | None:
        """How many moves it is to the end with best play; None if nobody wins, or unknown."""
        word = self.words.item(row)
        return word >> 2 if self.distances and word & 3 in (WON, LOST) else None

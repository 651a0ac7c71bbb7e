"""Words: who wins and in how many moves, and what that is worth; and outcomes alone, packed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from backroll.arrays import LOST, WON, Bytes, Longs

PIECE = 1 << 20
"""Bytes that are counted at once."""


class Numbers(Protocol):
    """A number an anchor: a column of a table, or an array."""

    def item(self, row: int, /) -> Any:
        """One number."""
        ...

    def take(self, rows: Longs, /) -> NDArray[Any]:
        """The numbers of many rows."""
        ...


@dataclass(frozen=True, slots=True)
class Packed:
    """Numbers of one bit or two in the bytes of an array or a column, the first one lowest.

    Of two bits each is an outcome, of one whether whoever is to move has won.

    >>> packed(np.array([WON, LOST, 0, WON, LOST], np.uint8), 2).data.tolist()
    [73, 2]
    """

    data: Numbers
    bits: int
    length: int

    def __len__(self) -> int:
        return self.length

    def item(self, row: int) -> int:
        """One number."""
        at = row * self.bits
        return int(self.data.item(at >> 3)) >> (at & 7) & ((1 << self.bits) - 1)

    def take(self, rows: Longs) -> Bytes:
        """The numbers of many rows."""
        at = rows * self.bits
        found: Bytes = np.right_shift(self.data.take(at >> 3), (at & 7).astype(np.uint8))
        return np.bitwise_and(found, np.uint8((1 << self.bits) - 1))

    def counted(self) -> Longs:
        """How many there are of each number."""
        size, many = packed_size(self.length, self.bits), np.zeros(256, np.int64)
        for begin in range(0, size, PIECE):
            rows = np.arange(begin, min(begin + PIECE, size))
            many += np.bincount(self.data.take(rows), minlength=256)
        each = Packed(np.arange(256, dtype=np.uint8), self.bits, 2048 // self.bits)
        numbers = each.take(np.arange(len(each))).reshape(256, -1)
        counts: Longs = many @ (numbers[:, :, None] == np.arange(4)).sum(1)
        counts[0] -= size * 8 // self.bits - self.length  # what the last byte has too much
        return counts


def packed_size(length: int, bits: int) -> int:
    """How many bytes so many numbers take."""
    return -(-length * bits // 8)


def packed(numbers: NDArray[Any], bits: int) -> Packed:
    """Small numbers in as few bytes as they need."""
    size = packed_size(numbers.size, bits)
    padded = np.zeros((size, 8 // bits), np.uint8)
    padded.ravel()[: numbers.size] = numbers
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    return Packed(np.bitwise_or.reduce(padded << shifts, axis=1), bits, numbers.size)


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

"""Anchors of Can't Stop <-> 0..n-1, by arithmetic (Glenn, Fang and Kruskal 2007, section 4).

What an anchor is worth depends on which columns are closed, on how many of them each player has
won, and on the pair of heights in every open column. So the rows come in *blocks*: by how many
columns are closed, then by which (a bitmask, bit c for place c; of a closed set and its mirror
image only the smaller one *stands* and has blocks), then by how many of them the mover has won.

Within a block a row is a number in mixed radix with a digit for each open column, the last one
the least significant. With two players the digit is the place of the pair (mover's height, other's
height) in the list of the legal pairs by their sum, then by the mover's height; with one player it
is the height.

Progress of either side makes a sum larger and closes columns, so whatever is reached by stopping
has a larger row than where the turn began, seen from the same side. Mirror images within a closed
set that is its own mirror image have a row each: no look-up compares them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations, product
from math import prod
from operator import getitem, mul
from typing import TYPE_CHECKING, TypeAlias

from backroll.game import ABSENT

if TYPE_CHECKING:
    from backroll.games.cantstop.rules import CantStop, Heights

Pair: TypeAlias = tuple[int, int]
"""The mover's height in a column, and the other's."""
Digits: TypeAlias = tuple[Pair, ...]
"""The pairs of an open column, by digit."""


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of the anchors with the same closed columns, won by as many on each side."""

    start: int
    """The first row."""
    closed: int
    """Bit c says whether the column at place c is closed."""
    mine: int
    """How many closed columns the mover has won."""
    theirs: int
    """How many the other side has won."""
    opened: tuple[int, ...]
    """The places of the open columns, from the left."""
    digits: tuple[Digits, ...]
    """Of each open column, the pair that each digit stands for."""

    @property
    def radices(self) -> tuple[int, ...]:
        """How many digits each open column has."""
        return tuple(map(len, self.digits))

    @property
    def strides(self) -> tuple[int, ...]:
        """What the row grows by with one digit more, for each open column."""
        return tuple(accumulate(self.radices[:0:-1], mul, initial=1))[::-1][: len(self.opened)]

    @property
    def size(self) -> int:
        """How many rows it has."""
        return prod(self.radices)


def blocks(game: CantStop) -> tuple[Block, ...]:
    """The blocks of a game, in the order of their rows."""
    return index_of(game).blocks


def index_of(game: CantStop) -> Index:
    """The index of a game."""
    return _index(game.lengths, game.columns, game.players, game.occupied)


class Index:
    """Heights -> row and back."""

    def __init__(self, blocks: tuple[Block, ...], lengths: Heights) -> None:
        self.blocks = blocks
        self._lengths = lengths
        self._starts = [block.start for block in blocks]
        self._digits = [dict[Pair, int]() for _ in lengths]
        self._closings = [dict[Pair, int]() for _ in lengths]
        for column, pairs in zip(blocks[0].opened, blocks[0].digits, strict=True):
            self._number(column, pairs)
        self._places: dict[int, tuple[int, tuple[int, ...]]] = {}
        for block in blocks:
            self._place(block)

    def _number(self, column: int, pairs: Digits) -> None:
        """Of each pair in a column: its digit, and what it says about who has closed the column.

        The heights of whoever has lost a column are nothing, so any will do.
        """
        length = self._lengths[column]
        digits = {pair: digit for digit, pair in enumerate(pairs)}
        lost = {(height, length): 1 << column for height in range(length)}
        won = {pair[::-1]: bit + (1 << len(self._lengths)) for pair, bit in lost.items()}
        self._digits[column] = digits | dict.fromkeys((*lost, *won), 0)
        self._closings[column] = dict.fromkeys(digits, 0) | lost | won

    def _place(self, block: Block) -> None:
        """Keep where a block starts, and what a digit adds, for its closed set and the mirror's."""
        width = len(self._lengths)
        strides = [0] * width
        for column, stride in zip(block.opened, block.strides, strict=True):
            strides[column] = stride
        won = block.mine << width
        self._places[mirror(block.closed, width) + won] = block.start, tuple(strides[::-1])
        self._places[block.closed + won] = block.start, tuple(strides)

    def __len__(self) -> int:
        return self.blocks[-1].start + self.blocks[-1].size

    def row(self, mine: Heights, theirs: Heights) -> int:
        """The row of the heights of the mover and of the other side; ABSENT if they have none."""
        pairs = tuple(zip(mine, theirs, strict=True))
        if len(pairs) != len(self._lengths):
            return ABSENT
        try:
            start, strides = self._places[sum(map(getitem, self._closings, pairs))]
            inside: int = sum(map(mul, strides, map(getitem, self._digits, pairs)))
        except KeyError:  # a pair that is not legal, or a game that is won
            return ABSENT
        return start + inside

    def heights(self, row: int) -> tuple[Heights, Heights]:
        """Heights at a row: of the closed columns the leftmost are the mover's."""
        if not 0 <= row < len(self):
            raise IndexError(f"expected a row from 0 to {len(self) - 1:,}, found {row:,}")
        block = self.blocks[bisect_right(self._starts, row) - 1]
        pairs = list(self._shared_out(block))
        rest = row - block.start
        for column, digits in zip(block.opened[::-1], block.digits[::-1], strict=True):
            rest, digit = divmod(rest, len(digits))
            pairs[column] = digits[digit]
        mine, theirs = zip(*pairs, strict=True)
        return mine, theirs

    def _shared_out(self, block: Block) -> Iterator[Pair]:
        """For each column the pair of a closed one, the leftmost won by the mover."""
        left = block.mine
        for column, length in enumerate(self._lengths):
            closed = block.closed >> column & 1
            yield (length, 0) if closed and left > 0 else (0, length)
            left -= closed


@cache
def _index(lengths: Heights, columns: int, players: int, occupied: str) -> Index:
    digits = tuple(_digits(length, players, occupied) for length in lengths)
    found: list[Block] = []
    start = 0
    for closed, mine in _standings(len(lengths), columns, players):
        theirs = closed.bit_count() - mine
        opened = tuple(c for c in range(len(lengths)) if not closed >> c & 1)
        block = Block(start, closed, mine, theirs, opened, tuple(digits[c] for c in opened))
        found.append(block)
        start += block.size
    return Index(tuple(found), lengths)


def _digits(length: int, players: int, occupied: str) -> Digits:
    """The legal pairs of an open column, whatever has made more progress later."""
    if players == 1:
        return tuple((height, 0) for height in range(length))
    pairs = product(range(length), repeat=2)
    legal = [(x, y) for x, y in pairs if x != y or x == 0 or occupied == "share"]
    return tuple(sorted(legal, key=lambda pair: (sum(pair), pair[0])))


def _standings(width: int, columns: int, players: int) -> Iterator[tuple[int, int]]:
    """The closed sets that stand, and how many of each the mover has won, in order."""
    for count in range(min(players * (columns - 1), width) + 1):
        sets = sorted(sum(1 << c for c in chosen) for chosen in combinations(range(width), count))
        for closed in sets:
            if closed <= mirror(closed, width):
                yield from ((closed, mine) for mine in _won(count, columns, players))


def _won(count: int, columns: int, players: int) -> range:
    """How many of the closed columns the mover may have won, while the game goes on."""
    if players == 1:
        return range(count, count + 1)
    return range(max(0, count - columns + 1), min(count, columns - 1) + 1)


def mirror(closed: int, width: int) -> int:
    """A closed set seen from the right.

    >>> bin(mirror(0b00011, 5))
    '0b11000'
    """
    return sum(1 << width - 1 - column for column in range(width) if closed >> column & 1)

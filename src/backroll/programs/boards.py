"""Can't Stop by what is closed: which anchors belong together, and where stops lead.

A *hand* is the columns that the mover has won and those that the other side has. Hands that are
worth the same have the same *standing* hand: of closed columns only how many each side won
matters, and a board is worth what its mirror image is (seed 000, section 4). Either can be
switched off, to count and to time as the paper does.

A *placement* is the heights of one side's markers in the open columns. Its number is mixed radix
in the heights, the last open column last; its *rank* orders placements by how many squares they
have climbed, so that those of one level lie together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from backroll.arrays import Climbs, Ints, Leaves, Lists, Longs
from backroll.errors import BackrollError
from backroll.games.cantstop.rules import CantStop
from backroll.programs.climbs import climbs, marked_sets


class Hand(NamedTuple):
    """Columns that each side has won, as sets of bits."""

    mine: int = 0
    theirs: int = 0

    @property
    def closed(self) -> int:
        """The columns that somebody has won."""
        return self.mine | self.theirs

    def turned(self) -> Hand:
        """The same from the other side."""
        return Hand(self.theirs, self.mine)


class Standing(NamedTuple):
    """The hand that stands for another, and whether it is so mirrored."""

    hand: Hand
    mirrored: bool


@dataclass(frozen=True, slots=True)
class Merging:
    """What is taken for the same: hands by their numbers, mirror images, the two players."""

    closed: bool = True
    mirror: bool = True
    players: bool = True

    @classmethod
    def without(cls, names: str) -> Merging:
        """All merged but what is named, with commas between.

        >>> Merging.without("mirror,players")
        Merging(closed=True, mirror=False, players=False)
        """
        named = [name.strip() for name in names.split(",")] if names else []
        for name in named:
            if name not in cls.__slots__:
                raise BackrollError(
                    f"expected what can be merged, {', '.join(cls.__slots__)}; found {name!r}"
                )
        return cls(**dict.fromkeys(named, False))


MERGED = Merging()


class Placements(NamedTuple):
    """All heights of one side in some open columns, by rank."""

    heights: Longs
    ranks: Ints
    squares: Longs
    """How many squares each has climbed."""
    strides: Longs


class Boards:
    """The hands of a game, and arrays for each set of closed columns."""

    def __init__(self, game: CantStop, merging: Merging) -> None:
        self.game = game
        self.lengths = game.lengths
        self.count = len(game.lengths)
        self.most = game.columns - 1
        self.merging = merging
        self._climbs: dict[int, tuple[Climbs, Lists]] = {}
        self._placements: dict[int, Placements] = {}

    def opened(self, closed: int) -> tuple[int, ...]:
        """The open columns, from the left."""
        return tuple(c for c in range(self.count) if not closed >> c & 1)

    def mirror(self, columns: int) -> int:
        """A set of columns with left and right exchanged."""
        return sum(1 << (self.count - 1 - c) for c in range(self.count) if columns >> c & 1)

    def symmetric(self, hand: Hand) -> bool:
        """Whether mirror images of placements belong to the same hand."""
        return self.merging.mirror and self._shared(
            Hand(self.mirror(hand.mine), self.mirror(hand.theirs))
        ) == self._shared(hand)

    def standing(self, hand: Hand) -> Standing:
        """The hand that stands for this one."""
        own = self._shared(hand)
        if not self.merging.mirror:
            return Standing(own, False)
        image = self._shared(Hand(self.mirror(hand.mine), self.mirror(hand.theirs)))
        return min(Standing(own, False), Standing(image, True), key=self._order)

    def _order(self, standing: Standing) -> tuple[int, int, int, bool]:
        hand, mirrored = standing
        return hand.closed, hand.mine, hand.theirs, mirrored

    def _shared(self, hand: Hand) -> Hand:
        """The leftmost closed columns given to the mover, as many as he has won."""
        if not self.merging.closed:
            return hand
        mine, left = 0, hand.mine.bit_count()
        for c in range(self.count):
            if hand.closed >> c & 1 and left:
                mine |= 1 << c
                left -= 1
        return Hand(mine, hand.closed & ~mine)

    @cached_property
    def hands(self) -> list[Hand]:
        """The standing hands in which nobody has won, fewest columns closed first."""
        found = {self.standing(hand).hand for hand in self._all_hands()}
        return sorted(found, key=lambda h: (h.closed.bit_count(), h.closed, h.mine, h.theirs))

    def _all_hands(self) -> list[Hand]:
        few = [m for m in range(1 << self.count) if m.bit_count() <= self.most]
        if self.game.players == 1:
            return [Hand(m) for m in few]
        return [Hand(a, b) for a in few for b in few if not a & b]

    def climbs(self, closed: int) -> tuple[Climbs, Lists]:
        """The sets and moves of the open columns, and what the dice can do."""
        if closed not in self._climbs:
            self._climbs[closed] = climbs(self.game.sides, self.lengths, self.opened(closed))
        return self._climbs[closed]

    def placements(self, closed: int) -> Placements:
        """One side's placements in the open columns."""
        if closed not in self._placements:
            lengths = [self.lengths[c] for c in self.opened(closed)]
            heights = np.array(list(product(*map(range, lengths))), np.int64)
            heights = heights.reshape(self.size(closed), len(lengths))
            squares = heights.sum(1)
            order = np.argsort(squares, kind="stable")
            ranks = np.empty(len(heights), np.int32)
            ranks[order] = np.arange(len(heights), dtype=np.int32)
            self._placements[closed] = Placements(
                heights[order], ranks, squares[order], self.strides(closed)
            )
        return self._placements[closed]

    def strides(self, closed: int) -> Longs:
        """What a square in each open column adds to a placement's number."""
        lengths = [self.lengths[c] for c in self.opened(closed)]
        return np.array([*np.cumprod(lengths[:0:-1])[::-1], 1][: len(lengths)], np.int64)

    def size(self, closed: int) -> int:
        """How many placements there are."""
        product_ = 1
        for c in self.opened(closed):
            product_ *= self.lengths[c]
        return product_

    def strides_from(self, closed: int, onto: int, mirrored: bool) -> Longs:
        """For each open column what a square in it adds in the numbers of another closed set.

        `onto` is that set, `mirrored` whether it is met mirrored; columns closed in it add 0.
        """
        there = dict(zip(self.opened(onto), self.strides(onto).tolist(), strict=True))
        last = self.count - 1
        columns = (last - c if mirrored else c for c in self.opened(closed))
        return np.array([there.get(c, 0) for c in columns], np.int64)

    def folds(self, closed: int) -> list[tuple[int, ...]]:
        """The sets of columns that one turn can close, in the order of the climbs' sets."""
        return marked_sets(self.opened(closed))

    def cost(self, closed: int, heights: Longs) -> Longs:
        """How many roll positions the turns of some placements have."""
        left = np.array([self.lengths[c] for c in self.opened(closed)], np.int64) - heights
        sums = np.zeros((4, len(heights)), np.int64)
        sums[0] = 1
        for column in left.T:
            for size in (3, 2, 1):
                sums[size] += column * sums[size - 1]
        return sums.sum(0)  # type: ignore[no-any-return]


def no_leaves(folds: int, columns: int) -> Leaves:
    """Leaves that all win, to be filled in."""
    return Leaves(
        start=np.full(folds, -1, np.int64),
        stride=np.zeros((folds, columns), np.int64),
        width=np.ones(folds, np.int64),
        offset=np.zeros(folds, np.int64),
        ranks=np.zeros(0, np.int32),
    )

"""Shut the Box for two players by its recurrences: an answer that shares nothing with the rules.

    E2(S, t)  what the second player may hope for with open tiles S and t to beat
        = 1                                        if sum(S) < t
        = Σ P(r) · { 0            if no tiles of S add up to r and sum(S) > t
                   { 1/2          if no tiles of S add up to r and sum(S) = t
                   { max E2(S - S', t) over the tiles S' ⊆ S that add up to r

    E1(S)     the same for the first player with open tiles S
        = Σ P(r) · { 1 - E2(all tiles, sum(S))     if no tiles of S add up to r
                   { max E1(S - S') over the tiles S' ⊆ S that add up to r

No tiles left are as good as no tiles that add up. Where one die is allowed the player takes the
better of the two sums. Glenn's notes add E2(S, 0) = 0, the first player wins with a shut box; on
nine tiles that gives 0.500535327. Without it, as here and in the rules, a second player who shuts
the box as well ties, and the first player's equity is the settled 0.497993947.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal

ONE = dict.fromkeys(range(1, 7), 1 / 6)
TWO = {roll: (6 - abs(roll - 7)) / 36 for roll in range(2, 13)}


def first_wins(tiles: int, one_die: Literal["never", "sum6"]) -> float:
    """The first player's equity, E1 with every tile open."""
    every = (1 << tiles) - 1

    def expected(open_tiles: int, after: Callable[[int], float]) -> float:
        both = sum(chance * after(roll) for roll, chance in TWO.items())
        if one_die == "never" or _sum(open_tiles) > 6:
            return both
        return max(both, sum(chance * after(roll) for roll, chance in ONE.items()))

    @cache
    def second(open_tiles: int, target: int) -> float:
        score = _sum(open_tiles)
        if score < target:
            return 1.0
        stuck = 0.5 if score == target else 0.0

        def after(roll: int) -> float:
            flips = _subsets(open_tiles, roll)
            return max((second(open_tiles - flip, target) for flip in flips), default=stuck)

        return expected(open_tiles, after) if open_tiles else stuck

    @cache
    def first(open_tiles: int) -> float:
        stuck = 1 - second(every, _sum(open_tiles))

        def after(roll: int) -> float:
            flips = _subsets(open_tiles, roll)
            return max((first(open_tiles - flip) for flip in flips), default=stuck)

        return expected(open_tiles, after) if open_tiles else stuck

    return first(every)


@cache
def _sum(tiles: int) -> int:
    """What the tiles of a bit set add up to."""
    return sum(bit + 1 for bit in range(tiles.bit_length()) if tiles >> bit & 1)


@cache
def _subsets(tiles: int, roll: int) -> list[int]:
    """The sets of tiles that add up to the roll."""
    return [subset for subset in _every_subset(tiles) if _sum(subset) == roll]


def _every_subset(tiles: int) -> Iterator[int]:
    subset = tiles
    while subset:
        yield subset
        subset = (subset - 1) & tiles

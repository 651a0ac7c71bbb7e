"""How many components and positions Can't Stop has, counted without going through them.

A component is an anchor seen by either side, a position a roll of one of its turns. With x and y
the squares that are left to a side in the open columns, a turn has e0 + e1 + e2 + e3 rolls, the
elementary symmetric sums of x: that is the sum of the coefficients up to z^3 of the product of
(1 + x z) over the columns. (A square to be jumped over is not among those left.) Summed over all
anchors with the same closed columns, the product is one of sums over the legal pairs of a column.
Of what a symmetry takes for the same, Burnside's lemma counts one: the mean, over the symmetries,
of what each leaves in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from backroll.games.cantstop.index import Block, Pair, blocks, mirror

if TYPE_CHECKING:
    from backroll.games.cantstop.rules import CantStop

Poly: TypeAlias = tuple[int, int, int, int]
"""Coefficients up to z^3: a turn marks three columns at most."""
ONE: Poly = (1, 0, 0, 0)


class Census(NamedTuple):
    """Components, the roll positions of their turns, and anchors that the index has room for."""

    components: int
    positions: int
    anchors: int


def census(game: CantStop, *, mirrored: bool = True, players: bool = True) -> Census:
    """Count, with mirror images as one, and components with both players exchanged as one."""
    width = len(game.lengths)
    components = positions = 0
    for block in blocks(game):
        whole = not mirrored and block.closed != mirror(block.closed, width)
        if players and block.mine < block.theirs and game.players == 2:
            continue
        swaps = players and block.mine == block.theirs and game.players == 2
        images = mirrored and block.closed == mirror(block.closed, width)
        symmetries = product(range(1 + images), range(1 + swaps))
        fixed = [_fixed(game, block, *symmetry) for symmetry in symmetries]
        times = 2 if whole else 1
        components += times * sum(each[0] for each in fixed) // len(fixed)
        positions += times * sum(each[1] for each in fixed) // len(fixed)
    return Census(components, positions, game.anchor_count())


def _fixed(game: CantStop, block: Block, image: int, swap: int) -> tuple[int, int]:
    """Anchors that are their own image under a symmetry, and the rolls of all their turns."""
    width = len(game.lengths)
    count, turns = 1, [ONE] * game.players
    for place, pairs in zip(block.opened, block.digits, strict=True):
        twin = width - 1 - place if image else place
        if twin < place:
            continue  # counted with its twin
        length = game.lengths[place]
        stay: list[tuple[Pair, ...]] = [(pair,) for pair in pairs if not swap or pair[0] == pair[1]]
        if twin != place:
            stay = [(pair, pair[::-1] if swap else pair) for pair in pairs]
        count *= len(stay)
        turns = [
            _times(turn, _total(_rolls(game, length, each, side) for each in stay))
            for side, turn in enumerate(turns)
        ]
    return count, sum(sum(turn) for turn in turns)


def _rolls(game: CantStop, length: int, pairs: Iterable[Pair], side: int) -> Poly:
    """The product of (1 + x z) over some columns of one length, x the squares left to a side."""
    product_ = ONE
    for pair in pairs:
        mine, theirs = pair[side], pair[1 - side]
        jumped = game.occupied == "jump" and theirs > mine
        product_ = _times(product_, (1, length - mine - jumped, 0, 0))
    return product_


def _total(each: Iterable[Poly]) -> Poly:
    a, b, c, d = map(sum, zip(*each, strict=True))
    return a, b, c, d


def _times(one: Sequence[int], two: Sequence[int]) -> Poly:
    a, b, c, d = (sum(one[i] * two[n - i] for i in range(n + 1)) for n in range(4))
    return a, b, c, d

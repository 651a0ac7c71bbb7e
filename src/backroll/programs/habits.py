"""Can't Stop as the arena's kernels see it, and habits to be filled in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations, product

import numpy as np

from backroll.arrays import Bytes, Flags, Floats, Ints
from backroll.games.cantstop.notation import NEUTRALS
from backroll.games.cantstop.rules import CantStop, Dice, splits
from backroll.played import OCCUPIED, Board, Habits, Rolls

ORDERS = tuple(permutations(range(3)))
"""The orders in which the three pairings of four dice can be looked at."""


def board_of(game: CantStop) -> Board:
    """The board of a game."""
    return _board(game.sides, game.lengths, game.columns, game.occupied)


@cache
def _board(sides: int, lengths: tuple[int, ...], columns: int, occupied: str) -> Board:
    split = np.full((sides**4, 3, 2), -1, np.int32)
    shuffled = np.zeros((sides**4, len(ORDERS), 3), np.uint8)
    for roll, dice in enumerate(product(range(1, sides + 1), repeat=4)):
        fallen = tuple(sorted(dice))
        for k, pair in enumerate(splits(fallen)):
            split[roll, k] = pair[0] - 2, pair[1] - 2
            shuffled[roll, :, k] = [place(fallen, pair[0], order) for order in range(len(ORDERS))]
    sets = 1 << len(lengths)
    marks = np.full((sets, NEUTRALS), -1, np.int32)
    for bits in range(sets):
        first = [c for c in range(len(lengths)) if bits >> c & 1][:NEUTRALS]
        marks[bits, : len(first)] = first
    markers = np.array([bits.bit_count() for bits in range(sets)], np.int32)
    length = np.array(lengths, np.int64)
    return Board(length, split, shuffled, markers, marks, columns, OCCUPIED.index(occupied))


def place(dice: Dice, low: int, order: int) -> int:
    """Where the pairing with a lower total comes first, in one of the orders of all three.

    Which order bears which number is not the same for all dice, or ties of all rolls at a position
    would be settled alike.
    """
    a, b, c, d = dice
    lower = (min(a + b, c + d), min(a + c, b + d), min(a + d, b + c))
    turned = ORDERS[(order + shuffle(dice)) % len(ORDERS)]
    return [lower[i] for i in turned].index(low)


def shuffle(numbers: Sequence[int]) -> int:
    """One of the orders, by a hash: for where the markers stand, or for dice."""
    mixed = 0
    for number in numbers:
        mixed = (mixed * 31 + number) * 0x7FEB352D & 0xFFFFFFFF
        mixed ^= mixed >> 15
    return mixed % len(ORDERS)


def read(habits: Habits, ties: str, *, wary: bool = True) -> Habits:
    """Habits that take the `first` or `last` of moves worth the same, or one `shuffled`.

    Those that are not wary look at the difficulty when they stop, and not when they move.
    """
    hazard = habits.hazard if wary else np.zeros_like(habits.hazard)
    return habits._replace(last=ties == "last", shuffled=ties == "shuffled", hazard=hazard)


def blank(game: CantStop) -> Habits:
    """Habits without any weight, to be filled in: the first move, and never stop but to win."""
    count, squares = len(game.lengths), max(game.lengths) + 1
    return Habits(
        climb=np.zeros((count, squares, squares, 2)),
        marker=0.0,
        hazard=np.zeros(1 << count),
        progress=np.zeros((count, squares, squares)),
        limit=np.full(1 << count, np.inf),
        eager=True,
        topped=False,
        last=False,
        shuffled=False,
        chase=False,
        escaping=False,
        escape=np.ones(count),
        reach=np.zeros((1, count)),
    )


def by_set(game: CantStop, values: dict[tuple[int, ...], float], other: float = 0.0) -> Floats:
    """An array by sets of columns as bits, from values by tuples of columns."""
    found = np.full(1 << len(game.lengths), other)
    for columns, value in values.items():
        found[sum(1 << c for c in columns)] = value
    return found


def threes(game: CantStop) -> list[tuple[int, ...]]:
    """The sets of columns in which all neutral markers can stand."""
    return list(combinations(range(len(game.lengths)), NEUTRALS))


def rolls_of(board: Board, habits: Sequence[Habits]) -> tuple[Board, Rolls]:
    """The board with rolls in any order as one, and what they are when all markers are placed.

    Then a total in a column without a marker is as good as another, and is written as the same.
    """
    pairs = board.split
    shuffled = any(each.shuffled for each in habits)
    found = [_merged(pairs, board.shuffled, pairs >= 0, shuffled=shuffled)]
    first = np.zeros(board.markers.size, np.int64)
    end = np.full(board.markers.size, len(found[0][0]))
    rows = len(found[0][0])
    for marked in np.flatnonzero(board.markers == NEUTRALS):
        stray = next((c for c in range(board.length.size) if not marked >> c & 1), 0)
        inside = (pairs >= 0) & (marked >> np.maximum(pairs, 0) & 1 == 1)
        known = np.where((pairs >= 0) & ~inside, stray, pairs)
        found.append(_merged(known, board.shuffled, inside, shuffled=shuffled))
        first[marked], end[marked] = rows, rows + len(found[-1][0])
        rows += len(found[-1][0])
    split, places, chance = map(np.concatenate, zip(*found, strict=True))
    return board._replace(split=split, shuffled=places), Rolls(chance, first, end)


def _merged(
    pairs: Ints, places: Bytes, usable: Flags, *, shuffled: bool
) -> tuple[Ints, Bytes, Floats]:
    """Rolls that differ in nothing as one: splits, their places, and how likely each roll is.

    Of the places all that matters is which of two splits that can be used comes first, and nothing
    does if no strategy looks at them.
    """
    used: Flags = np.asarray(usable.any(2))[:, None]
    before = places[:, :, None, :] < places[:, :, :, None]
    ranks = ((before & used[:, :, None]).sum(3) * used * shuffled).astype(np.uint8)
    rows = np.hstack([each.reshape(len(pairs), -1) for each in (pairs, ranks)])
    _, kept, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
    return pairs[kept], ranks[kept], counts / len(pairs)

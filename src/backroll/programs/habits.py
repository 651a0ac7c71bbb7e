"""Can't Stop as the arena's kernels see it, and habits to be filled in."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np

from backroll.arrays import OCCUPIED, Board, Floats, Habits, Rolls
from backroll.games.cantstop.notation import NEUTRALS
from backroll.games.cantstop.rules import CantStop, splits


def board_of(game: CantStop) -> Board:
    """The board of a game."""
    return _board(game.sides, game.lengths, game.columns, game.occupied)


@cache
def _board(sides: int, lengths: tuple[int, ...], columns: int, occupied: str) -> Board:
    split = np.full((sides**4, 3, 2), -1, np.int32)
    for roll, dice in enumerate(product(range(1, sides + 1), repeat=4)):
        for k, pair in enumerate(splits(tuple(sorted(dice)))):
            split[roll, k] = pair[0] - 2, pair[1] - 2
    sets = 1 << len(lengths)
    marks = np.full((sets, NEUTRALS), -1, np.int32)
    for bits in range(sets):
        first = [c for c in range(len(lengths)) if bits >> c & 1][:NEUTRALS]
        marks[bits, : len(first)] = first
    markers = np.array([bits.bit_count() for bits in range(sets)], np.int32)
    length = np.array(lengths, np.int64)
    return Board(length, split, markers, marks, columns, OCCUPIED.index(occupied))


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


def rolls_of(board: Board) -> tuple[Board, Rolls]:
    """The board with rolls in any order as one, and what they are when all markers are placed.

    Then a total in a column without a marker is as good as another, and is written as the same.
    """
    pairs = board.split.reshape(len(board.split), -1)
    everything, counts = np.unique(pairs, axis=0, return_counts=True)
    found, chances = [everything], [counts / len(pairs)]
    first = np.zeros(board.markers.size, np.int64)
    end = np.full(board.markers.size, len(everything))
    rows = len(everything)
    for marked in np.flatnonzero(board.markers == NEUTRALS):
        stray = next((c for c in range(board.length.size) if not marked >> c & 1), 0)
        away = (pairs >= 0) & (marked >> np.maximum(pairs, 0) & 1 == 0)
        distinct, counts = np.unique(np.where(away, stray, pairs), axis=0, return_counts=True)
        found.append(distinct)
        chances.append(counts / len(pairs))
        first[marked], end[marked] = rows, rows + len(distinct)
        rows += len(distinct)
    split = np.concatenate(found).reshape(-1, *board.split.shape[1:])
    return board._replace(split=split), Rolls(np.concatenate(chances), first, end)

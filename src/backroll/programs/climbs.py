"""The open columns of Can't Stop as arrays: sets of marked columns, moves, and what dice do."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import Final

import numpy as np

from backroll.arrays import Climbs, Lists, Longs
from backroll.dice import multisets
from backroll.games.cantstop.rules import splits

NEUTRALS: Final = 3
Columns = tuple[int, ...]
Move = tuple[int, int]
"""Two columns to climb, the same one twice, or one and NONE."""
Slab = tuple[Columns, tuple[tuple[int, int], ...]]
"""A set of marked columns, and those of them just entered, with how far."""
Outcomes = tuple[tuple[tuple[Move, ...], int], ...]
NONE: Final = -1
TOPPED, ONE_LEFT = 0, 1


class _Lists:
    """Lists of outcomes, each kept once."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[tuple[int, ...], int], ...], int] = {}
        self._first: list[int] = []
        self._option: list[int] = []
        self._weight: list[float] = []
        self._step: list[int] = []
        self._lost: list[float] = []

    def add(self, outcomes: Outcomes, number: dict[Move, int], rolls: int) -> int:
        """The list of some outcomes, moves written as numbers."""
        coded = tuple((tuple(number[m] for m in moves), weight) for moves, weight in outcomes)
        if coded not in self._known:
            self._known[coded] = len(self._lost)
            self._option.append(len(self._step))
            kept = sorted((each for each in coded if each[0]), key=lambda each: len(each[0]))
            for size in range(1, 5):
                self._first.append(len(self._weight))
                for steps, weight in kept:
                    if min(len(steps), 4) == size:
                        self._weight.append(weight / rolls)
                        self._step += steps[:3]
                        self._step += [len(steps) - 3, *steps[3:]] if size == 4 else []
            self._lost.append(sum(weight for steps, weight in coded if not steps) / rolls)
        return self._known[coded]

    def arrays(self) -> Lists:
        return Lists(
            first=np.array([*self._first, len(self._weight)], np.int32),
            weight=np.array(self._weight, np.float64),
            option=np.array(self._option, np.int32),
            step=np.array(self._step, np.int32),
            lost=np.array(self._lost, np.float64),
        )


def marked_sets(opened: Columns) -> list[Columns]:
    """The columns that markers can stand in, most of them first."""
    return [s for size in range(NEUTRALS, -1, -1) for s in combinations(opened, size)]


def climbs(sides: int, lengths: Columns, opened: Columns) -> tuple[Climbs, Lists]:
    """The arrays of some open columns; a column is its place from the left among all."""
    sets = marked_sets(opened)
    number = {s: i for i, s in enumerate(sets)}
    moves = [_moves(sides, opened, s) for s in sets]
    slabs, first_slab = _slabs(sets, moves)
    slab_number = {slab: i for i, slab in enumerate(slabs)}
    lists = _Lists()
    rolls = sides**4
    list_of = np.zeros((len(sets), 3**NEUTRALS), np.int32)
    for i, s in enumerate(sets):
        code = {move: k for k, move in enumerate(moves[i])}
        for kind, left in enumerate(product(range(3), repeat=len(s))):
            list_of[i, kind] = lists.add(_outcomes(sides, _known(opened, s), s, left), code, rolls)
    place = {c: i for i, c in enumerate(opened)}
    return Climbs(
        length=np.array([lengths[c] for c in opened], np.int64),
        size=np.array([len(s) for s in sets], np.int64),
        column=_padded([[place[c] for c in s] for s in sets]),
        lists=list_of,
        move=np.cumsum([0, *map(len, moves)], dtype=np.int64),
        advance=_padded(
            [[m.count(c) for c in s] for s, ms in zip(sets, moves, strict=True) for m in ms]
        ),
        slab=np.array(
            [slab_number[_slab(s, m)] for s, ms in zip(sets, moves, strict=True) for m in ms],
            np.int64,
        ),
        place=_padded(
            [
                [_target(s, m).index(c) for c in s]
                for s, ms in zip(sets, moves, strict=True)
                for m in ms
            ]
        ),
        slabs=np.array(first_slab, np.int64),
        entered=np.array([s.index(e[-1][0]) if e else NONE for s, e in slabs], np.int64),
        climb=np.array([e[-1][1] if e else 0 for s, e in slabs], np.int64),
        parent=np.array([slab_number[s, e[:-1]] if e else NONE for s, e in slabs], np.int64),
        topped=np.array(
            [
                [number[tuple(c for q, c in enumerate(s) if bits >> q & 1)] for bits in range(8)]
                for s in sets
            ],
            np.int64,
        ),
    ), lists.arrays()


def _padded(rows: list[list[int]]) -> Longs:
    return np.array([row + [0] * (NEUTRALS - len(row)) for row in rows], np.int64).reshape(-1, 3)


def _known(opened: Columns, marked: Columns) -> Columns:
    """The columns that matter: with all markers placed, the marked ones."""
    return marked if len(marked) == NEUTRALS else opened


def _moves(sides: int, opened: Columns, marked: Columns) -> list[Move]:
    """Every move that some roll allows."""
    found: dict[Move, None] = {}
    for left in product(range(3), repeat=len(marked)):
        for moves, _ in _outcomes(sides, _known(opened, marked), marked, left):
            found.update(dict.fromkeys(moves))
    return list(found)


def _target(marked: Columns, move: Move) -> Columns:
    return tuple(sorted({*marked, *move} - {NONE}))


def _slab(marked: Columns, move: Move) -> Slab:
    """Where a move leads: the marked columns afterwards, and which of them are new."""
    fresh = sorted(set(move) - {NONE, *marked})
    return _target(marked, move), tuple((c, move.count(c)) for c in fresh)


def _slabs(sets: list[Columns], moves: list[list[Move]]) -> tuple[list[Slab], list[int]]:
    """The slabs of every set, the set itself first, those that others rest on before them."""
    wanted: dict[Columns, dict[Slab, None]] = {s: {(s, ()): None} for s in sets}
    for s, ms in zip(sets, moves, strict=True):
        for move in ms:
            target, fresh = _slab(s, move)
            wanted[target].update({(target, fresh[:k]): None for k in range(1, len(fresh) + 1)})
    slabs: list[Slab] = []
    first = [0]
    for s in sets:
        slabs += wanted[s]
        first.append(len(slabs))
    return slabs, first


@cache
def _splits(sides: int) -> Counter[tuple[Move, ...]]:
    """The ways to pair four dice, as columns, and how many rolls give them."""
    ways: Counter[tuple[Move, ...]] = Counter()
    for dice, weight in multisets(4, sides).items():
        ways[tuple((a - 2, b - 2) for a, b in splits(dice))] += weight
    return ways


@cache
def _outcomes(sides: int, known: Columns, marked: Columns, left: Columns) -> Outcomes:
    """The choices that a roll can leave, and how many rolls leave them."""
    ways: Counter[tuple[Move, ...]] = Counter()
    for pairs, weight in _splits(sides).items():
        uses = (use for a, b in pairs for use in _uses(known, marked, left, a, b))
        ways[tuple(dict.fromkeys(uses))] += weight
    return tuple(ways.items())


def _uses(known: Columns, marked: Columns, left: Columns, a: int, b: int) -> list[Move]:
    """How a split can be used: both totals if both can be, else the one that can, or either."""

    def squares(c: int) -> int:
        if c in marked:
            return left[marked.index(c)]
        return 2 if c in known and len(marked) < NEUTRALS else TOPPED

    if a == b:
        return [(a, NONE if squares(a) == ONE_LEFT else a)] if squares(a) else []
    used = [c for c in (a, b) if squares(c)]
    if len(used) == 2 and len({*marked, *used}) <= NEUTRALS:
        return [(a, b)]
    return [(c, NONE) for c in used]

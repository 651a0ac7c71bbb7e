"""Games of Can't Stop between habits, by the million.

Chance is that of `xoshiro128++`, seeded anew for every turn by a hash of the seed, the game's
number, the side and the turn's number. So what comes up does not depend on threads, and two
strategies that play the same games meet the same dice for as long as they make the same decisions.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import Floats, Longs
from backroll.kernels import bare, inlined, kernel
from backroll.kernels.habits import choose, climb, closed, stops, weigh
from backroll.played import Board, Habits

BITS = 0xFFFFFFFF
BUST, BANKED, WON = 0, 1, 2
FIRST, SECOND, NEITHER = 0, 1, 2


@inlined
def mixed(x: int) -> int:
    """A hash of 32 bits; products stay below 2**63."""
    x ^= x >> 16
    x = x * 0x7FEB352D & BITS
    x ^= x >> 15
    x = x * 0x31848BAB & BITS
    return x ^ (x >> 16)


@inlined
def seed(chance: Longs, number: int, game: int, side: int, turn: int) -> None:
    """Begin the chance of a turn."""
    x = mixed((number & BITS) ^ mixed(number >> 32 & BITS))
    x = mixed(x ^ (game & BITS))
    x = mixed(x ^ mixed((game >> 32 & BITS) + 0x1F123BB5))
    x = mixed(x ^ (2 * turn + side))
    for i in range(4):
        x = x + 0x61C88647 & BITS
        chance[i] = mixed(x)
    chance[3] |= 1  # never all zero


@inlined
def draw(chance: Longs, sides: int) -> int:
    """A whole number below `sides`; the bias is less than sides / 2**32."""
    s0, s1, s2, s3 = chance[0], chance[1], chance[2], chance[3]
    x = s0 + s3 & BITS
    found = ((x << 7 | x >> 25) + s0) & BITS
    t = s1 << 9 & BITS
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = (s3 << 11 | s3 >> 21) & BITS
    chance[0], chance[1], chance[2], chance[3] = s0, s1, s2, s3
    return int(found * sides >> 32)


@kernel
def begin(chance: Longs, number: int, game: int, side: int, turn: int) -> None:
    """Begin the chance of a turn, for games played elsewhere."""
    seed(chance, number, game, side, turn)


@kernel
def roll(chance: Longs, sides: int) -> int:
    """Draw, for games played elsewhere."""
    return draw(chance, sides)


@inlined
def won(board: Board, heights: Longs) -> int:
    """How many columns a player has won."""
    found = 0
    for c in range(board.length.size):
        found += heights[c] == board.length[c]
    return found


@bare
def turn(
    board: Board, habits: Habits, mine: Longs, theirs: Longs, at: Longs, worth: Floats,
    marked: int, rolling: bool, chance: Longs,
) -> int:  # fmt: skip
    """Play a turn to its end: BUST, BANKED or WON; `mine`, `theirs` and `at` follow it.

    `worth` is room for what columns are worth.
    """
    before, full = won(board, mine), closed(board, mine, theirs)
    for q in range(board.markers[marked]):
        c = board.marks[marked, q]
        if at[c] == board.length[c]:
            full |= 1 << c
    for c in range(board.length.size):
        weigh(board, habits, mine, theirs, at, c, worth)
    rolls = board.split.shape[0]
    while True:
        stop = False
        if marked and not rolling:
            stop = stops(board, habits, mine, theirs, at, marked, full, before)
        if stop:
            break
        rolling = False
        roll = draw(chance, rolls)
        way = choose(board, habits, mine, theirs, at, worth, marked, full, roll)
        if way < 0:
            for q in range(board.markers[marked]):
                at[board.marks[marked, q]] = mine[board.marks[marked, q]]
            return BUST
        marked, full = climb(board, theirs, at, marked, full, roll, way)
        for second in range(2):
            c = board.split[roll, way // 3, second]
            weigh(board, habits, mine, theirs, at, c, worth)
    for q in range(board.markers[marked]):
        c = board.marks[marked, q]
        mine[c] = at[c]
        if at[c] == board.length[c]:
            before += 1
            theirs[c] = 0
    return WON if before >= board.columns else BANKED


@kernel
def solitaire(
    board: Board, habits: Habits, start: Longs, number: int, begin: int, end: int, turns: Longs
) -> int:
    """Play games begin to end - 1 alone from some heights; turns[n] counts those of n turns.

    Gives how many were not over after the most turns that there is room for.
    """
    nobody = start * 0
    mine, at, chance = start.copy(), start.copy(), np.zeros(4, np.int64)
    worth = np.zeros((2, start.size))
    unfinished = 0
    for game in range(begin, end):
        mine[:] = start
        at[:] = start
        taken = 0
        for n in range(1, turns.size):
            seed(chance, number, game, 0, n - 1)
            if turn(board, habits, mine, nobody, at, worth, 0, False, chance) == WON:
                taken = n
                break
        if taken:
            turns[taken] += 1
        else:
            unfinished += 1
    return unfinished


@kernel
def duels(
    board: Board, first: Habits, second: Habits, start: Longs, marked: int, rolling: bool,
    number: int, begin: int, end: int, won_by: Longs, turns: Longs,
) -> None:  # fmt: skip
    """Play games begin to end - 1 between two, the first to move.

    `start` has the heights of the first, the second, and those of the first in this turn, in which
    `marked` are marked; `rolling` says that it is decided to roll. won_by counts the games that
    the first, the second and neither has won; turns[n] those of n turns of both together.
    """
    ours, others, at = start[0].copy(), start[1].copy(), start[2].copy()
    chance, worth = np.zeros(4, np.int64), np.zeros((2, start.shape[1]))
    for game in range(begin, end):
        ours[:] = start[0]
        others[:] = start[1]
        at[:] = start[2]
        winner, taken = NEITHER, 0
        bits, rolls = marked, rolling
        for n in range(1, turns.size):
            side = (n - 1) % 2
            seed(chance, number, game, side, n // 2)
            if side == FIRST:
                ended = turn(board, first, ours, others, at, worth, bits, rolls, chance)
            else:
                ended = turn(board, second, others, ours, at, worth, bits, rolls, chance)
            if ended == WON:
                winner, taken = side, n
                break
            at[:] = others if side == FIRST else ours
            bits, rolls = 0, False
        won_by[winner] += 1
        turns[taken] += 1

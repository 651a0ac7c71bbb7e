"""Programs on lanes: one turn's graph, evaluated for many anchors at once.

Two tracks run through a program side by side: the value of each state to its mover, and the slope
with which it rises when losing the turn gets better. A roll is worth the sum of weight * best;
a state is worth the better of that and of stopping.

The value of rolling on rises with that of losing the turn. So where losing is worth no more than
it was in an earlier run, whoever stopped in all lanes then still does, and rolling on need not
be evaluated.
"""

from __future__ import annotations

from backroll.arrays import Bytes, Floats, Lists, Longs, Programs
from backroll.kernels import kernel
from backroll.kernels.vectors import (
    above,
    gathered,
    item,
    minus,
    none,
    pick,
    plus,
    put,
    row,
    same,
    times,
)

WON, START, PICK = -1, -2, -3
UNIT = 2.0**-53
"""The largest relative error of a sum or a product."""


@kernel
def rounding(lists: Lists, rolls: int) -> float:
    """How far a program can be from what it means, values being at most 1 and exact at leaves.

    In a turn of at most so many rolls each adds the rounding of a sum of products of weights,
    themselves rounded, as often as no roll before has lost the turn; the value found also meets
    a few sums outside the program.
    """
    widest, least = 0, 1.0
    for k in range(lists.lost.size):
        widest = max(widest, lists.first[4 * k + 4] - lists.first[4 * k])
        least = min(least, lists.lost[k])
    often = float(rolls) if least == 0.0 else (1.0 - (1.0 - least) ** rolls) / least
    return (often * (widest + 5) + 8) * UNIT


@kernel
def run(
    programs: Programs,
    p: int,
    lists: Lists,
    table: Floats,
    total: float,
    off: Longs,
    tracks: tuple[Floats, Floats],
    high: Floats,
    stopped: Bytes,
    again: bool,
    ends: Floats,
) -> int:
    """Evaluate a program: ends[0] is what losing the turn is worth in each lane.

    What the start is worth is put into ends[1] and its slope into ends[2]. Stopping is worth
    `total` less what stands in the table; `off` has by fold and lane how far from a state's leaf.
    A lane picks the second of two states where high[column, lane] is 1. `again` says that no
    lane's loss is worth more than when `stopped` was filled. Gives how many rolls were evaluated.
    """
    one, two = tracks
    of_list, shift, leaf, fold = programs.lists, programs.shift, programs.leaf, programs.fold
    shifts = programs.shifts
    first, weights, option, step = lists.first, lists.weight, lists.option, lists.step
    begin = programs.first[p]
    rolls = 0
    loss, half, nothing = row(ends, 0), same(0.5), same(0.0)
    whole = same(total)
    for s in range(begin, programs.first[p + 1]):
        i, at, sh = s - begin, leaf[s], shift[s]
        if at == PICK:
            second = above(row(high, of_list[s]), half)
            a, b = i + shifts[sh], i + shifts[sh + 1]
            put(one, i, pick(second, row(one, b), row(one, a)))
            put(two, i, pick(second, row(two, b), row(two, a)))
            continue
        if at == WON:
            put(one, i, whole)
            put(two, i, nothing)
            continue
        if again and stopped[i] and at != START:
            put(one, i, minus(whole, gathered(table, at, off, fold[s])))
            put(two, i, nothing)
            continue
        rolls += 1
        k = item(of_list, s)
        lost = item(lists.lost, k)
        value, slope = times(lost, loss), same(lost)
        t = item(option, k)
        for o in range(item(first, 4 * k), item(first, 4 * k + 1)):
            a = i + item(shifts, sh + item(step, t))
            w = item(weights, o)
            value = plus(value, times(w, row(one, a)))
            slope = plus(slope, times(w, row(two, a)))
            t += 1
        for o in range(item(first, 4 * k + 1), item(first, 4 * k + 2)):
            a = i + item(shifts, sh + item(step, t))
            b = i + item(shifts, sh + item(step, t + 1))
            w = item(weights, o)
            x, y = row(one, a), row(one, b)
            better = above(y, x)
            value = plus(value, times(w, pick(better, y, x)))
            slope = plus(slope, times(w, pick(better, row(two, b), row(two, a))))
            t += 2
        for o in range(item(first, 4 * k + 2), item(first, 4 * k + 4)):
            a = i + item(shifts, sh + item(step, t))
            b = i + item(shifts, sh + item(step, t + 1))
            c = i + item(shifts, sh + item(step, t + 2))
            w = item(weights, o)
            x, y, z = row(one, a), row(one, b), row(one, c)
            u, v = row(two, a), row(two, b)
            better = above(y, x)
            x, u = pick(better, y, x), pick(better, v, u)
            better = above(z, x)
            x, u = pick(better, z, x), pick(better, row(two, c), u)
            t += 3
            if o >= item(first, 4 * k + 3):
                count = item(step, t)
                for n in range(t + 1, t + 1 + count):
                    b = i + item(shifts, sh + item(step, n))
                    y = row(one, b)
                    better = above(y, x)
                    x, u = pick(better, y, x), pick(better, row(two, b), u)
                t += 1 + count
            value = plus(value, times(w, x))
            slope = plus(slope, times(w, u))
        if at == START:
            put(ends, 1, value)
            put(ends, 2, slope)
            continue
        x = minus(whole, gathered(table, at, off, fold[s]))
        better = above(value, x)
        put(one, i, pick(better, value, x))
        put(two, i, pick(better, slope, nothing))
        if not again:
            stopped[i] = none(better)
    return rolls

"""One turn of Can't Stop from one anchor, with what stops are worth given for each state.

The program is that of `climbs`; a state is worth the better of stopping and of rolling on, and a
roll the sum of weight * best, with the slope by which it moves with what losing the turn is worth.
Whoever stops where losing is worth l stops too where it is worth less, and is not asked again.
Nor is one asked who would stop even if every roll that is not lost could be used for the best of
the moves.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import Bytes, Climbs, Floats, Lists, Longs, Programs
from backroll.kernels import bare, inlined, kernel
from backroll.kernels.vectors import item
from backroll.played import Softmin

SET, TOPPED, FIRST = 0, 1, 2
"""Of a state: its set of marked columns, which of them are topped, and the heights of three."""
STEPS = 60


@kernel
def list_states(
    climbs: Climbs, base: Longs, other: Longs, states: Longs, moves: Longs
) -> None:  # fmt: skip
    """Fill in the states of a turn, in the order of `build`; heights of missing markers are 0.

    `moves` counts the moves of states from which all moves of their set can be made, three
    markers being placed.
    """
    s = 0
    radix, jumped = np.ones(3, np.int64), np.zeros(3, np.int64)
    for i in range(climbs.size.size):
        for q in range(3):
            radix[q], jumped[q] = 1, 0
            if q < climbs.size[i]:
                c = climbs.column[i, q]
                jumped[q] = other[c] if other[c] > base[c] else 0
                radix[q] = climbs.length[c] - base[c] - (1 if jumped[q] > 0 else 0)
        for n in range(radix[0] * radix[1] * radix[2]):
            states[s, SET], states[s, TOPPED] = i, 0
            rest, nearest = n, 2
            for q in range(2, -1, -1):
                left = rest % radix[q]
                rest //= radix[q]
                nearest = min(nearest, left)
                states[s, FIRST + q] = 0
                if q < climbs.size[i]:
                    height = climbs.length[climbs.column[i, q]] - left
                    states[s, FIRST + q] = height - 1 if height <= jumped[q] else height
                    if left == 0:
                        states[s, TOPPED] |= 1 << q
            moves[s] = climbs.move[i + 1] - climbs.move[i] if nearest == 2 else 0
            s += 1


@inlined
def roll(
    programs: Programs, lists: Lists, values: Floats, slopes: Floats, s: int, loss: float
) -> tuple[float, float]:
    """What rolling on is worth at a state, and its slope."""
    k = item(programs.lists, s)
    value, slope = lists.lost[k] * loss, lists.lost[k]
    sh, t = item(programs.shift, s), item(lists.option, k)
    for size in range(1, 5):
        for o in range(item(lists.first, 4 * k + size - 1), item(lists.first, 4 * k + size)):
            options = size
            if size == 4:
                options = 3 + item(lists.step, t + 3)
            best = s + item(programs.shifts, sh + item(lists.step, t))
            for n in range(1, options):
                at = t + n + (1 if n > 2 else 0)
                a = s + item(programs.shifts, sh + item(lists.step, at))
                if item(values, a) > item(values, best):
                    best = a
            t += options + (1 if size == 4 else 0)
            weight = item(lists.weight, o)
            value += weight * item(values, best)
            slope += weight * item(slopes, best)
    return value, slope


@inlined
def most(
    programs: Programs, lists: Lists, moves: int, values: Floats, s: int, loss: float
) -> float:
    """What rolling on is worth at most: the best of all moves, unless the turn is lost."""
    best = -np.inf
    sh = item(programs.shift, s)
    for n in range(moves):
        best = max(best, item(values, s + item(programs.shifts, sh + n)))
    lost = lists.lost[item(programs.lists, s)]
    return float(lost * loss + (1.0 - lost) * best)


@bare
def evaluate(
    programs: Programs, lists: Lists, moves: Longs, stops: Floats, over: float, loss: float,
    again: bool, stopped: Bytes, values: Floats, slopes: Floats,
) -> tuple[float, float]:  # fmt: skip
    """What a turn is worth where losing it is worth `loss`, and its slope; fills in the states.

    Stopping is worth -inf where it is not allowed; where it is worth `over` the game is won and
    nobody rolls. `again` says that losing is worth no more than when `stopped` was filled in.
    """
    last = values.size - 1
    for s in range(values.size):
        stop = stops[s]
        if stop >= over or (again and stopped[s]):
            values[s], slopes[s] = stop, 0.0
            continue
        if moves[s] > 0 and stop >= most(programs, lists, moves[s], values, s, loss):
            values[s], slopes[s], stopped[s] = stop, 0.0, True
            continue
        value, slope = roll(programs, lists, values, slopes, s, loss)
        stays = stop >= value
        if not again:
            stopped[s] = stays
        values[s], slopes[s] = (stop, 0.0) if stays else (value, slope)
    return values[last], slopes[last]


@bare
def settle(
    programs: Programs, lists: Lists, moves: Longs, stops: Floats, over: float, point: float,
    ahead: float, tolerance: float, stopped: Bytes, values: Floats, slopes: Floats,
) -> float:  # fmt: skip
    """What a turn alone is worth that costs 1 and, when it is lost, begins again.

    Newton from `ahead` above `point`: from the second step on the estimates rise, and if the first
    was above the solution then all others are below it, so that who stopped there is known to.
    """
    highest = -np.inf
    point += ahead
    for _ in range(STEPS):
        again = point <= highest
        value, slope = evaluate(
            programs, lists, moves, stops, over, point, again, stopped, values, slopes
        )  # fmt: skip
        if not again:
            highest = point
        gap = (value - 1.0 - point) / (1.0 - slope)
        point += gap
        if abs(gap) <= tolerance:
            break
    return point


@kernel
def softmin(worth: Softmin, heights: Longs, won: int, dead: int, left: int) -> float:
    """The turns that are left, `left` columns to be won."""
    total = 0.0
    for t in range(worth.bits.size):
        if worth.bits[t] & won != won or worth.bits[t] & dead:
            continue
        value = worth.weight[left, t]
        for n in range(worth.column.shape[1]):
            c = worth.column[t, n]
            if not won >> c & 1:
                value += worth.climb[left, c, heights[c]]
        total += np.exp(value)
    return float(worth.offset[left] - worth.scale[left] * np.log(total))


@kernel
def softmin_stops(
    worth: Softmin, climbs: Climbs, opened: Longs, states: Longs, heights: Longs, won: int,
    dead: int, left: int, out: Floats,
) -> None:  # fmt: skip
    """The turns that are left after a stop, for each state; 0 where the game is won.

    With the other columns as they stand, the sum over ways to win is linear in each marked
    column: eight coefficients for each set of marked columns, and for each of topped ones.
    """
    coefficient, known = np.zeros((8, 8)), np.zeros(8, np.bool_)
    factor = np.exp(worth.climb)
    weight = np.exp(worth.weight)
    mark = np.zeros(3, np.int64)
    last = -1
    for s in range(states.shape[0]):
        i, topped = states[s, SET], states[s, TOPPED]
        if i != last:
            known[:] = False
            last = i
            for q in range(climbs.size[i]):
                mark[q] = opened[climbs.column[i, q]]
        count, need = left, won
        for q in range(climbs.size[i]):
            if topped >> q & 1:
                count -= 1
                need |= 1 << mark[q]
        if count <= 0:
            out[s] = 0.0
            continue
        if not known[topped]:
            known[topped] = True
            coefficient[topped] = 0.0
            for t in range(worth.bits.size):
                if worth.bits[t] & need != need or worth.bits[t] & dead:
                    continue
                value, inside = weight[count, t], 0
                for n in range(worth.column.shape[1]):
                    c = worth.column[t, n]
                    if need >> c & 1:
                        continue
                    place = -1
                    for q in range(climbs.size[i]):
                        if mark[q] == c:
                            place = q
                    if place < 0:
                        value *= factor[count, c, heights[c]]
                    else:
                        inside |= 1 << place
                coefficient[topped, inside] += value
        total = 0.0
        for inside in range(1 << climbs.size[i]):
            value = coefficient[topped, inside]
            if value > 0.0:
                for q in range(climbs.size[i]):
                    if inside >> q & 1:
                        value *= factor[count, mark[q], states[s, FIRST + q]]
                total += value
        out[s] = worth.offset[count] - worth.scale[count] * np.log(total)

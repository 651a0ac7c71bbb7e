"""What `kernels/lanes.py` does, written plainly: one lane, one number at a time."""

from __future__ import annotations

from backroll.arrays import Floats, Lists, Longs, Programs
from backroll.kernels import kernel
from backroll.kernels.lanes import PICK, START, WON

WIDEST = 4
"""Outcomes stand in groups by how many ways there are to use them, the last for this many on."""


@kernel
def run_scalar(
    programs: Programs,
    p: int,
    lists: Lists,
    table: Floats,
    total: float,
    off: Longs,
    high: Floats,
    lane: int,
    loss: float,
    one: Floats,
    two: Floats,
) -> tuple[float, float]:
    """Evaluate a program in one lane: what the start is worth, and its slope.

    `off` and `high` are those of all lanes; `one` and `two` are scratch.
    """
    begin = programs.first[p]
    for s in range(begin, programs.first[p + 1]):
        i, at, shift = s - begin, programs.leaf[s], programs.shift[s]
        if at == PICK:
            second = high[programs.lists[s], lane] > 0.5
            a = i + programs.shifts[shift + (1 if second else 0)]
            one[i], two[i] = one[a], two[a]
            continue
        if at == WON:
            one[i], two[i] = total, 0.0
            continue
        k = programs.lists[s]
        value, slope = lists.lost[k] * loss, lists.lost[k]
        t = lists.option[k]
        for group in range(WIDEST):
            for o in range(lists.first[4 * k + group], lists.first[4 * k + group + 1]):
                best = i + programs.shifts[shift + lists.step[t]]
                for n in range(t + 1, t + min(group + 1, 3)):
                    other = i + programs.shifts[shift + lists.step[n]]
                    if one[other] > one[best]:
                        best = other
                t += min(group + 1, 3)
                if group + 1 == WIDEST:
                    more = lists.step[t]
                    for n in range(t + 1, t + 1 + more):
                        other = i + programs.shifts[shift + lists.step[n]]
                        if one[other] > one[best]:
                            best = other
                    t += 1 + more
                value += lists.weight[o] * one[best]
                slope += lists.weight[o] * two[best]
        if at == START:
            return value, slope
        stop = total - table[at + off[programs.fold[s], lane]]
        if value > stop:
            one[i], two[i] = value, slope
        else:
            one[i], two[i] = stop, 0.0
    return 0.0, 0.0

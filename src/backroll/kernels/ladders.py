"""Programs of Pig, made for one score of the mover.

State d has d points left to the target, 0 first; the last is the start of the turn. A gain of
more points than are left ends at the target like one of just as many.
"""

from __future__ import annotations

from backroll.arrays import Longs, Programs, Square
from backroll.kernels import kernel
from backroll.kernels.lanes import START, WON


@kernel
def build_ladder(
    gains: Longs, square: Square, score: int, programs: Programs, p: int, s: int, t: int
) -> int:
    """Make program p, from state s and shift t on; gives where its shifts end."""
    target = square.heights.shape[0]
    programs.first[p] = s
    for d in range(target - score + 1):
        programs.lists[s], programs.fold[s], programs.shift[s] = 0, 0, t
        if d == 0:
            programs.leaf[s] = WON
        else:
            points = target - d
            programs.leaf[s] = START if points == score else square.start + points * target
            for k in range(gains.size):
                programs.shifts[t + k] = -min(d, gains[k])
            t += gains.size
        s += 1
    programs.first[p + 1] = s
    return t

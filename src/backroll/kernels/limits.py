"""Turns that climb in some columns only and stop at a limit, by the million."""

from __future__ import annotations

import numpy as np

from backroll.arrays import Floats, Longs
from backroll.kernels import kernel
from backroll.kernels.arena import draw, seed


@kernel
def climb_to_limits(
    climbed: Longs, weights: Floats, limits: Floats, number: int, begin: int, end: int,
    squares: Longs, weighed: Floats,
) -> None:  # fmt: skip
    """Play turns begin to end - 1, each for all limits at once, which rise.

    Roll r climbs climbed[r, c] squares of column c, and loses the turn if it climbs none. Once the
    weight of the squares is limits[i] or more, they are added to squares[i], the weight to
    weighed[i, 0] and its square to weighed[i, 1].
    """
    rolls, width = climbed.shape
    at, chance = np.zeros(width, np.int64), np.zeros(4, np.int64)
    for turn in range(begin, end):
        seed(chance, number, turn, 0, 0)
        at[:] = 0
        reached = 0
        while reached < limits.size:
            r = draw(chance, rolls)
            moved = False
            weight = 0.0
            for c in range(width):
                at[c] += climbed[r, c]
                moved |= climbed[r, c] > 0
                weight += weights[c] * at[c]
            if not moved:
                break
            while reached < limits.size and weight >= limits[reached]:
                for c in range(width):
                    squares[reached, c] += at[c]
                weighed[reached, 0] += weight
                weighed[reached, 1] += weight * weight
                reached += 1

"""One player: the anchors of a cell, whose heights are `base` or one more, as lanes of one program.

Measured from the top of the columns, the part of a turn with all markers placed is the same for
all anchors with the same closed columns; they differ in where the turn begins, in what losing it
costs, and in where stops lead. An anchor is worth 1 turn and what its turn costs, which is
concave in what losing costs, so that Newton comes down to the solution (Glenn, Fang and Kruskal
2006). Costs are negative inside a program: the mover there always wants more. So with v = -x and
g(l) what the turn is worth where losing it is worth l, the equation is v = g(v) - 1.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import (
    APART,
    KEPT,
    NEIGHBOURS,
    RADIUS,
    RESIDUAL,
    Climbs,
    Desk,
    Floats,
    Leaves,
    Lists,
    Longs,
    Steps,
)
from backroll.kernels import kernel
from backroll.kernels.climbs import build, most_rolls, rolls_of_turn
from backroll.kernels.duels import MOST, SLACK, USUAL
from backroll.kernels.lanes import rounding, run
from backroll.kernels.vectors import LANES


@kernel
def list_lanes(
    length: Longs, base: Longs, level: int, stride: Longs, mirrored: Longs, lanes: Longs
) -> int:
    """The placements of a cell with `level` squares in all, one of each mirror pair."""
    columns = length.size
    spare, lean = level, 0
    for c in range(columns):
        spare -= base[c]
        lean += (stride[c] - mirrored[c]) * base[c]
    count = 0
    for bits in range(1 << columns):
        ones = 0
        number, image = 0, 0
        fits = True
        for c in range(columns):
            one = (bits >> c) & 1
            ones += one
            h = base[c] + one
            fits = fits and h < length[c]
            lanes[count, c] = h
            number += stride[c] * h
            image += mirrored[c] * h
        if fits and ones == spare and (lean != 0 or number <= image):
            count += 1
    return count


@kernel
def solve_cells(
    climbs: Climbs,
    lists: Lists,
    leaves: Leaves,
    table: Floats,
    mirrored: Longs,
    cells: Longs,
    level: int,
    desk: Desk,
    steps: Steps,
    counts: Longs,
    found: Floats,
) -> None:
    """Solve the anchors of some cells on one level, each proven as in `duels`.

    `mirrored` has the strides of the mirror image, or those of the placement itself. `counts`
    grows by components, positions, iterations and rolls evaluated.
    """
    columns = climbs.length.size
    stride, start = leaves.stride[climbs.size.size - 1], leaves.start[climbs.size.size - 1]
    nothing = np.zeros(columns, np.int64)
    lanes = np.zeros(((1 << columns) + 1, columns), np.int64)
    ends = np.empty((3, LANES))
    x = np.empty(LANES)
    row, twin = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    whole = np.empty((climbs.size.size, LANES), np.int64)
    desk.programs.first[0] = 0
    for cell in range(cells.shape[0]):
        base = cells[cell]
        count = list_lanes(climbs.length, base, level, stride, mirrored, lanes)
        if count == 0:
            continue
        build(
            climbs, leaves, base, nothing, nothing, True, desk.programs, 0, 0, 0,
            desk.slab_base, desk.slab_stride,
        )  # fmt: skip
        off = rounding(lists, most_rolls(climbs, base))
        for begin in range(0, count, LANES):
            real = min(LANES, count - begin)
            for j in range(LANES):
                a = lanes[begin + min(j, real - 1)]
                row[j], twin[j] = start, start
                for c in range(columns):
                    desk.high[c, j] = a[c] - base[c]
                    row[j] += stride[c] * a[c]
                    twin[j] += mirrored[c] * a[c]
                for f in range(climbs.size.size):
                    n = 0
                    for c in range(columns):
                        n += leaves.stride[f, c] * a[c]
                    whole[f, j] = n
                worst = 0.0
                for c in range(columns):
                    if a[c] + 1 < climbs.length[c]:
                        worst = max(worst, table[row[j] + stride[c]])
                    else:
                        f = climbs.size.size - 1 - columns + c
                        if leaves.start[f] >= 0:
                            worst = max(worst, table[leaves.start[f] + whole[f, j]])
                x[j] = worst if steps.start == NEIGHBOURS else steps.first
                if steps.start == KEPT:
                    x[j] = table[row[j]]
            for j in range(real):  # states that no turn of a lane's own meets look here
                table[row[j]] = np.nan
            for i in range(climbs.size.size):
                m = climbs.size[i]
                for topped in range(1 << m):
                    f = climbs.topped[i, topped]
                    for j in range(LANES):
                        n = whole[f, j]
                        a = lanes[begin + min(j, real - 1)]
                        for q in range(m):
                            c = climbs.column[i, q]
                            n -= leaves.stride[f, c] * a[c]
                        desk.off[8 * i + topped, j] = n
            v, point, highest = -x, -x, np.full(LANES, -np.inf)
            closed = np.zeros(LANES, np.uint8)
            left = real
            apart = 0.0
            counts[0] += real
            for j in range(real):
                counts[1] += rolls_of_turn(climbs.length, lanes[begin + j])
            for step in range(steps.limit):
                again = step > 0
                for j in range(LANES):
                    ends[0, j] = point[j]
                    again = again and point[j] <= highest[j]
                rolls = run(
                    desk.programs, 0, lists, table, 0.0, desk.off, desk.tracks, desk.high,
                    desk.stopped, again, ends,
                )  # fmt: skip
                counts[3] += rolls * real
                counts[2] += left
                apart = 0.0
                for j in range(LANES):
                    if not again:
                        highest[j] = point[j]
                    if closed[j]:
                        continue
                    a, slope = ends[1, j] - 1.0, ends[2, j]
                    scale = 1.0 + abs(point[j])
                    error = scale * off
                    slack = scale * SLACK
                    if steps.newton:
                        slack *= 2.0 ** min(max(0, step - USUAL), MOST)
                    was = v[j]
                    if steps.newton:
                        v[j] = point[j] + (a - point[j]) / (1.0 - slope)
                    elif point[j] == was:
                        v[j] = a
                    gap, moved = point[j] - v[j], abs(v[j] - was)
                    by = error
                    if not steps.newton:
                        by = error + steps.tolerance if moved <= steps.tolerance else -slack
                    by = (by + slack) / (1.0 - slope)
                    if (
                        gap <= 2.0 * by
                        and a + error <= v[j] + gap
                        and a - 2.0 * slope * gap - error >= v[j] - gap
                    ):
                        closed[j] = 1
                        if j < real:
                            left -= 1
                            found[RADIUS] = max(found[RADIUS], gap)
                            found[RESIDUAL] = max(found[RESIDUAL], abs(a - v[j]))
                        continue
                    if j < real and not moved <= apart:
                        apart = moved
                    point[j] = v[j] + by
                if left == 0:
                    break
            if left > 0 and not apart <= found[APART]:
                found[APART] = apart
            for j in range(real):
                table[row[j]] = table[twin[j]] = -v[j]

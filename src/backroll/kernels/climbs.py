"""Programs of Can't Stop, made for one placement of the mover's markers, or a cell of them.

A state is a set of marked columns and how far each marker is from the top; within a set states
are numbered in mixed radix, the top first, so that every move leads to a smaller number. Sets
with more markers come before those with fewer.

With `cell`, markers stand at `base` or one above, by the lane: entering a column leads to one of
two neighbouring states, and a slab of PICK states, one a placement of the other markers, stands
for them.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import Climbs, Leaves, Longs, Programs
from backroll.kernels import kernel
from backroll.kernels.lanes import PICK, START, WON
from backroll.kernels.vectors import item


@kernel
def count_states(climbs: Climbs, base: Longs, cell: bool) -> int:
    """How many states a program has at most."""
    states = 0
    for i in range(climbs.size.size):
        grid = 1
        for q in range(climbs.size[i]):
            c = climbs.column[i, q]
            grid *= climbs.length[c] - base[c]
        states += grid
        if cell:
            for j in range(climbs.slabs[i] + 1, climbs.slabs[i + 1]):
                c = climbs.column[i, climbs.entered[j]]
                states += grid // (climbs.length[c] - base[c])
    return states


@kernel
def most_rolls(climbs: Climbs, base: Longs) -> int:
    """How many rolls a turn has at most: each climbs a square in one of three columns."""
    most = 0
    for i in range(climbs.size.size):
        rolls = 1
        for q in range(climbs.size[i]):
            c = climbs.column[i, q]
            rolls += climbs.length[c] - base[c]
        most = max(most, rolls)
    return most


@kernel
def rolls_of_turn(length: Longs, heights: Longs) -> int:
    """How many roll positions a turn has: over sets of up to three columns, the squares left."""
    ones, twos, threes = 0, 0, 0
    for c in range(length.size):
        left = length[c] - heights[c]
        threes += twos * left
        twos += ones * left
        ones += left
    return 1 + ones + twos + threes


@kernel
def count_shifts(climbs: Climbs, base: Longs, cell: bool) -> int:
    """How many shifts a program has at most."""
    shifts = 0
    for i in range(climbs.size.size):
        grid = 1
        for q in range(climbs.size[i]):
            c = climbs.column[i, q]
            grid *= climbs.length[c] - base[c]
        moves = climbs.move[i + 1] - climbs.move[i]
        shifts += moves if climbs.size[i] == 3 else moves * grid
        if cell:
            for j in range(climbs.slabs[i] + 1, climbs.slabs[i + 1]):
                c = climbs.column[i, climbs.entered[j]]
                shifts += 2 * (grid // (climbs.length[c] - base[c]))
    return shifts


@kernel
def build(
    climbs: Climbs,
    leaves: Leaves,
    base: Longs,
    stays: Longs,
    other: Longs,
    cell: bool,
    programs: Programs,
    p: int,
    s: int,
    t: int,
    slab_base: Longs,
    slab_stride: Longs,
) -> int:
    """Make program p, from state s and shift t on; gives where its shifts end.

    Markers start above `base`; columns without a marker are at `stays`. `other` has where the
    other side's marker is to be jumped over, 0 where there is none.
    """
    of_list, shift, leaf, fold = programs.lists, programs.shift, programs.leaf, programs.fold
    shifts, ranks = programs.shifts, leaves.ranks
    origin = s
    longest = climbs.length.max() + 1
    radix, stride = np.ones(3, np.int64), np.zeros(3, np.int64)
    height, kind = np.zeros((3, longest), np.int64), np.zeros((3, longest), np.int64)
    top = np.zeros((3, longest), np.int64)
    at, width, offset = np.zeros(8, np.int64), np.zeros(8, np.int64), np.zeros(8, np.int64)
    number, rise = np.zeros(8, np.int64), np.zeros((8, 3), np.int64)
    const, slope = np.zeros(256, np.int64), np.zeros((256, 3), np.int64)
    for i in range(climbs.size.size):
        m = climbs.size[i]
        own = climbs.slabs[i]
        grid = 1
        for q in range(2, -1, -1):
            radix[q], stride[q] = 1, 0
            kind[q, 0] = top[q, 0] = height[q, 0] = 0
            if q >= m:
                continue
            c = climbs.column[i, q]
            jumped = other[c] if other[c] > base[c] else 0
            radix[q] = climbs.length[c] - base[c] - (1 if jumped > 0 else 0)
            for d in range(radix[q]):
                h = climbs.length[c] - d
                height[q, d] = h - 1 if h <= jumped else h
                kind[q, d] = min(d, 2) * 3 ** (m - 1 - q)
                top[q, d] = 1 << q if d == 0 else 0
            stride[q] = slab_stride[own, q] = grid
            grid *= radix[q]
        slab_base[own] = s - origin
        for topped in range(1 << m):  # where stops lead, as linear forms in the heights
            f = climbs.topped[i, topped]
            at[topped], width[topped] = leaves.start[f], leaves.width[f]
            offset[topped], number[topped] = leaves.offset[f], 0
            for c in range(climbs.length.size):
                number[topped] += leaves.stride[f, c] * stays[c]
            for q in range(3):
                rise[topped, q] = 0
                if q < m:
                    c = climbs.column[i, q]
                    rise[topped, q] = leaves.stride[f, c]
                    number[topped] -= leaves.stride[f, c] * stays[c]
        begin, moves = climbs.move[i], climbs.move[i + 1] - climbs.move[i]
        for k in range(moves):  # where moves lead, as linear forms in the squares left
            j = climbs.slab[begin + k]
            const[k] = slab_base[j] - slab_base[own]
            for q in range(3):
                slope[k, q] = 0
                if q < m:
                    step = slab_stride[j, climbs.place[begin + k, q]]
                    slope[k, q] = step - stride[q]
                    const[k] -= climbs.advance[begin + k, q] * step
            if m == 3:
                shifts[t + k] = const[k]
        for d in range(radix[0]):
            for e in range(radix[1]):
                for g in range(radix[2]):
                    topped = item(top, d) | item(top, longest + e) | item(top, 2 * longest + g)
                    shift[s] = t
                    if m < 3:
                        for k in range(moves):
                            shifts[t + k] = (
                                item(const, k) + item(slope, 3 * k) * d + item(slope, 3 * k + 1) * e
                            )
                        t += moves
                    of_list[s] = climbs.lists[
                        i,
                        item(kind, d) + item(kind, longest + e) + item(kind, 2 * longest + g),
                    ]
                    fold[s] = 8 * i + topped if cell else climbs.topped[i, topped]
                    if m == 0:
                        leaf[s] = START
                    elif item(at, topped) < 0:
                        leaf[s] = WON
                    else:
                        n = (
                            item(number, topped)
                            + item(rise, 3 * topped) * item(height, d)
                            + item(rise, 3 * topped + 1) * item(height, longest + e)
                            + item(rise, 3 * topped + 2) * item(height, 2 * longest + g)
                        )
                        if ranks.size > 0:
                            n = item(ranks, item(offset, topped) + n)
                        leaf[s] = item(at, topped) + n * item(width, topped)
                    s += 1
        if m == 3:
            t += moves
        for j in range(own + 1, climbs.slabs[i + 1]):
            parent, e = climbs.parent[j], climbs.entered[j]
            step, r = slab_stride[parent, e], radix[e]
            near = max(0, r - climbs.climb[j])
            far = max(0, near - 1)
            size = 1
            for q in range(m - 1, -1, -1):
                slab_stride[j, q] = 0
                if q != e and slab_stride[parent, q] > 0:
                    slab_stride[j, q] = size if cell and near > far else slab_stride[parent, q]
                    size *= radix[q]
            slab_base[j] = s - origin if cell and near > far else slab_base[parent] + near * step
            if not cell or near == far:
                continue
            for n in range(size):
                target = slab_base[parent] - (s - origin)
                for q in range(m):
                    if slab_stride[j, q] > 0:
                        target += slab_stride[parent, q] * (n // slab_stride[j, q] % radix[q])
                of_list[s], shift[s], leaf[s], fold[s] = climbs.column[i, e], t, PICK, 0
                shifts[t], shifts[t + 1] = target + near * step, target + far * step
                t += 2
                s += 1
    programs.first[p + 1] = s
    return t

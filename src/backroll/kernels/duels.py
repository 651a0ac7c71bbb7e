"""Two players: the components of a tile, some placements of one side against some of the other.

A component is a placement seen by either side: the turns of x against y and of y against x, each
lost to the other's start. With a and b the values found for the two losses, s and r the slopes, a
Newton step solves x' = a - s (y' - y), y' = b - r (x' - x) (seed 000, Algorithm 3). Every program
of a tile is made once; for each mover the other side's placements are the lanes.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import (
    KEPT,
    NEIGHBOURS,
    Bytes,
    Climbs,
    Desk,
    Floats,
    Lists,
    Longs,
    Square,
    Steps,
)
from backroll.kernels import kernel
from backroll.kernels.climbs import build
from backroll.kernels.lanes import run
from backroll.kernels.vectors import LANES


@kernel
def neighbours(table: Floats, square: Square, x: int, y: int) -> float:
    """An estimate from solved neighbours: the mean of those with a square more, for either."""
    n = square.heights.shape[0]
    total, count = 0.0, 0
    for c in range(square.heights.shape[1]):
        for up in range(2):
            u, v = x, y
            if up == 0:
                u = square.above[x, c]
            else:
                v = square.above[y, c]
            if u >= 0 and v >= 0:
                found = table[square.start + v * n + u]
                if found <= 1.0:
                    total += found
                    count += 1
    return total / count if count > 0 else 0.5


@kernel
def sweep(
    lists: Lists,
    table: Floats,
    mover: Square,
    p: int,
    others: Longs,
    desk: Desk,
    lanes: Longs,
    theirs: Floats,
    wanted: Bytes,
    highest: Floats,
    stopped: Bytes,
    image: Floats,
    slope: Floats,
) -> int:
    """Evaluate one mover's turn against those placements of the other side that are lanes."""
    count = lanes.size
    ends = np.empty((3, LANES))
    states = desk.programs.first[p + 1] - desk.programs.first[p]
    done = 0
    for begin in range(0, count, LANES):
        real = min(LANES, count - begin)
        unsettled = 0
        for j in range(begin, begin + real):
            unsettled += wanted[lanes[j]]
        if unsettled == 0:
            continue
        again = True
        for j in range(LANES):
            k = begin + min(j, real - 1)
            ends[0, j] = 1.0 - theirs[lanes[k]]
            again = again and ends[0, j] <= highest[k]
            other = others[lanes[k]]
            for f in range(mover.place.shape[0]):
                desk.off[f, j] = mover.place[f, other]
        if not again:
            for j in range(real):
                highest[begin + j] = ends[0, j]
        flags = stopped[begin // LANES * states : (begin // LANES + 1) * states]
        done += real * run(
            desk.programs, p, lists, table, 1.0, desk.off, desk.tracks, desk.high, flags, again,
            ends,
        )  # fmt: skip
        for j in range(real):
            k = lanes[begin + j]
            image[k], slope[k] = ends[1, j], ends[2, j]
    return done


@kernel
def solve_tile(
    climbs: Climbs,
    lists: Lists,
    table: Floats,
    one: Square,
    two: Square,
    xs: Longs,
    ys: Longs,
    active: Bytes,
    desk: Desk,
    jumps: bool,
    both: bool,
    steps: Steps,
    counts: Longs,
) -> float:
    """Solve the active components of xs against ys; gives the largest residual.

    Where some have not settled, that is the largest of theirs, below 0. `counts` grows by
    components, positions, iterations and rolls evaluated. `both` says to keep the values of both
    anchors, not of the first alone.
    """
    nx, ny, n = xs.size, ys.size, one.heights.shape[0]
    programs, first = desk.programs, desk.programs.first
    nothing = np.zeros(climbs.length.size, np.int64)
    s, t = 0, 0
    first[0] = 0
    for p in range(nx + ny):
        square, own = (one, xs[p]) if p < nx else (two, ys[p - nx])
        base = square.heights[own]
        other = nothing
        if jumps:
            other = square.heights[ys[0] if p < nx else xs[0]]
        t = build(
            climbs, square.leaves, base, base, other, False, programs, p, s, t,
            desk.slab_base, desk.slab_stride,
        )  # fmt: skip
        s = first[p + 1]
    x, y = np.empty((nx, ny)), np.empty((ny, nx))
    a, b = np.zeros((nx, ny)), np.zeros((ny, nx))
    k, m = np.zeros((nx, ny)), np.zeros((ny, nx))
    high_x, high_y = np.full((nx, ny), -1.0), np.full((ny, nx), -1.0)
    open_x, open_y = active.copy(), active.T.copy()
    lanes_x, lanes_y = np.empty((nx, ny), np.int64), np.empty((ny, nx), np.int64)
    count_x, count_y = np.zeros(nx, np.int64), np.zeros(ny, np.int64)
    residual, apart, left = 0.0, 0.0, 0
    for i in range(nx):
        for j in range(ny):
            if active[i, j]:
                lanes_x[i, count_x[i]] = j
                count_x[i] += 1
                lanes_y[j, count_y[j]] = i
                count_y[j] += 1
                x[i, j] = y[j, i] = steps.first
                if steps.start == NEIGHBOURS:
                    x[i, j] = neighbours(table, one, xs[i], ys[j])
                    y[j, i] = neighbours(table, two, ys[j], xs[i])
                elif steps.start == KEPT:
                    x[i, j] = table[one.start + ys[j] * n + xs[i]]
                    y[j, i] = table[two.start + xs[i] * n + ys[j]]
                left += 1
                counts[1] += first[i + 1] - first[i] + first[nx + j + 1] - first[nx + j]
    counts[0] += left
    for _ in range(steps.limit):
        for i in range(nx):
            flags = desk.stopped[first[i] * (ny // LANES + 1) :]
            counts[3] += sweep(
                lists, table, one, i, ys, desk, lanes_x[i, : count_x[i]], y[:, i], open_x[i],
                high_x[i], flags, a[i], k[i],
            )  # fmt: skip
        shift = first[nx] * (ny // LANES + 1)
        for j in range(ny):
            flags = desk.stopped[shift + (first[nx + j] - first[nx]) * (nx // LANES + 1) :]
            counts[3] += sweep(
                lists, table, two, nx + j, xs, desk, lanes_y[j, : count_y[j]], x[:, j], open_y[j],
                high_y[j], flags, b[j], m[j],
            )  # fmt: skip
        counts[2] += left
        apart = 0.0
        for i in range(nx):
            for j in range(ny):
                if not open_x[i, j]:
                    continue
                u, v = a[i, j] - x[i, j], b[j, i] - y[j, i]
                g, h = (k[i, j], m[j, i]) if steps.newton else (0.0, 0.0)
                step = (u - g * v) / (1.0 - g * h)
                x[i, j] += step
                y[j, i] += v - h * step
                off = max(abs(u), abs(v))
                if off <= steps.tolerance:
                    open_x[i, j] = open_y[j, i] = 0
                    left -= 1
                    residual = max(residual, off)
                elif not off <= apart:
                    apart = off
        if left == 0:
            break
    for i in range(nx):
        for j in range(ny):
            if active[i, j]:
                p, q = xs[i], ys[j]
                for _ in range(2):
                    table[one.start + q * n + p] = x[i, j]
                    if both:
                        table[two.start + p * n + q] = y[j, i]
                    p, q = one.image[p], one.image[q]
    return residual if left == 0 else -apart


@kernel
def solve_tiles(
    climbs: Climbs,
    lists: Lists,
    table: Floats,
    one: Square,
    two: Square,
    movers: Longs,
    tiles: Longs,
    desk: Desk,
    jumps: bool,
    both: bool,
    steps: Steps,
    counts: Longs,
) -> float:
    """Solve tiles: rows of movers[tile[0]:tile[1]] against ranks tile[2]:tile[3].

    Where tile[4] is 1, both sides are of one level and one hand, and of a component and its
    image under a change of sides only one is solved. Gives the
    largest residual, below 0 where a component has not settled.
    """
    n, image = one.heights.shape[0], one.image
    residual, apart = 0.0, 0.0
    for tile in tiles:
        xs, ys = movers[tile[0] : tile[1]], np.arange(tile[2], tile[3])
        active = np.zeros((xs.size, ys.size), np.uint8)
        some = False
        for i in range(xs.size):
            x = xs[i]
            for j in range(ys.size):
                y = ys[j]
                if x == image[x] and y > image[y]:
                    continue
                if tile[4] == 1 and (x * n + y > y * n + x or x * n + y > image[y] * n + image[x]):
                    continue
                if np.isinf(table[one.start + y * n + x]):
                    continue
                active[i, j] = 1
                some = True
        if not some:
            continue
        found = solve_tile(
            climbs, lists, table, one, two, xs, ys, active, desk, jumps, both, steps, counts
        )
        if found >= 0.0:
            residual = max(residual, found)
        elif not found >= apart:
            apart = found
    return residual if apart == 0.0 else apart

"""Two players: the components of a tile, some placements of one side against some of the other.

A component is a placement seen by either side: the turns of x against y and of y against x, each
lost to the other's start. With a and b the values found where they are lost to u and v, and s and
r the slopes, a Newton step solves x = a - s (y - v), y = b - r (x - u) (Glenn, Fang and Kruskal
2007, Algorithm 3). Every program of a tile is made once; for each mover the other side's
placements are the lanes.

Every component is proven by the evaluation that solves it. It is made a little off the estimate,
to the side where losing the turn is worth more. There the value found is a limit from above for
whatever is worth less to lose, and the moves found, with their slope, are one from below for
every loss. If both say that the box of x within dx and y within dy is mapped into itself,
rounding included, then the solution lies in it (Lemma 2). With rounding p and q the smallest such
box has dx = p + r dy and dy = q + s dx.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import (
    APART,
    BINS,
    KEPT,
    NEIGHBOURS,
    RADIUS,
    RESIDUAL,
    TALLY,
    Bytes,
    Desk,
    Floats,
    Lists,
    Longs,
    Square,
    Steps,
)
from backroll.kernels import kernel
from backroll.kernels.lanes import run
from backroll.kernels.vectors import LANES

SLACK = 2.0**-49
"""What is left, beyond the rounding of a turn, for that of the steps around it."""
USUAL = 6
"""Steps after which more and more is left: where both slopes are all but 1, steps are rough."""
MOST = 20
"""How often it is doubled."""


@kernel
def forbid(square: Floats, heights: Longs) -> None:
    """Make placements that share a square of the board infinite."""
    for y in range(heights.shape[0]):
        for x in range(heights.shape[0]):
            for c in range(heights.shape[1]):
                if heights[x, c] == heights[y, c] and heights[x, c] > 0:
                    square[y, x] = np.inf
                    break


@kernel
def neighbours(table: Floats, square: Square, x: int, y: int) -> float:
    """An estimate from solved neighbours, as if what either side gains by a square added up.

    With p where the mover has a square more in a column, q where the other side has in the next
    and r where both have, it is the mean of p + q - r; without any such, that of p and q.
    """
    n, columns = square.heights.shape[0], square.heights.shape[1]
    total, pairs, near, count = 0.0, 0, 0.0, 0
    for c in range(columns):
        u, v = square.above[x, c], square.above[y, (c + 1) % columns]
        p = table[square.start + y * n + u] if u >= 0 else np.inf
        q = table[square.start + v * n + x] if v >= 0 else np.inf
        if p <= 1.0:
            near += p
            count += 1
        if q <= 1.0:
            near += q
            count += 1
        if p <= 1.0 and q <= 1.0:
            r = table[square.start + v * n + u]
            if r <= 1.0:
                total += p + q - r
                pairs += 1
    if pairs > 0:
        return min(max(total / pairs, 0.0), 1.0)
    return near / count if count > 0 else 0.5


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
def packed(lanes: Longs, count: int, wanted: Bytes, highest: Floats) -> int:
    """Leave out lanes that are settled where that saves vectors; gives how many lanes are left.

    What is known of who stops in a vector is then forgotten.
    """
    left, vectors = 0, 0
    for begin in range(0, count, LANES):
        some = 0
        for k in range(begin, min(begin + LANES, count)):
            some += wanted[lanes[k]]
        left += some
        vectors += 1 if some > 0 else 0
    if (left + LANES - 1) // LANES == vectors:
        return count
    kept = 0
    for k in range(count):
        if wanted[lanes[k]]:
            lanes[kept] = lanes[k]
            kept += 1
    highest[:] = -1.0
    return kept


@kernel
def proven(
    x: float, y: float, a: float, b: float, g: float, h: float, dx: float, dy: float,
    off_x: float, off_y: float,
) -> bool:  # fmt: skip
    """Whether x within dx and y within dy are mapped into themselves: see the top of the file."""
    return (
        a + off_x <= x + dx
        and a - 2.0 * g * dy - off_x >= x - dx
        and b + off_y <= y + dy
        and b - 2.0 * h * dx - off_y >= y - dy
    )


@kernel
def tally(counts: Longs, x: float, y: float, steps: int) -> None:
    """Count a component and its steps by the values of its anchors, each the mover's."""
    one = min(max(0, int(BINS * x)), BINS - 1)
    two = min(max(0, int(BINS * y)), BINS - 1)
    place = TALLY + 2 * (BINS * one + two)
    counts[place] += 1
    counts[place + 1] += steps


@kernel
def active(one: Square, xs: Longs, ys: Longs, same: bool, table: Floats, marks: Bytes) -> int:
    """Mark the components of a tile that are to be solved; gives how many there are.

    Of mirror images one is, and in a tile of one level and one hand also of a component and its
    image under a change of sides.
    """
    n, image = one.heights.shape[0], one.image
    some = 0
    for i in range(xs.size):
        x = xs[i]
        for j in range(ys.size):
            y = ys[j]
            marks[i, j] = 0
            if x == image[x] and y > image[y]:
                continue
            if same and (x * n + y > y * n + x or x * n + y > image[y] * n + image[x]):
                continue
            if np.isinf(table[one.start + y * n + x]):
                continue
            marks[i, j] = 1
            some += 1
    return some


@kernel
def estimate(
    table: Floats, one: Square, two: Square, xs: Longs, ys: Longs, marks: Bytes, steps: Steps,
    x: Floats, y: Floats,
) -> None:  # fmt: skip
    """Where Newton starts, for every component of a tile."""
    n = one.heights.shape[0]
    for i in range(xs.size):
        for j in range(ys.size):
            x[i, j] = y[j, i] = steps.first
            if marks[i, j] and steps.start == NEIGHBOURS:
                x[i, j] = neighbours(table, one, xs[i], ys[j])
                y[j, i] = neighbours(table, two, ys[j], xs[i])
            elif marks[i, j] and steps.start == KEPT:
                x[i, j] = table[one.start + ys[j] * n + xs[i]]
                y[j, i] = table[two.start + xs[i] * n + ys[j]]


@kernel
def solve_tile(
    lists: Lists,
    table: Floats,
    one: Square,
    two: Square,
    xs: Longs,
    ys: Longs,
    marks: Bytes,
    off: Floats,
    desk: Desk,
    both: bool,
    steps: Steps,
    counts: Longs,
    found: Floats,
) -> None:
    """Solve the marked components of xs against ys, whose programs are on the desk.

    `off` is how far rounding can take each program from what it means. `counts` grows by
    components, positions, iterations and rolls evaluated, and by the tally. `both` says to keep
    the values of both anchors, not of the first alone.
    """
    nx, ny, n = xs.size, ys.size, one.heights.shape[0]
    first = desk.programs.first
    x, y = np.empty((nx, ny)), np.empty((ny, nx))
    a, b = np.zeros((nx, ny)), np.zeros((ny, nx))
    k, m = np.zeros((nx, ny)), np.zeros((ny, nx))
    high_x, high_y = np.full((nx, ny), -1.0), np.full((ny, nx), -1.0)
    open_x, open_y = marks.copy(), marks.T.copy()
    lanes_x, lanes_y = np.empty((nx, ny), np.int64), np.empty((ny, nx), np.int64)
    count_x, count_y = np.zeros(nx, np.int64), np.zeros(ny, np.int64)
    left = 0
    for i in range(nx):
        for j in range(ny):
            if marks[i, j]:
                lanes_x[i, count_x[i]] = j
                count_x[i] += 1
                lanes_y[j, count_y[j]] = i
                count_y[j] += 1
                left += 1
                counts[1] += first[i + 1] - first[i] + first[nx + j + 1] - first[nx + j]
    counts[0] += left
    estimate(table, one, two, xs, ys, marks, steps, x, y)
    u, v = x.copy(), y.copy()
    apart = 0.0
    for turn in range(steps.limit):
        slack = SLACK * 2.0 ** min(max(0, turn - USUAL), MOST) if steps.newton else SLACK
        for i in range(nx):
            flags = desk.stopped[first[i] * (ny // LANES + 1) :]
            counts[3] += sweep(
                lists, table, one, i, ys, desk, lanes_x[i, : count_x[i]], v[:, i], open_x[i],
                high_x[i], flags, a[i], k[i],
            )  # fmt: skip
        shift = first[nx] * (ny // LANES + 1)
        for j in range(ny):
            flags = desk.stopped[shift + (first[nx + j] - first[nx]) * (nx // LANES + 1) :]
            counts[3] += sweep(
                lists, table, two, nx + j, xs, desk, lanes_y[j, : count_y[j]], u[:, j], open_y[j],
                high_y[j], flags, b[j], m[j],
            )  # fmt: skip
        counts[2] += left
        apart = 0.0
        for i in range(nx):
            for j in range(ny):
                if not open_x[i, j]:
                    continue
                was_x, was_y, g, h = x[i, j], y[j, i], k[i, j], m[j, i]
                gap_x, gap_y = a[i, j] - u[i, j], b[j, i] - v[j, i]
                if steps.newton:
                    step = (gap_x - g * gap_y) / (1.0 - g * h)
                    x[i, j] = u[i, j] + step
                    y[j, i] = v[j, i] + gap_y - h * step
                elif u[i, j] == was_x and v[j, i] == was_y:
                    x[i, j], y[j, i] = a[i, j], b[j, i]
                dx, dy = x[i, j] - u[i, j], y[j, i] - v[j, i]
                moved = max(abs(x[i, j] - was_x), abs(y[j, i] - was_y))
                wide_x, wide_y = off[i] + slack, off[nx + j] + slack
                if not steps.newton:
                    wide_x, wide_y = wide_x + steps.tolerance, wide_y + steps.tolerance
                wide_x, wide_y = (
                    (wide_x + g * wide_y) / (1.0 - g * h),
                    (wide_y + h * wide_x) / (1.0 - g * h),
                )
                if not steps.newton and moved > steps.tolerance:
                    wide_x = wide_y = 0.0  # no proof is near yet
                if (
                    dx <= 2.0 * wide_x
                    and dy <= 2.0 * wide_y
                    and proven(
                        x[i, j], y[j, i], a[i, j], b[j, i], g, h, dx, dy, off[i], off[nx + j]
                    )
                ):
                    open_x[i, j] = open_y[j, i] = 0
                    left -= 1
                    tally(counts, x[i, j], y[j, i], turn + 1)
                    found[RADIUS] = max(found[RADIUS], dx, dy)
                    gap = max(abs(a[i, j] - x[i, j]), abs(b[j, i] - y[j, i]))
                    found[RESIDUAL] = max(found[RESIDUAL], gap)
                    continue
                if not moved <= apart:
                    apart = moved
                u[i, j], v[j, i] = x[i, j] - wide_x, y[j, i] - wide_y
        if left == 0:
            break
        for i in range(nx):
            count_x[i] = packed(lanes_x[i], count_x[i], open_x[i], high_x[i])
        for j in range(ny):
            count_y[j] = packed(lanes_y[j], count_y[j], open_y[j], high_y[j])
    if left > 0 and not apart <= found[APART]:
        found[APART] = apart
    for i in range(nx):
        for j in range(ny):
            if marks[i, j]:
                p, q = xs[i], ys[j]
                for _ in range(2):
                    table[one.start + q * n + p] = x[i, j]
                    if both:
                        table[two.start + p * n + q] = y[j, i]
                    p, q = one.image[p], one.image[q]

"""Tiles of games: the programs of each placement made, then the components solved."""

from __future__ import annotations

import numpy as np

from backroll.arrays import Climbs, Desk, Floats, Lists, Longs, Square, Steps
from backroll.kernels import kernel
from backroll.kernels.climbs import build, most_rolls
from backroll.kernels.duels import active, solve_tile
from backroll.kernels.ladders import build_ladder
from backroll.kernels.lanes import rounding


@kernel
def solve_climbs(
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
    found: Floats,
) -> None:
    """Solve tiles of Can't Stop: rows of movers[tile[0]:tile[1]] against ranks tile[2]:tile[3].

    Where tile[4] is 1, both sides are of one level and one hand.
    """
    nothing = np.zeros(climbs.length.size, np.int64)
    for tile in tiles:
        xs, ys = movers[tile[0] : tile[1]], np.arange(tile[2], tile[3])
        marks = np.zeros((xs.size, ys.size), np.uint8)
        if active(one, xs, ys, tile[4] == 1, table, marks) == 0:
            continue
        off = np.empty(xs.size + ys.size)
        s, t = 0, 0
        desk.programs.first[0] = 0
        for p in range(xs.size + ys.size):
            mine = p < xs.size
            square, own = (one, xs[p]) if mine else (two, ys[p - xs.size])
            base, other = square.heights[own], nothing
            if jumps:
                other = square.heights[ys[0] if mine else xs[0]]
            t = build(
                climbs, square.leaves, base, base, other, False, desk.programs, p, s, t,
                desk.slab_base, desk.slab_stride,
            )  # fmt: skip
            s = desk.programs.first[p + 1]
            off[p] = rounding(lists, most_rolls(climbs, base))
        solve_tile(lists, table, one, two, xs, ys, marks, off, desk, both, steps, counts, found)


@kernel
def solve_ladders(
    gains: Longs,
    lists: Lists,
    table: Floats,
    square: Square,
    tiles: Longs,
    desk: Desk,
    steps: Steps,
    counts: Longs,
    found: Floats,
) -> None:
    """Solve scores of Pig: tile[0] of the one side against tile[1] of the other."""
    marks = np.ones((1, 1), np.uint8)
    off = np.empty(2)
    for tile in tiles:
        t = build_ladder(gains, square, tile[0], desk.programs, 0, 0, 0)
        build_ladder(gains, square, tile[1], desk.programs, 1, desk.programs.first[1], t)
        for p in range(2):
            off[p] = rounding(lists, square.heights.shape[0] - tile[p])
        solve_tile(
            lists, table, square, square, tile[:1], tile[1:], marks, off, desk, True, steps,
            counts, found,
        )  # fmt: skip

"""The turns engine with a clock around the making of programs and around each run of one.

The kernels that call `build` and `run` are loaded a second time, with those two replaced by others
that do the same and keep tallies: processor time, and, if asked to watch, what was in the
programs. If asked to check, each full run of a program is also repeated lane by lane by the plain
kernel of `scalar.py`, which must give the same bits.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from backroll import kernels
from backroll.arrays import Bytes, Floats, Lists, Longs, Programs
from backroll.engines import duels as engine_of_two
from backroll.engines import solos as engine_of_one
from backroll.kernels import climbs, duels, lanes
from backroll.kernels.climbs import build
from backroll.kernels.lanes import PICK, START, WON, run
from backroll.kernels.vectors import LANES
from benchmarks.scalar import WIDEST, run_scalar


class Pass(NamedTuple):
    """What is added up over runs of programs."""

    ticks: int
    runs: int
    states: int
    places: int
    """Roll states: all but those that pick one of two others, and wins."""
    rows: int
    """Rows of lanes evaluated: places without those stopped at in every lane."""
    needed: int
    """Places that some lane can get to."""
    outcomes: int
    """Sums of a weight times a row, over rows."""
    ways: int
    """Rows looked at in them."""
    scalar: int
    """Ticks of the plain kernel."""
    different: int
    """Lanes in which it found other bits."""


class Tally(NamedTuple):
    """What one solution took inside the kernels."""

    build: int
    """Ticks of making programs."""
    full: Pass
    """Runs that evaluate every state."""
    short: Pass
    """Runs that leave out who is known to stop in every lane."""


TICKS, RUNS, STATES, PLACES, ROWS, NEEDED, OUTCOMES, WAYS, SCALAR, DIFFERENT = range(10)
BUILD, WATCHING, CHECKING = 20, 21, 22
_tally = np.zeros(23, np.int64)
ADDRESS, SIZE = _tally.ctypes.data, _tally.size
LOOKS = 100_000
SECOND = 1e-6
"""A tick of `clock`, which POSIX fixes."""
clock = ctypes.CDLL(None).clock
clock.restype, clock.argtypes = ctypes.c_long, []

compiled = numba.njit(nogil=True, error_model="numpy")
carray: Any = numba.carray  # type: ignore[attr-defined]


def _address(_: Any, number: Any) -> Any:
    """A number as an address."""

    def instructions(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), instructions


_pointer: Any = intrinsic(_address)


@compiled
def _run(
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
    tally = carray(_pointer(ADDRESS), SIZE, np.int64)
    mine = tally[10:20] if again else tally[:10]
    before = clock()
    rows: int = run(programs, p, lists, table, total, off, tracks, high, stopped, again, ends)
    mine[TICKS] += clock() - before
    mine[RUNS] += 1
    mine[ROWS] += rows
    if tally[WATCHING] and not again:
        _watch(programs, p, lists, high, mine)
    elif tally[WATCHING]:
        for s in range(programs.first[p], programs.first[p + 1]):
            mine[PLACES] += programs.leaf[s] != PICK and programs.leaf[s] != WON
    if tally[CHECKING] and not again:
        _check(programs, p, lists, table, total, off, high, ends, mine)
    return rows


@compiled
def _watch(programs: Programs, p: int, lists: Lists, high: Floats, mine: Longs) -> None:
    """Count what is in a program, going back from its start, each lane with a bit of its own."""
    begin = programs.first[p]
    seen = np.zeros(programs.first[p + 1] - begin, np.int64)
    for i in range(seen.size - 1, -1, -1):
        s = begin + i
        at, shift, k = programs.leaf[s], programs.shift[s], programs.lists[s]
        mine[STATES] += 1
        if at == START:
            seen[i] = (1 << LANES) - 1
        if at == PICK:
            for lane in range(LANES):
                place = shift + (1 if high[k, lane] > 0.5 else 0)
                seen[i + programs.shifts[place]] |= seen[i] & (1 << lane)
        if at in (PICK, WON):
            continue
        mine[PLACES] += 1
        mine[NEEDED] += seen[i] > 0
        t = lists.option[k]
        for group in range(WIDEST):
            for _ in range(lists.first[4 * k + group], lists.first[4 * k + group + 1]):
                here = t
                ways = min(group + 1, 3)
                t += ways
                if group + 1 == WIDEST:
                    ways += lists.step[t]
                    t = here + ways + 1
                mine[OUTCOMES] += 1
                mine[WAYS] += ways
                for n in range(here, t):
                    if group + 1 < WIDEST or n != here + 3:
                        seen[i + programs.shifts[shift + lists.step[n]]] |= seen[i]


@compiled
def _check(
    programs: Programs,
    p: int,
    lists: Lists,
    table: Floats,
    total: float,
    off: Longs,
    high: Floats,
    ends: Floats,
    mine: Longs,
) -> None:
    """Do the same with the plain kernel."""
    states = programs.first[p + 1] - programs.first[p]
    one, two = np.empty(states), np.empty(states)
    before = clock()
    for lane in range(LANES):
        value, slope = run_scalar(
            programs, p, lists, table, total, off, high, lane, ends[0, lane], one, two
        )
        mine[DIFFERENT] += value != ends[1, lane] or slope != ends[2, lane]
    mine[SCALAR] += clock() - before


@compiled
def _build(
    sets: Any, leaves: Any, base: Longs, stays: Longs, other: Longs, cell: bool,
    programs: Programs, p: int, s: int, t: int, slab_base: Longs, slab_stride: Longs,
) -> int:  # fmt: skip
    tally = carray(_pointer(ADDRESS), SIZE, np.int64)
    before = clock()
    end: int = build(
        sets, leaves, base, stays, other, cell, programs, p, s, t, slab_base, slab_stride
    )
    tally[BUILD] += clock() - before
    return end


@cache
def _copy(name: str) -> ModuleType:
    """A module of kernels once more, calling what is clocked; not kept for other runs."""
    source = Path(kernels.__file__).with_name(f"{name}.py")
    spec = spec_from_file_location(f"clocked_{name}", source)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    with ExitStack() as stack:
        stack.enter_context(patch.object(kernels, "kernel", compiled))
        stack.enter_context(patch.object(lanes, "run", _run))
        stack.enter_context(patch.object(climbs, "build", _build))
        if name == "tiles":
            stack.enter_context(patch.object(duels, "solve_tile", _copy("duels").solve_tile))
        spec.loader.exec_module(module)
    return module


def tally_of(
    work: Callable[[], object], *, watching: bool = False, checking: bool = False
) -> Tally:
    """What some work of the engine, on one thread, took inside the kernels."""
    cells, tiles = _copy("solos").solve_cells, _copy("tiles").solve_climbs
    _tally[:] = 0
    _tally[WATCHING], _tally[CHECKING] = watching, checking
    with (
        patch.object(engine_of_one, "solve_cells", cells),
        patch.object(engine_of_two, "solve_climbs", tiles),
    ):
        work()
    full, short = (Pass(*_tally[n : n + 10].tolist()) for n in (0, 10))
    return Tally(int(_tally[BUILD]), full, short)


def look_at_clock() -> float:
    """Seconds that a look at the clock takes."""
    _looks(1)
    return float(_looks(LOOKS) / LOOKS * SECOND)


@compiled
def _looks(count: int) -> int:
    began = clock()
    for _ in range(count):
        ended = clock()
    taken: int = ended - began
    return taken

"""The turns engine: rates, and ratios to the general path, to a plain kernel, to plain Python."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from time import perf_counter
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from papers.sheet import NONE, Sheet

from backroll import Database, Report, load, solve
from backroll.engines import duels, ladders, solos, turns
from backroll.games.cantstop.rules import CantStop
from backroll.kernels.climbs import rolls_of_turn
from backroll.kernels.vectors import LANES
from benchmarks.clocked import SECOND, tally_of


class Sizes(NamedTuple):
    """Boards to measure on."""

    rates: tuple[str, ...]
    general: tuple[str, ...]
    """Boards that the general path can solve too."""
    plain: tuple[str, ...]
    methods: tuple[str, ...]
    rounds: int


TWO, ONE = "cantstop:sides={},shortest={}", "cantstop:sides={},shortest={},players=1"
QUICK = Sizes(
    rates=("pig:target=30", TWO.format(3, 1), ONE.format(3, 2)),
    general=("pig:target=30", ONE.format(3, 1)),
    plain=(TWO.format(3, 1), ONE.format(3, 2)),
    methods=("pig:target=30", ONE.format(3, 2)),
    rounds=1,
)
FULL = Sizes(
    rates=(
        "pig:target=100",
        *(TWO.format(3, n) for n in (1, 2, 3)),
        *(ONE.format(*board) for board in ((4, 2), (4, 3), (5, 1))),
    ),
    general=(TWO.format(3, 1), ONE.format(3, 2)),
    plain=(TWO.format(3, 2), ONE.format(4, 2)),
    methods=(TWO.format(3, 1), TWO.format(3, 2), ONE.format(3, 3)),
    rounds=3,
)
WARM = ("pig:target=4", TWO.format(2, 2) + ",columns=2", ONE.format(2, 2))
"""Games that load the kernels, or compile them, before anything is timed."""
TURNS = 10
"""Turns that plain Python works out."""
APART = 1e-12
LONG = 3.0
"""Seconds after which a rate is not measured again."""


def sheets(*, quick: bool) -> list[Sheet]:
    sizes = QUICK if quick else FULL
    for spec in WARM:
        on_lanes(spec, 1)
        solve(load(spec), engine="general")
    plain = [_plain(spec) for spec in sizes.plain]
    return [
        Sheet(
            "The turns engine",
            (
                *("game", "threads", "seconds", "rolls/s", "positions/s"),
                *("steps a component", "rolls a position", "in the kernels", "speed-up"),
            ),
            [row for spec in sizes.rates for row in _rates(spec, sizes.rounds)],
            "A roll is one evaluation of a roll position. In the kernels: the share of the wall "
            "time of all threads.",
        ),
        Sheet(
            "The turns engine against the general path, one thread",
            ("game", "positions/s", "general path: solving alone", "with exploring"),
            [_against(spec, sizes.rounds) for spec in sizes.general],
            "Positions are rolls, and the same for both. Solving alone: order, solve and prove.",
        ),
        Sheet(
            "The same turns one lane at a time, and in plain Python",
            ("game", "on lanes, rolls/s", "one lane, rolls/s", "ratio", "plain Python", "ratio"),
            plain,
            f"Rolls of {LANES} lanes, whether they are filled or not. One lane: a kernel without "
            "vectors runs every program of the game again, and finds the same bits. Plain Python: "
            f"{TURNS} turns as `verify` works them out.",
        ),
        *(_methods(spec, sizes.rounds) for spec in sizes.methods),
    ]


def fastest(work: Callable[[], Report], rounds: int) -> Report:
    """The report of the quickest of some rounds."""
    return min((work() for _ in range(rounds)), key=lambda report: report.seconds["solve"])


def on_lanes(spec: str, threads: int, method: str = "auto", start: str = "neighbours") -> Report:
    return turns.solve(load(spec), method, start=start, threads=threads).report


def _rates(spec: str, rounds: int) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    single = 0.0
    for threads in (1, 2):
        shares: dict[float, float] = {}
        while len(shares) < rounds and sum(shares) < LONG:
            with kernel_time() as inside:
                report = on_lanes(spec, threads)
            shares[report.seconds["solve"]] = sum(inside)
        seconds = min(shares)
        single = seconds if threads == 1 else single
        rows.append(
            (
                *(f"`{spec}`", str(threads), f"{seconds:.3g}"),
                *(f"{report.rolls / seconds:.3g}", f"{report.positions / seconds:.3g}"),
                f"{report.iterations / report.components:.3f}",
                f"{report.rolls / report.positions:.2f}",
                f"{shares[seconds] / (threads * seconds):.0%}",
                f"{single / seconds:.2f} ×" if threads > 1 else NONE,
            )
        )
    return rows


@contextmanager
def kernel_time(clock: Callable[[], float] = perf_counter) -> Iterator[list[float]]:
    """The seconds that each job spends in its kernel."""
    taken: list[float] = []

    def timed(kernel: Callable[..., None], *arguments: Any) -> None:
        began = clock()
        kernel(*arguments)
        taken.append(clock() - began)

    places = (
        (solos, "solve_cells"),
        (duels, "solve_climbs"),
        (ladders, "solve_ladders"),
    )
    patches = [patch.object(at, name, partial(timed, getattr(at, name))) for at, name in places]
    for each in patches:
        each.start()
    try:
        yield taken
    finally:
        for each in patches:
            each.stop()


def _against(spec: str, rounds: int) -> tuple[str, ...]:
    found = fastest(lambda: on_lanes(spec, 1), rounds)
    general = solve(load(spec), engine="general").report
    if not abs(found.value - general.value) <= APART:
        sys.exit(f"{spec}: the turns engine finds {found.value!r}, the general {general.value!r}")
    whole = sum(general.seconds.values())
    alone = whole - general.seconds["explore"]
    seconds = found.seconds["solve"]
    return (
        f"`{spec}`",
        f"{found.positions / seconds:.3g}",
        *(f"{found.positions / each:.3g}: 1 / {each / seconds:.0f}" for each in (alone, whole)),
    )


def _plain(spec: str) -> tuple[str, ...]:
    tally_of(lambda: on_lanes(spec, 1))
    full = tally_of(lambda: on_lanes(spec, 1), checking=True).full
    if full.different:
        sys.exit(f"{spec}: {full.different} lanes differ from the plain kernel's")
    rows = full.rows * LANES / SECOND
    python = _python(spec)
    return (
        *(f"`{spec}`", f"{rows / full.ticks:.3g}", f"{rows / full.scalar:.3g}"),
        f"{full.scalar / full.ticks:.1f} ×",
        *(f"{python:.3g}", f"{rows / full.ticks / python:,.0f} ×"),
    )


def _python(spec: str) -> float:
    """Rolls a second of turns as plain Python works them out, from the anchors around them."""
    solution = turns.solve(load(spec))
    database, game = Database.of(solution), solution.game
    assert isinstance(game, CantStop)
    rows = Random(0).sample(range(len(solution.anchors)), TURNS)
    lengths = np.array(game.lengths)
    rolls, took = 0, 0.0
    for row in rows:
        anchor = game.anchor_at(row)
        began = perf_counter()
        database.recompute(anchor)
        took += perf_counter() - began
        mine, theirs = np.array(anchor.mine), np.array(anchor.theirs)
        opened = (mine < lengths) & (theirs < lengths)
        rolls += rolls_of_turn(lengths[opened], mine[opened])
    return rolls / took


def _methods(spec: str, rounds: int) -> Sheet:
    ways = [("newton", "neighbours"), ("newton", "half"), ("topological", "half")]
    runs = [(*way, fastest(partial(on_lanes, spec, 1, *way), rounds)) for way in ways]
    runs.append(("iteration", "half", on_lanes(spec, 1, "iteration", "half")))
    shortest = runs[0][2].seconds["solve"]
    return Sheet(
        f"Methods on lanes: `{spec}`",
        ("method", "from", "iterations", "a component", "rolls", "seconds", "against the first"),
        [
            (
                *(method, start, f"{report.iterations:,}"),
                f"{report.iterations / report.components:.3f}" if method != "iteration" else NONE,
                f"{report.rolls:,}" if method != "iteration" else NONE,
                f"{report.seconds['solve']:.3g}",
                f"{report.seconds['solve'] / shortest:.2f} ×",
            )
            for method, start, report in runs
        ],
        "From half: with one player, from 1. Iterations: steps of components, added up, or sweeps "
        "of everything.",
    )

"""Every method on the same graphs: each is explored once, and only the methods are timed."""

from __future__ import annotations

import sys

from papers.race import Run, race, run_once
from papers.sheet import NONE, Sheet

from backroll import load
from backroll.engines.methods import METHODS
from backroll.errors import GameError
from backroll.graph import Explored, explore

QUICK = ("shutthebox:tiles=6,aim=win", "nim:stones=12,piles=3,most=0", "pig:target=20")
FULL = (
    *("shutthebox:aim=win", "nim:stones=30,piles=4,most=0"),
    *("pig:target=20", "pig", "cantstop:players=1,sides=3,shortest=2"),
)
AGREE = 1e-9
HEADERS = ("method", "iterations", "edges looked at", "seconds", "against iteration", "edges/s")


def sheets(*, quick: bool) -> list[Sheet]:
    return [_sheet(spec, rounds=1 if quick else 3) for spec in (QUICK if quick else FULL)]


def _sheet(spec: str, rounds: int) -> Sheet:
    explored = explore(load(spec))
    runs = race(explored, applicable(explored), rounds)
    iteration = next(each for each in runs if each.method == "iteration")
    _insist(spec, runs, iteration)
    title = f"`{spec}`: {len(explored.positions):,} positions, {explored.graph.child.size:,} edges"
    return Sheet(title, HEADERS, [_row(each, iteration) for each in runs])


def applicable(explored: Explored[object]) -> list[str]:
    """The methods that take this game; trying them also loads their kernels."""
    return [method for method in METHODS if _takes(explored, method)]


def _takes(explored: Explored[object], method: str) -> bool:
    try:
        run_once(explored, method)
    except GameError:
        return False
    return True


def _insist(spec: str, runs: list[Run], iteration: Run) -> None:
    for each in runs:
        if not each.apart(iteration) <= AGREE:
            sys.exit(f"{spec}: {each.method} and iteration differ by {each.apart(iteration):.1e}")


def _row(each: Run, iteration: Run) -> tuple[str, ...]:
    return (
        each.method,
        f"{each.iterations:,}",
        NONE if each.looks is None else f"{each.looks:,}",
        f"{each.seconds:.3g}",
        f"{iteration.seconds / each.seconds:.2f} ×",
        NONE if each.looks is None else f"{each.looks / each.seconds:,.0f}",
    )

"""Pig (Glenn's notes): a limit of turns, and pair by pair, beside Newton; and Pig for one."""

from __future__ import annotations

from time import perf_counter

from backroll import load, solve
from backroll.cli.output import duration, number
from backroll.graph import explore
from papers.race import Run, race
from papers.settled import apart, settled
from papers.sheet import NONE, Findings, Sheet, Solved, run

TARGETS = (10, 20, 50, 100)
METHODS = {"turns": "a limit of turns", "topological": "pair by pair", "newton": "Newton"}
NELLER_PRESSER = "0.5306 (Neller and Presser 2004)"


def findings(*, everything: bool) -> Findings:
    solved = [
        Solved(solve(load("pig")).report, NELLER_PRESSER),
        Solved(solve(load("pig:players=1")).report),
    ]
    races = Sheet(
        "Three methods on the same graphs",
        (
            "game",
            "positions",
            "explored in",
            "method",
            "turns, sweeps or steps",
            "time",
            "off Newton",
        ),
        [row for target in TARGETS for row in _race(f"pig:target={target}")],
        "A limit of turns grows by two until no pair of scores moves by more than 1e-14; pair by "
        "pair sweeps each until it is as still; Newton steps in each. Times are for the method "
        "alone. The last column is the largest difference at any position.",
    )
    values = Sheet(
        "Values",
        ("game", "value", "proven to", "settled", "off the settled digits", "published", "time"),
        [_value(each) for each in solved],
    )
    return Findings("Pig: Glenn's notes; Neller and Presser 2004", [races, values], solved)


def _race(spec: str) -> list[tuple[str, ...]]:
    began = perf_counter()
    explored = explore(load(spec))
    seconds = perf_counter() - began
    runs = race(explored, list(METHODS))
    head = (f"`{spec}`", f"{len(explored.positions):,}", duration(seconds))
    same = ("",) * len(head)
    return [(*(same if i else head), *_row(each, runs[-1])) for i, each in enumerate(runs)]


def _row(each: Run, newton: Run) -> tuple[str, ...]:
    off = NONE if each is newton else f"{each.apart(newton):.1e}"
    return METHODS[each.method], f"{each.iterations:,}", duration(each.seconds), off


def _value(solved: Solved) -> tuple[str, ...]:
    report = solved.report
    return (
        f"`{report.spec}`",
        number(report.value),
        f"{report.bound:.1e}",
        settled(report.spec),
        apart(report.spec, report.value),
        solved.published,
        duration(sum(report.seconds.values())),
    )


if __name__ == "__main__":
    run("pig", findings)

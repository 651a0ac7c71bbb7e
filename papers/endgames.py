"""Tables 4 to 6: forward and backward solvers on 7 × 7 Chinese Checkers with two pieces."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np

from backroll import Endgame, load, solve
from backroll.arrays import Choices, Longs
from backroll.cli.output import duration
from backroll.engines import study
from backroll.engines.retrograde import ORDERS, ordered
from backroll.states import Listed, number
from papers.sheet import Findings, Sheet, run

SPEC = "chinesecheckers:size=7,pieces=2"


class Printed(NamedTuple):
    """A row of Tables 4 to 6, as published; times on one thread and on eight, in seconds."""

    method: str
    layered: bool
    direct: bool
    win_only: bool
    forward: int
    backward: int
    passes: int
    one: float
    eight: float


ROWS = (
    Printed("forward", True, False, True, 67_248_898, 0, 37, 562.3, 125.4),
    Printed("forward", True, False, False, 38_293_120, 0, 37, 344.5, 72.9),
    Printed("forward", False, False, True, 55_444_443, 0, 29, 467.0, 93.7),
    Printed("forward", False, False, False, 27_112_140, 0, 29, 250.9, 45.7),
    Printed("forward", False, True, True, 32_592_724, 549_791, 17, 281.5, 64.3),
    Printed("forward", False, True, False, 14_017_955, 1_099_582, 17, 145.0, 31.4),
    Printed("backward", True, False, True, 4_090_505, 1_271_256, 37, 50.8, 33.1),
    Printed("backward", True, False, False, 5_780_926, 2_542_512, 37, 67.0, 48.5),
    Printed("backward", True, True, True, 3_374_445, 1_271_256, 37, 48.6, 32.6),
    Printed("backward", True, True, False, 4_348_806, 2_542_512, 37, 61.9, 47.7),
)


def findings(*, everything: bool) -> Findings:
    began = perf_counter()
    numbered = number(load(SPEC)).states
    states = study.two_sided(study.held(numbered))
    took = perf_counter() - began
    orders = {name: ordered(name, states.size, numbered) for name in ORDERS}
    chosen = [row for row in ROWS if everything or row.method == "backward"]
    sheets = [_rows(states, orders, took, chosen), _layers()]
    if everything:
        sheets.append(_orders(states, orders))
    return Findings("Sturtevant and Saffidine, Tables 4 to 6", sheets)


def _rows(states: Listed, orders: dict[str, Longs], took: float, chosen: list[Printed]) -> Sheet:
    headers = (
        *("solver", "layered", "direct", "win-only", "forward", "published", "backward"),
        *("published", "passes", "published", "1 thread", "published", "2 threads"),
        "published, 8 threads",
    )
    note = (
        "The last pass, which settles nothing, is not counted. Layered counts depend on nothing "
        "else and are found in the order of numbers, unlayered ones depend on the order of states "
        "and are those of cells. Counts are of one thread. Moves are worked out once, both ways, "
        "and kept, in "
        f"{duration(took)}, which is not in the times."
    )
    rows = [_row(states, orders["up" if row.layered else "cells"], row) for row in chosen]
    return Sheet(SPEC, headers, rows, note)


def _row(states: Listed, order: Longs, printed: Printed) -> tuple[str, ...]:
    choices = Choices(printed.layered, printed.direct, printed.win_only)
    study.solve(states, printed.method, choices, np.zeros(0, np.int64))  # compiles
    seconds = []
    for threads in (2, 1):
        began = perf_counter()
        found = study.solve(states, printed.method, choices, order, threads)
        seconds.append(perf_counter() - began)
    effort = found.effort
    return (
        printed.method,
        *("yes" if each else "no" for each in (printed.layered, printed.direct, printed.win_only)),
        *(f"{effort.forward:,}", f"{printed.forward:,}"),
        *(f"{effort.backward:,}", f"{printed.backward:,}"),
        *(f"{effort.passes - 1}", f"{printed.passes}"),
        *(duration(seconds[1]), duration(printed.one)),
        *(duration(seconds[0]), duration(printed.eight)),
    )


def _layers() -> Sheet:
    """What the engine does by itself, moves worked out as it goes, every state for both sides."""
    rows = []
    for threads in (1, 2):
        found = solve(load(SPEC), threads=threads)
        assert isinstance(found, Endgame)
        counts, seconds = found.report.counts, found.report.seconds["solve"]
        rows.append(
            (
                f"{threads}",
                f"{2 * found.report.positions:,}",
                f"{2 * counts['won']:,}",
                f"{2 * counts['lost']:,}",
                f"{2 * counts['drawn']:,}",
                f"{counts['height']}",
                f"{counts['forward']:,}",
                f"{counts['backward']:,}",
                duration(seconds),
                f"{48.6 / seconds:,.0f} ×",
            )
        )
    headers = (
        *("threads", "states", "won", "lost", "drawn", "height", "forward", "backward"),
        *("time", "against 48.6 s"),
    )
    note = (
        "By layers, what leads into a layer looked at once; outcomes and distances. States are "
        "counted for both colours, won and lost by who is to move. 48.6 s is the least time on "
        "one thread that is published."
    )
    return Sheet("The engine by itself", headers, rows, note)


def _orders(states: Listed, orders: dict[str, Longs]) -> Sheet:
    rows = []
    for name, order in orders.items():
        effort = study.solve(states, "forward", Choices(layered=False, direct=False), order).effort
        rows.append((name, f"{effort.forward:,}", f"{effort.passes - 1}"))
    rows.append(("published", "27,112,140", "29"))
    return Sheet(
        "Forward, unlayered, by the order of states",
        ("order", "forward", "passes"),
        rows,
        "Cells: by what lies on one cell after the other, in diagonals across the way from home "
        "to home, player 2's piece before player 1's before none, and then player 1's turn first.",
    )


if __name__ == "__main__":
    run("endgames", findings)

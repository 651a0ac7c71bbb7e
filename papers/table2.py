"""Table 2: how many Newton steps the components of (3, 3) Can't Stop take, by their values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backroll import load
from backroll.arrays import BINS
from backroll.engines import turns
from backroll.programs.boards import Merging
from backroll.solution import silent
from backroll.solving import processors
from papers.sheet import NONE, Findings, Sheet, run

Numbers = NDArray[np.int64]
PRINTED = (
    (3.00, 3.25, 3.50, 3.37, 2.87),
    (None, 3.27, 4.12, 3.83, 3.37),
    (None, None, 2.50, 4.12, 3.50),
    (None, None, None, 3.27, 3.25),
    (None, None, None, None, 3.00),
)
"""By the value with the second player to move, and with the first; both are the first's."""
RANGES = [f"{i / BINS:.1f}–{(i + 1) / BINS:.1f}" for i in range(BINS)]


class Tally(NamedTuple):
    """By fifths of both values, as the table has them: components and the steps they took."""

    components: Numbers
    steps: Numbers


def tally(shortest: int, start: str) -> Tally:
    """Solve (3, k), the players told apart as in the paper, and count."""
    game = load(f"cantstop:sides=3,shortest={shortest}")
    jobs = turns.jobs_of(game, Merging(players=False))
    found = turns.Run(jobs, processors(), silent)
    found.solve(turns.steps_of(game, "newton", start))
    counts = np.array(found.counts.tally).reshape(BINS, BINS, 2)
    counts = counts[:, ::-1].swapaxes(0, 1)  # by 1 less what the second player's turn is worth
    return Tally(counts[:, :, 0], counts[:, :, 1])


def findings(*, everything: bool) -> Findings:
    shortest = 3 if everything else 2
    counted = {start: tally(shortest, start) for start in ("half", "neighbours")}
    sheets = [
        _steps(f"(3, {shortest}) from (½, ½)", counted["half"], printed=everything),
        _steps(f"(3, {shortest}) from solved neighbours", counted["neighbours"], printed=False),
        _components(f"(3, {shortest}), components", counted["half"]),
    ]
    return Findings("Glenn, Fang and Kruskal 2007, Table 2", sheets)


def _steps(title: str, counted: Tally, *, printed: bool) -> Sheet:
    mean = f"{counted.steps.sum() / counted.components.sum():.2f}"
    rows = [
        (RANGES[y], *(_cell(counted, y, x, printed=printed) for x in range(BINS)))
        for y in range(BINS)
    ]
    note = f"Newton steps a component, the last of which proves it; {mean} in the mean."
    if printed:
        note += " In brackets what the paper prints."
    return Sheet(title, ("y \\ x", *RANGES), rows, note)


def _cell(counted: Tally, y: int, x: int, *, printed: bool) -> str:
    if not counted.components[y, x]:
        return NONE
    found = f"{counted.steps[y, x] / counted.components[y, x]:.2f}"
    known = PRINTED[y][x]
    return f"{found} ({known:.2f})" if printed and known is not None else found


def _components(title: str, counted: Tally) -> Sheet:
    rows = [(RANGES[y], *(f"{n:,}" for n in counted.components[y].tolist())) for y in range(BINS)]
    note = (
        "x is what the component is worth to the first player when he is to move, y when the "
        "second is; the players are told apart."
    )
    return Sheet(title, ("y \\ x", *RANGES), rows, note)


if __name__ == "__main__":
    run("table2", findings)

"""The effect of population size on the genetic algorithm (Glenn and Aloi, Table 5)."""

from __future__ import annotations

from typing import NamedTuple

from backroll.evolve import Evolution, Settings, evolve
from papers.sheet import Findings, Sheet, run


class Row(NamedTuple):
    """A row as printed."""

    population: int
    samples: int
    final: str
    early: str
    best: str


TABLE = (
    Row(100, 640, "10.19", "9.14", "9.14"),
    Row(125, 512, "10.16", "9.16", "9.15"),
    Row(160, 400, "10.20", "9.12", "9.10"),
    Row(200, 320, "10.28", "9.15", "9.11"),
    Row(250, 256, "10.28", "9.17", "9.11"),
    Row(320, 200, "10.28", "9.17", "9.10"),
    Row(400, 160, "10.31", "9.14", "9.07"),
    Row(800, 80, "10.40", "9.21", "9.08"),
)
QUICK = (TABLE[0], TABLE[-1])
RUNS = 5
"""Runs of each row with `--all`; otherwise one."""
FEW, MANY = 500, 2_000
"""Games by which each of the last generation is judged again, without and with `--all`."""
ENTRANTS = (4, 2)
"""Two-round tournaments, read as the best of four and as the best of two."""


def findings(*, everything: bool) -> Findings:
    rows, runs = (TABLE, RUNS) if everything else (QUICK, 1)
    finals = MANY if everything else FEW
    sheets = [_sheet(rows, runs, entrants, finals) for entrants in ENTRANTS]
    return Findings("Glenn and Aloi 2009, Table 5", sheets)


def _sheet(rows: tuple[Row, ...], runs: int, entrants: int, finals: int) -> Sheet:
    means = f"mean of {runs} runs" if runs > 1 else "one run"
    return Sheet(
        f"Table 5: parents the best of {entrants}, {means}",
        (
            *("population", "samples", "last generation", "published"),
            *("best of first 100", "published", "best", "published", "the one picked"),
        ),
        [_row(row, runs, entrants, finals) for row in rows],
        "The linear genome on the official board, 64,000 games in each of 20 generations. The last "
        f"generation is judged again by {finals:,} games each; the best of it is the luckiest too. "
        "The one picked was picked by others and is measured by 100,000 fresh ones.",
    )


def _row(row: Row, runs: int, entrants: int, finals: int) -> tuple[str, ...]:
    found = [_evolved(row, entrants, finals, seed) for seed in range(runs)]

    def mean(values: list[float]) -> str:
        return f"{sum(values) / runs:.2f}"

    return (
        *(str(row.population), str(row.samples)),
        *(mean([each.final.mean for each in found]), row.final),
        *(mean([each.final.early for each in found]), row.early),
        *(mean([each.final.best for each in found]), row.best),
        mean([each.mean for each in found]),
    )


def _evolved(row: Row, entrants: int, finals: int, seed: int) -> Evolution:
    settings = Settings(
        "cantstop:players=1",
        population=row.population,
        samples=row.samples,
        entrants=entrants,
        seed=seed,
        finals=finals,
        measured=100_000,
    )
    return evolve(settings)


if __name__ == "__main__":
    run("population", findings)

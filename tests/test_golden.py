"""Known values and counts, one loop: what was published, or computed by independent programs."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from backroll import Database, load, solve, verify

TEXT = Path(__file__).with_name("golden").joinpath("values.csv").read_text()
ROWS = list(csv.DictReader(TEXT.splitlines()))


def rows(run: str) -> list[object]:
    """The rows of golden/values.csv that are for this run; `later` waits for a faster engine."""
    return [pytest.param(row, id=row["spec"]) for row in ROWS if row["run"] == run]


def agrees(row: dict[str, str]) -> None:
    solution = solve(load(row["spec"]), engine="general")
    report = solution.report
    half = 0.5 * 10.0 ** -int(row["digits"])
    assert abs(report.value - float(row["value"])) <= half + report.bound
    assert report.bound < 1e-12
    counts = {name: str(getattr(report, name)) for name in COUNTS}
    assert counts == {name: row[name] for name in COUNTS}
    assert verify(Database.of(solution), sample=50).residual < 1e-12


COUNTS = ("positions", "anchors", "components", "iterations")


@pytest.mark.parametrize("row", rows("fast"))
def test_golden(row: dict[str, str]) -> None:
    agrees(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", rows("slow"))
def test_golden_slow(row: dict[str, str]) -> None:
    agrees(row)

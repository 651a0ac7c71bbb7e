"""The README's table of results, between its two markers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from backroll.cli.output import duration, number
from papers.sheet import Solved, machine, rows_of_markdown, today

README = Path(__file__).parents[1] / "README.md"
BETWEEN = re.compile(r"(<!-- results -->\n).*?(<!-- /results -->)", re.DOTALL)
HEADERS = (
    *("game", "quantity", "value", "proven to", "positions", "time", "positions a second"),
    "published",
)


def row(solved: Solved) -> tuple[str, ...]:
    """A game's line of the table."""
    report = solved.report
    took = sum(report.seconds.values())
    return (
        f"`{report.spec}`",
        report.quantity,
        number(report.value),
        f"{report.bound:.0e}",
        f"{report.positions:,}",
        duration(took),
        f"{report.positions / took:.1e}",
        solved.published,
    )


def results(solved: Sequence[Solved]) -> str:
    """The table, and what measured it."""
    table = rows_of_markdown(HEADERS, [row(each) for each in solved])
    return (
        f"\n{table}\n\nMeasured by `make papers` on {today()}: {machine()}. "
        "What takes longer was measured by `python -m papers.past` when "
        "[its sheet](papers/results/past.md) says.\n\n"
    )


def rewrite(solved: Sequence[Solved], path: Path = README) -> bool:
    """Put the table between the markers, if there are any; whether there were."""
    text = path.read_text(encoding="utf-8")
    written, found = BETWEEN.subn(lambda marks: marks[1] + results(solved) + marks[2], text)
    if found:
        path.write_text(written, encoding="utf-8")
    return found > 0

"""Past the papers: boards whose values nobody has published, solved over minutes or hours.

A board is solved with its table kept, so that it can be interrupted and taken up again, and then
checked by the rules at anchors drawn at random. What was found is kept in `results/past.json`,
from which the sheet and the README are written; a table that is there is not solved again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

import backroll
from backroll import Report, load, solve, verify
from backroll.cli.bar import Bar
from backroll.cli.output import duration, number
from backroll.published import published
from backroll.solving import save
from backroll.spec import spec_of
from papers.sheet import NONE, RESULTS, Findings, Sheet, Solved, keep, machine, show, today

KEPT = RESULTS / "past.json"
TABLES = Path(__file__).parents[1] / "tables"
BOARDS = (
    "cantstop:sides=4,shortest=1",
    "cantstop:sides=4,shortest=2",
    "cantstop:sides=5,shortest=2,players=1",
    "cantstop:sides=5,players=1",
    "cantstop:shortest=1,players=1",
)
SAMPLE = 200
"""Anchors that are checked by the rules, if not told otherwise."""


class Record(NamedTuple):
    """A board that was solved once: the report, the check by the rules, where and when."""

    report: dict[str, Any]
    checked: int
    residual: float
    """The largest that the check by the rules found."""
    machine: str
    date: str

    def solved(self) -> Solved:
        """As a line for the README."""
        known = published(self.report["spec"])
        return Solved(Report(**self.report), f"{known.value} ({known.source})" if known else NONE)


def records() -> list[Record]:
    """What was found, in the order of `BOARDS`."""
    if not KEPT.exists():
        return []
    return [Record(**each) for each in json.loads(KEPT.read_text(encoding="utf-8"))]


def measure(spec: str, tables: Path, sample: int) -> Record:
    """Solve a board unless its table is there, and check the table by the rules."""
    game = load(spec)
    spec = spec_of(game)
    place = tables / spec.replace(":", "-").replace(",", "-").replace("=", "")
    if not place.exists():
        with Bar() as bar:
            save(solve(game, progress=bar.show, out=place), place)
    with backroll.open(place) as database, Bar() as bar:
        checked = verify(database, sample, progress=bar.show)
        report = database.report.as_dict()
    return Record(report, checked.checked, checked.residual, machine(), today())


def remember(record: Record) -> None:
    """Keep a record in place of an older one of the same board."""
    kept = {each.report["spec"]: each for each in records()}
    kept[record.report["spec"]] = record
    order = [spec_of(load(spec)) for spec in BOARDS]
    ranked = sorted(kept.values(), key=lambda each: order.index(each.report["spec"]))
    text = json.dumps([each._asdict() for each in ranked], indent=1)
    KEPT.write_text(f"{text}\n", encoding="utf-8")


def findings(*, everything: bool) -> Findings:
    """What was found; nothing here is solved, whatever `everything` says."""
    kept = records()
    headers = (
        *("game", "value", "published", "proven to", "components", "positions"),
        *("Newton steps a component", "time", "rolls a second", "checked", "residual", "when"),
    )
    note = "\n".join(sorted({f"Measured on {each.machine}." for each in kept}))
    return Findings(
        "Past the papers",
        [Sheet("Solved over minutes or hours", headers, list(map(_row, kept)), note)],
        [each.solved() for each in kept],
    )


def _row(record: Record) -> tuple[str, ...]:
    report, shown = record.solved()
    return (
        f"`{report.spec}`",
        number(report.value),
        shown.partition(" ")[0],
        f"{report.bound:.1e}",
        f"{report.components:,}",
        f"{report.positions:,}",
        f"{report.iterations / report.components:.2f}",
        duration(sum(report.seconds.values())),
        f"{report.rolls / report.seconds['solve']:.2e}",
        f"{record.checked:,} anchors",
        f"{record.residual:.1e}",
        record.date,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m papers.past")
    parser.add_argument("specs", nargs="*", metavar="SPEC", help=f"of {', '.join(BOARDS)}")
    parser.add_argument("--tables", type=Path, default=TABLES, help="where tables are kept")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="anchors to check by the rules")
    arguments = parser.parse_args()
    for spec in arguments.specs:
        if spec not in BOARDS:
            parser.error(f"expected a board among {', '.join(BOARDS)}; found {spec}")
    for spec in arguments.specs:
        remember(measure(spec, arguments.tables, arguments.sample))
    found = findings(everything=False)
    show(found.sheets)
    keep("past", found)


if __name__ == "__main__":
    main()

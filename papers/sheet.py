"""Sheets of findings: drawn on a terminal, plain Markdown in a pipe and in `papers/results/`."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

import numba
import numpy as np

import backroll
from backroll import Report

RESULTS = Path(__file__).with_name("results")
NONE = "–"
"""What stands where there is nothing to say."""


class Sheet(NamedTuple):
    """A table under a title, with a note below it."""

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


class Solved(NamedTuple):
    """A game that was solved on the way, for the table in the README."""

    report: Report
    published: str = NONE


class Findings(NamedTuple):
    """What a script found, and the source that it measures again."""

    source: str
    sheets: Sequence[Sheet]
    solved: Sequence[Solved] = ()


class Script(Protocol):
    """What measures a table again."""

    def __call__(self, *, everything: bool) -> Findings:
        """Measure; `everything` adds what takes minutes."""
        ...


def rows_of_markdown(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table.

    >>> print(rows_of_markdown(["game", "value"], [["nim", "1"]]))
    | game | value |
    |---|---|
    | nim | 1 |
    """
    lines = [f"| {' | '.join(cells)} |" for cells in (headers, *rows)]
    lines.insert(1, "|" + "---|" * len(headers))
    return "\n".join(lines)


def markdown(sheet: Sheet) -> str:
    """A sheet as Markdown: title, table, note."""
    parts = [f"## {sheet.title}", rows_of_markdown(sheet.headers, sheet.rows)]
    return "\n\n".join([*parts, sheet.note] if sheet.note else parts) + "\n"


def show(sheets: Sequence[Sheet]) -> None:
    """Print sheets: drawn by rich on a terminal, otherwise as Markdown."""
    for sheet in sheets:
        if sys.stdout.isatty():
            _draw(sheet)
        else:
            print(markdown(sheet), flush=True)


def _draw(sheet: Sheet) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=sheet.title, caption=sheet.note or None, title_justify="left")
    for header in sheet.headers:
        table.add_column(Text(header))
    for row in sheet.rows:
        table.add_row(*map(Text, row))
    Console().print(table)


def machine() -> str:
    """What measured, in one line."""
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; Backroll "
        f"{backroll.__version__}, {versions}, Numba {numba.__version__}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def today() -> str:
    """The date of a measurement."""
    return datetime.now(UTC).date().isoformat()


def keep(name: str, findings: Findings, folder: Path = RESULTS) -> Path:
    """Write `name.md`: the source, the sheets, and what measured them when."""
    head = f"# {findings.source}\n\nMeasured on {today()}: {machine()}.\n"
    path = folder / f"{name}.md"
    folder.mkdir(exist_ok=True)
    path.write_text("\n".join([head, *map(markdown, findings.sheets)]), encoding="utf-8")
    return path


def perform(name: str, script: Script, *, everything: bool) -> Findings:
    """Run a script, show what it found and keep it."""
    findings = script(everything=everything)
    show(findings.sheets)
    keep(name, findings)
    return findings


def run(name: str, script: Script) -> None:
    """The command line of one script."""
    parser = argparse.ArgumentParser(prog=f"python -m papers.{name}")
    parser.add_argument("--all", action="store_true", help="also what takes minutes")
    arguments = parser.parse_args()
    warm_up()
    perform(name, script, everything=arguments.all)


def warm_up() -> None:
    """Load the kernels, or compile them on their first use ever, before anything is timed."""
    for method in ("auto", "turns", "topological", "policy"):
        backroll.solve(backroll.load("pig:target=4"), method)
    for spec in ("cantstop:sides=3,shortest=1", "cantstop:sides=2,shortest=1,players=1"):
        backroll.solve(backroll.load(spec))
    backroll.solve(backroll.load("chinesecheckers:size=3"))
    backroll.solve(backroll.load("shutthebox:tiles=2,aim=win"), "acyclic")
    backroll.solve(backroll.load("shutthebox:tiles=2,aim=win"), "levels")

"""What commands print: panels and tables for a person, plain text for a pipe, JSON for a program.

Rich is imported only to draw on a terminal.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from rich.console import Group
    from rich.panel import Panel
    from rich.table import Table

    from backroll.solution import Progress


def number(value: float) -> str:
    """A value to twelve digits.

    >>> number(2 / 3), number(11.157508444), number(0.0)
    ('0.666666666667', '11.157508444000', '0.000000000000')
    """
    return f"{value:.12f}"


def proven(bound: float | None) -> str:
    """A bound on an error, which JSON keeps as null where nothing was proven.

    >>> proven(6.2e-15), proven(math.inf)
    ('proven to 6.2e-15', 'nothing proven')
    """
    if bound is None or math.isinf(bound):
        return "nothing proven"
    return f"proven to {bound:.1e}"


def duration(seconds: float) -> str:
    """A time for a person.

    >>> duration(0.0123), duration(4.2), duration(273), duration(306_000), duration(1e15)
    ('12 ms', '4.20 s', '4 m 33 s', '3 d 13 h', '31,688,088 years')
    """
    if seconds >= 1e9:
        return f"{seconds / 31_557_600:,.0f} years"
    if seconds >= 86_400:
        return f"{int(seconds) // 86_400} d {int(seconds) % 86_400 // 3600} h"
    if seconds >= 3600:
        return f"{int(seconds) // 3600} h {int(seconds) % 3600 // 60} m"
    if seconds >= 60:
        return f"{int(seconds) // 60} m {int(seconds) % 60} s"
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.0f} ms"


def as_json(found: dict[str, Any]) -> None:
    """Print one JSON object; what is not a finite number is null."""
    print(json.dumps(_plain(found), allow_nan=False, ensure_ascii=False))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | None) else _plain(value.item())


def panel(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Print labels and what they say."""
    if not sys.stdout.isatty():
        width = max(len(label) for label, _ in rows)
        print(title, *(f"{label:<{width}}  {text}" for label, text in rows), sep="\n")
        return
    from rich.console import Console

    Console().print(_panel(title, rows))


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print columns under their headers."""
    if not sys.stdout.isatty():
        widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
        for row in (headers, *rows):
            cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
            print("  ".join(cells).rstrip())
        return
    from rich.console import Console

    Console().print(_table(headers, rows))


def _panel(title: str, rows: Sequence[tuple[str, str]]) -> Panel:
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    for label, text in rows:
        grid.add_row(Text(label, style="bold"), Text(text))
    return Panel(grid, title=Text(title), title_align="left", expand=False)


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    drawn = Table()
    for header in headers:
        drawn.add_column(Text(header), overflow="fold")  # positions are there to be copied
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    return drawn


Printed: TypeAlias = tuple[str, Sequence[tuple[str, str]], Sequence[str], Sequence[Sequence[str]]]
"""A title with labels and what they say, and columns under their headers."""


@contextmanager
def live_table() -> Iterator[Callable[[Printed], None]]:
    """What shows a panel over a table, each in place of the one before; the last one stays."""
    last: list[Printed] = []
    if not sys.stdout.isatty():
        yield last.append
        for title, about, headers, rows in last[-1:]:
            panel(title, about)
            if rows:
                table(headers, rows)
        return
    from rich.live import Live

    with Live() as live:
        yield lambda printed: live.update(_drawn(printed), refresh=True)


def _drawn(printed: Printed) -> Group:
    from rich.console import Group

    title, about, headers, rows = printed
    return Group(_panel(title, about), *([_table(headers, rows)] if rows else []))


@contextmanager
def quiet_games(wanted: bool) -> Iterator[None]:
    """With --json, whatever a user's game prints goes to standard error."""
    if not wanted:
        yield
        return
    with redirect_stdout(sys.stderr):
        yield


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress callback that draws on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from backroll.cli.bar import Bar

    with Bar() as bar:
        yield bar.show

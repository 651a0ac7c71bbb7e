"""Charts as SVG: lines told apart by dashes and marks, not by colour alone.

Colours are variables of the page with the light theme's as their defaults, so that a chart follows
the theme on a page; `standing_alone` writes the defaults out, for files.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

WIDE: Final = 720
HIGH: Final = 340
LEFT: Final = 64
BELOW: Final = 52
ABOVE: Final = 16
RIGHT: Final = 16
INK, QUIET, GRID = "var(--ink,#1c1f24)", "var(--quiet,#555c66)", "var(--grid,#d9d6cf)"
HUES: Final = ("var(--blue,#0b5cad)", "var(--orange,#b34700)", "var(--good,#1a6b3c)", INK)
DASHES: Final = ("", "7 4", "2 3", "10 3 2 3", "1 5")
FONT: Final = 'font-family="system-ui, DejaVu Sans, sans-serif"'


class Series(NamedTuple):
    """A line: its name and its points."""

    name: str
    points: Sequence[tuple[float, float]]


class Mark(NamedTuple):
    """A point that is pointed out, and what is said of it."""

    x: float
    y: float
    text: str


class Scale(NamedTuple):
    """From numbers to places."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a number is."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)


def lines(
    series: Sequence[Series],
    title: str,
    *,
    across: str,
    up: str,
    share: bool = False,
    whole: bool = False,
    close: bool = False,
    marks: Sequence[Mark] = (),
) -> str:
    """A line chart; `share` writes numbers upwards as percentages, `whole` shows 0 to 1 of them.

    `close` shows what is between the least and the largest number and not 0.
    """
    xs = [x for each in series for x, _ in each.points] or [0.0]
    ys = [y for each in series for _, y in each.points] or [0.0]
    low, high = (0.0, 1.0) if whole else (min(ys) if close else min(0.0, *ys), max(ys))
    x = Scale(min(xs), max(xs), LEFT, WIDE - RIGHT)
    y = Scale(low, high, HIGH - BELOW, ABOVE)
    parts = [*_upwards(y, share=share), *_across(x), *_titles(across, up)]
    parts += [_line(each, x, y, place) for place, each in enumerate(series)]
    parts += [_mark(each, x, y) for each in marks]
    below = list(_legend(series)) if len(series) > 1 else []
    return picture(title, WIDE, HIGH + 24 * math.ceil(len(below) / 3), [*parts, *below])


def picture(title: str, wide: float, high: float, parts: Sequence[str]) -> str:
    """An SVG with a title that says what it shows."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" '
        f'role="img" aria-label="{escape(title)}" {FONT} font-size="13">'
    )
    return "\n".join([head, *parts, "</svg>"])


def text(x: float, y: float, said: str, *, fill: str = INK, anchor: str = "middle") -> str:
    """Text at a place."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" text-anchor="{anchor}">{escape(said)}</text>'
    )


def ink_on(fill: str) -> str:
    """Black or white, whichever stands out more on a colour: by 4.5 to 1 at least (WCAG 2)."""
    channels = (int(fill[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    luminance = sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "#000000" if luminance > 0.179 else "#ffffff"


def standing_alone(svg: str) -> str:
    """A chart as a file: with the colours of the light theme on white, whoever shows it."""
    written = re.sub(r"var\(--[a-z-]+,(#[0-9a-f]{3,6})\)", r"\1", svg)
    return written.replace(">", '><rect width="100%" height="100%" fill="#ffffff"/>', 1)


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers between two others.

    >>> ticks(0, 100), ticks(0, 1, 4)
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.0, 0.5, 1.0])
    """
    rough = (high - low) / about or 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(n * step, 10) for n in range(first, last + 1)]


def _upwards(y: Scale, *, share: bool) -> Iterator[str]:
    for each in ticks(y.low, y.high, 5):
        at = y(each)
        yield f'<path d="M{LEFT} {at:.1f}H{WIDE - RIGHT}" stroke="{GRID}"/>'
        said = f"{100 * each:g} %" if share else f"{each:g}"
        yield text(LEFT - 8, at + 4, said, fill=QUIET, anchor="end")


def _across(x: Scale) -> Iterator[str]:
    for each in ticks(x.low, x.high, 8):
        yield text(x(each), HIGH - BELOW + 18, f"{each:g}", fill=QUIET)


def _titles(across: str, up: str) -> Iterator[str]:
    yield text((LEFT + WIDE - RIGHT) / 2, HIGH - 12, across, fill=QUIET)
    middle = (ABOVE + HIGH - BELOW) / 2
    yield f'<g transform="translate(14 {middle:g}) rotate(-90)">{text(0, 0, up, fill=QUIET)}</g>'


def _line(each: Series, x: Scale, y: Scale, place: int) -> str:
    points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in each.points)
    title = f"<title>{escape(each.name)}</title>"
    return f'<polyline points="{points}" {_stroke(place)}>{title}</polyline>'


def _stroke(place: int) -> str:
    hue, dash = HUES[place % len(HUES)], DASHES[place % len(DASHES)]
    return f'fill="none" stroke="{hue}" stroke-width="2.5" stroke-dasharray="{dash}"'


def _mark(each: Mark, x: Scale, y: Scale) -> str:
    at = f'cx="{x(each.x):.1f}" cy="{y(each.y):.1f}"'
    title = f"<title>{escape(each.text)}</title>"
    return f'<circle {at} r="5" fill="var(--bad,#a8201a)" stroke="{INK}">{title}</circle>'


def _legend(series: Sequence[Series]) -> Iterator[str]:
    for place, each in enumerate(series):
        left = LEFT + place % 3 * (WIDE - LEFT) / 3
        down = HIGH + 8 + place // 3 * 24
        bar = f'<path d="M{left:g} {down - 4:g}h34" {_stroke(place)}/>'
        yield bar + text(left + 42, down, each.name, anchor="start")

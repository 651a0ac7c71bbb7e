"""A state as an SVG that stands by itself: for documents, files and notebooks without the widget.

Can't Stop is drawn as in the browser, so its numbers are those of `board.js`; other games as text.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from backroll.board.state import State
from backroll.board.text import lines

ACROSS: Final = 44
UP: Final = 36
RIM: Final = 12
LABEL: Final = 38
LINE: Final = 20
_STYLE: Final = (
    "text{font:15px sans-serif;fill:#1c1f24}.mono text{font-family:monospace;white-space:pre}"
    ".sign{fill:#a8201a;stroke:#a8201a;stroke-width:14;stroke-linejoin:round}"
    ".rim{fill:none;stroke:#fff;stroke-width:3;stroke-linejoin:round}"
    "text.total{font-weight:700;font-size:18px;fill:#fff;text-anchor:middle}"
    ".cell{fill:#fbf6ea;stroke:#cbbf9f}.won1 .cell{fill:#0b5cad;stroke:#0b5cad}"
    ".won2 .cell{fill:#b34700;stroke:#b34700}.seal{fill:#fff}"
    ".first{fill:#0b5cad;stroke:#fff}.second{fill:#b34700;stroke:#fff}"
    ".neutral{fill:#1c1f24;stroke:#fff}"
)
_KINDS: Final = ("first", "second", "neutral")


def svg(state: State) -> str:
    """The picture of a state, with its sentence below and a title that says what it shows."""
    if state["kind"] == "cantstop":
        return _cantstop(state)
    said = lines(state)
    width = 24 + 9.1 * max(map(len, said))
    rows = [_text(12, 24 + LINE * at, line) for at, line in enumerate(said)]
    return _picture(
        state, (0, 0, width, 24 + LINE * len(said)), ['<g class="mono">', *rows, "</g>"]
    )


def _picture(state: State, box: tuple[float, float, float, float], parts: list[str]) -> str:
    view = " ".join(f"{number:g}" for number in box)
    size = f'width="{box[2]:g}" height="{box[3]:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" {size} role="img">'
    title = f"<title>{escape(state['spec'])}: {escape(state['position'])}</title>"
    return "\n".join([head, title, f"<style>{_STYLE}</style>", *parts, "</svg>"])


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    classed = f' class="{kind}"' if kind else ""
    return f'<text{classed} x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _cantstop(state: State) -> str:
    columns = state["columns"]
    half = columns[len(columns) // 2]["length"] * UP / 2 + LABEL
    width = len(columns) * ACROSS
    outline = _outline([column["length"] for column in columns])
    below = [f"{each['mark']} {each['name']}" for each in state["players"]]
    parts = [
        f'<polygon class="sign" points="{outline}"/>',
        f'<polygon class="rim" points="{outline}"/>',
        *(part for place in range(len(columns)) for part in _column(state, place)),
        *(part for place in range(len(columns)) for part in _markers(state, place)),
        _text(-RIM, half + 36, "    ".join(below)),
        _text(-RIM, half + 36 + LINE, state["said"]),
    ]
    wide = max(width + 2 * RIM, 8 * len(state["said"]))
    return _picture(state, (-RIM - 12, -half - 12, wide + 24, 2 * half + 84), parts)


def _outline(lengths: list[int]) -> str:
    """The octagon around the columns, whose corners lie on lines as lengths differ by two."""
    middle, width = len(lengths) // 2, len(lengths) * ACROSS
    half = lengths[middle] * UP / 2 + LABEL
    outer = lengths[0] * UP / 2 + LABEL - RIM * UP / ACROSS
    left, right, start, end = -RIM, width + RIM, middle * ACROSS, (middle + 1) * ACROSS
    above = [(left, -outer), (start, -half), (end, -half), (right, -outer)]
    points = above + [(x, -y) for x, y in reversed(above)]
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def _middle(state: State, place: int, height: int) -> tuple[float, float]:
    """The middle of a square."""
    up = state["columns"][place]["length"] * UP / 2
    return (place + 0.5) * ACROSS, up - (height - 0.5) * UP


def _column(state: State, place: int) -> Iterator[str]:
    """The squares of a column and its totals; where it is won, with the winner's marks."""
    total, length = state["columns"][place].values()
    winner = next((n for n, each in enumerate(state["players"]) if total in each["won"]), None)
    yield "<g>" if winner is None else f'<g class="won{winner + 1}">'
    for height in range(1, length + 1):
        x, y = _middle(state, place, height)
        yield f'<rect class="cell" x="{x - 19:g}" y="{y - 15:g}" width="38" height="30" rx="6"/>'
        if winner is not None:
            yield _mark("seal", _KINDS[winner], x, y, 7)
    yield "</g>"
    for height, down in ((length, -1), (1, 1)):
        x, y = _middle(state, place, height)
        yield _text(x, y + 6 + down * (UP / 2 + 15), str(total), "total")


def standing(state: State, place: int) -> list[tuple[str, int]]:
    """The markers in a column that nobody has won, with their heights."""
    total, length = state["columns"][place].values()
    heights = [each["heights"][str(total)] for each in state["players"]]
    if length in heights:
        return []
    found = [*zip(_KINDS, heights, strict=False), ("neutral", state["neutral"].get(str(total), 0))]
    return [(kind, height) for kind, height in found if height]


def _markers(state: State, place: int) -> Iterator[str]:
    there = standing(state, place)
    for kind, height in there:
        together = [other for other, level in there if level == height]
        shift = (together.index(kind) - (len(together) - 1) / 2) * 17
        x, y = _middle(state, place, height)
        yield _mark(kind, kind, x + shift, y, 11 if len(together) == 1 else 8)


def _mark(classed: str, kind: str, x: float, y: float, size: float) -> str:
    """A disc, a lozenge, or the triangle of this turn."""
    at = f'class="{classed}" transform="translate({x:g} {y:g})"'
    if kind == "first":
        return f'<circle {at} r="{size:g}"/>'
    r = size * 1.2
    rest = f"{r:g} 0L0 {r:g}L{-r:g} 0Z" if kind == "second" else f"{r:g} {r:g}L{-r:g} {r:g}Z"
    return f'<path {at} d="M0 {-r:g}L{rest}"/>'

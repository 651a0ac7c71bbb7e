"""The policy of Pig as pictures: a surface, a map and a slice of the scores.

A point is a pair of scores and the turn total at which holding begins to be best; where it never
is, below the total that wins, the surface stands at the total that wins.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from backroll.web.pages.charts import GRID, INK, QUIET, Scale, ink_on, picture, text, ticks

STEP: Final = 4
"""Points between the lines of the surface."""
TILT: Final = 0.5
SIZE: Final = 520.0
WIDE, HIGH = 720.0, 560.0
LIGHT: Final = (-0.5, -0.3, 0.8)
RAMP: Final = ((253, 231, 37), (94, 201, 98), (33, 145, 140), (59, 82, 139), (68, 1, 84))
"""Viridis, from few points to many."""
ROLL, HOLD = "#fdf6e3", "#2f5f9e"
FULL: Final = 0.6
"""Of the points to win, the turn total that has the last colour."""
NUMBERED: Final = 2
"""Cells between a number on the map and the border of its area, at least."""


class Seen(NamedTuple):
    """From scores and totals to places in a picture, looked at from a side."""

    size: int
    angle: float

    def __call__(self, own: float, other: float, total: float) -> tuple[float, float, float]:
        """Where a point is, and how far away."""
        x, y = own / self.size - 0.5, other / self.size - 0.5
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        right, away = x * cos - y * sin, x * sin + y * cos
        up = total / self.size
        across = WIDE / 2 + right * SIZE * 0.82
        down = HIGH * 0.62 + away * SIZE * 0.82 * TILT - up * SIZE * 0.55
        return across, down, away


def first_hold(found: dict[str, Any], own: int, other: int) -> int:
    """The least turn total at which holding is best, or that which wins."""
    runs = found["holds"][own][other]
    return int(runs[0][0]) if runs else int(found["target"]) - own


def surface(found: dict[str, Any], degrees: int) -> str:
    """The surface, from behind to before."""
    size = found["target"]
    seen = Seen(size, math.radians(degrees))
    step = max(1, size * STEP // 100)
    places = range(0, size, step)
    cells = sorted(
        (_cell(found, seen, own, other, step) for own in places for other in places),
        key=lambda cell: cell[0],
    )
    parts = [*_floor(seen), *(drawn for _, drawn in cells), *_axes(seen)]
    return picture(
        f"{found['spec']}: the turn total at which to hold, by both scores", WIDE, HIGH, parts
    )


def _cell(found: dict[str, Any], seen: Seen, own: int, other: int, step: int) -> tuple[float, str]:
    """A piece of the surface and how far away it is."""
    last = found["target"] - 1
    corners = [(own, other), (own + step, other), (own + step, other + step), (own, other + step)]
    points = [(a, b, first_hold(found, min(a, last), min(b, last))) for a, b in corners]
    placed = [seen(*point) for point in points]
    mean = sum(total for *_, total in points) / 4
    slope_x = (points[1][2] - points[0][2]) / step
    slope_y = (points[3][2] - points[0][2]) / step
    shade = _shade(slope_x, slope_y, seen.angle)
    fill = colour(mean / found["target"], shade)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in placed)
    title = f"<title>{own} to {other}: hold at {points[0][2]}</title>"
    drawn = (
        f'<polygon points="{path}" fill="{fill}" stroke="#1c1f24" stroke-width="0.5">'
        f"{title}</polygon>"
    )
    return sum(away for *_, away in placed), drawn


def _shade(slope_x: float, slope_y: float, angle: float) -> float:
    """How much light falls on a slope, 0.6 to 1."""
    cos, sin = math.cos(angle), math.sin(angle)
    normal = (-slope_x * cos + slope_y * sin, -slope_x * sin - slope_y * cos, 1.0)
    length = math.sqrt(sum(each * each for each in normal))
    lit = sum(a * b for a, b in zip(normal, LIGHT, strict=True)) / length
    return 0.6 + 0.4 * max(0.0, min(1.0, lit))


def colour(share: float, shade: float = 1.0) -> str:
    """The colour of a turn total, as a share of the points to win."""
    place = max(0.0, min(1.0, share / FULL)) * (len(RAMP) - 1)
    at = min(int(place), len(RAMP) - 2)
    mixed = (a + (b - a) * (place - at) for a, b in zip(RAMP[at], RAMP[at + 1], strict=True))
    return "#" + "".join(f"{round(shade * each):02x}" for each in mixed)


def _floor(seen: Seen) -> Iterator[str]:
    """The plane of the scores, under the surface."""
    size = seen.size
    corners = [seen(a, b, 0) for a, b in ((0, 0), (size, 0), (size, size), (0, size))]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in corners)
    yield f'<polygon points="{path}" fill="none" stroke="{GRID}" stroke-width="1.5"/>'


def _axes(seen: Seen) -> Iterator[str]:
    """What the edges count, at their outer sides."""
    size = seen.size
    near_x = max((0, size), key=lambda other: seen(size / 2, other, 0)[2])
    near_y = max((0, size), key=lambda own: seen(own, size / 2, 0)[2])
    for each in ticks(0, size, 4):
        x, y, _ = seen(each, near_x + math.copysign(0.06 * size, near_x - 1), 0)
        yield text(x, y + 10, f"{each:g}", fill=QUIET)
        x, y, _ = seen(near_y + math.copysign(0.06 * size, near_y - 1), each, 0)
        yield text(x, y + 10, f"{each:g}", fill=QUIET)
    x, y, _ = seen(size / 2, near_x + math.copysign(0.2 * size, near_x - 1), 0)
    yield text(x, y + 14, "own score")
    x, y, _ = seen(near_y + math.copysign(0.2 * size, near_y - 1), size / 2, 0)
    yield text(x, y + 14, "the other's score")
    far = min(((a, b) for a in (0, size) for b in (0, size)), key=lambda c: seen(c[0], c[1], 0)[0])
    own, other = far
    (x, low, _), (_, high, _) = seen(own, other, 0), seen(own, other, size / 2)
    yield f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="{QUIET}"/>'
    for each in ticks(0, size / 2, 4):
        _, y, _ = seen(own, other, each)
        yield text(x - 8, y + 4, f"{each:g}", fill=QUIET, anchor="end")
    yield text(x - 8, high - 14, "turn total", anchor="middle")


def plan(found: dict[str, Any]) -> str:
    """The same from above: areas of one total, with the total written on the larger ones."""
    size = found["target"]
    x, y = Scale(0, size, 64, 584), Scale(0, size, 536, 16)
    areas: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for own in range(size):
        for other in range(size):
            areas[first_hold(found, own, other)].append((own, other))
    parts = [_area(total, cells, x, y, size) for total, cells in sorted(areas.items())]
    parts += [_number(total, cells, x, y, size) for total, cells in areas.items()]
    for each in ticks(0, size, 5):
        parts.append(text(x(each), 556, f"{each:g}", fill=QUIET))
        parts.append(text(56, y(each) + 4, f"{each:g}", fill=QUIET, anchor="end"))
    parts.append(text(324, 580, "own score", fill=QUIET))
    said = text(0, 0, "the other's score", fill=QUIET)
    parts.append(f'<g transform="translate(16 276) rotate(-90)">{said}</g>')
    return picture(f"{found['spec']}: hold at the total written here", 600, 592, parts)


def _area(total: int, cells: list[tuple[int, int]], x: Scale, y: Scale, size: int) -> str:
    wide, high = x(1) - x(0) + 0.15, y(0) - y(1) + 0.15
    runs = [
        f"M{x(own):.1f} {y(start):.1f}h{wide:.2f}v{-high * length:.2f}h{-wide:.2f}z"
        for own, start, length in _columns(cells)
    ]
    fill = colour(total / size)
    return f'<path d="{"".join(runs)}" fill="{fill}"><title>hold at {total}</title></path>'


def _columns(cells: list[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Runs of cells above one another."""
    start, length, before = (-1, -1), 0, (-1, -1)
    for cell in sorted(cells):
        if cell == (before[0], before[1] + 1):
            length += 1
        else:
            if length:
                yield *start, length
            start, length = cell, 1
        before = cell
    if length:
        yield *start, length


def _number(total: int, cells: list[tuple[int, int]], x: Scale, y: Scale, size: int) -> str:
    """The total, on the cell of its area that is farthest from the border; if there is room."""
    depth, inner = 0, set(cells)
    while inner:
        left = inner
        inner = {
            (a, b) for a, b in left if {(a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)} <= left
        }
        depth += 1
    if depth <= NUMBERED:
        return ""
    own, other = min(left)
    ink = ink_on(colour(total / size))
    return text(x(own + 0.5), y(other + 0.5) + 4, str(total), fill=ink)


def cut(found: dict[str, Any], other: int) -> str:
    """Where to hold against one score of the other: by own score and turn total."""
    size = found["target"]
    x, y = Scale(0, size, 64, 704), Scale(0, size, 336, 16)
    wide = x(1) - x(0) + 0.15
    holds = [
        f"M{x(own):.1f} {y(low):.1f}h{wide:.2f}V{y(high + 1):.1f}h{-wide:.2f}z"
        for own in range(size)
        for low, high in found["holds"][own][other]
    ]
    goal = f"M{x(0):.1f} {y(size):.1f}L{x(size):.1f} {y(0):.1f}"
    parts = [
        f'<path d="M{x(0)} {y(0)}V{y(size)}L{x(size)} {y(0)}z" fill="{ROLL}"/>',
        f'<path d="{"".join(holds)}" fill="{HOLD}"><title>hold</title></path>',
        f'<path d="{goal}" stroke="{INK}" stroke-dasharray="7 4"/>',
    ]
    for each in ticks(0, size, 5):
        parts.append(text(x(each), 356, f"{each:g}", fill=QUIET))
        parts.append(text(56, y(each) + 4, f"{each:g}", fill=QUIET, anchor="end"))
    parts.append(text(384, 380, "own score", fill=QUIET))
    parts.append(text(x(size * 0.97), y(size * 0.55), "won: no need to hold", anchor="end"))
    parts.append(text(x(size * 0.04), y(size * 0.07), "roll", fill=ink_on(ROLL), anchor="start"))
    if holds:
        parts.append(text(x(size * 0.12), y(size * 0.6), "hold", fill=ink_on(HOLD), anchor="start"))
    said = text(0, 0, "turn total", fill=QUIET)
    parts.append(f'<g transform="translate(16 176) rotate(-90)">{said}</g>')
    return picture(f"{found['spec']} against {other}: where to hold", 720, 392, parts)

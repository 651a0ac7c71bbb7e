"""Stop or roll, with markers in three columns of Can't Stop: a map of letters and shades."""

from __future__ import annotations

from typing import Any

from backroll.game import WIN
from backroll.web.pages.charts import INK, QUIET, Scale, ink_on, picture, text

CELL = 44.0
ROLL, STOP = (253, 246, 227), (8, 70, 140)


def stop_map(found: dict[str, Any]) -> str:
    """S where stopping is best, R where rolling is; the stronger, the more it matters."""
    rows = found["gain"]
    first, second, third = found["columns"]
    wide, high = len(rows[0]) * CELL, len(rows) * CELL
    x, y = Scale(0, len(rows[0]), 64, 64 + wide), Scale(0, len(rows), 16 + high, 16)
    most = max((abs(each) for row in rows for each in row if each is not None), default=1.0) or 1.0
    parts = [
        _cell(x(across), y(up + 1), gain, most, (across + 1, up + 1), found)
        for up, row in enumerate(rows)
        for across, gain in enumerate(row)
    ]
    parts += [text(x(n + 0.5), high + 36, str(n + 1), fill=QUIET) for n in range(len(rows[0]))]
    parts += [text(52, y(n + 0.5) + 4, str(n + 1), fill=QUIET) for n in range(len(rows))]
    parts.append(text(64 + wide / 2, high + 60, f"square in column {first}", fill=QUIET))
    said = text(0, 0, f"square in column {second}", fill=QUIET)
    parts.append(f'<g transform="translate(20 {16 + high / 2:g}) rotate(-90)">{said}</g>')
    title = f"{found['spec']}: stop or roll with column {third} at square {found['third']}"
    return picture(title, wide + 80, high + 72, parts)


def _cell(
    left: float, top: float, gain: float | None, most: float, at: tuple[int, int], found: Any
) -> str:
    """A cell: its letter, and by how much the better choice is better."""
    if gain is None:
        return ""
    stop = gain > 0
    apart = abs(gain) / most
    fill = _mixed(0.35 + 0.65 * apart**0.5 if stop else 0.12 * (1 - apart**0.5))
    unit = f"{100 * abs(gain):.2f} %" if found["quantity"] == WIN else f"{abs(gain):.4f}"
    title = f"{at[0]} and {at[1]}: {'stop' if stop else 'roll'}, better by {unit}"
    box = f'<rect x="{left:g}" y="{top:g}" width="{CELL:g}" height="{CELL:g}" fill="{fill}"'
    letter = text(left + CELL / 2, top + CELL / 2 + 5, "S" if stop else "R", fill=ink_on(fill))
    return f'<g><title>{title}</title>{box} stroke="{INK}" stroke-width="0.5"/>{letter}</g>'


def _mixed(share: float) -> str:
    """A colour between those of rolling and of stopping."""
    mixed = (a + (b - a) * share for a, b in zip(ROLL, STOP, strict=True))
    return "#" + "".join(f"{round(each):02x}" for each in mixed)

"""Pictures on a page, which can be kept as SVG or PNG files."""

from __future__ import annotations

import json
import re

from nicegui import ui

from backroll.web.pages.charts import standing_alone
from backroll.web.pages.controls import button

PNG = """
const url = URL.createObjectURL(new Blob([%s], {type: "image/svg+xml"}));
const image = new Image();
image.onload = () => {
  const canvas = document.createElement("canvas");
  const {width, height} = image;
  [canvas.width, canvas.height] = [1440, Math.round(1440 * height / width)];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const link = document.createElement("a");
  [link.download, link.href] = [%s, canvas.toDataURL("image/png")];
  link.click();
  URL.revokeObjectURL(url);
};
image.src = url;
"""


def chart(svg: str, name: str) -> None:
    """A picture, and the buttons that keep it; `svg` is Backroll's own and needs no cleaning."""
    alone = _sized(standing_alone(svg))
    file = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    with ui.element("figure").classes("chart"):
        ui.html(svg, sanitize=False)
        with ui.element("div").classes("row-of"):
            button("SVG", lambda: ui.download.content(alone, f"{file}.svg"), name=f"{name} as SVG")
            png = PNG % (json.dumps(alone), json.dumps(f"{file}.png"))
            button("PNG", lambda: ui.run_javascript(png), name=f"{name} as PNG")


def _sized(svg: str) -> str:
    """With a width and a height, without which an image has none of its own."""
    found = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', svg)
    assert found is not None
    return svg.replace("<svg ", f'<svg width="{found[1]}" height="{found[2]}" ', 1)

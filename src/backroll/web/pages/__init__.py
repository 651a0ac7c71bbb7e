"""The pages, by NiceGUI: added once to a process, over a house."""

from __future__ import annotations

from backroll.web.house import House
from backroll.web.pages import analysing, exploring, playing, reviewing


def add_pages(house: House) -> None:
    """Add every page."""
    for page in (playing, analysing, reviewing, exploring):
        page.add(house)

"""The pages, by NiceGUI: added once to a process, over a house."""

from __future__ import annotations

from nicegui import ui

from backroll.web.house import House


def add_pages(house: House) -> None:
    """Add every page."""

    @ui.page("/")
    def start() -> None:
        ui.label("Backroll")
        ui.link("The API", "/docs")

"""What stands around every page: the way to the others, and how pages look."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nicegui import context, ui
from nicegui.element import Element

from backroll.web.pages.controls import Choose, Switch, heading, link

PAGES = {"/": "Play", "/analyse": "Analyse", "/review": "Review", "/explore": "Explore"}
THEMES = {"auto": None, "light": False, "dark": True}
YEAR = 31_536_000
STYLE = Path(__file__).with_name("pages.css")


class Look:
    """The theme and the animation of a page, which the browser remembers."""

    def __init__(self) -> None:
        cookies = context.client.request.cookies
        self.theme = cookies.get("theme", "auto")
        if self.theme not in THEMES:
            self.theme = "auto"
        self.animate = cookies.get("animate") != "off"
        self._dark = ui.dark_mode(THEMES[self.theme])
        self._boards: list[Element] = []

    def over(self, board: Element) -> None:
        """Look so on a board too."""
        self._boards.append(board)
        board.props.update(theme=self.theme, animate=self.animate)

    def controls(self) -> None:
        """The controls, in the element that is open."""
        themes = {theme: f"{theme} theme" for theme in THEMES}
        Choose("Theme", themes, self.theme, self._themed).box.classes("look")
        Switch("Animation", on=self.animate, changed=self._moved).box.classes("look")

    def _themed(self, theme: str) -> None:
        self.theme = theme if theme in THEMES else "auto"
        self._dark.value = THEMES[self.theme]
        self._changed("theme", self.theme)

    def _moved(self, on: str) -> None:
        self.animate = bool(on)
        self._changed("animate", "on" if on else "off")

    def _changed(self, name: str, value: str) -> None:
        for board in self._boards:
            board.props.update(theme=self.theme, animate=self.animate)
        cookie = f"{name}={value}; path=/; max-age={YEAR}; samesite=lax"
        ui.run_javascript(f"document.cookie = '{cookie}'")


@contextmanager
def frame(here: str, title: str) -> Iterator[Look]:
    """A page with its heading; `here` is its path."""
    ui.add_css(STYLE)
    ui.page_title(f"{title} – Backroll")
    context.client.content.classes("nicegui-content")
    with ui.element("div").classes("shell"):
        look = Look()
        with ui.element("header").classes("top"):
            with ui.element("nav").props('aria-label="pages"'):
                link("Backroll", "/").classes("name")
                for path, name in PAGES.items():
                    each = link(name, path)
                    if path == here:
                        each.props("aria-current=page")
            look.controls()
        with ui.element("main") as main:
            heading(title, 1)
            yield look
    ui.skip_link("To the page's content", target=main)

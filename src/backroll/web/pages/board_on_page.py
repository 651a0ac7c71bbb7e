"""The board on a page: what is chosen there is told with the position that it was chosen at."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

from nicegui import ui
from nicegui.element import Element

import backroll.board
from backroll.board.state import State
from backroll.web.pages.frame import Look

BOARD = Path(backroll.board.__file__).parent
Chosen: TypeAlias = Callable[[str, str], Awaitable[None]]
"""What is done for an event (`move`, or a tool) and the text of its move."""


class BoardOnPage(Element, component="board_on_page.js", dependencies=[BOARD / "board.js"]):
    """A board that shows states."""

    def __init__(self, state: State, look: Look, chosen: Chosen, *, tools: list[str]) -> None:
        super().__init__()
        ui.add_css(BOARD / "board.css")
        self.props.update(state=state, locked=False, tools=tools, keyboard="page")
        look.over(self)
        self._chosen = chosen
        self.on("chosen", self._heard)

    @property
    def state(self) -> State:
        """What is shown."""
        return self.props["state"]  # type: ignore[no-any-return]

    def show(self, state: State, *, locked: bool = False) -> None:
        """Another state; locked, nothing can be chosen."""
        self.props.update(state=state, locked=locked)

    async def _heard(self, said: Any) -> None:
        """Take what was chosen at the position that is shown, and nothing that came late."""
        found = said.args if isinstance(said.args, dict) else {}
        event, move = found.get("event"), found.get("move") or ""
        if self.props["locked"] or found.get("position") != self.state["position"]:
            return
        if isinstance(event, str) and isinstance(move, str):
            await self._chosen(event, move)

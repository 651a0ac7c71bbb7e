"""The board as a widget for notebooks and pages: needs anywidget (the extra `web`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from backroll.board.state import State
from backroll.board.text import lines

HERE = Path(__file__).parent


class Board(anywidget.AnyWidget):
    """The board: give it a state; what is chosen there comes in `chosen`."""

    _esm = HERE / "board.js"
    _css = HERE / "board.css"

    state = traitlets.Dict().tag(sync=True)
    chosen = traitlets.Dict().tag(sync=True)
    animate = traitlets.Bool(True).tag(sync=True)
    theme = traitlets.Enum(("auto", "light", "dark"), "auto").tag(sync=True)
    locked = traitlets.Bool(False).tag(sync=True)
    tools = traitlets.List(traitlets.Unicode()).tag(sync=True)
    keyboard = traitlets.Enum(("board", "page"), "board").tag(sync=True)

    def __init__(self, state: State, **traits: Any) -> None:
        """Draw a state; `traits` are the others."""
        super().__init__(state=state, **traits)

    def __repr__(self) -> str:
        return "\n".join(lines(self.state))

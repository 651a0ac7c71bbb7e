"""The page that analyses a position, and goes on to others by the choices on its board."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from backroll.board.state import ROLL, State, state_of
from backroll.errors import BackrollError
from backroll.game import Chance, Choice, Game, Swap
from backroll.spec import spec_of
from backroll.web.house import House
from backroll.web.pages.asked import POSITION, SPEC, session_here, short
from backroll.web.pages.board_on_page import BoardOnPage
from backroll.web.pages.controls import Text, button, link, said
from backroll.web.pages.frame import Look, frame
from backroll.web.pages.panel import Panel, beside


def add(house: House) -> None:
    """Add the page."""

    @ui.page("/analyse")
    async def analyse(spec: str = "cantstop", position: str = "") -> None:
        with frame("/analyse", "Analyse") as look:
            asked = [Text("Game", spec, longest=SPEC), Text("Position", position)]
            asked[0].box.classes("wide")
            asked[1].box.classes("wide long")
            place = ui.element("div").classes("row-of")
            for each in asked:
                each.box.move(place)
            with place:
                button("Show", lambda: ui.navigate.to(_path(asked[0].value, asked[1].value)))
            try:
                game = house.allowed.game(short(spec, SPEC))
                here = house.allowed.position(game, short(position, POSITION) or None)
            except BackrollError as error:
                said(str(error)).classes("error").props("role=alert")
                return
            study = Study(house, session_here(), look, game)
            ui.timer(0.0, lambda: study.show(here, 1), once=True)


def _path(spec: str, position: str) -> str:
    return f"/analyse?{urlencode({'spec': spec, 'position': position})}"


class Study:
    """A board, and what the position on it is worth; choices lead on, undo leads back."""

    def __init__(self, house: House, session: str, look: Look, game: Game[Any]) -> None:
        self._game, self._spec = game, spec_of(game)
        self._way: list[tuple[Any, int]] = []
        self._place = ui.element("div")
        self._board: BoardOnPage | None = None
        self._look = look
        with ui.element("div").classes("row-of"):
            button("Refine by rollouts", lambda: self._ask("rollouts"))
            button("Best figures", lambda: self._ask("best"))
            self._play = link("Play on from here", "")
            self._link = link("Link to this position", "")
        self._panel = Panel(house, session, self._told)

    async def show(self, position: Any, side: int) -> None:
        """Go to a position, written from a side."""
        self._way.append((position, side))
        await self._again()

    async def _again(self) -> None:
        state = self._state()
        if self._board is None:
            with self._place:
                self._board = BoardOnPage(state, self._look, self._chosen, tools=["undo"])
        else:
            self._board.show(state)
        here = {"spec": self._spec, "position": state["position"]}
        self._link.props["href"] = _path(**here)
        seats = {"first": "you", "second": "optimal"} if self._game.players == 2 else {}
        self._play.props["href"] = f"/?{urlencode({**here, **seats})}"
        await self._ask("best")

    def _state(self) -> State:
        position, side = self._way[-1]
        return state_of(self._game, position, side=side)

    async def _ask(self, by: str) -> None:
        await self._panel.ask(self._spec, str(self._game.show(self._way[-1][0])), by)

    def _told(self, found: dict[str, Any]) -> None:
        if self._board is not None:
            self._board.show(beside(self._state(), found))

    async def _chosen(self, event: str, move: str) -> None:
        position, side = self._way[-1]
        if event == "undo" and len(self._way) > 1:
            self._way.pop()
            await self._again()
        elif event == "move":
            child = self._after(position, move)
            if child is not None:
                swapped = isinstance(child, Swap)
                await self.show(
                    child.position if isinstance(child, Swap) else child,
                    3 - side if swapped else side,
                )

    def _after(self, position: Any, move: str) -> Any:
        """Where a choice leads; where chance is next, to what comes up at random."""
        game, node = self._game, self._game.node(position)
        if isinstance(node, Chance) and move == ROLL["move"]:
            faces, weights = zip(*node.outcomes.items(), strict=True)
            return game.play(position, random.choices(faces, weights)[0])
        moves = node.moves if isinstance(node, Choice) else ()
        found = [each for each in moves if game.show_move(each) == move]
        return game.play(position, found[0]) if found else None

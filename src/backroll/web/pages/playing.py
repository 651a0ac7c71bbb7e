"""The page on which a game is played."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from backroll.board.state import State, state_of, told
from backroll.errors import BackrollError
from backroll.spec import spec_of
from backroll.web.allowed import YOU
from backroll.web.house import House
from backroll.web.pages.asked import POSITION, SPEC, session_here, short
from backroll.web.pages.board_on_page import BoardOnPage
from backroll.web.pages.controls import button, link, said
from backroll.web.pages.frame import Look, frame
from backroll.web.pages.panel import Panel, beside
from backroll.web.pages.starting import NewGame, SavedGames

PAUSE = 0.7
"""Seconds that what a strategy did is seen for, before the next is."""
LOOK = 0.15
"""Seconds between looking whether a strategy has moved."""
LONGEST = 40
"""Steps that are shown one by one; of more the last."""
KEYS = (
    "Keys: 1 to 9 take a choice, r rolls, s stops or holds, u takes back, h asks for a hint; "
    "the tab key goes from one control to the next."
)


def add(house: House) -> None:
    """Add the page."""

    @ui.page("/")
    async def play(
        game: str = "", spec: str = "", position: str = "", first: str = "you", second: str = ""
    ) -> None:
        session = session_here()
        with frame("/", "Play") as look:
            place = ui.element("div")

            async def opened() -> None:
                """Open a game, or begin one from a link: not before a browser runs this page."""
                with place:
                    try:
                        id = game or await _begun(house, session, spec, position, [first, second])
                        table = Table(house, session, look, id)
                        ui.navigate.history.replace(f"/?{urlencode({'game': id})}")
                        await table.go_on()
                    except BackrollError as error:
                        said(str(error)).classes("error").props("role=alert")
                        _start(house, session)

            if game or spec:
                ui.timer(0.0, opened, once=True)
            else:
                with place:
                    _start(house, session)


def _start(house: House, session: str) -> None:
    """What begins or takes up a game."""
    NewGame(house, session)
    SavedGames(house, session)


async def _begun(house: House, session: str, spec: str, position: str, seats: Sequence[str]) -> str:
    """A game from a position, as a link says it."""
    spec, position = short(spec, SPEC), short(position, POSITION)
    players = house.allowed.game(spec).players
    named = [short(seat, SPEC) or YOU for seat in seats][:players]
    id, _ = await house.begin(session, spec, named, position or None)
    return id


class Table:
    """A game with its board, and what can be asked and done beside it."""

    def __init__(self, house: House, session: str, look: Look, id: str) -> None:
        self._house, self._session, self._look = house, session, look
        self._id, self._match = id, house.sessions.match(session, id)
        self._shown = len(self._match.steps)
        self._busy = False
        self._board = BoardOnPage(self._match.state(), look, self._chosen, tools=["undo", "hint"])
        self._error = said("").classes("error").props("role=alert")
        with ui.element("div").classes("row-of"):
            link("New game", "/").classes("action")
            self._link = link("Link to this position", "")
            button("Copy the link", self._copy)
            self._transcript = button("Keep the transcript", self._keep)
            self._analyse = link("Analyse", "")
            self._review = link("Review", f"/review?{urlencode({'game': id})}")
        self._analysis = Panel(house, session, self._hinted)
        with ui.element("details").classes("more"):
            said("What was done", "summary")
            self._log = ui.element("ol").props("reversed").classes("log")
        said(KEYS).classes("quiet keys")
        self._about()

    async def go_on(self) -> None:
        """Let strategies move until a person is to, and show it."""
        await self._guarded(self._house.go_on(self._session, self._id))

    async def _chosen(self, event: str, move: str) -> None:
        """What a person did at the board."""
        if self._busy:
            return
        if event == "hint":
            game = self._match.game
            await self._analysis.ask(spec_of(game), str(game.show(self._match.position)))
        elif event == "undo":
            await self._guarded(self._house.undo(self._session, self._id))
        elif event == "move":
            step = len(self._match.steps)
            await self._guarded(self._house.move(self._session, self._id, move, step))

    async def _guarded(self, doing: Any) -> None:
        """Do something to the game, and show what came of it; one line about what is wrong."""
        self._busy = True
        self._error.text = ""
        self._analysis.clear()
        try:
            await doing
            await self._follow()
        except BackrollError as error:
            self._error.text = str(error)
        finally:
            self._busy = False
            self._draw()

    async def _follow(self) -> None:
        """Show step after step until a person is to move."""
        while True:
            await self._catch_up()
            if not self._house.thinking(self._id):
                return
            self._draw(thinking=True)
            await asyncio.sleep(LOOK)

    async def _catch_up(self) -> None:
        """Show what was done since, slowly enough to be followed."""
        steps = self._match.steps
        self._shown = max(min(self._shown, len(steps)), len(steps) - LONGEST)
        while self._shown < len(steps):
            self._shown += 1
            if self._look.animate and self._shown < len(steps) and self._seen(self._shown - 1):
                self._board.show(self._at(self._shown), locked=True)
                await asyncio.sleep(PAUSE)

    def _seen(self, at: int) -> bool:
        """Whether a step is worth a look: what a strategy did or rolled, and lost turns."""
        step = self._match.steps[at]
        return self._match.seats[(step.mover or step.who) - 1] != YOU or step.mover == 0

    def _at(self, number: int) -> State:
        """The state after some steps."""
        match = self._match
        here = match.steps[number] if number < len(match.steps) else None
        position, side = (here.position, here.who) if here else (match.position, match.who)
        steps = match.steps[:number]
        return state_of(match.game, position, side=side, names=match.seats, steps=steps)

    def _draw(self, *, thinking: bool = False) -> None:
        """Show the game as it is."""
        self._shown = len(self._match.steps)
        state = self._match.state()
        if thinking:
            state["said"] += " Thinking …"
        self._board.show(state, locked=self._locked)
        self._about()

    @property
    def _locked(self) -> bool:
        """Whether a strategy is to move; what is over can still be taken back."""
        return not (self._match.waits or self._match.over)

    def _hinted(self, found: dict[str, Any]) -> None:
        """Write values and costs beside the choices."""
        state = beside(self._match.state(), found)
        self._board.show(state, locked=self._locked)

    def _about(self) -> None:
        """Bring what stands around the board up to date."""
        match = self._match
        here = {"spec": spec_of(match.game), "position": match.game.show(match.position)}
        seats = match.seats if match.who == 1 else match.seats[::-1]
        self._url = "/?" + urlencode(
            {**here, **dict(zip(("first", "second"), seats, strict=False))}
        )
        self._link.props["href"] = self._url
        self._analyse.props["href"] = f"/analyse?{urlencode(here)}"
        self._review.set_visibility(bool(match.steps))
        self._transcript.set_visibility(match.over and match.whole)
        self._log.clear()
        with self._log:
            for step in match.steps[: -LONGEST - 1 : -1]:
                said(told(match.game, step, match.seats), "li")

    def _keep(self) -> None:
        ui.download.content(self._match.transcript().as_text(), "game.txt")

    def _copy(self) -> None:
        ui.run_javascript(f"navigator.clipboard?.writeText(location.origin + {self._url!r})")
        ui.notify("The link is copied.")

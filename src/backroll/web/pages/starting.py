"""The controls that begin a game, and the games that were begun before."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlencode

from nicegui import ui

from backroll.errors import BackrollError
from backroll.web.allowed import YOU
from backroll.web.house import House
from backroll.web.matches import Match
from backroll.web.pages.choosing import GameChoice, Seat
from backroll.web.pages.controls import button, heading, link, said
from backroll.web.sessions import Unknown

RIVALS = {"cantstop": "model", "pig": "hold"}
"""Who sits opposite if nobody says."""
SHOWN = 12


class NewGame:
    """Choose a game and who plays it, and begin."""

    def __init__(self, house: House, session: str) -> None:
        self._house, self._session = house, session
        heading("A new game")
        self._choice = GameChoice(house.allowed, self._again)
        with ui.element("div").classes("row-of seats"):
            self._seats = [Seat("First player", YOU), Seat("Second player", "model")]
        with ui.element("div").classes("row-of"):
            button("Begin", self._begin).classes("main")
        self._error = said("").classes("error").props("role=alert")
        self._again()

    def _again(self) -> None:
        """Offer those who play the game that is chosen."""
        try:
            game = self._house.allowed.game(self._choice.spec)
        except BackrollError as error:
            self._error.text = str(error)
            return
        self._error.text = ""
        for number, seat in enumerate(self._seats):
            seat.show(shown=number < game.players)
            seat.offer(game, RIVALS.get(self._choice.game.value, "optimal") if number else YOU)

    async def _begin(self) -> None:
        try:
            game = self._house.allowed.game(self._choice.spec)
            seats = [seat.text for seat in self._seats][: game.players]
            id, _ = await self._house.begin(self._session, self._choice.spec, seats)
        except BackrollError as error:
            self._error.text = str(error)
            return
        ui.navigate.to(f"/?{urlencode({'game': id})}")


class SavedGames:
    """The games of a session, the one touched last first; every one is kept as it is played."""

    def __init__(self, house: House, session: str) -> None:
        self._house, self._session = house, session
        self._box = ui.element("section")
        self._fill()

    def _fill(self) -> None:
        games = list(self._house.sessions.games(self._session).items())[::-1]
        self._box.clear()
        if not games:
            return
        with self._box:
            heading("Your games")
            said("Every game is saved after each move.").classes("quiet")
            with ui.element("div").classes("cards"):
                for id, match in games[:SHOWN]:
                    self._card(id, match)

    def _card(self, id: str, match: Match) -> None:
        state = match.state()
        with ui.element("div").classes("card-of"):
            said(state["spec"], "b")
            said(f"{' against '.join(match.seats)}; {len(match.steps)} steps. {state['said']}")
            with ui.element("div").classes("row-of"):
                link("Open", f"/?{urlencode({'game': id})}", name=f"open {state['spec']}")
                button("Delete", lambda: self._remove(id), name=f"delete {state['spec']}")

    def _remove(self, id: str) -> None:
        with suppress(Unknown):
            self._house.remove(self._session, id)
        self._fill()

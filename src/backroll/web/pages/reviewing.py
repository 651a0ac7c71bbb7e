"""The page that judges a game: mistakes and luck apart, and the worst moves to look at again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from backroll.board.state import state_of
from backroll.errors import BackrollError
from backroll.game import WIN
from backroll.turn import relative
from backroll.web.house import House
from backroll.web.pages.asked import session_here
from backroll.web.pages.board_on_page import BoardOnPage
from backroll.web.pages.charts import Mark, Series, lines
from backroll.web.pages.controls import Text, button, heading, link, said
from backroll.web.pages.figures import apart, cost, figure, named
from backroll.web.pages.frame import Look, frame
from backroll.web.pages.panel import Panel, beside
from backroll.web.pages.pictures import chart
from backroll.web.workers import Job

LONGEST = 900_000
"""Characters of a transcript: the largest body is a million bytes."""


def add(house: House) -> None:
    """Add the page."""

    @ui.page("/review")
    async def review(game: str = "") -> None:
        session = session_here()
        with frame("/review", "Review") as look:
            report = Report(house, session, look)
            with ui.element("details").classes("more") as pasted:
                said("Paste a transcript", "summary")
                written = Text("Transcript", rows=8, longest=LONGEST)
                written.box.classes("wide")
                button("Review it", lambda: report.pasted(written.value))
            if game:
                ui.timer(0.0, lambda: report.of(game), once=True)
            else:
                pasted.props("open")


class Report:
    """What a review says, and the board on which its moves are looked at again."""

    def __init__(self, house: House, session: str, look: Look) -> None:
        self._house, self._session, self._look = house, session, look
        self._status = said("").classes("quiet").props("role=status")
        self._error = said("").classes("error").props("role=alert")
        self._box = ui.element("div")
        self._again = ui.element("section")
        self._board: BoardOnPage | None = None

    async def of(self, id: str) -> None:
        """Judge a game of this session, as far as it went."""
        try:
            match = self._house.sessions.match(self._session, id)
            await self._follow(await self._house.judge(self._session, match))
        except BackrollError as error:
            self._error.text = str(error)

    async def pasted(self, transcript: str) -> None:
        """Judge a game that was written down."""
        self._error.text = ""
        try:
            await self._follow(await self._house.review(self._session, transcript))
        except BackrollError as error:
            self._error.text = str(error)

    async def _follow(self, job: Job) -> None:
        self._box.clear()
        self._again.clear()
        self._status.text = "Judging every decision …"
        try:
            found = await job.result()
        finally:
            self._status.text = ""
        with self._box:
            self._write(found)

    def _write(self, found: dict[str, Any]) -> None:
        said(f"{found['spec']}. Rests on: {found['basis']['text']}.").classes("quiet")
        _players(found)
        chart(curve(found), f"{found['spec']} through the game")
        heading("The worst moves")
        if not found["worst"]:
            said("No mistakes: every move was as good as the best.")
        with ui.element("div").classes("cards"):
            for each in found["worst"]:
                self._worst(found, each)
        with ui.element("details").classes("more"):
            said("Every decision", "summary")
            self._decisions(found)

    def _worst(self, found: dict[str, Any], each: dict[str, Any]) -> None:
        lost = cost(each["cost"], found["quantity"])
        with ui.element("div").classes("card-of"):
            name = found["players"][each["player"] - 1]["name"]
            said(f"Step {each['step']}, {name}: {each['mark'] or 'small'}", "b")
            said(f"Played {each['played']}; best was {each['best']}. It cost {lost}.")
            label = f"replay step {each['step']}"
            button("Replay", lambda: self._replay(found, each), name=label)

    def _decisions(self, found: dict[str, Any]) -> None:
        free = [each for each in found["decisions"] if each["options"] > 1]
        rows = [
            (str(each["step"]), found["players"][each["player"] - 1]["name"], each["played"],
             each["best"], cost(each["cost"], found["quantity"]), each["mark"])
            for each in free
        ]  # fmt: skip
        table(("step", "player", "played", "best", "cost", "mark"), rows)

    async def _replay(self, found: dict[str, Any], each: dict[str, Any]) -> None:
        """Show the position of a decision again, with what its choices are worth."""
        game = self._house.allowed.game(found["spec"])
        side = each["player"] if relative(game) else 1
        names = [player["name"] for player in found["players"]]
        state = state_of(game, game.parse(each["position"]), side=side, names=names)
        self._again.clear()
        with self._again:
            heading(f"Step {each['step']} again")
            board = BoardOnPage(state, self._look, _nothing, tools=[])
            here = {"spec": found["spec"], "position": each["position"]}
            with ui.element("div").classes("row-of"):
                link("Analyse", f"/analyse?{urlencode(here)}")
                link("Play on from here", f"/?{urlencode(here)}")
            panel = Panel(
                self._house,
                self._session,
                lambda told: board.show(beside(state, told), locked=True),
            )
        ui.run_javascript(f"getHtmlElement({self._again.id}).scrollIntoView()")
        await panel.ask(found["spec"], each["position"])


async def _nothing(event: str, move: str) -> None:
    """The board of a replay is looked at only."""


def _players(found: dict[str, Any]) -> None:
    quantity = found["quantity"]
    rows = [
        (each["name"], str(each["decisions"]), figure(each["mistakes"], quantity),
         apart(each["mean"], quantity), _signed(each["luck"], quantity), each["grade"])
        for each in found["players"]
    ]  # fmt: skip
    table(("player", "decisions", "lost by mistakes", "a decision", "luck", "grade"), rows)
    start, end = (figure(found[each], quantity) for each in ("start", "end"))
    said(f"The {named(quantity)} of player 1 went from {start} to {end}.").classes("quiet")


def _signed(value: float, quantity: str) -> str:
    return f"{'+' if value >= 0 else '−'}{figure(abs(value), quantity)}"


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table with headings."""
    with ui.element("div").classes("scroll"), ui.element("table"):
        with ui.element("thead"), ui.element("tr"):
            for title in titles:
                said(title, "th").props("scope=col")
        with ui.element("tbody"):
            for row in rows:
                with ui.element("tr"):
                    for cell in row:
                        said(cell, "td")


def curve(found: dict[str, Any]) -> str:
    """What the game was worth to player 1 at each step, with the worst moves marked."""
    share = found["quantity"] == WIN
    marks = [
        Mark(each["step"] - 1, found["curve"][each["step"] - 1],
             f"step {each['step']}: {each['played']} cost {cost(each['cost'], found['quantity'])}")
        for each in found["worst"]
    ]  # fmt: skip
    name = found["players"][0]["name"]
    return lines(
        [Series(name, list(enumerate(found["curve"])))],
        f"{named(found['quantity'])} of {name}, step by step",
        across="step",
        up=f"{named(found['quantity'])} of {name}",
        share=share,
        whole=share,
        marks=marks,
    )

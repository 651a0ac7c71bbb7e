"""The page on which solved games are looked at as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import context, ui

from backroll.errors import BackrollError
from backroll.game import WIN
from backroll.games.cantstop.rules import CantStop
from backroll.spec import spec_of
from backroll.web.house import House
from backroll.web.pages import surfaces
from backroll.web.pages.asked import SPEC, session_here, short
from backroll.web.pages.charts import Series, lines
from backroll.web.pages.controls import Choose, Number, Slide, Text, button, heading, link, said
from backroll.web.pages.figures import named
from backroll.web.pages.frame import frame
from backroll.web.pages.grids import stop_map
from backroll.web.pages.pictures import chart
from backroll.web.workers import Job

VIEWS = {
    "pig": "The policy of Pig",
    "stops": "Stop or roll",
    "heights": "What height is worth",
    "turns": "Turns of strategies",
}
BOARDS = {
    "cantstop:players=1": "one player, official board",
    "cantstop": "two players, official board",
    "cantstop:sides=3,players=1": "one player, (3, 3)",
    "cantstop:sides=3": "two players, (3, 3)",
    "cantstop:sides=4,players=1": "one player, (4, 3)",
}
Drawn = Callable[[dict[str, Any]], None]


def add(house: House) -> None:
    """Add the page."""

    @ui.page("/explore")
    async def explore(view: str = "pig") -> None:
        view = view if view in VIEWS else "pig"
        with frame("/explore", "Explore"):
            with ui.element("nav").classes("row-of views").props('aria-label="views"'):
                for name, title in VIEWS.items():
                    each = link(title, f"/explore?view={name}")
                    if name == view:
                        each.props("aria-current=page")
            heading(VIEWS[view])
            asker = Asker(house, session_here())
            {"pig": _pig, "stops": _stops, "heights": _heights, "turns": _turns}[view](asker)


class Asker:
    """Asks a worker, and has its answers drawn as they come."""

    def __init__(self, house: House, session: str) -> None:
        self.house, self._session = house, session
        self._job: Job | None = None
        self._asked = 0
        context.client.on_disconnect(self.cancel)

    def place(self) -> None:
        """Where it says how far it is, and where answers are drawn."""
        self._status = said("").classes("quiet").props("role=status")
        self._error = said("").classes("error").props("role=alert")
        self._cancel = button("Cancel", self.cancel)
        self._cancel.set_visibility(False)
        self.box = ui.element("div")

    def cancel(self) -> None:
        """End what is being asked."""
        if self._job is not None:
            self.house.pool.cancel(self._job)

    async def ask(self, drawn: Drawn, **about: Any) -> None:
        """Ask, and draw whatever is said."""
        self._asked += 1
        asked = self._asked
        self._error.text = ""
        try:
            about["spec"] = spec_of(self.house.allowed.game(short(about["spec"], SPEC)))
            job = await self.house.pool.submit(self._session, {"kind": "explore", **about})
            self._job = job
            self._cancel.set_visibility(True)
            async for now in job.follow():
                if asked != self._asked:
                    return
                self._status.text = "" if now.over else f"{now.status} …"
                self._error.text = now.error
                if now.found is not None:
                    self.draw(drawn, now.found)
        except BackrollError as error:
            self._error.text = str(error)
        self._cancel.set_visibility(False)

    def draw(self, drawn: Drawn, found: dict[str, Any]) -> None:
        """Draw an answer in place of the one before."""
        self.box.clear()
        with self.box:
            drawn(found)


def _pig(asker: Asker) -> None:
    said(
        "Roll or hold? The surface stands at the turn total at which holding begins to be best, "
        "for each pair of scores. Holding at 20 or 25 is a rule of thumb; this is the best play."
    )
    with ui.element("div").classes("row-of"):
        target = Number("Points to win", 10, 200, 100)
        button("Draw", lambda: asker.ask(_policy, what="policy", spec=f"pig:target={target.value}"))
    asker.place()
    ui.timer(0.0, lambda: asker.ask(_policy, what="policy", spec="pig"), once=True)


def _policy(found: dict[str, Any]) -> None:
    name, size = found["spec"], found["target"]
    said(f"Whoever begins wins {100 * found['value']:.3f} % of the games.").classes("quiet")
    _turned(lambda angle: surfaces.surface(found, angle), "Turn the surface", (0, 359, 215), name)
    heading("From above", 3)
    said("The number on an area is the total at which to hold there.").classes("quiet")
    chart(surfaces.plan(found), f"{name} from above")
    heading("Against one score", 3)
    slide = ("The other's score", (0, size - 1, size // 2))
    _turned(lambda other: surfaces.cut(found, other), *slide, f"{name} against a score")


def _turned(
    draw: Callable[[int], str], label: str, numbers: tuple[int, int, int], name: str
) -> None:
    """A picture that a slider changes."""
    low, high, value = numbers

    def again(number: str) -> None:
        place.clear()
        with place:
            chart(draw(max(low, min(high, int(number)))), name)

    Slide(label, low, high, value, again)
    place = ui.element("div")
    again(str(value))


def _stops(asker: Asker) -> None:
    said(
        "Three neutral markers on an empty board: S where stopping is best, R where rolling is. "
        "The darker an S and the lighter an R, the more the choice matters."
    )
    with ui.element("div").classes("row-of"):
        board = Choose("Board", BOARDS, "cantstop:players=1", lambda spec: fill(spec))
        columns = [
            Choose(f"{which} column", {"6": "6"}, "6") for which in ("First", "Second", "Third")
        ]
        third = Number("Square in the third", 1, 13, 3)

        async def draw() -> None:
            chosen = [int(each.value) for each in columns]
            height = int(third.value) if third.value.isdigit() else 0
            await asker.ask(_stop_map, what="stops", spec=board.value, columns=chosen, third=height)

        button("Draw", draw)

    def fill(spec: str) -> None:
        """Offer the columns of a board, its middle ones first."""
        game = asker.house.allowed.game(spec)
        assert isinstance(game, CantStop)
        totals = {str(n): str(n) for n in range(2, 2 * game.sides + 1)}
        for each, away in zip(columns, (0, 1, 2), strict=True):
            each.offer(totals, str(game.sides + away))

    fill("cantstop:players=1")
    asker.place()
    ui.timer(0.0, draw, once=True)


def _stop_map(found: dict[str, Any]) -> None:
    chart(stop_map(found), f"{found['spec']} stop or roll")
    said(f"Rests on: {found['basis']}.").classes("quiet")


def _heights(asker: Asker) -> None:
    said("What a turn that begins is worth with a marker in one column and nothing anywhere else.")
    with ui.element("div").classes("row-of"):
        board = Choose("Board", BOARDS, "cantstop:sides=3,players=1")
        button("Draw", lambda: asker.ask(_climbs, what="climbs", spec=board.value))
    asker.place()
    ui.timer(0.0, lambda: asker.ask(_climbs, what="climbs", spec=board.value), once=True)


def _climbs(found: dict[str, Any]) -> None:
    """One line for each pair of columns that are each other's mirror image."""
    values = found["values"]
    totals = sorted(map(int, values))
    mirror = max(totals) + 2
    half = [total for total in totals if str(mirror - total) not in values or total * 2 <= mirror]
    series = [
        Series(
            f"column {total}" if total * 2 == mirror else f"columns {total} and {mirror - total}",
            list(enumerate(values[str(total)])),
        )
        for total in half
    ]
    title = f"{found['spec']}: what height is worth"
    up, share = named(found["quantity"]), found["quantity"] == WIN
    svg = lines(series, title, across="height in the column", up=up, share=share, close=True)
    chart(svg, title)
    said(f"Rests on: {found['basis']}.").classes("quiet")


def _turns(asker: Asker) -> None:
    said("How many turns strategies take alone to win, on the same dice, 50,000 games each.")
    boards = {spec: name for spec, name in BOARDS.items() if "players=1" in spec}
    with ui.element("div").classes("row-of"):
        board = Choose("Board", boards, "cantstop:players=1")
        texts = Text("Strategies, with spaces between", "model ruleof linear:champion")
        texts.box.classes("wide")

        async def draw() -> None:
            chosen = texts.value.split()
            await asker.ask(_distribution, what="turns", spec=board.value, strategies=chosen)

        button("Draw", draw)
    asker.place()
    ui.timer(0.0, draw, once=True)


def _distribution(found: dict[str, Any]) -> None:
    series = [
        Series(f"{text}: {each['mean']:.3f}", each["shares"])
        for text, each in found["strategies"].items()
    ]
    title = f"{found['spec']}: turns to win"
    chart(lines(series, title, across="turns", up="share of games", share=True), title)
    for text, each in found["strategies"].items():
        low, high = each["interval"]
        said(f"{text}: {each['mean']:.3f} turns ({low:.3f} to {high:.3f})").classes("quiet")

"""The analysis of a position, refined while one watches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import context, ui

from backroll.board.state import State
from backroll.errors import BackrollError
from backroll.web.house import House
from backroll.web.pages.controls import button, said
from backroll.web.pages.figures import between, cost, figure, named, percent
from backroll.web.workers import Job

Told = Callable[[dict[str, Any]], None]


class Panel:
    """Asks the house about positions and shows what it says; `told` hears it too."""

    def __init__(self, house: House, session: str, told: Told | None = None) -> None:
        self._house, self._session, self._told = house, session, told
        self._job: Job | None = None
        self._asked = 0
        context.client.on_disconnect(self.cancel)
        self._status = said("").classes("quiet").props("role=status")
        self._error = said("").classes("error").props("role=alert")
        self._cancel = button("Cancel", self.cancel)
        self._box = ui.element("div")
        self._cancel.set_visibility(False)

    def clear(self) -> None:
        """Show nothing, and ask for nothing any more."""
        self.cancel()
        self._asked += 1
        self._box.clear()
        self._cancel.set_visibility(False)
        self._status.text = self._error.text = ""

    def cancel(self) -> None:
        """End the job; what it found stays."""
        if self._job is not None:
            self._house.pool.cancel(self._job)

    async def ask(self, spec: str, position: str, by: str = "best") -> None:
        """Show what a position is worth, and what it is worth more precisely."""
        self.clear()
        asked = self._asked
        try:
            found = await self._house.analyse(self._session, spec, position, by)
            if isinstance(found, Job):
                await self._follow(found, asked)
            elif asked == self._asked:
                self._show(found)
        except BackrollError as error:
            self._error.text = str(error)

    async def _follow(self, job: Job, asked: int) -> None:
        self._job = job
        self._cancel.set_visibility(True)
        async for now in job.follow():
            if asked != self._asked:
                return
            self._status.text = "" if now.over else f"{now.status} …"
            if now.found is not None:
                self._show(now.found)
            if now.status == "failed":
                self._error.text = now.error
            if now.status == "cancelled":
                self._status.text = "Cancelled."
        self._cancel.set_visibility(False)

    def _show(self, found: dict[str, Any]) -> None:
        self._box.clear()
        with self._box:
            analysis(found)
        if self._told is not None:
            self._told(found)


def beside(state: State, found: dict[str, Any]) -> State:
    """A state with values and costs beside its choices, if they are of its position."""
    if found["position"] != state["position"]:
        return state
    known = {each["move"]: (each["value"], each["loss"]) for each in found["moves"]}
    choices = [
        {**each, **dict(zip(("value", "cost"), known.get(each["move"], (None, None)), strict=True))}
        for each in state["choices"]
    ]
    return {**state, "choices": choices, "basis": found["basis"]["text"]}


def analysis(found: dict[str, Any]) -> None:
    """An analysis: its figures, and every choice with what it is worth and costs."""
    quantity = found["quantity"]
    with ui.element("dl").classes("figures"):
        worth = f"{figure(found['value'], quantity)} {between(found['interval'], quantity)}"
        _figure(_whose(found), worth)
        danger = found.get("danger")
        if danger:
            _figure("next roll loses the turn", percent(danger["roll"]))
            if danger["turn"] is not None:
                _figure("turn lost with best play", percent(danger["turn"]))
    if found["moves"]:
        _moves(found)
    said(f"Rests on: {found['basis']['text']}.").classes("quiet basis-of")


def _whose(found: dict[str, Any]) -> str:
    who = {"mover": "of whoever moves", "player 1": "of player 1"}.get(found["view"], "")
    return f"{named(found['quantity'])} {who}"


def _figure(name: str, value: str) -> None:
    with ui.element("div"):
        said(name, "dt")
        said(value, "dd")


def _moves(found: dict[str, Any]) -> None:
    quantity = found["quantity"]
    risk = any(each.get("danger") for each in found["moves"])
    with ui.element("div").classes("scroll"), ui.element("table"):
        said("Choices, best first", "caption").classes("quiet")
        with ui.element("thead"), ui.element("tr"):
            for title in ("choice", named(quantity), "costs", *(["next roll loses"] * risk)):
                said(title, "th").props("scope=col")
        with ui.element("tbody"):
            for each in found["moves"]:
                with ui.element("tr").classes("best" if each["loss"] <= 0 else ""):
                    _move(each, quantity, risk=risk)


def _move(each: dict[str, Any], quantity: str, *, risk: bool) -> None:
    said(each["move"], "td")
    said(f"{figure(each['value'], quantity)} {between(each['interval'], quantity)}", "td")
    apart = between(each["loss_interval"], quantity) if each["loss"] > 0 else ""
    said(f"{cost(each['loss'], quantity)} {apart}", "td")
    if risk:
        danger = each.get("danger")
        said(percent(danger["roll"]) if danger else "–", "td")

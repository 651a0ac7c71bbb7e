"""Native controls with names: what browsers, phones and screen readers know best."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from nicegui import ui

Does: TypeAlias = Callable[[], Awaitable[None] | None]


class Field:
    """A control that has a value; `changed` is called with a new one."""

    def __init__(self, label: str, value: str, changed: Callable[[str], Any] | None) -> None:
        self.value = value
        self._changed = changed
        self.box = ui.element("label").classes("field")
        with self.box:
            said(label, "span")

    def _listen(self, element: ui.element) -> None:
        """Hear of every new value, as text."""
        self.element = element
        element.on("change", self._set, js_handler="(event) => emit(event.target.value)")

    async def _set(self, event: Any) -> None:
        self.value = str(event.args)
        if self._changed is not None:
            found = self._changed(self.value)
            if found is not None:
                await found


class Choose(Field):
    """One of some options: of each its value and what it is called."""

    def __init__(
        self,
        label: str,
        options: Mapping[str, str],
        value: str,
        changed: Callable[[str], Any] | None = None,
    ) -> None:
        super().__init__(label, value, changed)
        with self.box, ui.element("select") as element:
            self._fill(options)
        self._listen(element)

    def offer(self, options: Mapping[str, str], value: str) -> None:
        """Other options."""
        self.value = value
        self.element.clear()
        with self.element:
            self._fill(options)

    def _fill(self, options: Mapping[str, str]) -> None:
        for value, called in options.items():
            option = said(called, "option")
            option.props["value"] = value
            if value == self.value:
                option.props("selected")


class Number(Field):
    """A whole number from `low` to `high`."""

    def __init__(
        self,
        label: str,
        low: int,
        high: int,
        value: int,
        changed: Callable[[str], Any] | None = None,
    ) -> None:
        super().__init__(label, str(value), changed)
        with self.box:
            element = ui.element("input").props(f"type=number min={low} max={high} value={value}")
        self._listen(element)


class Slide(Field):
    """A whole number that is slid; what it is stands beside it."""

    def __init__(
        self, label: str, low: int, high: int, value: int, changed: Callable[[str], Any]
    ) -> None:
        super().__init__(label, str(value), changed)
        with self.box:
            element = ui.element("input").props(f"type=range min={low} max={high} value={value}")
            self._shown = said(str(value), "output")
        self._listen(element)

    async def _set(self, event: Any) -> None:
        self._shown.text = str(event.args)
        await super()._set(event)


class Text(Field):
    """A line of text, or several."""

    def __init__(self, label: str, value: str = "", *, rows: int = 1, longest: int = 500) -> None:
        super().__init__(label, value, None)
        with self.box:
            element = ui.element("input" if rows == 1 else "textarea")
        element.props["maxlength"] = longest
        element.props["spellcheck"] = "false"
        element.props["value"] = value
        if rows > 1:
            element.props["rows"] = rows
        self._listen(element)


class Switch(Field):
    """On or off."""

    def __init__(self, label: str, *, on: bool, changed: Callable[[str], Any]) -> None:
        super().__init__(label, "on" if on else "", changed)
        with self.box:
            element = ui.element("input").props("type=checkbox role=switch")
        if on:
            element.props("checked")
        self.box.classes("switch")
        self.element = element
        element.on("change", self._set, js_handler="(e) => emit(e.target.checked ? 'on' : '')")


def said(text: str, tag: str = "p") -> Any:
    """Text in an element."""
    element = ui.label(text)
    element.tag = tag
    return element


def heading(text: str, level: int = 2) -> Any:
    """A heading."""
    return said(text, f"h{level}")


def button(text: str, does: Does, *, main: bool = False, name: str = "") -> Any:
    """A button; `name` says more than its text does, where that is short."""
    element = said(text, "button").props("type=button").on("click", lambda: does())
    if name:
        element.props["aria-label"] = name
    return element.classes("main" if main else "")


def link(text: str, target: str, *, name: str = "") -> Any:
    """A link to another page; `name` says more than its text does, where that is short."""
    element = said(text, "a")
    element.props["href"] = target
    if name:
        element.props["aria-label"] = name
    return element

"""Which game, and who plays it: the controls from which a spec and its seats are made."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from backroll.game import Game
from backroll.parameters import REQUIRED, Parameter, parameters_of, written
from backroll.spec import GAMES
from backroll.web.allowed import Allowed
from backroll.web.pages.controls import Choose, Field, Number, Text, said
from backroll.web.pages.opponents import OTHER, opponents

TITLES = {
    "cantstop": "Can't Stop",
    "chinesecheckers": "Chinese Checkers",
    "nim": "Nim",
    "pig": "Pig",
    "rookending": "King and rook against king",
    "shutthebox": "Shut the Box",
}
LABELS = {
    "sides": "Sides of a die",
    "shortest": "Shortest column",
    "occupied": "On the other's square",
    "columns": "Columns to win",
    "target": "Points to win",
    "piglet": "Piglet, with a coin",
    "tiles": "Tiles",
}
OCCUPIED = {"roll": "roll: no stopping there", "share": "share: both stand there",
            "jump": "jump: go on to the next"}  # fmt: skip


class GameChoice:
    """A game and its parameters."""

    def __init__(self, allowed: Allowed, changed: Any = None) -> None:
        self._allowed, self._changed = allowed, changed
        games = {name: TITLES.get(name, name) for name in GAMES} | {n: n for n in allowed.own}
        with ui.element("div").classes("row-of"):
            self.game = Choose("Game", games, "cantstop", self._chosen)
            self._place = ui.element("div").classes("row-of inner")
        self._fields: dict[str, Field] = {}
        self._fill()

    @property
    def spec(self) -> str:
        """The spec of what is chosen."""
        items = [f"{name}={field.value}" for name, field in self._fields.items() if field.value]
        return f"{self.game.value}:{','.join(items)}" if items else self.game.value

    def _chosen(self, _: str) -> None:
        self._fill()
        self._tell(_)

    def _tell(self, _: str) -> None:
        if self._changed is not None:
            self._changed()

    def _fill(self) -> None:
        self._fields.clear()
        self._place.clear()
        if self.game.value not in GAMES:  # a game from a file comes as it was given
            return
        with self._place:
            for each in parameters_of(type(self._allowed.game(self.game.value))):
                self._fields[each.name] = self._field(each)

    def _field(self, known: Parameter) -> Field:
        """The control of a parameter, at its default."""
        label = LABELS.get(known.name, known.name.capitalize())
        value = "" if known.default is REQUIRED else written(known.default)
        if known.range is not None and value:
            return Number(label, *known.range, int(value), self._tell)
        choices = [*map(written, known.choices)] or ["true", "false"] * (known.kind is bool)
        if choices:
            named = {each: OCCUPIED.get(each, each) for each in choices}
            return Choose(label, named, value or choices[0], self._tell)
        return Text(label, value)


class Seat:
    """Who sits at a seat: a person or a strategy, with its strength in a sentence."""

    def __init__(self, label: str, value: str) -> None:
        self._box = ui.element("div").classes("seat")
        with self._box:
            self._choose = Choose(label, {value: value}, value, self._chosen)
            self._own = Text(f"{label}: a strategy of your own", longest=200)
            self._strength = said("").classes("quiet")

    @property
    def text(self) -> str:
        """The text of who sits there."""
        return self._own.value.strip() if self._choose.value == OTHER else self._choose.value

    def show(self, *, shown: bool) -> None:
        """Whether the game has this seat."""
        self._box.set_visibility(shown)

    def offer(self, game: Game[Any], value: str) -> None:
        """Offer those who play a game; who sat there stays, if he plays it."""
        self._offered = opponents(game)
        named = {text: each.name for text, each in self._offered.items()}
        kept = self._choose.value if self._choose.value in named else value
        self._choose.offer(named, kept)
        self._chosen(kept)

    def _chosen(self, value: str) -> None:
        self._strength.text = self._offered[value].strength
        self._own.box.set_visibility(value == OTHER)

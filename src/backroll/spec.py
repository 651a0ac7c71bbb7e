"""Specs: a game and its parameters in one line, in the one form used everywhere.

    pig:target=20                      a game of Backroll
    path/to/my_game.py:MyGame,size=5   a game of yours; MyGame may be left out if it is the only one

The parameters are those of the class's constructor, so a game declares them once:
`def __init__(self, target: Annotated[int, Range(2, 1000)] = 100)`. They may be `int` (with a
`Range` or without), `float`, `bool`, `str` or a `Literal`.

The *canonical* spec of a game leaves out what is at its default. A game made in Python rather
than loaded must keep each parameter as an attribute of the same name, or its spec is no more
than `module:Class`. The path of a file stands in the spec as it was typed: a table made from
`my_game.py` is opened from the folder it was made in.
"""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from typing import Any, NamedTuple

from backroll.errors import BackrollError, SpecError
from backroll.game import Game
from backroll.parameters import (
    REQUIRED,
    Parameter,
    Range,
    parameters_of,
    read_all,
    unknown,
    written,
)
from backroll.userfile import game_in, source_of, told

__all__ = [
    "GAMES",
    "Entry",
    "Range",
    "catalogue",
    "entry",
    "fingerprint",
    "load",
    "remember",
    "spec_of",
]

GAMES = {
    "cantstop": "backroll.games.cantstop:CantStop",
    "chinesecheckers": "backroll.games.chinese_checkers:ChineseCheckers",
    "nim": "backroll.games.nim:Nim",
    "pig": "backroll.games.pig:Pig",
    "rookending": "backroll.games.rook_ending:RookEnding",
    "shutthebox": "backroll.games.shut_the_box:ShutTheBox",
}
"""Where the games of Backroll are; each is imported when it is asked for."""

_REMEMBERED = "_backroll_spec"
"""The attribute that keeps the canonical spec of a game that was loaded."""


class Entry(NamedTuple):
    """A game as `backroll games` lists it, or a strategy as `backroll strategies` does."""

    name: str
    summary: str
    parameters: list[tuple[str, str, str]]
    """Of each its name, the values it takes, and its default."""


def load(spec: str) -> Game[Any]:
    """The game that a spec names."""
    file = re.fullmatch(r"(.+?\.py)(?::(.*))?", spec.strip(), re.DOTALL)
    head, _, rest = spec.strip().partition(":")
    if file:
        head, rest = file[1], file[2] or ""
    items = rest.split(",") if rest.strip() else []
    if not file:
        return _made(_built_in(head), head, head, items)
    named = items.pop(0).strip() if items and "=" not in items[0] else None
    game = game_in(head, named)
    return _made(game, _head(game), f"{head}:{game.__name__}", items)


def _built_in(name: str) -> type[Game[Any]]:
    if name not in GAMES:
        raise SpecError(f"expected a game or a file such as my_game.py, {unknown(name, GAMES)}")
    module, _, attribute = GAMES[name].partition(":")
    return getattr(import_module(module), attribute)  # type: ignore[no-any-return]


def _made(game: type[Game[Any]], head: str, label: str, items: list[str]) -> Game[Any]:
    """The game with the parameters that the items of its spec give."""
    if inspect.isabstract(game):
        lacks = ", ".join(sorted(game.__abstractmethods__))
        raise SpecError(f"{label}: expected a game with start, node and play, found no {lacks}")
    known = parameters_of(game)
    values = read_all(label, known, items)
    try:
        made = game(**values)
    except BackrollError:
        raise
    except Exception as error:  # the constructor of a user's game may raise anything
        raise SpecError(f"{label}: {told(error, inspect.getsourcefile(game))}") from error
    remember(made, _text(head, [(each, values.get(each.name, each.default)) for each in known]))
    return made


def remember(game: Game[Any], spec: str) -> None:
    """Keep a game's spec with it, even if it is frozen."""
    object.__setattr__(game, _REMEMBERED, spec)


def _head(game: type[Game[Any]]) -> str:
    """The spec of a game without its parameters."""
    for name, target in GAMES.items():
        module, _, attribute = target.partition(":")
        if getattr(sys.modules.get(module), attribute, None) is game:
            return name
    source = source_of(game)
    return f"{source.path if source else game.__module__}:{game.__qualname__}"


def _text(head: str, values: list[tuple[Parameter, Any]]) -> str:
    said = [f"{each.name}={written(value)}" for each, value in values if value != each.default]
    return ("," if ":" in head else ":").join([head, ",".join(said)]) if said else head


def spec_of(game: Game[Any]) -> str:
    """The canonical spec of a game: only what differs from its defaults, in declared order."""
    remembered: str | None = getattr(game, _REMEMBERED, None)
    if remembered is not None:
        return remembered
    head = _head(type(game))
    try:
        known = parameters_of(type(game))
        return _text(head, [(each, getattr(game, each.name)) for each in known])
    except (SpecError, AttributeError):
        return f"{type(game).__module__}:{type(game).__qualname__}"


def fingerprint(game: Game[Any]) -> str:
    """The SHA-256 of the file that a user's game was loaded from; empty for any other game."""
    source = source_of(type(game))
    return source.digest if source else ""


def catalogue() -> list[Entry]:
    """The games of Backroll with their parameters."""
    return [entry(name, _built_in(name)) for name in sorted(GAMES)]


def entry(name: str, made: type[Any]) -> Entry:
    """What a class that is made from a text says of itself and takes."""
    summary = (inspect.getdoc(made) or "").partition("\n\n")[0].replace("\n", " ")
    known = parameters_of(made)
    rows = [(each.name, each.takes, _default(each)) for each in known]
    return Entry(name, summary, rows)


def _default(parameter: Parameter) -> str:
    return "" if parameter.default is REQUIRED else written(parameter.default)

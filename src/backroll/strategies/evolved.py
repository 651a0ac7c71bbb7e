"""Strategies that evolution found, board by board, kept with how they were found.

The file is a list of boards: the strategy, as a text or as the vector of a general form, the turns
that it takes with the standard error, in how many fresh games of which seed, and the settings of
the evolution (`backroll.evolve.Settings`) that found it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from backroll.errors import StrategyError
from backroll.game import Game
from backroll.games.cantstop.rules import CantStop
from backroll.played import Habits
from backroll.spec import spec_of
from backroll.strategies.forms import Form, Weights
from backroll.strategies.habits import Habitual
from backroll.strategies.names import strategy, text_of
from backroll.strategies.protocol import Player

Kind: TypeAlias = Literal["linear", "weighted"]
KINDS: tuple[Kind, ...] = get_args(Kind)
PATH = Path(__file__).with_name("data") / "evolved.json"


class Found(NamedTuple):
    """What evolution found for a board."""

    sides: int
    shortest: int
    kind: Kind
    strategy: Habitual
    mean: float
    error: float
    games: int
    seed: int
    """Of the games by which it was measured, none of which it evolved by."""
    settings: dict[str, Any]

    @property
    def board(self) -> tuple[int, int]:
        """Sides of the dice and length of the shortest column."""
        return self.sides, self.shortest


@dataclass(frozen=True, slots=True)
class Evolved(Habitual):
    """What evolution found: linear weights of the genome, or weights of a general form."""

    kind: Kind = "weighted"

    def player(self, game: Game[Any], random: Random) -> Player:
        """Plays Can't Stop on the boards that it was evolved for."""
        return Habitual.player(self, game, random)

    def habits(self, game: CantStop) -> Habits:
        """The strategy as arrays."""
        return self.on(game).habits(game)

    def on(self, game: CantStop) -> Habitual:
        """The strategy for a board."""
        found = kept()
        wanted = (self.kind, (game.sides, game.shortest))
        for each in found:
            if (each.kind, each.board) == wanted:
                return each.strategy
        boards = [str(each.board) for each in found if each.kind == self.kind]
        raise StrategyError(
            f"evolved: expected a board with {self.kind} weights, of (sides, shortest) "
            f"{', '.join(boards) or 'none'}; found {spec_of(game)}"
        )


@cache
def kept(path: Path = PATH) -> tuple[Found, ...]:
    """What was found, in the order of the boards."""
    entries = json.loads(path.read_text(encoding="utf-8"))
    return tuple(Found(**{**each, "strategy": _read(each)}) for each in entries)


def keep(found: tuple[Found, ...], path: Path = PATH) -> None:
    """Write what was found, a board a line."""
    lines = [json.dumps(each._asdict() | {"strategy": _written(each.strategy)}) for each in found]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def _read(entry: dict[str, Any]) -> Habitual:
    said = entry["strategy"]
    if isinstance(said, str):
        known = strategy(said)
        assert isinstance(known, Habitual)
        return known
    form = Form(said["kind"], said["difficulty"])
    return Weights(entry["sides"], entry["shortest"], form, tuple(said["vector"]))


def _written(strategy: Habitual) -> Any:
    if not isinstance(strategy, Weights):
        return text_of(strategy)
    kind, difficulty = strategy.form
    return {"kind": kind, "difficulty": difficulty, "vector": strategy.vector}

"""Estimates of what anchors of Can't Stop are worth, for turns that are solved exactly.

    columns       turns left from how high each column is
    fitted        the same, fitted to turns that were solved exactly, and kept with Backroll
    table:PATH    what a table says, for one player or for two

Turns left alone, a for the mover and b for the other side, tell who wins: the mover does with
probability 1 / (1 + exp(-r (b - a + 1/2) / sqrt(a + b))), as the variance of what is to come grows
with the turns left, and he has half a turn's start.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from backroll.arrays import Floats
from backroll.dice import multisets
from backroll.errors import StrategyError
from backroll.games.cantstop.rules import CantStop, Heights, splits
from backroll.kernels import exact
from backroll.played import Softmin
from backroll.spec import spec_of
from backroll.strategies.tables import TabledTurns, TabledWins, database_of
from backroll.strategies.turns import Turn, closed_of

RATE = 1.5
"""r above: games alone on (6,3) take 6.7 turns with a standard deviation of 2.9, so the variance is
1.2 a turn, and a logistic curve of slope 1.7 is near the normal distribution."""
USUAL = 6.0
"""Rolls of a turn, about: a column costs its length over six times the chance of a roll to give it.
Nothing but a start for a fit."""


class Forecast(Protocol):
    """Expected turns left, as if the other side did nothing but close columns."""

    def turns(self, mine: Heights, theirs: Heights) -> float:
        """Turns left at an anchor."""
        ...

    def after(self, turn: Turn) -> Floats:
        """Turns left after a stop at each state of a turn."""
        ...


class Estimate(Protocol):
    """What anchors are worth to the mover; turns left count negative."""

    def anchor(self, mine: Heights, theirs: Heights) -> float:
        """What an anchor is worth."""
        ...

    def stops(self, turn: Turn) -> Floats:
        """What stopping is worth at each state of a turn."""
        ...


class Alone:
    """The fewer turns the better."""

    def __init__(self, forecast: Forecast) -> None:
        self._forecast = forecast

    def anchor(self, mine: Heights, theirs: Heights) -> float:
        """What an anchor is worth."""
        return -self._forecast.turns(mine, theirs)

    def stops(self, turn: Turn) -> Floats:
        """What stopping is worth at each state of a turn."""
        return -self._forecast.after(turn)


class Race:
    """Who wins, by the turns that either side has left."""

    def __init__(self, forecast: Forecast) -> None:
        self._forecast = forecast

    def anchor(self, mine: Heights, theirs: Heights) -> float:
        """What an anchor is worth."""
        turns = self._forecast.turns
        return float(chance(np.array(turns(mine, theirs)), turns(theirs, mine)))

    def stops(self, turn: Turn) -> Floats:
        """What stopping is worth at each state of a turn."""
        after, found = self._forecast.after(turn), np.ones(len(turn.states))
        for topped, there in turn.stops_by_fold():
            won = turn.won | topped
            if won.bit_count() < turn.game.columns:
                lengths, theirs = turn.game.lengths, turn.theirs_after(topped)
                mine = tuple(n if won >> c & 1 else 0 for c, n in enumerate(lengths))
                others = self._forecast.turns(theirs, mine)
                found[there] = 1.0 - chance(others, after[there])
        return found


def chance(mover: Any, other: Any) -> Any:
    """The mover's chance to win, by the turns that he and the other side have left.

    >>> bool(chance(3.0, 3.0) > 0.5 > chance(4.0, 3.0))
    True
    """
    return 1.0 / (1.0 + np.exp(-RATE * (other - mover + 0.5) / np.sqrt(mover + other)))


class SoftTurns:
    """Turns left as a soft minimum over the ways to win."""

    def __init__(self, game: CantStop, worth: Softmin) -> None:
        self._game, self._worth = game, worth

    def turns(self, mine: Heights, theirs: Heights) -> float:
        """Turns left at an anchor."""
        lengths = self._game.lengths
        won, dead = closed_of(lengths, mine), closed_of(lengths, theirs)
        left = self._game.columns - won.bit_count()
        return float(exact.softmin(self._worth, np.array(mine, np.int64), won, dead, left))

    def after(self, turn: Turn) -> Floats:
        """Turns left after a stop at each state of a turn."""
        found = np.zeros(len(turn.states))
        exact.softmin_stops(
            self._worth, turn.shape.climbs, np.array(turn.shape.opened, np.int64), turn.states,
            np.array(turn.mine, np.int64), turn.won, turn.dead, turn.left, found,
        )  # fmt: skip
        return found


def ways(game: CantStop) -> tuple[Any, Any]:
    """The sets of columns that win, and the same as bits."""
    sets = list(combinations(range(len(game.lengths)), game.columns))
    bits = [sum(1 << c for c in columns) for columns in sets]
    return np.array(sets, np.int64), np.array(bits, np.int64)


def rough(game: CantStop) -> Softmin:
    """Turns left from the squares left, each column by how likely a roll is to give it."""
    rolls = multisets(4, game.sides)
    column, bits = ways(game)
    climb = np.zeros((game.columns + 1, len(game.lengths), max(game.lengths) + 1))
    for c, length in enumerate(game.lengths):
        hits = sum(n for dice, n in rolls.items() if any(c + 2 in pair for pair in splits(dice)))
        each = game.sides**4 / (USUAL * hits)
        climb[:, c, : length + 1] = -each * (length - np.arange(length + 1)) / 0.5
    left = np.arange(game.columns + 1)
    return Softmin(
        column, bits, np.zeros((game.columns + 1, bits.size)), climb,
        scale=np.full(left.size, 0.5), offset=(left > 0).astype(np.float64),
    )  # fmt: skip


@cache
def fitted(sides: int, shortest: int, columns: int) -> Softmin | None:
    """The fit for a board, if there is one with Backroll."""
    file = files("backroll.strategies") / "data" / f"turns_{sides}_{shortest}.json"
    if columns != 3 or not file.is_file():
        return None
    kept = json.loads(file.read_text())
    column, bits = ways(CantStop(sides, shortest, 1))
    return Softmin(column, bits, *(np.array(kept[name]) for name in Softmin._fields[2:]))


def forecast(text: str, game: CantStop) -> Forecast | None:
    """The forecast that a text names, if it names one of turns left."""
    if text == "columns":
        return SoftTurns(game, rough(game))
    if text == "fitted":
        kept = fitted(game.sides, game.shortest, game.columns)
        if kept is None:
            raise StrategyError(f"exact: there is no fitted estimate for {spec_of(game)}")
        return SoftTurns(game, kept)
    name, _, path = text.partition(":")
    if name != "table" or not path:
        raise StrategyError(
            f"exact: expected an estimate among columns, fitted and table:PATH, found {text!r}"
        )
    database = database_of(path, game, "exact")
    return TabledTurns(game, database) if database.game.players == 1 else None


def estimate(text: str, game: CantStop, aim: str) -> Estimate:
    """The estimate that a text names; `aim` is to win or, alone, to take few turns."""
    found = forecast(text, game)
    if found is None and aim == "turns":
        raise StrategyError(f"exact: expected an estimate of turns for aim=turns, found {text!r}")
    if found is None:
        return TabledWins(game, database_of(text.partition(":")[2], game, "exact"))
    return Alone(found) if aim == "turns" else Race(found)

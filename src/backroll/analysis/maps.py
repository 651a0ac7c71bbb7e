"""What a solved game looks like, as plain data to draw.

The policy of Pig is where holding begins: with p(i, j) the value of a turn that begins at scores i
and j, and f the points of a throw,

    hold(i, j, k) = 1 - p(j, i + k)        roll(i, j, k) = mean of v(i, j, k + f), or 1 - p(j, i)

and v the larger of both; a turn total that reaches the target wins (Neller and Presser 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from backroll.analysis.analyst import Analyst
from backroll.arena.simulation import simulate
from backroll.arrays import Floats
from backroll.database import Database
from backroll.errors import SpecError
from backroll.games.cantstop.rules import CantStop, Position
from backroll.games.pig import Pig
from backroll.spec import spec_of
from backroll.strategies import strategy

REST = 0.002
"""Of all games, those that take longest, which a distribution leaves out."""


def policy(game: Pig, database: Database[Any]) -> dict[str, Any]:
    """Of each pair of scores the turn totals at which holding is best, as runs of them."""
    if game.players != 2:
        raise SpecError(f"{spec_of(game)}: expected Pig for two players")
    size = game.target
    worth = database.at(np.arange(size * size)).reshape(size, size)
    holds = _holds(game, worth)
    return {
        "spec": spec_of(game),
        "target": size,
        "holds": [[_runs(holds[:, i, j], size - i) for j in range(size)] for i in range(size)],
        "value": float(worth[0, 0]),
    }


def _holds(game: Pig, worth: Floats) -> Any:
    """Whether to hold, by turn total, own score and the other's."""
    size = game.target
    lost = 1.0 - worth.T
    holds = np.zeros((size, size, size), bool)
    after = [np.ones((size, size)) for _ in range(max(game.gains.values()) + 1)]
    for total in range(size - 1, 0, -1):
        gained = sum(after[gain - 1] for gain in game.gains.values())
        roll = (game.lost * lost + gained) / (game.lost + len(game.gains))
        hold = np.ones((size, size))
        hold[: size - total] = 1.0 - worth.T[total:]
        holds[total] = hold >= roll
        best = np.maximum(hold, roll)
        best[size - total :] = 1.0
        after = [best, *after[:-1]]
    return holds


def _runs(holds: Any, end: int) -> list[list[int]]:
    """The runs of totals, below the one that wins, at which holding is best."""
    totals = [total for total in range(1, end) if holds[total]]
    runs: list[list[int]] = []
    for total in totals:
        if runs and runs[-1][1] == total - 1:
            runs[-1][1] = total
        else:
            runs.append([total, total])
    return runs


def stops(analyst: Analyst, columns: Sequence[int], third: int) -> dict[str, Any]:
    """Stop or roll with markers in three columns of an empty board, the third at a height.

    `gain` is by how much stopping is better than rolling, to the mover.
    """
    game = _cantstop(analyst)
    places = [total - 2 for total in columns]
    inside = all(0 <= place < len(game.lengths) for place in places)
    if len(places) != 3 or sorted(set(places)) != places or not inside:
        raise SpecError(f"{spec_of(game)}: expected three columns in order, found {[*columns]}")
    across, up, last = (game.lengths[place] for place in places)
    if not 1 <= third <= last:
        raise SpecError(f"expected a height from 1 to {last} in column {columns[2]}, found {third}")
    rows = [
        [_gain(analyst, zip(places, (x, y, third), strict=True)) for x in range(1, across + 1)]
        for y in range(1, up + 1)
    ]
    basis = analyst.found(game.start()).basis.text
    said = {"spec": spec_of(game), "quantity": game.quantity, "basis": basis}
    return {**said, "columns": [*columns], "third": third, "gain": rows}


def _gain(analyst: Analyst, markers: Any) -> float | None:
    """By how much a stop is better than a roll; None where there is no choice."""
    start = analyst.game.start()
    position = Position(start.mine, start.theirs, tuple(markers))
    moves = {each.move: each.value for each in analyst.found(position).moves}
    if set(moves) != {"stop", "roll"}:
        return None
    gain = moves["stop"] - moves["roll"]
    return float(-gain if analyst.game.players == 1 else gain)


def climbs(analyst: Analyst) -> Iterator[dict[str, Any]]:
    """What a marker is worth at each height of each column, with every other column empty."""
    game = _cantstop(analyst)
    found: dict[str, list[float]] = {}
    basis = analyst.found(game.start()).basis.text
    for place, length in enumerate(game.lengths):
        start = game.start()
        row = []
        for height in range(length + 1):
            mine = (*start.mine[:place], height, *start.mine[place + 1 :])
            row.append(float(analyst.found(start._replace(mine=mine)).value))
        found[str(place + 2)] = row
        yield {
            "spec": spec_of(game), "quantity": game.quantity, "basis": basis, "values": {**found},
        }  # fmt: skip


def turns(game: CantStop, texts: Sequence[str], games: int) -> Iterator[dict[str, Any]]:
    """How many turns strategies take alone: the share of games for each number of turns."""
    if game.players != 1:
        raise SpecError(f"{spec_of(game)}: expected a game for one player")
    found: dict[str, Any] = {}
    for text in texts:
        played = simulate(game, [strategy(text)], games, threads=1)
        found[text] = {
            "mean": played.mean, "interval": [*played.interval], "games": played.games,
            "shares": _shares(played.turns, played.ended),
        }  # fmt: skip
        yield {"spec": spec_of(game), "strategies": {**found}}


def _shares(counts: Any, games: int) -> list[list[float]]:
    """Turns and shares, without the games that take longest."""
    told, rows = 0, []
    for turn, count in sorted(counts.items()):
        if told > (1 - REST) * games:
            break
        told += count
        rows.append([int(turn), count / games])
    return rows


def _cantstop(analyst: Analyst) -> CantStop:
    game = analyst.game
    if type(game) is not CantStop:
        raise SpecError(f"{spec_of(game)}: expected a game of cantstop")
    return game

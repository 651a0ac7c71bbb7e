"""What solving a game would take, before it is begun.

Components, positions and anchors are counted by arithmetic, so for a game of any size. The time
is that of a smaller board of the same kind, solved here and now, by its positions, and by how
many ways the dice can be used at a roll.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from backroll.engines.fitting import NUMBER, available, memory
from backroll.engines.turns import jobs_of, refuse_deadlock, solve
from backroll.errors import BackrollError
from backroll.game import Game
from backroll.games.cantstop.census import Census, census
from backroll.games.cantstop.rules import CantStop
from backroll.programs.boards import MERGED, Boards
from backroll.spec import spec_of

SAMPLES = {1: (4, 2), 2: (3, 2)}
"""By players, a board that is solved in about a second."""
ROUNDS = 3


class Plan(NamedTuple):
    """What there is to solve, and what it would take."""

    spec: str
    counted: Census
    """As the papers count: the two players told apart, or for one player mirror images."""
    merged: Census
    """As it is solved: of what is worth the same, one."""
    table: int
    """Bytes of the finished table."""
    memory: int
    """Bytes while solving."""
    available: int | None
    """Bytes of memory, as far as the system says."""
    seconds: float
    rate: float
    """Rolls a second, measured on the sample."""
    sample: str

    @property
    def fits(self) -> bool:
        """Whether there is memory enough."""
        return self.available is None or self.memory <= self.available


def plan(game: Game[Any], threads: int) -> Plan:
    """Count a game of Can't Stop and measure how long it would take."""
    if not isinstance(game, CantStop):
        raise BackrollError(f"{spec_of(game)}: expected Can't Stop, whose size can be counted")
    refuse_deadlock(game)
    merged = census(game)
    sample = _sample(game)
    reports = [solve(sample, threads=threads).report for _ in range(ROUNDS)]
    report = min(reports, key=lambda report: report.seconds["solve"])
    ways = _ways(game) / _ways(sample)
    rolls = merged.positions * report.rolls / report.positions
    rate = report.rolls / report.seconds["solve"]
    return Plan(
        spec=spec_of(game),
        counted=census(game, mirrored=game.players == 2, players=False),
        merged=merged,
        table=NUMBER * merged.anchors,
        memory=memory(jobs_of(game).size, merged.anchors),
        available=available(),
        seconds=rolls * ways / rate,
        rate=rate,
        sample=spec_of(sample),
    )


def _sample(game: CantStop) -> CantStop:
    """A board that is solved quickly, by the same rules; the game's own if it is no larger."""
    sides, shortest = SAMPLES[game.players]
    if (game.sides, game.shortest) <= (sides, shortest):
        return game
    columns = min(game.columns, 3)
    return CantStop(sides, shortest, game.players, game.occupied, columns)  # type: ignore[arg-type]


def _ways(game: CantStop) -> float:
    """How many ways there are to use a roll, added up over its outcomes: the mean of a turn."""
    climbs, lists = Boards(game, MERGED).climbs(0)
    ends = np.append(lists.option[1:], lists.step.size)
    ways = (ends - lists.option)[climbs.lists[:, -1]]
    some = np.where(np.arange(3) < climbs.size[:, None], climbs.length[climbs.column], 1)
    states = some.prod(1)
    return float((states * ways).sum() / states.sum())

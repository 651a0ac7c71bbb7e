"""Turn-exact play: every turn of Can't Stop solved exactly, from an estimate of the anchors.

Losing the turn is worth what the turn itself is worth that begins then: alone v = f(v) - 1; for
two players x = f(1 - y) and y = g(1 - x), where y is the other side's at the same heights. Both
are solved by Newton's method, so that play within a turn is as good as the estimate allows.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from backroll.errors import NotConverged
from backroll.game import Game, Move
from backroll.games.cantstop.rules import CantStop, Heights, Position
from backroll.strategies.estimates import Estimate, estimate
from backroll.strategies.protocol import Player, cantstop
from backroll.strategies.turns import TOLERANCE, Turn

ROOM = 2_000_000
"""States whose values a player keeps for turns met again: some 200 MB."""
STEPS = 40


@dataclass(frozen=True, slots=True)
class Exact:
    """Solves each turn exactly: its leaves by an estimate, its loss by Newton's method."""

    estimate: str = "fitted"
    aim: Literal["best", "turns"] = "best"
    """For two players: to win, or to take as few turns as if nobody else played."""

    def __post_init__(self) -> None:
        bare = self.estimate.strip()
        while bare.startswith("(") and bare.endswith(")"):
            bare = bare[1:-1].strip()
        object.__setattr__(self, "estimate", bare)

    def player(self, game: Game[Any], random: random.Random) -> Player:
        """Plays Can't Stop on the boards that the estimate knows."""
        known = cantstop(game, "exact")
        aim = "turns" if known.players == 1 else self.aim
        worth = estimate(self.estimate, known, aim)
        return TurnPlayer(known, lambda turns, turn: solved(turns, turn, worth, aim))


class TurnPlayer:
    """Plays by turns whose states all have a value; keeps the turns that it met last."""

    def __init__(self, game: CantStop, solve: Callable[[TurnPlayer, Turn], None]) -> None:
        self.game, self._solve = game, solve
        self._kept: OrderedDict[tuple[Heights, Heights], Turn] = OrderedDict()
        self._states = 0

    def __call__(self, position: Position) -> Move:
        """The move at a position with a choice."""
        return self.turn(position.mine, position.theirs).decide(position)

    def turn(self, mine: Heights, theirs: Heights) -> Turn:
        """The turn from an anchor."""
        turn = self._kept.get((mine, theirs))
        if turn is None:
            turn = Turn(self.game, mine, theirs)
            self._solve(self, turn)
            self.keep(turn)
        else:
            self._kept.move_to_end((mine, theirs))
        return turn

    def keep(self, turn: Turn) -> None:
        """Keep a turn that is solved, in place of those not met for longest."""
        self._states += len(turn.states)
        self._kept[turn.mine, turn.theirs] = turn
        while self._states > ROOM and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._states -= len(oldest.states)


def solved(turns: TurnPlayer, turn: Turn, worth: Estimate, aim: str) -> None:
    """Solve a turn, and for two players with it the other side's at the same heights."""
    if aim == "turns":
        turn.take(worth.stops(turn), 0.0)
        turn.settle(worth.anchor(turn.mine, turn.theirs))
        return
    other = Turn(turns.game, turn.theirs, turn.mine)
    for each in (turn, other):
        each.take(worth.stops(each), 1.0)
    settle(turn, other, worth)
    turns.keep(other)


def settle(one: Turn, two: Turn, worth: Estimate) -> None:
    """Solve two turns that are lost to each other, by Newton from what is estimated."""
    x, y = worth.anchor(one.mine, one.theirs), worth.anchor(two.mine, two.theirs)
    for _ in range(STEPS):
        a, s = one.evaluate(1.0 - y)
        b, r = two.evaluate(1.0 - x)
        step = (a - x - s * (b - y)) / (1.0 - s * r)
        x, y = x + step, b - r * step
        if max(abs(step), abs(a - x), abs(b - y)) <= TOLERANCE:
            one.value, two.value = x, y
            return
    raise NotConverged(f"{one.game.show(Position(one.mine, one.theirs))}: Newton did not settle")

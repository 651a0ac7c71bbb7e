"""Hold at N: the rule of thumb of everybody who plays Pig.

Hold at 20 makes the most points a turn with a die of six sides (Knizia 1999); it is not how most
games are won (Neller and Presser 2004).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Annotated, Any

from backroll.errors import StrategyError
from backroll.game import Game, Move
from backroll.games.pig import Pig, Score
from backroll.parameters import Range
from backroll.spec import spec_of
from backroll.strategies.protocol import Player


@dataclass(frozen=True, slots=True)
class Hold:
    """Roll until the turn has so many points, then hold."""

    at: Annotated[int, Range(1, 1000)] = 20

    def player(self, game: Game[Any], random: random.Random) -> Player:
        """Plays Pig and Piglet to any target."""
        if type(game) is not Pig:
            raise StrategyError(f"hold: expected a game of pig, found {spec_of(game)}")
        return self.move

    def move(self, position: Score) -> Move:
        """The move at a position with a choice."""
        return "hold" if position.turn >= self.at else "roll"

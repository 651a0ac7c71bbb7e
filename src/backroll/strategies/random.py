"""Moves drawn by lot: the strategy that any other should beat."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from backroll.game import Game
from backroll.strategies.protocol import Player, options


@dataclass(frozen=True, slots=True)
class Random:
    """Any move, each as likely as the others."""

    def player(self, game: Game[Any], random: random.Random) -> Player:
        """Plays any game."""
        return lambda position: random.choice(options(game, position))

"""A player who plays out every option before he decides, and may learn how the opponent errs.

Canakci, Serrano, Roy and Kruskal: before both decisions each option is played out many times by a
base player, and the one that wins most is taken. An opponent's stop is tested with errors from 0
to 1.5: the smallest with which stopping wins as often as rolling, when he goes on with that error
and the other side with none, is what the stop says about him (the largest, if none does). The
mean over his stops is his error in the rollouts that follow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any

from backroll.errors import StrategyError
from backroll.game import Game, Move
from backroll.games.cantstop.rules import CantStop, Position
from backroll.parameters import Range
from backroll.strategies.habits import Habitual
from backroll.strategies.models import Model
from backroll.strategies.names import strategy, text_of
from backroll.strategies.playouts import rollout
from backroll.strategies.protocol import Player, cantstop

ERRORS = tuple(i / 20 for i in range(31))
"""The errors that a stop is tested with."""
TESTED = 1_500
"""Games a test, for stopping and for rolling."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """Takes the option that wins most when all are played out by a base player."""

    games: Annotated[int, Range(1, 10_000_000)] = 60_000
    """Games an option."""
    base: str = "model"
    error: Annotated[float, Range(0, 10)] = 0.0
    """The opponent's error in the rollouts, or what it is taken for until he has stopped."""
    adapt: bool = False
    """Option the opponent's error from his stops."""

    def __post_init__(self) -> None:
        """Read the base player; StrategyError if rollouts cannot be made with it."""
        base = strategy(self.base)
        if not isinstance(base, Habitual):
            raise StrategyError(f"rollout: expected a base that plays by habits, found {self.base}")
        if (self.error or self.adapt) and not isinstance(base, Model):
            raise StrategyError(f"rollout: expected a model as base to err, found {self.base}")
        object.__setattr__(self, "base", text_of(base))

    def player(self, game: Game[Any], random: Random) -> Player:
        """Plays Can't Stop on any board, alone or against somebody."""
        known = cantstop(game, "rollout")
        base = strategy(self.base)
        assert isinstance(base, Habitual)
        if not self.adapt:
            other = erring(base, self.error)
            return RolloutPlayer(known, base, other, self.games, random)
        return AdaptingPlayer(known, base, self.error, self.games, random)


def erring(base: Habitual, error: float) -> Habitual:
    """The base player with an error."""
    return replace(base, error=error) if isinstance(base, Model) and error else base


class RolloutPlayer:
    """Plays by rollouts."""

    def __init__(
        self, game: CantStop, base: Habitual, other: Habitual, games: int, random: Random
    ) -> None:
        self.game, self.base, self.other = game, base, other
        self.games, self.random = games, random

    def __call__(self, position: Position) -> Move:
        """The move at a position with a choice."""
        seed = self.random.getrandbits(32)
        found = rollout(self.game, position, self.base, self.other, self.games, seed=seed)
        return found[0].move


class AdaptingPlayer(RolloutPlayer):
    """Plays by rollouts against an opponent with the error that his stops betray."""

    def __init__(
        self, game: CantStop, base: Habitual, error: float, games: int, random: Random
    ) -> None:
        super().__init__(game, base, erring(base, error), games, random)
        assert isinstance(base, Model)
        self.suspicion = Suspicion(game, base)

    def watch(self, position: Position, move: Move) -> None:
        """The opponent chose a move."""
        if move == "stop":
            self.suspicion.add(position, seed=self.random.getrandbits(32))
            self.other = erring(self.base, self.suspicion.error)


class Suspicion:
    """What an opponent's stops say about his error."""

    def __init__(self, game: CantStop, base: Model, games: int = TESTED) -> None:
        self.game, self.base, self.games = game, base, games
        self.errors: list[float] = []
        """What each stop says."""

    def add(self, position: Position, *, seed: int = 0) -> None:
        """He stopped at a position, written from his side."""
        found = justifying(self.game, position, self.base, self.games, seed=seed)
        self.errors.append(found)

    @property
    def error(self) -> float:
        """The mean over all stops; 0 before the first."""
        return sum(self.errors) / max(len(self.errors), 1)


def justifying(
    game: CantStop, position: Position, base: Model, games: int = TESTED, *, seed: int = 0
) -> float:
    """The smallest error with which stopping here wins as often as rolling."""
    for error in ERRORS:
        found = rollout(game, position, replace(base, error=error), base, games, seed=seed)
        if found[0].move == "stop":  # also of two that win the same
            return error
    return ERRORS[-1]

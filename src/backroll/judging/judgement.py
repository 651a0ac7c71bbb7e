"""What strategies are worth, exactly: by chance sent through all that they can meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from backroll.errors import StrategyError
from backroll.game import COST, Game
from backroll.games.cantstop.rules import CantStop
from backroll.graph import LIMIT
from backroll.judging import general, habits
from backroll.solution import Progress, silent
from backroll.spec import spec_of
from backroll.strategies import Player, Strategy, text_of
from backroll.strategies.habits import Habitual
from backroll.strategies.names import refuse_entered
from backroll.strategies.protocol import NoLots

ENGINES = ("auto", "general", "habits")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What strategies come to, to the first player."""

    spec: str
    strategies: tuple[str, ...]
    engine: str
    value: float
    bound: float | None
    """A proven bound on the error of the value; None for habits, which are not solved."""
    off: float
    """The largest residual; for habits how far all chances together are from 1."""
    anchors: int
    """Anchors that the strategies can meet."""
    deviation: float | None = None
    """One player: the standard deviation of the value of a game."""
    distribution: Mapping[float, float] = field(default_factory=dict)
    """One player: how likely each value is. Where costs have no end, without the last 1e-12."""
    optimal: float | None = None
    """What the game is worth with best play."""
    quantity: str = COST
    seconds: float = 0.0

    @property
    def cost(self) -> float | None:
        """What playing so costs the first player, against what the game is worth."""
        if self.optimal is None:
            return None
        lost = self.optimal - self.value
        return -lost if self.quantity == COST else lost

    @property
    def left(self) -> float:
        """The chance that the distribution leaves out."""
        return max(0.0, 1.0 - sum(self.distribution.values()))


def evaluate(
    game: Game[Any],
    strategies: Sequence[Strategy],
    *,
    engine: str = "auto",
    distribution: bool = True,
    optimal: float | None = None,
    limit: int = LIMIT,
    threads: int = 2,
    progress: Progress = silent,
) -> Judgement:
    """Judge one strategy, or two against each other, the first to move first.

    `engine` is one of `ENGINES`: by itself `habits` where they are all that is played, otherwise
    `general`, where `limit` is how many positions may be explored. `optimal` is what the game is
    worth with best play, if that is known.
    """
    refuse_entered(game, strategies)
    if engine not in ENGINES:
        raise StrategyError(f"expected an engine among {', '.join(ENGINES)}; found {engine!r}")
    began = perf_counter()
    habitual = [each for each in strategies if isinstance(each, Habitual)]
    fast = type(game) is CantStop and len(habitual) == len(strategies)
    if engine == "habits" and not fast:
        raise StrategyError(f"{spec_of(game)}: expected habits of cantstop to judge by")
    found: general.Found
    if type(game) is CantStop and fast and engine != "general":
        found = _by_habits(game, habitual, distribution, threads, progress)
        bound = None
    else:
        players = [_player(game, each) for each in strategies]
        found = general.judge(
            game, players, distribution=distribution, limit=limit, progress=progress
        )
        bound = found.bound
    return Judgement(
        spec_of(game),
        tuple(map(text_of, strategies)),
        "general" if bound is not None else "habits",
        found.value,
        bound,
        found.off,
        found.anchors,
        found.deviation,
        found.distribution,
        optimal,
        game.quantity,
        perf_counter() - began,
    )


def _by_habits(
    game: CantStop,
    strategies: Sequence[Habitual],
    distribution: bool,
    threads: int,
    progress: Progress,
) -> general.Found:
    made = [each.habits(game) for each in strategies]
    if game.players == 2:
        both = habits.duel(game, made, threads=threads, progress=progress)
        return general.Found(both.first, 0.0, both.off, both.anchors, None, {})
    one = habits.alone(game, made[0], distribution=distribution, threads=threads, progress=progress)
    return general.Found(one.mean, 0.0, one.off, one.anchors, one.deviation, one.distribution)


def _player(game: Game[Any], strategy: Strategy) -> Player:
    return strategy.player(game, NoLots(text_of(strategy)))

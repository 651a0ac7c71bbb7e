"""CMA-ES on the weights of strategies, through cmaes.

Weights are drawn from a normal distribution, whose mean moves to the better half of them and
whose covariance follows (Hansen, The CMA Evolution Strategy, 2016). The strategies of a generation
meet the same dice, those of the next generation others: the luck that they share does not count,
and nobody thrives on the luck of particular games for long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from backroll.arrays import Floats
from backroll.errors import EvolutionError
from backroll.evolve.settings import Settings
from backroll.evolve.spaces import plain, space_of
from backroll.games.cantstop.rules import CantStop
from backroll.strategies import strategy
from backroll.strategies.habits import Habitual


class Covariance:
    """Vectors, drawn around a mean that moves."""

    def __init__(self, game: CantStop, settings: Settings) -> None:
        start: Any = strategy(settings.start) if settings.start else None
        known = plain(game, start)
        self._game, self._space = game, space_of(settings.genome, known)
        self._start = self._space.start(game, known)
        self._units = self._space.units(game)
        self._size = settings.population
        self._cma = _optimizer(len(self._start), settings)
        self._drawn: list[Floats] = []

    def ask(self) -> list[Habitual]:
        """The generation to be judged."""
        if not self._drawn:
            self._drawn = [self._cma.ask() for _ in range(self._size)]
        return [self._strategy(each) for each in self._drawn]

    def _strategy(self, drawn: Floats) -> Habitual:
        return self._space.strategy(self._game, self._start + self._units * drawn)

    def tell(self, scores: Sequence[float]) -> None:
        """Move the mean."""
        self._cma.tell(list(zip(self._drawn, scores, strict=True)))
        self._drawn = []

    def summary(self) -> list[Habitual]:
        """The mean, which is better than most that are drawn around it."""
        return [self._strategy(self._cma.mean)]


def _optimizer(size: int, settings: Settings) -> Any:
    try:
        from cmaes import CMA
    except ImportError as error:
        raise EvolutionError(
            "evolve: the method cmaes needs cmaes; install backroll with the extra evolve"
        ) from error
    return CMA(
        mean=np.zeros(size),
        sigma=settings.sigma,
        population_size=settings.population,
        seed=settings.seed,
    )

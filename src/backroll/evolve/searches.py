"""Searches: they ask for the worth of some candidates, are told, and ask for others.

A search depends on its settings and on what it was told, on nothing else. So what it was told is
all that a checkpoint keeps: a search that is told the same again is the same again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from backroll.errors import EvolutionError
from backroll.evolve.settings import Settings
from backroll.games.cantstop.rules import CantStop
from backroll.strategies.habits import Habitual


class Search(Protocol):
    """Candidates, and better ones."""

    def ask(self) -> list[Habitual]:
        """The generation to be judged."""
        ...

    def tell(self, scores: Sequence[float]) -> None:
        """What each comes to, less being better."""
        ...

    def summary(self) -> list[Habitual]:
        """What the search would play now, beside the last generation; it may be nothing."""
        ...


def search_of(game: CantStop, settings: Settings) -> Search:
    """The search that the settings ask for."""
    if settings.method == "ga":
        from backroll.evolve.genetic import Genetic

        return Genetic(game, settings)
    if settings.method == "cmaes":
        from backroll.evolve.covariance import Covariance

        return Covariance(game, settings)
    raise EvolutionError(f"evolve: expected the method ga or cmaes, found {settings.method!r}")

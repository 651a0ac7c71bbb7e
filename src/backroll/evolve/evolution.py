"""What an evolution comes to, generation by generation and at its end."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from backroll.evolve.settings import Settings
from backroll.strategies.habits import Habitual

EARLY = 100
"""Of the last population, so many are looked at apart, as in the paper's Table 5."""


@dataclass(frozen=True, slots=True)
class Generation:
    """How the strategies of a generation were judged."""

    games: int
    turns: tuple[float, ...]
    """Of each strategy, in all its games."""
    asked: int
    """A checksum of the strategies."""
    seconds: float

    @property
    def best(self) -> float:
        """The least turns a game, luck included."""
        return min(self.turns) / self.games

    @property
    def mean(self) -> float:
        """The turns a game of all."""
        return sum(self.turns) / len(self.turns) / self.games

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.games * len(self.turns) / max(self.seconds, 1e-9)


@dataclass(frozen=True, slots=True)
class Final:
    """The last population, judged again by games that it was not selected by."""

    mean: float
    early: float
    """The best of the first hundred."""
    best: float
    """The best of all."""


@dataclass(frozen=True, slots=True)
class Evolution:
    """What an evolution came to."""

    settings: Settings
    generations: tuple[Generation, ...]
    final: Final
    strategy: Habitual
    """The best of the last population and of what the search made of it."""
    text: str
    mean: float
    """The turns that it takes, in fresh games."""
    error: float
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """The evolution as plain data."""
        return {
            "settings": asdict(self.settings),
            "strategy": self.text,
            "mean": self.mean,
            "error": self.error,
            "final": asdict(self.final),
            "seconds": self.seconds,
            "generations": [
                {"games": each.games, "best": each.best, "mean": each.mean, "rate": each.rate}
                for each in self.generations
            ],
        }

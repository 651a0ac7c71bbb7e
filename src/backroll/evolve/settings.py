"""What an evolution is given: all that its result depends on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from backroll.errors import EvolutionError
from backroll.games.cantstop.rules import CantStop
from backroll.spec import load, spec_of

Method: TypeAlias = Literal["ga", "cmaes"]
GENERATIONS = 1 << 20
"""Each seed has this many of its own: generations, and after them what is played at the end."""
LEAST = {
    "population": 4, "samples": 1, "more": 0, "generations": 1, "seed": 0, "entrants": 1,
    "finals": 1, "measured": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """What an evolution is given."""

    spec: str
    genome: str = "linear"
    method: Method = "ga"
    population: int = 100
    samples: int = 640
    """Games by which a strategy is judged; every generation adds `more`."""
    more: int = 0
    generations: int = 20
    seed: int = 0
    start: str = ""
    """The text of the strategy to start from. Without it the genetic algorithm starts from bits
    drawn by lot and CMA-ES from the Rule of N."""
    fitness: Literal["simulated", "exact"] = "simulated"
    flips: float = 0.04
    """The genetic algorithm: how likely each bit of a child is flipped."""
    entrants: int = 4
    """The genetic algorithm: of how many, drawn by lot, the best becomes a parent."""
    sigma: float = 0.5
    """CMA-ES: how far it looks around at first, where 1 is natural for each weight."""
    finals: int = 5_000
    """Games by which each of the last population is judged again."""
    measured: int = 1_000_000
    """Games by which the best of them is measured."""

    def game(self) -> CantStop:
        """The board; EvolutionError says what is wrong with the settings."""
        game = load(self.spec)
        if type(game) is not CantStop or game.players != 1:
            raise EvolutionError(
                f"evolve: expected a game of cantstop with players=1, found {spec_of(game)}"
            )
        for name, least in LEAST.items():
            if getattr(self, name) < least:
                raise EvolutionError(
                    f"evolve: {name} expected {least} or more, found {getattr(self, name)}"
                )
        if self.generations >= GENERATIONS // 2:
            raise EvolutionError(f"evolve: expected fewer generations, found {self.generations}")
        if not 0 <= self.flips <= 1:
            raise EvolutionError(f"evolve: flips expected 0 to 1, found {self.flips}")
        if not 0 < self.sigma <= 100:
            raise EvolutionError(f"evolve: sigma expected up to 100, found {self.sigma}")
        return game

    def games(self, generation: int) -> int:
        """Games by which a strategy of a generation is judged, counted from 0."""
        return self.samples + generation * self.more

    def dice(self, place: int) -> int:
        """The seed of a generation's games; those from GENERATIONS - 3 on are for the end."""
        return self.seed * GENERATIONS + place

"""The genetic algorithm of Glenn and Aloï 2009, through DEAP.

Of each generation pairs are selected by tournament: some are drawn by lot, and the one that was
judged best becomes a parent. Two children share out the bits of a pair at two points, each of
their bits is flipped with a small chance, and the children replace the generation. The paper's
tournaments have two rounds, which is read as the best of four.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from backroll.errors import EvolutionError
from backroll.evolve.settings import Settings
from backroll.evolve.spaces import nearest, plain, readings
from backroll.games.cantstop.rules import CantStop
from backroll.strategies import strategy
from backroll.strategies.genomes import GENOMES, Genome
from backroll.strategies.habits import Habitual


class Bits(list[int]):
    """A bit string and how it was judged."""

    fitness: Any


class Genetic:
    """Bit strings, bred."""

    def __init__(self, game: CantStop, settings: Settings) -> None:
        if settings.genome not in GENOMES:
            raise EvolutionError(
                f"evolve: expected a genome of bits for the method ga, {' or '.join(GENOMES)}, "
                f"found {settings.genome!r}"
            )
        self._genome: Genome[Any] = GENOMES[settings.genome]
        self._sides, self._size = game.sides, settings.population
        self._random = random.Random(settings.seed)
        self._tools = _toolbox(settings)
        self._readings: dict[str, Any] = {}
        self._population = self._first(game, settings)

    def _first(self, game: CantStop, settings: Settings) -> list[Bits]:
        """Bit strings by lot; or a strategy's and its mutants, with the strategy's readings."""
        if not settings.start:
            length = self._genome.length(self._sides)
            return [
                Bits(self._random.choices((0, 1), k=length)) for _ in range(settings.population)
            ]
        known: Any = plain(game, strategy(settings.start))  # type: ignore[arg-type]
        if not isinstance(known, self._genome.strategy):
            raise EvolutionError(
                f"evolve: expected a {settings.genome} strategy to start from, "
                f"found {settings.start}"
            )
        first = nearest(self._genome, self._sides, known)
        self._readings = readings(self._genome, first)
        bits = self._genome.encode(self._sides, first).tolist()
        with _lots(self._random):
            mutants = [self._tools.mutate(Bits(bits))[0] for _ in range(settings.population - 1)]
        return [Bits(bits), *mutants]

    def ask(self) -> list[Habitual]:
        """The generation to be judged."""
        decoded = (
            self._genome.decode(self._sides, np.array(bits, np.uint8)) for bits in self._population
        )
        return [replace(each, **self._readings) for each in decoded]

    def tell(self, scores: Sequence[float]) -> None:
        """Replace the generation by its children."""
        for bits, score in zip(self._population, scores, strict=True):
            bits.fitness = self._tools.fitness((score,))
        with _lots(self._random):
            chosen = self._tools.select(self._population, self._size + self._size % 2)
            children = [Bits(bits) for bits in chosen]
            for one, other in zip(children[::2], children[1::2], strict=True):
                self._tools.mate(one, other)
            for child in children:
                self._tools.mutate(child)
        self._population = children[: self._size]

    def summary(self) -> list[Habitual]:
        """Nothing: the generation is all there is."""
        return []


@contextmanager
def _lots(own: random.Random) -> Iterator[None]:
    """DEAP draws from the lots of all of Python; here from those of one search."""
    others = random.getstate()
    random.setstate(own.getstate())
    try:
        yield
    finally:
        own.setstate(random.getstate())
        random.setstate(others)


def _toolbox(settings: Settings) -> Any:
    """DEAP's operators with their parameters."""
    try:
        from deap import base, tools
    except ImportError as error:
        raise EvolutionError(
            "evolve: the method ga needs deap; install backroll with the extra evolve"
        ) from error
    toolbox = base.Toolbox()
    toolbox.register("fitness", type("Turns", (base.Fitness,), {"weights": (-1.0,)}))
    toolbox.register("select", tools.selTournament, tournsize=settings.entrants)
    toolbox.register("mate", tools.cxTwoPoint)
    toolbox.register("mutate", tools.mutFlipBit, indpb=settings.flips)
    return toolbox

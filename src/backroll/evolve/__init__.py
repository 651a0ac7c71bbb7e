"""Evolution: parameters of strategies, bred by how few turns they take alone."""

from backroll.evolve.evolution import Evolution, Generation
from backroll.evolve.running import evolve
from backroll.evolve.settings import Settings

__all__ = ["Evolution", "Generation", "Settings", "evolve"]

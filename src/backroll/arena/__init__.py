"""The arena: games between strategies, by the million where they are habits, and what they tell."""

from backroll.arena.playing import Step, play
from backroll.arena.simulation import Simulation, simulate

__all__ = ["Simulation", "Step", "play", "simulate"]

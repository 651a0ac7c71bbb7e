"""Strategies: what picks moves, as values with parameters and a text form."""

from backroll.strategies.names import STRATEGIES, strategy, text_of
from backroll.strategies.protocol import Player, Strategy, Watching

__all__ = ["STRATEGIES", "Player", "Strategy", "Watching", "strategy", "text_of"]

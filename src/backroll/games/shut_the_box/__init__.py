"""Shut the Box: flip down tiles that add up to the roll until you are stuck."""

from backroll.games.shut_the_box.recurrences import first_wins
from backroll.games.shut_the_box.rules import Box, ShutTheBox

__all__ = ["Box", "ShutTheBox", "first_wins"]

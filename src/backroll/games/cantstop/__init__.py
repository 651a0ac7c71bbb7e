"""Can't Stop: push your luck up the columns; three topped columns win."""

from backroll.games.cantstop.rules import CantStop, Position

__all__ = ["CantStop", "Position"]

"""Errors raised on purpose; each message says what was expected, what was found, and where."""


class BackrollError(Exception):
    """The root of the tree: the command line prints it as one line and exits with 2."""


class Interrupted(BackrollError):
    """Somebody stopped a work that can be taken up again; the command line exits with 130."""


class GameError(BackrollError):
    """A game breaks the contract: a bad weight, no moves, a position that cannot be hashed."""


class TooManyPositions(GameError):
    """Exploring passed its limit."""


class NoSolution(BackrollError):
    """A component has no value, or more than one."""


class NotConverged(BackrollError):
    """A method used up its iterations before its values settled."""


class IllegalMove(BackrollError):
    """A move that the position does not offer."""


class NotationError(BackrollError):
    """A text that is not a position (or a move) of the game."""


class StrategyError(BackrollError):
    """A text that names no strategy, or a strategy that cannot play the game."""


class PlotError(BackrollError):
    """A picture that cannot be drawn."""


class TranscriptError(BackrollError):
    """A text that is no transcript of a game, or one that the rules do not follow."""


class EvolutionError(BackrollError):
    """An evolution that cannot be run, or that cannot be taken up again."""


class SpecError(BackrollError):
    """A spec that names no game, or gives a parameter the game does not take."""


class TableError(BackrollError):
    """A table that cannot be used."""


class MissingTable(TableError):
    """There is no table there."""


class MissingPosition(TableError, KeyError):
    """The table does not hold the position."""

    __str__ = Exception.__str__


class CorruptTable(TableError):
    """The table's bytes are not those that were written."""


class WrongTable(TableError):
    """The table is whole but belongs to another game, other rules or another version."""

"""Who can be chosen as a player of a game: each with its strength in a sentence."""

from __future__ import annotations

from typing import Any, NamedTuple

from backroll.game import Game
from backroll.games.cantstop.rules import CantStop
from backroll.games.pig import Pig
from backroll.web.allowed import OPTIMAL, YOU
from backroll.web.strengths import STRENGTHS

OTHER = "other"


class Opponent(NamedTuple):
    """What he is called, and how strong he is."""

    name: str
    strength: str


PERSON = Opponent("you, or another person", "A person at this screen.")
ANYBODY = Opponent("another strategy …", "Any strategy with its parameters, such as ruleof:n=26.")
BY_HABIT = ("model", "ruleof", "linear:champion", "constant:champion", "exact:fitted",
            "exact:columns", "rollout:games=2000")  # fmt: skip


def opponents(game: Game[Any]) -> dict[str, Opponent]:
    """Those who play a game, by their texts."""
    found = {YOU: PERSON, OPTIMAL: _named(OPTIMAL)}
    if type(game) is CantStop:
        official = (game.sides, game.shortest, game.columns) == (6, 3, 3)
        found |= {text: _named(text) for text in BY_HABIT if official or text in _ANY_BOARD}
    if type(game) is Pig:
        found["hold"] = _named("hold")
    return {**found, "random": _named("random"), OTHER: ANYBODY}


_ANY_BOARD = ("model", "ruleof", "exact:columns", "rollout:games=2000")


def _named(text: str) -> Opponent:
    return Opponent(text, STRENGTHS[text.partition(":")[0]])

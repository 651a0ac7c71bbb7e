"""What a worker says of a whole game: its policy, where to stop, what heights are worth, turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from backroll.analysis import Analyst, maps
from backroll.database import Database
from backroll.errors import SpecError, StrategyError
from backroll.games.cantstop.rules import CantStop
from backroll.games.pig import Pig
from backroll.solving import solve
from backroll.spec import spec_of
from backroll.strategies.habits import Habitual
from backroll.web.allowed import Allowed, player_named

LARGEST = 200
"""Points to win in a game of Pig whose policy is drawn."""
STRATEGIES = 4
GAMES = 50_000


class Explorer:
    """Answers what is asked of a whole game; `analyst` knows who to ask about a spec."""

    def __init__(self, allowed: Allowed, analyst: Callable[[str], Analyst]) -> None:
        self._allowed, self._analyst = allowed, analyst
        self._policy = lru_cache(4)(self._solved)

    def answer(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """What there is to say, better and better."""
        spec = request["spec"]
        if request["what"] == "policy":
            yield self._policy(spec)
        elif request["what"] == "stops":
            yield maps.stops(self._analyst(spec), request["columns"], request["third"])
        elif request["what"] == "climbs":
            yield from maps.climbs(self._analyst(spec))
        else:
            game = self._allowed.game(spec)
            if type(game) is not CantStop:
                raise SpecError(f"{spec_of(game)}: expected a game of cantstop")
            yield from maps.turns(game, by_habit(request["strategies"]), GAMES)

    def _solved(self, spec: str) -> dict[str, Any]:
        game = self._allowed.game(spec)
        if type(game) is not Pig or game.target > LARGEST:
            raise SpecError(f"{spec_of(game)}: expected Pig to {LARGEST} points at most")
        return maps.policy(game, Database.of(solve(game)))


def by_habit(texts: list[str]) -> list[str]:
    """Strategies that kernels play; others would take too long here."""
    if not 0 < len(texts) <= STRATEGIES:
        raise StrategyError(f"expected 1 to {STRATEGIES} strategies, found {len(texts)}")
    for text in texts:
        if not isinstance(player_named(text), Habitual):
            raise StrategyError(f"{text}: expected a strategy that plays Can't Stop by habit")
    return texts

"""What a request may name: games, strategies and tables; never a path.

The games are those of Backroll and the files given at start, each by the spec it was given with;
the tables those in the folders given at start, by the specs of their games.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from backroll.analysis import Analyst, Tables
from backroll.analysis.kinds import source_over
from backroll.analysis.sources import Source
from backroll.database import open_table, save
from backroll.errors import BackrollError, NotationError, SpecError, StrategyError
from backroll.game import Game
from backroll.manifest import MANIFEST
from backroll.solution import Solution
from backroll.spec import GAMES, load, spec_of
from backroll.strategies import Strategy
from backroll.strategies import strategy as strategy_of
from backroll.strategies.exact import Exact
from backroll.strategies.names import STRATEGIES
from backroll.strategies.rollouts import Rollout

LARGEST = 1000
"""Of the numbers in a spec: Nim with a pile of a million has as many moves."""
GAMES_AN_OPTION = 100_000
SOLVED = 16
"""Boards solved here that are kept: of two million anchors at most, 16 MB each."""
KEPT = 64
"""Games that are kept, so that strategies find what they have worked out for them."""
FROM_FILES = ("optimal", "weighted")
ESTIMATES = ("columns", "fitted")
YOU, OPTIMAL = "you", "optimal"


class Known(NamedTuple):
    """Who knows a game from a table; he is asked by one thread at a time."""

    analyst: Analyst
    lock: Lock


class Allowed:
    """The games, strategies and tables of a server; `solved` is where it solves boards itself."""

    def __init__(
        self,
        files: Iterable[str] = (),
        folders: Iterable[Path] = (),
        solved: Path | None = None,
    ) -> None:
        self.own = {spec_of(game): game for game in map(load, files)}
        """The games from files, by their specs."""
        self.tables = Tables(tuple(folders))
        self._games: OrderedDict[str, Game[Any]] = OrderedDict()
        self._solved = solved
        self._known: dict[str, Known] = {}
        self._lock = Lock()

    def game(self, spec: str) -> Game[Any]:
        """The game that a request names."""
        spec = spec.strip()
        if spec in self.own:
            return self.own[spec]
        head = spec.partition(":")[0]
        if head not in GAMES:
            known = ", ".join([*GAMES, *self.own])
            raise SpecError(f"expected a game among {known}; found {spec[:60]!r}")
        if any(int(number) > LARGEST for number in re.findall(r"[0-9]+", spec)):
            raise SpecError(f"{head}: expected numbers up to {LARGEST} here, found a larger one")
        with self._lock:
            if spec not in self._games:
                self._games[spec] = load(spec)
            self._games.move_to_end(spec)
            while len(self._games) > KEPT:
                self._games.popitem(last=False)
            return self._games[spec]

    def position(self, game: Game[Any], text: str | None) -> Any:
        """The position that a text shows, once the rules were asked about it; or the start."""
        if text is None:
            return game.start()
        with understood(game, text):
            position = game.parse(text)
            game.node(position)
            return game.parse(game.show(position))

    def known(self, game: Game[Any]) -> Known | None:
        """Who knows a game from a table; None where there is none."""
        spec = spec_of(game)
        with self._lock:
            if spec not in self._known:
                source = self.tables.of(game) or self._solved_here(game)
                if source is None:
                    return None
                self._known[spec] = Known(Analyst(game, (Given(source),)), Lock())
            return self._known[spec]

    def keep(self, solution: Solution[Any]) -> None:
        """Keep a board that was solved here for everybody, if there is room."""
        place = self._place(solution.game)
        if place is not None and len(list(place.parent.iterdir())) < SOLVED:
            with suppress(BackrollError):  # positions of a user's game may not be read back
                save(solution, place)

    def _solved_here(self, game: Game[Any]) -> Source | None:
        place = self._place(game)
        if place is None or not (place / MANIFEST).is_file():
            return None
        return source_over(open_table(place, game), "solved here")

    def _place(self, game: Game[Any]) -> Path | None:
        name = hashlib.sha256(spec_of(game).encode()).hexdigest()
        return None if self._solved is None else self._solved / name


@dataclass(frozen=True, slots=True)
class Given:
    """A source that is there already, as a kind."""

    source: Source

    def of(self, game: Game[Any]) -> Source:
        """The source."""
        return self.source


@contextmanager
def understood(game: Game[Any], text: str) -> Iterator[None]:
    """The rules hold for every position that can be reached, so where they fail it is another."""
    try:
        yield
    except BackrollError:
        raise
    except Exception as error:  # rules may raise anything at what is no position of theirs
        found = f"{text[:60]!r} ({type(error).__name__})"
        raise NotationError(f"expected a position of {spec_of(game)}, found {found}") from error


def player_named(text: str) -> Strategy | None:
    """The strategy of a text; none for a person, and for optimal play by what the server knows."""
    text = text.strip()
    if text in (YOU, OPTIMAL):
        return None
    name = text.lstrip("( ").partition(":")[0].strip()
    if name in FROM_FILES:
        raise StrategyError(f"{name}: expected a strategy without a file, found {text[:60]!r}")
    found = strategy_of(text)
    if isinstance(found, Exact) and found.estimate not in ESTIMATES:
        estimates = " or ".join(ESTIMATES)
        raise StrategyError(f"exact: expected the estimate {estimates}, found {found.estimate!r}")
    if isinstance(found, Rollout):
        _refuse_rollout(found)
    return found


def _refuse_rollout(found: Rollout) -> None:
    player_named(found.base)
    if found.games > GAMES_AN_OPTION:
        raise StrategyError(
            f"rollout: expected {GAMES_AN_OPTION:,} games at most, found {found.games:,}"
        )
    if found.adapt:
        raise StrategyError("rollout: expected adapt=false here, found adapt=true")


def names() -> list[str]:
    """The names of the strategies that a request may give."""
    return [name for name in sorted(STRATEGIES) if name not in FROM_FILES]

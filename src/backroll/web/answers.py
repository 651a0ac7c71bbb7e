"""Quick answers, in threads of the server: what a table says, and moves by habit.

A thread cannot be ended, so there are few of them, and nobody waits for one for long: what takes
longer is asked of a worker.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from random import SystemRandom
from threading import Lock
from typing import Any, TypeVar

from backroll.errors import BackrollError
from backroll.spec import load
from backroll.strategies import Player
from backroll.strategies.exact import Exact
from backroll.strategies.rollouts import Rollout
from backroll.web.allowed import Allowed, player_named

Answer = TypeVar("Answer")
THREADS = 4
WAITING = 256
"""Questions at once, at most."""
PATIENCE = 2.0
"""Seconds that somebody waits for a thread."""
HABITS = 64
TURNS = 2
"""Players that are kept, of those who keep whole turns as well: 200 MB each."""


class Slow(BackrollError):
    """It is not to be had quickly."""


class Quick:
    """Answers from tables and by habits."""

    def __init__(self, allowed: Allowed) -> None:
        self.allowed = allowed
        self._threads = ThreadPoolExecutor(THREADS, "quick")
        self._busy = 0
        self._habits = lru_cache(HABITS)(self._player)
        self._turns = lru_cache(TURNS)(self._player)

    def close(self) -> None:
        """Wait for no thread."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def analyse(self, spec: str, position: str | None) -> dict[str, Any]:
        """What a table says of a position; Slow where there is none."""
        return await self._within(lambda: self._analysed(spec, position))

    async def move(self, spec: str, text: str, position: Any) -> Any:
        """The move of a strategy; Slow where it is one that plays games out."""
        return await self._within(lambda: self._moved(spec, text, position))

    async def require(self, spec: str, text: str) -> None:
        """StrategyError if a strategy cannot play a game."""
        await self._within(lambda: self._checked(spec, text))

    async def _within(self, work: Callable[[], Answer]) -> Answer:
        if self._busy >= WAITING:
            raise Slow("too much is asked at once; ask again")
        self._busy += 1
        task = asyncio.get_running_loop().run_in_executor(self._threads, work)
        task.add_done_callback(self._left)
        try:
            return await asyncio.wait_for(asyncio.shield(task), PATIENCE)
        except TimeoutError:
            raise Slow(f"expected an answer within {PATIENCE:g} s, found none") from None

    def _left(self, task: asyncio.Future[Any]) -> None:
        self._busy -= 1
        if not task.cancelled():
            task.exception()  # nobody may wait for it any more

    def _analysed(self, spec: str, position: str | None) -> dict[str, Any]:
        game = self.allowed.game(spec)
        known = self.allowed.known(game)
        if known is None:
            raise Slow(f"{spec}: there is no table")
        here = self.allowed.position(game, position)
        with known.lock:
            found: dict[str, Any] = plain(known.analyst.analyse(here).as_dict())
        return found

    def _moved(self, spec: str, text: str, position: Any) -> Any:
        strategy = player_named(text)
        if strategy is None or isinstance(strategy, Rollout):
            raise Slow(f"{text}: expected a strategy that plays by habit")
        turns = isinstance(strategy, Exact)
        player, lock = (self._turns if turns else self._habits)(spec, text)
        with lock:
            return player(position)

    def _checked(self, spec: str, text: str) -> None:
        strategy = player_named(text)
        if strategy is not None:
            strategy.player(self.allowed.game(spec), SystemRandom())

    def _player(self, spec: str, text: str) -> tuple[Player, Lock]:
        """A player for a game of his own: what he keeps goes when he goes."""
        own = self.allowed.own.get(spec)
        strategy = player_named(text)
        assert strategy is not None
        return strategy.player(load(spec) if own is None else own, SystemRandom()), Lock()


def plain(value: Any) -> Any:
    """The same as JSON has it: what is not a finite number is null."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value if isinstance(value, str | int | None) else value.item()

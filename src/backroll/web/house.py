"""The house: the sessions, their games, and those who answer them; the API and the pages use it."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from weakref import WeakValueDictionary

from backroll.errors import BackrollError, IllegalMove
from backroll.spec import spec_of
from backroll.web.allowed import YOU, Allowed
from backroll.web.answers import Quick, Slow
from backroll.web.limits import LOCAL
from backroll.web.matches import Match
from backroll.web.sessions import Sessions, Signer, Unknown
from backroll.web.store import Store
from backroll.web.workers import Job, Pool

SOON = 0.5
"""Seconds that an answer to a move waits for the other side's."""
MOVES = 30
"""Moves that a strategy makes before others have a turn."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server is started with."""

    tables: tuple[Path, ...] = ()
    files: tuple[str, ...] = ()
    """Specs of games in files."""
    saved: Path | None = None
    """Where games are kept; nowhere if None."""
    workers: int | None = None
    hosts: tuple[str, ...] = LOCAL
    """By which names requests may call it."""

    @property
    def arguments(self) -> list[str]:
        """The same for a worker."""
        tables = [text for folder in self.tables for text in ("--tables", str(folder))]
        return tables + [text for file in self.files for text in ("--game", file)]


class House:
    """Everything that a server has, and that its answers are made of."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._solved = Path(gettempdir()) / f"backroll_{secrets.token_hex(8)}"
        self.allowed = Allowed(settings.files, settings.tables, self._solved)
        store = Store(settings.saved)
        self.signer = Signer.in_folder(settings.saved)
        self.sessions = Sessions(self.allowed, store)
        self.quick = Quick(self.allowed)
        arguments = [*settings.arguments, "--solved", str(self._solved)]
        self.pool = Pool(arguments, size=settings.workers)
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._troubles: dict[str, str] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def open(self) -> None:
        """Start the workers."""
        self._solved.mkdir(mode=0o700)
        self.pool.start()

    async def close(self) -> None:
        """End the workers and what strategies are at."""
        for task in list(self._playing.values()):
            task.cancel()
        self.quick.close()
        await self.pool.close()
        shutil.rmtree(self._solved, ignore_errors=True)

    async def begin(
        self, session: str, spec: str, seats: Sequence[str], position: str | None = None
    ) -> tuple[str, Match]:
        """A new game and its id; StrategyError if a strategy cannot play it."""
        for text in seats:
            if text != YOU:
                await self.quick.require(spec, text)
        id, match = self.sessions.begin(session, spec, seats, position)
        self.sessions.save(session, id)
        await self.go_on(session, id)
        return id, match

    async def move(self, session: str, id: str, text: str, step: int | None = None) -> Match:
        """Make a move for a person, and go on until a person is to move or it takes longer."""
        match = self.sessions.match(session, id)
        if step is not None and step != len(match.steps):
            raise IllegalMove(f"expected a move at step {len(match.steps)}, found one at {step}")
        if not match.over and not match.waits:
            raise IllegalMove("expected a move when it is a person's turn, found one before")
        match.choose(text)
        self.sessions.save(session, id)
        await self.go_on(session, id)
        return match

    async def undo(self, session: str, id: str) -> Match:
        """Go back to before the last thing that a person did."""
        match = self.sessions.match(session, id)
        self._stop(id)
        match.undo()
        self.sessions.save(session, id)
        return match

    def thinking(self, id: str) -> bool:
        """Whether a strategy is at work in a game."""
        return id in self._playing

    def trouble(self, id: str) -> str:
        """Why a strategy did not move, if it did not."""
        return self._troubles.get(id, "")

    def remove(self, session: str, id: str) -> None:
        """Forget a game."""
        self.sessions.remove(session, id)
        self._stop(id)

    def _stop(self, id: str) -> None:
        self._troubles.pop(id, None)
        task = self._playing.pop(id, None)
        if task is not None:
            task.cancel()

    async def go_on(self, session: str, id: str) -> None:
        """Let strategies move until a person is to; come back before that if it takes long."""
        match = self.sessions.match(session, id)
        if match.over or match.waits:
            return
        if id not in self._playing:
            self._troubles.pop(id, None)
            task = asyncio.create_task(self._play(session, id, match))
            self._playing[id] = task
            task.add_done_callback(lambda done: self._played(id, done))
        await asyncio.wait({self._playing[id]}, timeout=SOON)

    def _played(self, id: str, task: asyncio.Task[None]) -> None:
        if self._playing.get(id) is task:
            del self._playing[id]
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._troubles[id] = str(error)

    async def _play(self, session: str, id: str, match: Match) -> None:
        made = 0
        while True:
            match.settle()
            if match.over or match.waits:
                break
            match.make(await self._move(session, match))
            made += 1
            if made % MOVES == 0:
                await asyncio.sleep(0)
        with suppress(Unknown):  # the session may have gone meanwhile
            self.sessions.save(session, id)

    async def _move(self, session: str, match: Match) -> Any:
        """The move of the strategy that is to choose."""
        node: Any = match.node
        moves = list(node.moves)
        if len(moves) == 1:
            return moves[0]
        spec, text = spec_of(match.game), match.seats[match.mover - 1]
        with suppress(Slow):
            return await self.quick.move(spec, text, match.position)
        shown = match.game.show(match.position)
        with suppress(Slow):
            if text == "optimal":
                found = await self.quick.analyse(spec, shown)
                return _named(match, moves, found["moves"][0]["move"])
        about = {"spec": spec, "position": shown, "strategy": text, "seed": len(match.steps)}
        async with self._locks.setdefault(session, asyncio.Lock()):
            job = await self.pool.submit(session, {"kind": "move", **about})
            try:
                return _named(match, moves, (await job.result())["move"])
            finally:
                self.pool.cancel(job)  # nobody waits for it any more

    async def analyse(self, session: str, spec: str, position: str | None, by: str) -> Any:
        """What a position is worth: an analysis where it is known, or the job that finds it."""
        game = self.allowed.game(spec)
        shown = str(game.show(self.allowed.position(game, position)))
        if by == "best":
            with suppress(Slow):
                return await self.quick.analyse(spec, shown)
        about = {"spec": spec_of(game), "position": shown, "by": by}
        return await self.pool.submit(session, {"kind": "analyse", **about})

    async def review(self, session: str, transcript: str) -> Job:
        """The job that judges a game."""
        return await self.pool.submit(session, {"kind": "review", "transcript": transcript})

    async def judge(self, session: str, match: Match) -> Job:
        """The job that judges a game as far as it went."""
        about = {"spec": spec_of(match.game), "seats": match.seats, "moves": match.moves}
        start = None if match.whole else match.start
        return await self.pool.submit(session, {"kind": "judge", "start": start, **about})

    def job(self, session: str, id: str) -> Job:
        """A job of a session; Unknown if it has none of that id."""
        found = self.pool.job(session, id)
        if found is None:
            raise Unknown("expected a job of this session, found none of that id")
        return found


def _named(match: Match, moves: Sequence[Any], text: str) -> Any:
    for move in moves:
        if match.game.show_move(move) == text:
            return move
    raise BackrollError(f"expected a move of the game, found {text!r}")

"""Worker processes: what may take long is done there, and can be ended at any time.

A worker is `python -m backroll.web.worker` and speaks JSON, a line a message, over its pipes:
nothing is pickled. A job that is cancelled, takes too long or takes its worker down with it costs
that worker, and another is started in its place.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from backroll.errors import BackrollError
from backroll.solving import processors

QUEUE = 64
"""Jobs that wait, at most."""
LIMIT = 60.0
"""Seconds of a job, at most."""
SHARE = 5.0
"""Seconds after which a job that has an answer makes room for one that waits."""
FINISHED = 1000
"""Jobs that are remembered once they are over."""
LINE = 16_000_000
"""Bytes of a message: the review of a long game."""


class Busy(BackrollError):
    """Too many jobs are waiting."""


Status = Literal["waiting", "running", "done", "failed", "cancelled"]


@dataclass(slots=True, eq=False)
class Job:
    """Something that a worker is to find out; `found` is the best answer so far."""

    id: str
    session: str
    request: dict[str, Any]
    status: Status = "waiting"
    found: dict[str, Any] | None = None
    error: str = ""
    seconds: float = 0.0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is over, also when somebody ended it."""

    @property
    def over(self) -> bool:
        """Whether nothing will change any more."""
        return self.status in ("done", "failed", "cancelled")

    def tell(self, status: Status, found: dict[str, Any] | None = None, error: str = "") -> None:
        """Change, and let those know who follow."""
        if self.over:
            return
        self.status, self.error = status, error
        self.found = self.found if found is None else found
        if self.over:
            self.ended.set()
        self.changed.set()
        self.changed = asyncio.Event()

    async def follow(self) -> AsyncIterator[Job]:
        """The job now and whenever it has changed, until it is over."""
        while True:
            changed = self.changed
            yield self
            if self.over:
                return
            await changed.wait()

    async def result(self) -> dict[str, Any]:
        """What was found in the end; BackrollError if nothing was."""
        await self.ended.wait()
        if self.found is None:
            raise BackrollError(self.error or "expected an answer, found the job cancelled")
        return self.found


class Pool:
    """Worker processes and the jobs that wait for them; moves go before what is only asked."""

    def __init__(
        self,
        arguments: Iterable[str] = (),
        *,
        size: int | None = None,
        queue: int = QUEUE,
        limit: float = LIMIT,
    ) -> None:
        self.size = max(1, processors() - 1) if size is None else size
        self.queue, self.limit = queue, limit
        self._command = [sys.executable, "-m", "backroll.web.worker", *arguments]
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._waiting: list[Job] = []
        self._arrived = asyncio.Condition()
        self.processes: list[int] = []
        """Their numbers."""
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the workers."""
        self._tasks = [asyncio.create_task(self._serve()) for _ in range(self.size)]

    async def close(self) -> None:
        """End the workers, and with them what they are at."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for job in self._jobs.values():
            job.tell("cancelled")

    async def submit(self, session: str, request: dict[str, Any]) -> Job:
        """A new job; it replaces one of the same kind by the same session."""
        kind = request["kind"] == "move"
        for job in list(self._jobs.values()):
            if job.session == session and (job.request["kind"] == "move") == kind:
                self.cancel(job)
        if len(self._waiting) >= self.queue:
            raise Busy(f"expected fewer than {self.queue} jobs to wait, found more; ask again")
        job = Job(secrets.token_urlsafe(24), session, request)
        self._jobs[job.id] = job
        self._forget()
        async with self._arrived:
            self._waiting.insert(0, job) if kind else self._waiting.append(job)
            self._arrived.notify()
        return job

    def job(self, session: str, id: str) -> Job | None:
        """A job of a session, if it has one of that id."""
        job = self._jobs.get(id)
        return job if job is not None and job.session == session else None

    def cancel(self, job: Job) -> None:
        """End a job; its last answer stays."""
        job.tell("cancelled")
        if job in self._waiting:
            self._waiting.remove(job)

    def _forget(self) -> None:
        over = [job for job in self._jobs.values() if job.over]
        for job in over[: max(0, len(self._jobs) - FINISHED)]:
            del self._jobs[job.id]

    async def _serve(self) -> None:
        """Do one job after the other, in a process that is replaced when it was ended."""
        process = await self._spawned()
        try:
            while True:
                async with self._arrived:
                    await self._arrived.wait_for(lambda: self._waiting)
                    job = self._waiting.pop(0)
                if job.over:
                    continue
                if process.returncode is not None:  # it ended by itself
                    await self._killed(process)
                    process = await self._spawned()
                if not await self._done(process, job):
                    await self._killed(process)
                    process = await self._spawned()
        finally:
            await self._killed(process)

    async def _spawned(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, limit=LINE, start_new_session=True
        )
        self.processes.append(process.pid)
        return process

    async def _killed(self, process: Process) -> None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        self.processes.remove(process.pid)

    async def _done(self, process: Process, job: Job) -> bool:
        """Do a job; whether the worker can do another."""
        began = time.monotonic()
        job.tell("running")
        work = asyncio.create_task(_work(process, job))
        ended = asyncio.create_task(job.ended.wait())
        try:
            while not (work.done() or ended.done()):
                spent = time.monotonic() - began
                if spent > self.limit or (self._waiting and spent > SHARE and job.found):
                    break
                await asyncio.wait({work, ended}, timeout=0.2, return_when="FIRST_COMPLETED")
        finally:
            for task in (work, ended):
                task.cancel()
            job.seconds = time.monotonic() - began
        if work.done() and not work.cancelled() and work.exception() is None:
            return True
        self._conclude(job)
        return False

    def _conclude(self, job: Job) -> None:
        """Say what came of a job whose worker is to be ended."""
        if job.found is not None:
            job.tell("done")
        elif job.seconds > self.limit:
            job.tell("failed", error=f"expected an answer within {self.limit:g} s, found none")
        else:
            job.tell("failed", error="expected an answer, found the worker gone")


async def _work(process: Process, job: Job) -> None:
    """Ask a worker and take its answers until the last."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(job.request).encode() + b"\n")
    await process.stdin.drain()
    while not job.over:
        line = await process.stdout.readline()
        if not line:
            raise EOFError
        said = json.loads(line)
        if "error" in said:
            job.tell("failed", error=said["error"])
        else:
            job.tell("done" if said["last"] else "running", said["found"])

"""A server on the loopback address under load: people who play at once, and how long moves take.

It starts a server of its own, plays for a number of seconds, prints percentiles and ends both. A
person takes whatever choice comes to hand, after a pause that is drawn anew each time; without a
pause every person sends the next move as soon as the last one was answered. A move is timed from
the request to the answer, which has the opponent's moves in it if those took half a second at
most, and has a figure in it that says how many did not.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx
from papers.sheet import machine, today

SESSIONS, SECONDS = 200, 120
"""More are not to be asked for."""
START = 60.0
"""Seconds that the server may take to start."""


class Case(NamedTuple):
    """What is played, and how."""

    name: str
    spec: str
    second: str
    sessions: int
    pause: float
    """Seconds on average."""


class Tally:
    """How long moves took, and what went wrong."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.games, self.late, self.refused = 0, 0, 0

    def line(self, case: Case, seconds: float) -> str:
        """What came of it."""
        times = sorted(self.times)
        shares = " ".join(f"{1000 * _share(times, p):7.1f}" for p in (0.5, 0.95, 0.99, 1.0))
        rate = len(times) / seconds
        return (
            f"{case.name:<44} {len(times):7,} {rate:8.0f} {shares} {self.late:6} {self.refused:4}"
        )


def _share(times: Sequence[float], share: float) -> float:
    return times[min(int(share * len(times)), len(times) - 1)] if times else float("nan")


CASES = (
    Case("one session, the value known", "pig:target=50", "optimal", 1, 0.0),
    Case("one session, Can't Stop (6,3), ruleof", "cantstop", "ruleof", 1, 0.0),
    Case("one session, Can't Stop (6,3), exact", "cantstop", "exact", 1, 0.0),
    Case("sessions, a move a second each, ruleof", "cantstop", "ruleof", 50, 1.0),
    Case("sessions, a move a second each, optimal", "pig:target=50", "optimal", 50, 1.0),
    Case("sessions, without a pause, ruleof", "cantstop", "ruleof", 50, 0.0),
)


async def person(client: httpx.AsyncClient, case: Case, until: float, tally: Tally) -> None:
    """Play games until the time is over."""
    lots = random.Random(id(client))
    await asyncio.sleep(lots.random() * case.pause)
    while time.monotonic() < until:
        begin = {"spec": case.spec, "first": "you", "second": case.second}
        found = (await client.post("/api/game", json=begin)).raise_for_status().json()
        tally.games += 1
        while not found["over"] and time.monotonic() < until:
            found = await _next(client, case, found, lots, tally)


async def _next(
    client: httpx.AsyncClient, case: Case, found: dict[str, Any], lots: random.Random, tally: Tally
) -> dict[str, Any]:
    """The game after a move, or after waiting for the other side's."""
    if not found["waits"]:
        await asyncio.sleep(0.05)
        answer = await client.get(f"/api/game/{found['id']}")
        return dict(answer.raise_for_status().json())
    await asyncio.sleep(lots.expovariate(1 / case.pause) if case.pause else 0)
    move = lots.choice(found["state"]["choices"])["move"]
    began = time.perf_counter()
    answer = await client.post(f"/api/game/{found['id']}/move", json={"move": move})
    tally.times.append(time.perf_counter() - began)
    tally.refused += answer.status_code != 200
    after: dict[str, Any] = answer.raise_for_status().json()
    tally.late += after["thinking"]
    return after


async def played(address: str, case: Case, seconds: float) -> Tally:
    """Everybody at once, each with a session of his own."""
    tally = Tally()
    until = time.monotonic() + seconds
    clients = [
        httpx.AsyncClient(base_url=address, trust_env=False, verify=False, timeout=30)
        for _ in range(case.sessions)
    ]
    try:
        await asyncio.gather(*(person(client, case, until, tally) for client in clients))
    finally:
        await asyncio.gather(*(client.aclose() for client in clients))
    return tally


@contextmanager
def server() -> Iterator[tuple[str, float]]:
    """A server of its own: its address, and how long it took to start."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = "from backroll.cli import main; main()"
    began = time.monotonic()
    address = f"http://127.0.0.1:{port}"
    games = TemporaryDirectory()
    options = ["serve", "--port", str(port), "--games", games.name]
    process = subprocess.Popen([sys.executable, "-c", program, *options])
    try:
        while True:
            try:
                httpx.get(f"{address}/api/games", trust_env=False).raise_for_status()
                break
            except httpx.ConnectError:
                if process.poll() is not None or time.monotonic() > began + START:
                    raise
                time.sleep(0.05)
        yield address, time.monotonic() - began
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        games.cleanup()


def main() -> None:
    """Start a server, play on it, and print what was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving")
    parser.add_argument("--sessions", type=int, default=50, choices=range(1, SESSIONS + 1))
    parser.add_argument("--seconds", type=float, default=8.0)
    given = parser.parse_args()
    seconds = min(given.seconds, SECONDS)
    print(f"{today()}: {machine()}, load {os.getloadavg()[0]:.1f}\n")
    with server() as (address, started):
        print(f"started in {started:.2f} s")
        for attempt in ("first", "second"):
            began = time.perf_counter()
            httpx.get(address, trust_env=False).raise_for_status()
            print(f"page, the {attempt} time: {1000 * (time.perf_counter() - began):.0f} ms")
        print(f"\n{'ms':<44}   moves a second     50%     95%     99%    most   late  4xx")
        for case in CASES:
            sessions = given.sessions if case.sessions > 1 else 1
            many = case._replace(sessions=sessions, name=f"{sessions} {case.name}")
            if sessions == 1:
                many = case
            tally = asyncio.run(played(address, many, seconds))
            print(tally.line(many, seconds), flush=True)


if __name__ == "__main__":
    main()

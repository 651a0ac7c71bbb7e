"""The process that does what may take long: analyses, moves by rollouts, reviews.

It reads requests from its standard input, a line of JSON each, and writes answers as
`{"found": …, "last": false}` or `{"error": …}` to its standard output. It ends with its input,
also in the middle of a work. What games print goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import Any, TextIO

from backroll.analysis import Analyst, OnTheSpot, Rollouts, TurnExact, review
from backroll.analysis.kinds import source_over
from backroll.arena.transcripts import read, replay
from backroll.database import Database
from backroll.errors import BackrollError
from backroll.web.allowed import Allowed, Given, player_named
from backroll.web.answers import plain
from backroll.web.exploring import Explorer
from backroll.web.matches import Match

KEPT = 8
"""Boards that stay solved."""


class Worker:
    """Answers requests, each with one answer or with better and better ones."""

    def __init__(self, allowed: Allowed) -> None:
        self.allowed = allowed
        self._analyst = lru_cache(KEPT)(self._made)
        self._explorer = Explorer(allowed, lambda spec: self._analyst(spec, "best"))

    def answer(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """What there is to say."""
        answers = {
            "analyse": self._analyse,
            "move": self._move,
            "review": self._review,
            "judge": self._judge,
            "explore": self._explorer.answer,
        }
        return answers[request["kind"]](request)

    def _analyse(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        game = self.allowed.game(request["spec"])
        position = self.allowed.position(game, request["position"])
        for analysis in self._analyst(request["spec"], request["by"]).refine(position):
            yield plain(analysis.as_dict())

    def _move(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        game = self.allowed.game(request["spec"])
        position = self.allowed.position(game, request["position"])
        strategy = player_named(request["strategy"])
        if strategy is None:
            analysis = self._analyst(request["spec"], "best").analyse(position)
            yield {"move": analysis.moves[0].move}
        else:
            player = strategy.player(game, Random(request["seed"]))
            yield {"move": game.show_move(player(position))}

    def _review(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        found = read(request["transcript"])
        game = self.allowed.game(found.spec)
        replay(found, game=game)
        match = Match(game, found.strategies)
        match.restore([line.move for line in found.lines])
        analyst = self._analyst(found.spec, "best")
        yield plain(review(game, match.steps, analyst, found.strategies).as_dict())

    def _judge(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """A game as far as it went."""
        game = self.allowed.game(request["spec"])
        start = None if request["start"] is None else game.parse(request["start"])
        match = Match(game, request["seats"], start=start)
        match.restore(request["moves"])
        analyst = self._analyst(request["spec"], "best")
        yield plain(review(game, match.steps, analyst, match.seats).as_dict())

    def _made(self, spec: str, by: str) -> Analyst:
        game = self.allowed.game(spec)
        rollouts = Rollouts(threads=1)
        if by == "rollouts":
            return Analyst(game, (rollouts,))
        known = self.allowed.known(game)
        if known is None:
            solution = OnTheSpot().solution(game)
            if solution is None:
                return Analyst(game, (TurnExact(), rollouts))
            self.allowed.keep(solution)
            known = self.allowed.known(game)
            if known is None:
                source = source_over(Database.of(solution), "solved just now")
                return Analyst(game, (Given(source),))
        return known.analyst


def serve(worker: Worker, requests: SimpleQueue[str], answers: TextIO) -> None:
    """Answer requests for ever."""
    while True:
        for said in _answered(worker, requests.get()):
            answers.write(json.dumps(said, allow_nan=False) + "\n")
            answers.flush()


def _answered(worker: Worker, line: str) -> Iterator[dict[str, Any]]:
    """The answers to a request, the last of them marked; or one line about what is wrong."""
    try:
        found: dict[str, Any] | None = None
        for each in worker.answer(json.loads(line)):
            if found is not None:
                yield {"found": found, "last": False}
            found = each
        yield {"found": found, "last": True}
    except BackrollError as error:
        yield {"error": " ".join(str(error).split())}
    except Exception as error:  # a user's game may raise anything; the worker goes on
        yield {"error": " ".join(f"{type(error).__name__}: {error}".split())[:500]}


def _read(requests: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)  # whoever asked is gone: nobody waits for the answer


def main() -> None:
    """Run a worker until its input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)  # the server answers first
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    parser = argparse.ArgumentParser(prog="backroll.web.worker")
    parser.add_argument("--tables", action="append", default=[], type=Path)
    parser.add_argument("--game", action="append", default=[])
    parser.add_argument("--solved", type=Path)
    given = parser.parse_args()
    requests: SimpleQueue[str] = SimpleQueue()
    Thread(target=_read, args=(requests,), daemon=True).start()
    serve(Worker(Allowed(given.game, given.tables, given.solved)), requests, answers)


if __name__ == "__main__":
    main()

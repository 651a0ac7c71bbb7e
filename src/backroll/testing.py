"""`check`: test a user's game against the contract, each finding with the position.

First every position near the start is asked everything, breadth first, then those on random
walks. If anchors are found by arithmetic, rows and positions must be inverse, and what stands at
rows drawn at random is asked everything too. Then the whole game is explored, to see that it ends,
that it can end from everywhere, and that no cycle avoids the anchors; but not a game that counts
more anchors than are to be explored. Last, positions that `symmetry` takes for one are solved
apart.
"""

from __future__ import annotations

import math
from contextlib import suppress
from random import Random
from typing import Any

from backroll.contract import Broken, ContractError, Finding, Inspector, Ledger, declared
from backroll.errors import BackrollError, TooManyPositions
from backroll.game import Game, Move, Node
from backroll.linking import linked
from backroll.numbering import numbered

__all__ = ["Finding", "check"]

LIMIT = 1_000_000
"""How many positions are explored to see whether a game ends."""
WALKS, STEPS = 32, 200
SAMPLES = 20
SOLVED, TRIED, SMALL = 40, 200, 5_000
"""Of the positions taken for one: how many are compared, tried, and how large each may be."""
HOPELESS = 20
"""So many without an answer at first, and no more are tried."""


def check(
    game: Game[Any], positions: int = 2_000, seed: int = 0, *, limit: int = LIMIT
) -> list[Finding]:
    """What is wrong with a game, in a stable order; nothing means that nothing was found.

    >>> from backroll import Chance, Terminal
    >>> class Loaded(Game[int]):
    ...     players = 1
    ...     def start(self): return 0
    ...     def node(self, position): return Chance({1: 0.5}) if position == 0 else Terminal(1)
    ...     def play(self, position, move): return move
    >>> for finding in check(Loaded()): print(*finding, sep="; ")
    a weight that is not a whole number from 1; 0; expected a whole number from 1, found 0.5 for 1
    """
    ledger = Ledger(game)
    inspector = Inspector(game, ledger)
    with suppress(Broken):
        declared(game, ledger)
        start = _start(game, inspector)
        with ledger.asking("comparing positions", start):
            finished = _walk(inspector, start, positions)
            _wander(inspector, start, Random(seed))
        if _sound(ledger):
            with suppress(Broken):
                _sample(inspector, finished, Random(seed))
            numbered(inspector, Random(seed))
            linked(inspector, Random(seed))
            if not sampled(game, limit):
                _whole(game, ledger, start, limit)
            _alike(inspector)
    return ledger.findings


def sampled(game: Game[Any], limit: int = LIMIT) -> bool:
    """Whether a game counts more anchors than are to be explored, so that samples must do."""
    try:
        return bool(game.anchor_count() > limit)
    except Exception:  # a user's code may raise anything: `numbered` says so
        return False


def _start(game: Game[Any], inspector: Inspector) -> Any:
    ledger = inspector.ledger
    with ledger.asking("start()"):
        start, again = game.start(), game.start()
    inspector.hashable(start)
    with ledger.asking("comparing positions", start):
        same = start == again and hash(start) == hash(again)
    if not same:
        ledger.stop("start() changes its answer", f"first {start!r}, then {again!r}", start)
    return start


def _walk(inspector: Inspector, start: Any, positions: int) -> bool:
    """Visit breadth first; whether that was the whole game."""
    seen = {start}
    queue = [start]
    finished = True
    for position in queue:
        for child in inspector.visit(position):
            if child in seen:
                continue
            if len(queue) < positions:
                seen.add(child)
                queue.append(child)
            else:
                finished = False
    return finished


def _wander(inspector: Inspector, start: Any, random: Random) -> None:
    """Visit what random walks meet."""
    for _ in range(WALKS):
        position = start
        for _ in range(STEPS):
            children = inspector.visit(position)
            if not children:
                break
            position = random.choice(children)


def _sample(inspector: Inspector, finished: bool, random: Random) -> None:
    """Ask for samples, which must be positions that can be reached."""
    ledger = inspector.ledger
    for _ in range(SAMPLES):
        with ledger.asking("sample()"):
            position = inspector.game.sample(random)
        inspector.hashable(position)
        if finished and position not in inspector.children:
            ledger.note("sample() gives what cannot be reached", repr(position), position)


def _sound(ledger: Ledger) -> bool:
    """Whether nothing was found that would only be found again: texts do no harm."""
    harmless = ("show()", "parse()")
    return all(finding.problem.startswith(harmless) for finding in ledger.findings)


def _whole(game: Game[Any], ledger: Ledger, start: Any, limit: int) -> None:
    """Explore the game to its ends."""
    from backroll.graph import explore
    from backroll.reach import cycles_without_anchor, endless

    try:
        explored = explore(game, limit)
    except TooManyPositions as error:
        detail = f"{error}; check it to a larger one with --limit"
        ledger.note("more positions than the limit", detail, start)
        return
    except ContractError as error:
        ledger.findings.append(error.finding)
        return
    for found in endless(explored):
        ledger.note("no end can be reached", "every way on leads back here", found)
    for found in cycles_without_anchor(explored):
        ledger.note("anchor() misses a cycle", "a cycle through here has no anchor", found)


class _From(Game[Any]):
    """A game that begins at some position, without its symmetry."""

    def __init__(self, game: Game[Any], position: Any) -> None:
        self._game, self._position = game, position
        self.players, self.quantity, self.total = game.players, game.quantity, game.total
        self.chance = game.chance

    def start(self) -> Any:
        return self._position

    def node(self, position: Any) -> Node:
        return self._game.node(position)

    def play(self, position: Any, move: Move) -> Any:
        return self._game.play(position, move)


def _alike(inspector: Inspector) -> None:
    """Compare positions that are taken for one, the last met (the nearest to an end) first."""
    compared = 0
    for tried, (position, stands) in enumerate(inspector.alike[: -TRIED - 1 : -1]):
        if tried == HOPELESS and not compared:
            return
        try:
            here, there = _worth(inspector.game, position), _worth(inspector.game, stands)
        except BackrollError:
            continue  # too large to solve on the way, or without a value
        if not math.isclose(here, there, rel_tol=1e-9, abs_tol=1e-9):
            other = inspector.ledger.text(stands)
            detail = f"worth {here:.12g}, but {other}, which stands for it, {there:.12g}"
            inspector.ledger.note("symmetry() does not hold", detail, position)
        compared += 1
        if compared == SOLVED:
            return


def _worth(game: Game[Any], position: Any) -> float:
    """The value of a position by itself."""
    from backroll.solving import solve

    return solve(_From(game, position), limit=SMALL).value

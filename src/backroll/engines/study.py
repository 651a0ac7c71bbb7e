"""The study's solvers: forward and backward, with every choice a parameter, all effort counted.

All links are kept in memory, both ways. Sturtevant and Saffidine's states are max's or min's;
where every move hands over, each state of the engine stands for one of either.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from backroll.arrays import DRAWN, LOST, WON, Bytes, Choices, Links, Longs, Study, Words
from backroll.engines.layers import BLOCK, Effort, refuse_farther
from backroll.errors import BackrollError
from backroll.kernels.study import (
    DRAW,
    LOSS,
    WIN,
    backward_pass,
    forward_pass,
    naive_pass,
)
from backroll.states import Listed, States

MOST = 1 << 28
"""Links that are kept in memory, 4 bytes each way."""
PARTS = 64
"""In which threads share a pass, at the most: a thread is not worth fewer states."""
FAR = np.iinfo(np.uint16).max
"""The depth of what is open: a thread that sees an outcome before its depth takes it for open."""


class Found(NamedTuple):
    """What a solver found for max's and min's states, and with how much effort."""

    outcome: Bytes
    depth: Words
    effort: Effort


def held(states: States) -> Listed:
    """All links of some states, worked out once."""
    if isinstance(states, Listed):
        return states
    parts = []
    count = 0
    for begin in range(0, states.size, BLOCK):
        parts.append(states.successors(np.arange(begin, min(begin + BLOCK, states.size))))
        count += parts[-1].state.size
        if count > MOST:
            raise BackrollError(
                f"expected at most {MOST:,} moves to be kept in memory, found more among "
                f"{states.size:,} states; method layers works them out as it goes"
            )
    degree = np.concatenate([np.diff(part.first) for part in parts])
    first = np.zeros(states.size + 1, np.int64)
    np.cumsum(degree, out=first[1:])
    links = Links(first, np.concatenate([part.state for part in parts]))
    return Listed(links, states.ends(0, states.size), states.turns)


def two_sided(states: Listed) -> Listed:
    """Every state once for max and once for min: state s is 2 s for max and 2 s + 1 for min."""
    if states.turns.size:
        return states
    links, size = states.links, states.size
    degree = np.diff(links.first)
    first = np.zeros(2 * size + 1, np.int64)
    np.cumsum(np.repeat(degree, 2), out=first[1:])
    within = np.arange(links.state.size) - np.repeat(links.first[:-1], degree)
    state = np.empty(2 * links.state.size, np.int32)
    for side in (0, 1):
        state[np.repeat(first[side:-1:2], degree) + within] = 2 * links.state + (1 - side)
    turns = np.tile(np.array([0, 1], np.uint8), size)
    return Listed(Links(first, state), np.repeat(states.ends(0, size), 2), turns)


def solve(
    states: Listed,
    method: str,
    choices: Choices,
    order: Longs | None = None,
    threads: int = 1,
) -> Found:
    """Solve by `naive`, `forward`, `backward` or `hybrid`, going through states in an order.

    `hybrid` is forward search that goes back at once from what it has settled, or from wins or
    losses alone. Several threads
    share the states of a pass, and find the same outcomes, and distances where there are some. Only
    what is layered then has counts that do not depend on which of them is first; going back, two
    may still look at one state at the same moment, and both count it.
    """
    order = np.arange(states.size) if order is None else order
    study = _begun(states)
    effort = Effort()
    if method == "naive":
        _naive(study, order, effort)
        return Found(study.outcome, study.depth, effort)
    if method == "hybrid":
        choices = choices._replace(direct=True, layered=False)
    kernel = backward_pass if method == "backward" else forward_pass
    parts = np.array_split(order, min(threads, PARTS))
    with ThreadPoolExecutor(len(parts)) as pool:
        changed = True
        while changed:
            if choices.layered:
                refuse_farther(effort.passes)
            effort.passes += 1
            work = _part(kernel, study, choices, effort.passes)
            done = list(pool.map(work, parts))
            changed = any(each for each, _ in done)
            for _, counts in done:
                effort.add(Effort(*counts.tolist()))
    return Found(study.outcome, study.depth, effort)


def _begun(states: Listed) -> Study:
    """The study with the ends of the game settled."""
    ends = states.ends(0, states.size)
    mine = np.array([0, WIN, LOSS, DRAW], np.uint8)[ends]
    others = np.array([0, LOSS, WIN, DRAW], np.uint8)[ends]
    outcome = np.where(states.turns == 0, mine, others)
    links, back = states.links, states.back
    return Study(
        links.first, links.state, back.first, back.state, states.turns, outcome,
        np.where(outcome > 0, 0, FAR).astype(np.uint16), np.zeros(states.size, np.uint8),
        states.alternating,
    )  # fmt: skip


def _part(
    kernel: Callable[[Study, Choices, Longs, int, Longs], bool],
    study: Study,
    choices: Choices,
    layer: int,
) -> Callable[[Longs], tuple[bool, Longs]]:
    def work(order: Longs) -> tuple[bool, Longs]:
        counts = np.zeros(4, np.int64)
        return kernel(study, choices, order, layer, counts), counts

    return work


def _naive(study: Study, order: Longs, effort: Effort) -> None:
    """Algorithm 1 for the wins, and for the losses the same with the sides exchanged."""
    wins = study.outcome.copy()
    losses = np.array([0, LOSS, WIN, DRAW], np.uint8)[study.outcome]
    for outcome, turns in ((wins, study.turns), (losses, 1 - study.turns)):
        outcome[outcome == LOSS] = 0
        side = study._replace(outcome=outcome, turns=turns)
        counts = np.zeros(4, np.int64)
        more = True
        while more:
            more = naive_pass(side, order, outcome.copy(), counts)
            effort.passes += 1
        effort.add(Effort(*counts.tolist()))
    study.outcome[wins == WIN] = WIN
    study.outcome[losses == WIN] = LOSS


def words(found: Found, states: Listed) -> Words:
    """What was found as words, seen from whoever is to move; distances only if layered."""
    mine = np.array([0, WON, LOST, DRAWN], np.uint16)[found.outcome]
    others = np.array([0, LOST, WON, DRAWN], np.uint16)[found.outcome]
    outcome = np.where(states.turns == 0, mine, others)
    return np.where(found.outcome > 0, 4 * found.depth + outcome, 0).astype(np.uint16)

"""The algorithms by name, each filling a `Problem`'s values.

auto         Newton for each component with a cycle, strategy iteration where it has many
             cut positions or Newton does not settle, plain iteration as a last resort
acyclic      Algorithm 1 with children counting, for games without a cycle
levels       Algorithm 1 level by level
iteration    Algorithm 2: value iteration over the whole graph
topological  Algorithm 2 component by component, supports first
turns        value iteration with a limit of turns, which grows until it no longer matters
newton       Algorithm 3 on every component with a cycle
policy       strategy iteration on every component with a cycle
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from backroll.arrays import Longs
from backroll.engines.policy import strategy_iteration
from backroll.engines.problem import TOLERANCE, Problem
from backroll.engines.proving import refuse_if_undecided
from backroll.errors import GameError, NotConverged
from backroll.graph import overrides
from backroll.kernels import newton as kernel
from backroll.kernels import sweeps
from backroll.solution import Progress

STEPS = 200
"""Newton steps a component may take; a handful is usual."""

SWEEPS = 10_000_000
"""Sweeps that value iteration may take."""

STILL = 1e-14
"""Value iteration stops when no value moves by more. That bounds no error: the proof does."""

SHAPES = (
    "acyclic",
    "newton, one anchor",
    "newton, two anchors",
    "newton, independent halves",
    "newton, many anchors",
)
"""What a kernel's tally counts, by place; which case of Algorithm 3 a component is."""

WARM_UP = 30
"""Sweeps before strategy iteration, for moves to begin with that lead out of the component."""


def acyclic(problem: Problem, progress: Progress) -> None:
    """Algorithm 1 with children counting."""
    graph = problem.graph
    begin, parent = sweeps.parents_of(graph.first, graph.child)
    done = sweeps.count_children(graph, begin, parent, problem.value, problem.choice)
    if done < problem.value.size:
        _refuse_cycle(problem, "acyclic")
    problem.count("acyclic")


def levels(problem: Problem, progress: Progress) -> None:
    """Algorithm 1 by level."""
    if problem.order.cyclic.any():
        _refuse_cycle(problem, "levels")
    graph = problem.graph
    order, start = sweeps.by_level(graph.first, graph.child, problem.order.order)
    for begin, end in pairwise(start):
        sweeps.settle(graph, order, begin, end, problem.value, problem.choice)
    problem.count("levels")


def _refuse_cycle(problem: Problem, method: str) -> None:
    begin, end = next((b, e) for b, e, cyclic in problem.stretches() if cyclic)
    raise GameError(
        f"{method} wants a game without cycles; there is one at {problem.describe(begin, end)}"
    )


def iteration(problem: Problem, progress: Progress) -> None:
    """Algorithm 2 on the whole graph, cut positions worth 0 to begin with."""
    size = problem.value.size
    problem.iterations = _iterate(problem, 0, size, STILL, progress)
    problem.count("iteration")


def topological(problem: Problem, progress: Progress) -> None:
    """Algorithm 2 by component."""
    for begin, end, cyclic in _stretches(problem, progress):
        if cyclic:
            problem.count("iteration", _iterate(problem, begin, end, STILL, progress))
        else:
            _settle(problem, begin, end)


def _iterate(problem: Problem, begin: int, end: int, tolerance: float, progress: Progress) -> int:
    """Sweep a stretch until it is still, a thousand sweeps at a time."""
    graph, order = problem.graph, problem.order.order
    done, change = 0, np.inf
    scale = max(1.0, float(np.abs(graph.adds[order[begin:end]]).max()))
    while change > tolerance * scale:
        if done >= SWEEPS or not np.isfinite(problem.value[order[end - 1]]):
            raise NotConverged(
                f"value iteration still moves by {change:.1e} after {done:,} sweeps "
                f"at {problem.show(int(order[end - 1]))}"
            )
        swept, change = sweeps.iterate(
            graph, order, begin, end, problem.value, problem.choice, tolerance * scale, 1000
        )
        done += swept
        scale = max(scale, abs(float(problem.value[order[end - 1]])))
        if end - begin == problem.value.size:
            progress("iterate", done, None)
    return done


def turns(problem: Problem, progress: Progress) -> None:
    """Seed 003's turn limit: n more turns, then a draw; n even, until n and n - 2 agree."""
    explored = problem.explored
    if not overrides(explored.game, "anchor"):
        raise GameError("the method of turns wants a game that says where a turn starts (anchor)")
    problem.value[:] = _middle(problem)
    anchor, image = explored.anchor, problem.room.image
    before = problem.value[anchor]
    for n in range(2, SWEEPS, 2):
        for _ in range(2):
            _one_turn(problem)
            problem.value[anchor] = image[anchor]
        now = problem.value[anchor]
        progress("turns", n, None)
        if now.size == 0 or np.abs(now - before).max() <= STILL * max(1.0, np.abs(now).max()):
            _one_turn(problem)
            problem.count("turns", n)
            return
        before = now
    raise NotConverged(f"the limit of turns still matters after {SWEEPS:,} turns")


def _one_turn(problem: Problem) -> None:
    order, anchor = problem.order.order, problem.explored.anchor
    image = problem.room.image
    sweeps.one_turn(problem.graph, order, anchor, problem.value, problem.choice, image)


def newton(problem: Problem, progress: Progress) -> None:
    """Algorithm 3, and nothing else, on every component with a cycle."""
    widest = max(
        (problem.cut_positions(b, e).size for b, e, cyclic in problem.stretches() if cyclic),
        default=0,
    )
    problem.widen(max(widest, 1))
    for begin, end in _unsettled(problem, progress):
        refuse_if_undecided(problem, begin, end)
        raise NotConverged(f"Newton does not settle at {problem.describe(begin, end)}")


def policy(problem: Problem, progress: Progress) -> None:
    """Strategy iteration on every component with a cycle."""
    for begin, end, cyclic in _stretches(problem, progress):
        if not cyclic:
            _settle(problem, begin, end)
        elif not _policy(problem, begin, end):
            refuse_if_undecided(problem, begin, end)
            where = problem.describe(begin, end)
            raise NotConverged(f"strategy iteration does not settle at {where}")


def auto(problem: Problem, progress: Progress) -> None:
    """What suits each component."""
    for begin, end in _unsettled(problem, progress):
        if not _policy(problem, begin, end):
            _start_afresh(problem, begin, end)
            problem.count("iteration", _iterate(problem, begin, end, STILL, progress))


def _settle(problem: Problem, begin: int, end: int) -> None:
    graph, order = problem.graph, problem.order.order
    sweeps.settle(graph, order, begin, end, problem.value, problem.choice)
    problem.methods["acyclic"] = problem.methods.get("acyclic", 0) + end - begin


def _unsettled(problem: Problem, progress: Progress) -> Iterator[tuple[int, int]]:
    """Solve everything by Newton, but for the components where it does not settle: those it gives.

    The kernel goes from component to component: a game may have as many as positions.
    """
    order, size = problem.order, problem.value.size
    c, tally = 0, np.zeros(kernel.STEPS + 1, np.int64)
    while c < order.cyclic.size:
        last = problem.stride(c)
        c = kernel.newton_on(
            problem.graph,
            order,
            c,
            last,
            problem.value,
            problem.choice,
            problem.room,
            problem.side,
            problem.low,
            problem.high,
            _middle(problem),
            TOLERANCE,
            STEPS,
            tally,
        )
        _note(problem, tally)
        if c < last:
            yield problem.span(c)
            c += 1
        progress("solve", int(order.start[c]), size)


def _note(problem: Problem, tally: Longs) -> None:
    """Take over what a kernel counted, and have it begin again."""
    for place, name in enumerate(SHAPES):
        if tally[place]:
            problem.methods[name] = problem.methods.get(name, 0) + int(tally[place])
    problem.iterations += int(tally[kernel.STEPS])
    tally[:] = 0


def _middle(problem: Problem) -> float:
    """The middle of what is possible, as seed 000's (1/2, 1/2); 0 where anything is possible."""
    finite = np.isfinite(problem.low) and np.isfinite(problem.high)
    return (problem.low + problem.high) / 2 if finite else 0.0


def _start_afresh(problem: Problem, begin: int, end: int) -> None:
    problem.value[problem.order.order[begin:end]] = _middle(problem)


def _policy(problem: Problem, begin: int, end: int) -> bool:
    graph, order = problem.graph, problem.order.order
    _start_afresh(problem, begin, end)
    sweeps.iterate(graph, order, begin, end, problem.value, problem.choice, STILL, WARM_UP)
    solves = strategy_iteration(problem, begin, end)
    if solves:
        problem.count("policy", solves)
    return solves > 0


def _stretches(problem: Problem, progress: Progress) -> Iterator[tuple[int, int, bool]]:
    """Stretches of the order, shown as they pass."""
    size = problem.value.size
    shown = 0
    for begin, end, cyclic in problem.stretches():
        if begin - shown > 100_000:
            progress("solve", begin, size)
            shown = begin
        yield begin, end, cyclic
    progress("solve", size, size)


METHODS: dict[str, Callable[[Problem, Progress], None]] = {
    "auto": auto,
    "acyclic": acyclic,
    "levels": levels,
    "iteration": iteration,
    "topological": topological,
    "turns": turns,
    "newton": newton,
    "policy": policy,
}

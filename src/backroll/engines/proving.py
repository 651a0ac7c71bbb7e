"""Proofs about solved components: that their values are the only ones, and how good they are."""

from __future__ import annotations

import numpy as np

from backroll.arrays import Floats
from backroll.engines.policy import sparse_radii
from backroll.engines.problem import Problem
from backroll.errors import NoSolution, NotConverged
from backroll.kernels import proof
from backroll.kernels.sweeps import residual
from backroll.solution import Progress

ATTEMPTS = 10
"""Choices among all but equal moves that are tried before a component is left without bounds."""


def refuse_closed(problem: Problem) -> None:
    """Raise `NoSolution` if a component's values rest on themselves alone."""
    c = proof.first_closed(problem.graph, problem.order)
    if c >= 0:
        raise NoSolution(
            f"no unique value at {problem.describe(*problem.span(c))}: "
            "play never leaves it, whatever is chosen"
        )


def check_residual(problem: Problem) -> float:
    """The largest residual; raises `NotConverged` where the values are no solution at all."""
    off, u = residual(problem.graph, problem.value)
    if not np.isfinite(off):
        raise NotConverged(f"the value at {problem.show(u)} is not one that float64 can hold")
    if not off <= 1e-6 * max(1.0, float(np.abs(problem.value).max())):
        raise NotConverged(f"the values found do not fit at {problem.show(u)}: off by {off:.1e}")
    return float(off)


def refuse_if_undecided(problem: Problem, begin: int, end: int) -> None:
    """Raise `NoSolution` if the values found are not the only ones that fit."""
    graph, order, mark = problem.graph, problem.order, problem.room.mark
    if not proof.can_stay(graph, order, begin, end, mark):
        return
    scale = max(1.0, float(np.abs(problem.value[order.order[begin:end]]).max()))
    slack = 1e-9 * scale
    u = proof.undecided(
        graph, order, begin, end, problem.value, mark, problem.low, problem.high, slack
    )
    if u >= 0:
        raise NoSolution(
            f"no unique value at {problem.describe(begin, end)}: "
            f"the best moves can go round for ever, as from {problem.show(u)}"
        )


def prove(problem: Problem, progress: Progress) -> tuple[Floats, Floats]:
    """Bounds on every value; raises `NoSolution` where another value would fit as well."""
    graph, order, room = problem.graph, problem.order, problem.room
    n = problem.value.size
    lower, upper = np.zeros(n), np.zeros(n)
    c, count = 0, order.cyclic.size
    while c < count:
        last = problem.stride(c)
        c = proof.prove_on(
            graph,
            order,
            c,
            last,
            problem.value,
            problem.choice,
            lower,
            upper,
            room,
            problem.low,
            problem.high,
        )
        if c < last:
            begin, end = problem.span(c)
            refuse_if_undecided(problem, begin, end)
            _bound(problem, begin, end, lower, upper)
            c += 1
        progress("prove", int(order.start[c]), n)
    progress("prove", n, n)
    return lower, upper


def _bound(problem: Problem, begin: int, end: int, lower: Floats, upper: Floats) -> None:
    """Bounds on a component with a cycle: those that hold anyway if no better are found."""
    graph, order, room = problem.graph, problem.order, problem.room
    value, choice = problem.value, problem.choice
    low, high = problem.low, problem.high
    members = order.order[begin:end]
    k = proof.disturb(graph, order, begin, end, value, lower, upper, room)
    _stir(problem, begin, end)
    for attempt in range(ATTEMPTS):
        if attempt:
            choice = problem.spare
            if attempt == 1:
                choice[members] = problem.choice[members]
            slack = 1e-10 * max(1.0, float(np.abs(value[members]).max()))
            proof.widest_choice(graph, order, begin, end, value, room, slack, choice)
        if k <= room.right.size:
            found = proof.radii(graph, order, begin, end, k, choice, room)
        else:
            found = sparse_radii(problem, begin, end, choice)
        if not found:  # a round of moves that are all but equal: begin with what one sweep moves
            room.radius[members] = room.moved[members]
        if proof.confirm(graph, order, begin, end, value, lower, upper, room, low, high):
            return
        if not found:
            break
    lower[members], upper[members] = low, high


def _stir(problem: Problem, begin: int, end: int) -> None:
    """Move every cut position by a rounding at least.

    Where a sweep moves nothing, as among ends worth 0, radii would be 0: bounds there could only
    be widened all alike, and the rounding of their mean alone would then lie outside them.
    """
    cuts = problem.cut_positions(begin, end)
    least = proof.HALF_ULP * max(1.0, float(np.abs(problem.value[cuts]).max()))
    problem.room.moved[cuts] = np.maximum(problem.room.moved[cuts], least)

"""Strategy iteration with a sparse solve, for components with many anchors.

One side's moves are held while the other side's are improved until nothing gets better
(Howard 1960); then the first side improves and the round begins again (Hoffman and Karp 1966).
Each evaluation solves (I - P) v = b by sparse LU, P being the chosen moves. Where sides swap,
each position stands twice, once from either side, so that every weight is positive.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from backroll.arrays import HIGHEST, LOWEST, MEAN, Bytes, Flags, Floats, Longs
from backroll.engines.problem import Problem
from backroll.errors import BackrollError, NoSolution

ROUNDS = 10_000
BETTER = 1e-13
"""A move is changed only for one better by this much, relative to the values."""


@dataclass(slots=True, eq=False)
class _Block:
    """A component on its own: rows of edges, children outside it already in `given`."""

    kind: Bytes
    first: Longs
    source: Longs
    inner: Flags
    child: Longs
    weight: Floats
    given: Floats
    adds: Floats


def strategy_iteration(problem: Problem, begin: int, end: int) -> int:
    """Solve a component, from the moves chosen so far; gives the solves it took, 0 if it failed."""
    members = np.sort(problem.order.order[begin:end]).astype(np.int64)
    block, edges = _cut_out(problem, members)
    chosen = np.searchsorted(edges, problem.choice[members])
    copies = block.kind.size // members.size
    policy = np.concatenate([chosen + copy * edges.size for copy in range(copies)])
    solves, value = _improve(block, policy)
    if not solves:  # somebody chose to stay for ever: begin with moves that lead out
        policy = _ways_out(block)
        solves, value = _improve(block, policy)
        if not solves and _lone(block) and not _leads_out(block, policy):
            raise NoSolution(
                f"no unique value at {problem.describe(begin, end)}: "
                "whoever goes round for ever does better each time"
            )
    mine, theirs = value[: members.size], value[members.size :]
    if not solves or not np.allclose(mine, -theirs if theirs.size else mine, rtol=0, atol=1e-9):
        return 0  # also where the two sides of a position disagree: there is more than one answer
    problem.value[members] = mine
    problem.choice[members] = edges[policy[: members.size]]
    return solves


def _ways_out(block: _Block) -> Longs:
    """The first move on a shortest way out of the component, from each of its positions."""
    steps = _steps_out(block, np.ones(block.source.size, np.bool_))
    return _first_where(block, steps == np.minimum.reduceat(steps, block.first[:-1])[block.source])


def _leads_out(block: _Block, policy: Longs) -> bool:
    """Whether the chosen moves leave some chance to get out, from everywhere.

    Where moves that did are changed for better ones only until they do not, there is a round in
    which each time is better than the last: no finite value fits.
    """
    nearest = np.minimum.reduceat(_steps_out(block, _used(block, policy)), block.first[:-1])
    return bool(nearest.max() < block.kind.size)


def _steps_out(block: _Block, usable: Flags) -> Longs:
    """How many edges follow each on a shortest way out; as many as positions if there is none."""
    far = block.kind.size
    distance = np.full(far, far)
    while True:
        steps = np.where(block.inner, np.minimum(1 + distance[block.child], far), 0)
        steps = np.where(usable, steps, far)
        nearer = np.minimum.reduceat(steps, block.first[:-1])
        if np.array_equal(nearer, distance):
            return steps
        distance = nearer


def _used(block: _Block, policy: Longs) -> Flags:
    """The edges of chance, and those that were chosen."""
    rows = block.source
    chosen: Flags = (block.kind[rows] == MEAN) | (policy[rows] == np.arange(rows.size))
    return chosen


def _lone(block: _Block) -> bool:
    """Whether one side alone has choices here."""
    return not ((block.kind == LOWEST).any() and (block.kind == HIGHEST).any())


def _first_where(block: _Block, found: Flags) -> Longs:
    """The first edge of each position, among those found."""
    edges = np.flatnonzero(found)
    return edges[np.searchsorted(edges, block.first[:-1])]


def sparse_radii(problem: Problem, begin: int, end: int, choice: Longs) -> bool:
    """r = moved + |P| r for the chosen moves, into the problem's room; false without an answer."""
    members = np.sort(problem.order.order[begin:end]).astype(np.int64)
    block, edges = _cut_out(problem, members, doubling=False)
    block.given[:] = 0
    block.adds[:] = problem.room.moved[members]
    radius = _evaluate(block, np.searchsorted(edges, choice[members]))
    if radius is None:
        return False
    problem.room.radius[members] = np.maximum(radius, 0)
    return True


def _cut_out(problem: Problem, members: Longs, *, doubling: bool = True) -> tuple[_Block, Longs]:
    """The component as a block, doubled where sides swap inside it, and its edges' numbers."""
    kind, first, child, weight, adds = problem.graph
    degree = first[members + 1] - first[members]
    local = np.concatenate(([0], np.cumsum(degree)))
    source = np.repeat(np.arange(members.size), degree)
    edges = np.arange(local[-1]) - local[source] + first[members][source]
    target, w = child[edges], weight[edges]
    inner = problem.order.component[target] == problem.order.component[members[0]]
    given = np.where(inner, 0.0, w * problem.value[target])
    inside = np.where(inner, np.searchsorted(members, target), 0)
    block = _Block(
        kind[members], local, source, inner, inside, np.abs(w), given, adds[members].copy()
    )
    swaps = doubling and bool((w[inner] < 0).any())
    return (_double(block, w < 0) if swaps else block), edges


def _double(block: _Block, swaps: Flags) -> _Block:
    """Every position from either side; the second copy's values are the first's, negated."""
    n, m = block.kind.size, block.source.size
    other = np.array([MEAN, LOWEST, HIGHEST], np.uint8)[block.kind]
    crossed = np.where(swaps, n, 0)
    return _Block(
        np.concatenate((block.kind, other)),
        np.concatenate((block.first, block.first[1:] + m)),
        np.concatenate((block.source, block.source + n)),
        np.concatenate((block.inner, block.inner)),
        np.concatenate((block.child + crossed, block.child + n - crossed)),
        np.concatenate((block.weight, block.weight)),
        np.concatenate((block.given, -block.given)),
        np.concatenate((block.adds, -block.adds)),
    )


def _improve(block: _Block, policy: Longs) -> tuple[int, Floats]:
    """Improve `policy` in place until neither side can do better."""
    lows, highs = (block.kind == LOWEST).any(), (block.kind == HIGHEST).any()
    solves, value = 0, np.zeros(0)
    for _ in range(ROUNDS):
        while True:
            evaluated = _evaluate(block, policy)
            solves += 1
            if evaluated is None or solves > ROUNDS:
                return 0, value
            value = evaluated
            if not (lows and _switch(block, policy, value, LOWEST)):
                break
        if not (highs and _switch(block, policy, value, HIGHEST)):
            return solves, value
    return 0, value


def _evaluate(block: _Block, policy: Longs) -> Floats | None:
    """What the chosen moves give everywhere; None where they never lead out."""
    try:
        from scipy.sparse import csc_array
        from scipy.sparse.linalg import splu
    except ImportError:
        raise BackrollError(
            "strategy iteration needs SciPy: pip install 'backroll[policy]'"
        ) from None
    n = block.kind.size
    rows = block.source
    used = _used(block, policy)
    inner = used & block.inner
    right = block.adds + np.bincount(rows[used], block.given[used], n)
    data = np.concatenate((np.ones(n), -block.weight[inner]))
    row = np.concatenate((np.arange(n), rows[inner]))
    column = np.concatenate((np.arange(n), block.child[inner]))
    system = csc_array((data, (row, column)), shape=(n, n))
    try:
        value = np.asarray(splu(system).solve(right), np.float64)
    except RuntimeError:  # exactly singular: somebody chose never to leave
        return None
    size = max(1.0, float(np.abs(right).max()))
    sane = np.isfinite(value).all() and np.abs(system @ value - right).max() <= 1e-9 * size
    return value if sane and np.abs(value).max() < 1e12 * size else None


def _switch(block: _Block, policy: Longs, value: Floats, kind: int) -> bool:
    """Let one side take better moves, first among equals; whether it found any."""
    worth = block.given + block.weight * np.where(block.inner, value[block.child], 0.0)
    sign = 1.0 if kind == HIGHEST else -1.0
    best = sign * np.maximum.reduceat(sign * worth, block.first[:-1])
    mine = np.flatnonzero(block.kind == kind)
    slack = BETTER * max(1.0, float(np.abs(value).max()))
    better = mine[sign * (best[mine] - worth[policy[mine]]) > slack]
    if better.size == 0:
        return False
    policy[better] = _first_where(block, worth == best[block.source])[better]
    return True

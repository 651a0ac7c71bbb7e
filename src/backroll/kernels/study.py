"""The solvers of a study of forward and backward endgame solvers, with every choice a parameter.

Sturtevant and Saffidine's `naive` (Algorithm 1), `forward` (2 to 4) and `backward` (5, 6). States
are max's or min's, an outcome is a win or a loss of max, and what has no move is lost by whoever
is to move. Expansions and moves are counted as they count them: a move is made when the state it
leads to is looked at.

A pass goes through states in an order, or a part of it; threads may take parts of one pass. What
one of them settles is then seen by others or not, but what is settled is the same in the end: no
rule ever settles a state wrongly.
"""

from __future__ import annotations

from backroll.arrays import Bytes, Choices, Ints, Longs, Study, Words
from backroll.kernels import kernel

OPEN, WIN, LOSS, DRAW = 0, 1, 2, 3
FORWARD, BACKWARD, DONE, UNDONE = 0, 1, 2, 3
"""Places in counts."""


@kernel
def forward_check(
    first: Longs, state: Ints, turns: Bytes, outcome: Bytes, depth: Words, choices: Choices,
    s: int, layer: int, counts: Longs,
) -> bool:  # fmt: skip
    """Algorithm 2: settle a state by where it leads, if that is enough; gives whether it was."""
    most = turns[s] == 0
    better, worse = (WIN, LOSS) if most else (LOSS, WIN)
    counts[FORWARD] += 1
    farthest, closed = 0, True
    for j in range(first[s], first[s + 1]):
        t = state[j]
        counts[DONE] += 1
        found = outcome[t]
        if choices.layered and depth[t] >= layer:
            found = OPEN
        if found == better and not (choices.win_only and better == LOSS):
            depth[s] = layer if choices.layered else depth[t] + 1
            outcome[s] = better
            return True
        if found == worse and not (choices.win_only and worse == LOSS):
            farthest = max(farthest, depth[t])
            continue
        closed = False
        if choices.win_only and not most:
            return False
    if closed and not (choices.win_only and most):
        depth[s] = layer if choices.layered else farthest + 1
        outcome[s] = worse
        return True
    return False


@kernel
def quick_check(
    first: Longs, state: Ints, turns: Bytes, outcome: Bytes, depth: Words, choices: Choices,
    s: int, layer: int, counts: Longs,
) -> None:  # fmt: skip
    """Algorithm 3: settle at once those who can bring about what is good for them."""
    counts[BACKWARD] += 1
    found = outcome[s]
    for j in range(first[s], first[s + 1]):
        p = state[j]
        counts[UNDONE] += 1
        if outcome[p] == OPEN and found == (WIN if turns[p] == 0 else LOSS):
            depth[p] = layer if choices.layered else depth[s] + 1
            outcome[p] = found


@kernel
def goes_back(study: Study, choices: Choices, s: int) -> bool:
    """Whether to settle others at once by a state: not by a win of the mover where moves hand over.

    The study takes its test of turns out of the loop over parents for such games.
    """
    found = study.outcome[s]
    if not (choices.from_wins if found == WIN else choices.from_losses):
        return False
    return not study.alternating or found == (LOSS if study.turns[s] == 0 else WIN)


@kernel
def naive_pass(study: Study, order: Longs, before: Bytes, counts: Longs) -> bool:
    """A pass of Algorithm 1 over all states, by the wins known before; whether there are more."""
    first, state, turns, outcome = study.first, study.state, study.turns, study.outcome
    more = False
    for s in order:
        if first[s] == first[s + 1]:
            continue  # an end, whose outcome is known
        counts[FORWARD] += 1
        most = turns[s] == 0
        won = not most
        for j in range(first[s], first[s + 1]):
            counts[DONE] += 1
            if (before[state[j]] == WIN) == most:
                won = most
                break
        if won and outcome[s] != WIN:
            outcome[s] = WIN
            more = True
    return more


@kernel
def forward_pass(study: Study, choices: Choices, order: Longs, layer: int, counts: Longs) -> bool:
    """A pass of Algorithm 4; gives whether it settled anything."""
    first, state, turns, outcome = study.first, study.state, study.turns, study.outcome
    back, source, depth = study.back, study.source, study.depth
    changed = False
    for s in order:
        if outcome[s] == OPEN and forward_check(
            first, state, turns, outcome, depth, choices, s, layer, counts
        ):
            changed = True
            if choices.direct and goes_back(study, choices, s):
                quick_check(back, source, turns, outcome, depth, choices, s, layer, counts)
    return changed


@kernel
def backward_pass(study: Study, choices: Choices, order: Longs, layer: int, counts: Longs) -> bool:
    """A pass of Algorithm 6; gives whether it settled anything.

    Algorithm 5 settles at once who wants the outcome (its line 4) and then, if that is direct,
    who wants theirs (line 12). The paper's counts are those of `direct` for line 4 alone, and of
    a full check of every parent without it; here line 12 is a choice of its own, `further`.
    """
    first, state, turns, outcome = study.first, study.state, study.turns, study.outcome
    back, source, depth, visited = study.back, study.source, study.depth, study.visited
    changed = False
    for s in order:
        found = outcome[s]
        if found not in (WIN, LOSS) or (choices.win_only and found == LOSS):
            continue
        if (choices.no_dup and visited[s]) or (choices.layered and depth[s] >= layer):
            continue
        visited[s] = 1
        counts[BACKWARD] += 1
        for j in range(back[s], back[s + 1]):
            p = source[j]
            counts[UNDONE] += 1
            if outcome[p] != OPEN:
                continue
            if choices.direct and found == (WIN if turns[p] == 0 else LOSS):
                depth[p] = layer if choices.layered else depth[s] + 1
                outcome[p] = found
            elif not forward_check(first, state, turns, outcome, depth, choices, p, layer, counts):
                continue
            changed = True
            if choices.further and goes_back(study, choices, p):
                quick_check(back, source, turns, outcome, depth, choices, p, layer, counts)
    return changed

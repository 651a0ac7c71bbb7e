"""What habits come to, exactly: chance itself goes through the turns, not games.

A turn from a placement of the mover is a graph without cycles, as every move climbs. Chance 1
enters it and leaves by stops, and by losing the turn, which leads back: geometric series. Nothing
is ever subtracted (what is left of 1 is the sum of what stops), so that every number is right to
within a few roundings of itself.
"""

from __future__ import annotations

from backroll.arrays import Flags, Floats, Longs
from backroll.kernels import bare, inlined
from backroll.kernels.habits import ROLL, choose, climb, closed, stops, weigh
from backroll.played import Board, Draft, Field, Habits, Reached, Rolls, Turns

WIN = -1
FULL = -1
STUCK = -2
MOMENTS = 3


@inlined
def number_of(board: Board, draft: Draft, mine: Longs, marked: int) -> int:
    """The number of the state at which the draft stands."""
    n = 0
    for q in range(board.markers[marked]):
        c = board.marks[marked, q]
        n = n * (board.length[c] - mine[c]) + draft.at[c] - mine[c] - 1
    return int(draft.base[marked] + n)


@bare
def number_sets(board: Board, sets: Longs, mine: Longs, shut: int, draft: Draft) -> int:
    """Say where the states of each set of marked columns begin; gives how many there are."""
    states = 0
    for i in range(sets.size):
        marked = sets[i]
        draft.base[marked] = states
        if marked & shut:
            continue
        grid = 1
        for q in range(board.markers[marked]):
            c = board.marks[marked, q]
            grid *= board.length[c] - mine[c]
        states += grid
    return states


@bare
def expand(
    board: Board, rolls: Rolls, habits: Habits, mine: Longs, theirs: Longs, marked: int,
    full: int, draft: Draft, turns: Turns, s: int,
) -> None:  # fmt: skip
    """Write where a roll leads from state s: to numbers in the draft, for the time being."""
    begin = e = turns.edge[s]
    at = draft.at
    for roll in range(rolls.first[marked], rolls.end[marked]):
        way = choose(board, habits, mine, theirs, at, draft.worth, marked, full, roll)
        if way < 0:
            turns.lost[s] += rolls.chance[roll]
            continue
        a, b = board.split[roll, way // 3, 0], board.split[roll, way // 3, 1]
        at_a, at_b = at[a], at[b]
        after, _ = climb(board, theirs, at, marked, full, roll, way)
        n = number_of(board, draft, mine, after)
        at[a], at[b] = at_a, at_b
        slot = draft.slot[n]
        if slot < begin:
            slot = e
            draft.slot[n] = e
            draft.met[n] = 0
            turns.child[e] = n
            turns.weight[e] = 0.0
            e += 1
        turns.weight[slot] += rolls.chance[roll]
    turns.edge[s + 1] = e


@bare
def write(
    board: Board, rolls: Rolls, sets: Longs, habits: Habits, field: Field, mine: Longs,
    theirs: Longs, won: int, anyone: bool, draft: Draft, turns: Turns, p: int,
) -> int:  # fmt: skip
    """Write turn p out, or FULL where there is no room; of closed columns `mine` has the tops.

    `anyone` is for a turn that serves whoever may be in the way: it goes on from all stops.
    """
    at, shut = draft.at, closed(board, mine, theirs)
    states = number_sets(board, sets, mine, shut, draft)
    for n in range(states):
        draft.met[n] = draft.slot[n] = -1
    draft.met[0] = 0
    for c in range(at.size):
        at[c] = mine[c]
    for c in range(at.size):
        weigh(board, habits, mine, theirs, at, c, draft.worth)
    begin = s = turns.first[p]
    for i in range(sets.size):
        marked = sets[i]
        if marked & shut:
            continue
        m, low = board.markers[marked], draft.base[marked]
        grid = 1
        for q in range(m):
            c = board.marks[marked, q]
            grid *= board.length[c] - mine[c]
        for n in range(low, low + grid):
            if draft.met[n] < 0:
                continue
            if s + 1 >= turns.edge.size or turns.edge[s] + rolls.end[0] > turns.child.size:
                return FULL
            draft.met[n] = s - begin
            rest, topped = n - low, 0
            for q in range(2, -1, -1):
                turns.mark[s, q] = -1
                if q < m:
                    c = board.marks[marked, q]
                    left = board.length[c] - mine[c]
                    at[c] = mine[c] + 1 + rest % left
                    rest //= left
                    topped |= (at[c] == board.length[c]) << c
                    weigh(board, habits, mine, theirs, at, c, draft.worth)
                    turns.mark[s, q], turns.square[s, q] = c, at[c]
            full = shut | topped
            stop = False
            if marked:
                stop = stops(board, habits, mine, theirs, at, marked, full, won)
            turns.stop[s], turns.topped[s], turns.lost[s] = stop, topped, 0.0
            leaf = 0
            for c in range(at.size):
                leaf += field.stride[topped, c] * at[c]
            turns.leaf[s] = leaf
            turns.edge[s + 1] = turns.edge[s]
            if not stop or (anyone and topped != marked):
                expand(board, rolls, habits, mine, theirs, marked, full, draft, turns, s)
            s += 1
        for q in range(m):
            c = board.marks[marked, q]
            at[c] = mine[c]
            weigh(board, habits, mine, theirs, at, c, draft.worth)
    for e in range(turns.edge[begin], turns.edge[s]):
        turns.child[e] = draft.met[turns.child[e]]
    turns.first[p + 1] = s
    return int(s)


@inlined
def place(board: Board, field: Field, x: int, heights: Longs) -> None:
    """Put a side's markers where they stand in placement x."""
    for c in range(heights.size):
        step = field.stride[0, c]
        heights[c] = x // step % board.length[c] if step > 0 else field.shut[c]


@bare
def write_all(
    board: Board, rolls: Rolls, sets: Longs, habits: Habits, field: Field, won: int,
    anyone: bool, draft: Draft, turns: Turns, p: int, mine: Longs, theirs: Longs,
) -> int:  # fmt: skip
    """Write out the turns of all placements from p on; gives the first that found no room."""
    while p < field.placements[0]:
        place(board, field, p, mine)
        s = write(
            board, rolls, sets, habits, field, mine, theirs, won, anyone, draft, turns, p
        )  # fmt: skip
        if s == FULL:
            break
        p += 1
    return p


@bare
def run(turns: Turns, p: int, theirs: Longs, blocked: bool, mass: Floats) -> tuple[float, float]:
    """Send chance 1 through a turn; gives what is lost and what stops, which stays in `mass`."""
    begin, end = turns.first[p], turns.first[p + 1]
    for s in range(end - begin):
        mass[s] = 0.0
    mass[0] = 1.0
    lost, stopped = 0.0, 0.0
    for s in range(begin, end):
        here = mass[s - begin]
        if here == 0.0:
            continue
        stop = turns.stop[s]
        if stop and blocked:
            for q in range(3):
                c = turns.mark[s, q]
                if c >= 0 and turns.square[s, q] == theirs[c]:
                    stop = False
        if stop:
            stopped += here
            continue
        mass[s - begin] = 0.0
        lost += here * turns.lost[s]
        for e in range(turns.edge[s], turns.edge[s + 1]):
            mass[turns.child[e]] += here * turns.weight[e]
    return lost, stopped


@inlined
def row_of(reached: Reached, anchor: int) -> int:
    """The row of an anchor, a new one if nothing came to it before."""
    row = reached.row[anchor]
    if row == 0:
        row = reached.rows[0]
        reached.row[anchor] = row
        reached.anchor[row] = anchor
        reached.rows[0] += 1
    return int(row)


@inlined
def leave(reached: Reached, row: int, lost: float, stopped: float, out: Floats) -> None:
    """From what comes to an anchor, what leaves it, for each chance that a turn stops with.

    The first three are chance, and its first two factorial moments by turns (divided by 1 and 2):
    a series in e, where a turn is a factor 1 + e. The others are chance after n turns, for some n
    on end, before the first of which `held` was there.
    """
    flow, held = reached.flow, reached.held
    ratio = lost / stopped
    h0 = flow[row, 0] / stopped
    h1 = flow[row, 1] / stopped + ratio * h0
    h2 = flow[row, 2] / stopped + ratio * h1
    out[0], out[1], out[2] = h0, h1 + h0, h2 + h1
    for n in range(MOMENTS, out.size):
        out[n] = held[row]
        held[row] = flow[row, n] + lost * held[row]


@bare
def alone(
    board: Board, rolls: Rolls, sets: Longs, habits: Habits, field: Field, won: int,
    draft: Draft, turns: Turns, mass: Floats, mine: Longs, theirs: Longs, reached: Reached,
    x: int, out: Floats, ends: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Send on what comes to the anchors of a hand from x on.

    Gives the first that was not done, and FULL for want of room or STUCK as no way leads on.
    """
    while x < field.placements[0]:
        if reached.row[x] == 0:
            x += 1
            continue
        row = reached.row[x]
        place(board, field, x, mine)
        write(
            board, rolls, sets, habits, field, mine, theirs, won, False, draft, turns, 0
        )  # fmt: skip
        if reached.rows[0] + turns.first[1] > reached.anchor.size:
            return x, FULL
        lost, stopped = run(turns, 0, theirs, False, mass)
        if stopped == 0.0:
            return x, STUCK
        leave(reached, row, lost, stopped, out)
        for s in range(turns.first[1]):
            here = mass[s]
            if here == 0.0:
                continue
            start = field.start[turns.topped[s]]
            if start == WIN:
                for n in range(out.size):
                    ends[n] += here * out[n]
            else:
                onto = row_of(reached, start + turns.leaf[s])
                for n in range(out.size):
                    reached.flow[onto, n] += here * out[n]
        x += 1
    return x, 0


@bare
def send(
    field: Field, turns: Turns, p: int, mass: Floats, visits: float, x: int, side: int,
    reached: Reached, ends: Floats,
) -> None:  # fmt: skip
    """Send on what a side stops with, to where the other, at x, is to move."""
    begin = turns.first[p]
    for s in range(begin, turns.first[p + 1]):
        here = mass[s - begin]
        if here == 0.0:
            continue
        f = turns.topped[s]
        start = field.other[f] if side else field.start[f]
        if start == WIN:
            ends[side] += here * visits
            continue
        mover, other = turns.leaf[s], field.place[f, x]
        first, second = (other, mover) if side else (mover, other)
        anchor = start + 2 * (first * field.placements[f] + second) + 1 - side
        reached.flow[row_of(reached, anchor), 0] += here * visits


@bare
def duel(
    board: Board, rolls: Rolls, sets: Longs, ours: Habits, others: Habits, field: Field,
    won: int, they: int, shared: Flags, draft: Draft, our_turns: Turns, turns: Turns,
    our_mass: Floats, mass: Floats, mine: Longs, theirs: Longs, reached: Reached, pair: int,
    ends: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Send on what comes to the anchors of a hand of two, those with the first player at x, the
    second at y and side s to move being 2 * pair + s, where pair = x * placements + y, from one on.

    Gives the first pair that was not done, and FULL for want of room or STUCK as no way leads on.
    """
    n = field.placements[0]
    blocked = board.occupied == ROLL
    while pair < n * n:
        row, next_row = reached.row[2 * pair], reached.row[2 * pair + 1]
        if row == 0 and next_row == 0:
            pair += 1
            continue
        x, y = pair // n, pair % n
        place(board, field, x, mine)
        place(board, field, y, theirs)
        p, q = x, y
        if not shared[0]:
            p = 0
            write(
                board, rolls, sets, ours, field, mine, theirs, won, False, draft, our_turns, 0
            )  # fmt: skip
        if not shared[1]:
            q = 0
            write(
                board, rolls, sets, others, field, theirs, mine, they, False, draft, turns, 0
            )  # fmt: skip
        most = our_turns.first[p + 1] - our_turns.first[p] + turns.first[q + 1] - turns.first[q]
        if reached.rows[0] + most > reached.anchor.size:
            return pair, FULL
        lost, stopped = run(our_turns, p, theirs, blocked, our_mass)
        loses, stays = run(turns, q, mine, blocked, mass)
        through = stopped + lost * stays
        if through == 0.0:
            return pair, STUCK
        first = reached.flow[row, 0] if row else 0.0
        second = reached.flow[next_row, 0] if next_row else 0.0
        visits = (first + loses * second) / through
        if visits > 0.0:
            send(field, our_turns, p, our_mass, visits, y, 0, reached, ends)
        visits = (second + lost * first) / through
        if visits > 0.0:
            send(field, turns, q, mass, visits, x, 1, reached, ends)
        pair += 1
    return pair, 0

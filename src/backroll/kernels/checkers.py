"""Chinese Checkers: the moves from states and to states, worked out, and where games end.

A state is two sets of cells, the mover's pieces and the other side's, seen from the mover; its
number is rank(mine) * ways(theirs) + rank(theirs), the rank of sorted cells a < b < c being
choose(a, 1) + choose(b, 2) + choose(c, 3), theirs counted on the cells that are left. A move ends
with the board turned round. Moves can be taken back by the same steps and jumps.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import Bytes, Ints, Longs, Rhombus
from backroll.kernels import kernel

FULL = -1
"""There was not room enough for what was found."""


@kernel
def unrank(board: Rhombus, state: int, mine: Longs, theirs: Longs) -> None:
    """The cells of both sides, each sorted."""
    pieces, cells = mine.size, board.near.shape[0]
    ways = board.choose[cells - pieces, pieces]
    rank_cells(board, state // ways, cells, mine)
    rank_cells(board, state % ways, cells - pieces, theirs)
    for i in range(pieces):  # from places among the cells that are left to cells
        for j in range(pieces):
            if mine[j] <= theirs[i]:
                theirs[i] += 1


@kernel
def place(board: Rhombus, state: int, mine: Longs, theirs: Longs, owner: Bytes) -> None:
    """Put the pieces of a state on the board: 1 for the mover's, 2 for the other side's."""
    unrank(board, state, mine, theirs)
    owner[:] = 0
    for i in range(mine.size):
        owner[mine[i]], owner[theirs[i]] = 1, 2


@kernel
def rank_cells(board: Rhombus, rank: int, cells: int, found: Longs) -> None:
    """The sorted cells of a rank."""
    top = cells - 1
    for i in range(found.size - 1, -1, -1):
        while board.choose[top, i + 1] > rank:
            top -= 1
        found[i] = top
        rank -= board.choose[top, i + 1]
        top -= 1


@kernel
def number(board: Rhombus, mine: Longs, theirs: Longs) -> int:
    """The number of a state from sorted cells."""
    pieces, cells = mine.size, board.near.shape[0]
    first, second = 0, 0
    for i in range(pieces):
        first += board.choose[mine[i], i + 1]
        place = theirs[i]
        for j in range(pieces):
            if mine[j] < theirs[i]:
                place -= 1
        second += board.choose[place, i + 1]
    return int(first * board.choose[cells - pieces, pieces] + second)


@kernel
def by_cells(board: Rhombus, pieces: int, along: Longs, order: Longs) -> None:
    """List states for both sides by what lies on the cells, one cell after the other.

    The other side's piece comes before one of the first player's, and that before an empty cell;
    of two equal boards the first player's turn comes first. State 2 s is state s with the first
    player to move, and 2 s + 1 with the other, whose board is turned round. What is before a
    state is counted cell by cell (Edelkamp, Sulewski and Yücel 2010).
    """
    cells = along.size
    mine, theirs = np.empty(pieces, np.int64), np.empty(pieces, np.int64)
    owner = np.empty(cells, np.uint8)
    for turned_state in range(order.size):
        turn = turned_state % 2
        place(board, turned_state // 2, mine, theirs, owner)
        before, first, second = 0, pieces, pieces
        for i in range(cells):
            piece = owner[cells - 1 - along[i] if turn else along[i]]
            left = cells - 1 - i
            if piece == 2 - turn:
                second -= 1
                continue
            if second > 0:
                before += board.choose[left, second - 1] * board.choose[left - second + 1, first]
            if piece == 1 + turn:
                first -= 1
            elif first > 0:
                before += board.choose[left, first - 1] * board.choose[left - first + 1, second]
        order[2 * before + turn] = turned_state


@kernel
def targets(board: Rhombus, taken: Bytes, start: int, seen: Bytes, found: Longs) -> int:
    """Where the piece of a cell can go, by a step or a chain of jumps; gives how many cells.

    `taken` has the pieces; `seen` is all 0 and is left so.
    """
    count, jumped = 0, 0
    piece = taken[start]
    taken[start] = 0
    seen[start] = 1
    for d in range(6):
        c = board.over[start, d]
        if c >= 0 and taken[board.near[start, d]] and not taken[c]:
            seen[c] = 1
            found[count] = c
            count += 1
    while jumped < count:
        cell = found[jumped]
        jumped += 1
        for d in range(6):
            c = board.over[cell, d]
            if c >= 0 and taken[board.near[cell, d]] and not taken[c] and not seen[c]:
                seen[c] = 1
                found[count] = c
                count += 1
    for d in range(6):
        c = board.near[start, d]
        if c >= 0 and not taken[c] and not seen[c]:
            found[count] = c
            count += 1
    seen[start] = 0
    for i in range(jumped):
        seen[found[i]] = 0
    taken[start] = piece
    return count


@kernel
def turned(cells: Longs, last: int, found: Longs) -> None:
    """Sorted cells on the board turned round."""
    for i in range(cells.size):
        found[i] = last - cells[cells.size - 1 - i]


@kernel
def moved(cells: Longs, i: int, target: int, found: Longs) -> None:
    """Sorted cells with the i-th of them gone to another cell."""
    n = 0
    placed = False
    for j in range(cells.size):
        if not placed and target < cells[j]:
            found[n] = target
            n += 1
            placed = True
        if j != i:
            found[n] = cells[j]
            n += 1
    if not placed:
        found[n] = target


@kernel
def has_won(board: Rhombus, owner: Bytes, side: int, turned_round: bool) -> bool:
    """Whether a side has won: its goal is full, and some of the pieces there are its own.

    `owner` has 1 and 2 where the sides have pieces. The goal of side 2 is the mover's home, that
    of side 1 the same cells with the board turned round.
    """
    last = owner.size - 1
    own = False
    for c in board.home:
        at = owner[last - c if turned_round else c]
        if at == 0:
            return False
        own = own or at == side
    return own


@kernel
def ends(board: Rhombus, pieces: int, begin: int, outcome: Bytes, lost: int) -> None:
    """Mark the states from `begin` on at which the mover has lost: beaten, or unable to move."""
    mine, theirs = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    cells = board.near.shape[0]
    owner, seen = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
    found = np.zeros(cells, np.int64)
    for i in range(outcome.size):
        place(board, begin + i, mine, theirs, owner)
        over = has_won(board, owner, 2, False)
        if not over:
            over = True
            for j in range(pieces):
                if targets(board, owner, mine[j], seen, found) > 0:
                    over = False
                    break
        outcome[i] = lost if over else 0


@kernel
def successors(board: Rhombus, pieces: int, states: Longs, first: Longs, state: Ints) -> int:
    """List where each of some states leads; gives how many there are, or FULL."""
    cells = board.near.shape[0]
    mine, theirs = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    next_mine, after = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    next_theirs = np.zeros(pieces, np.int64)
    owner, seen = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
    found = np.zeros(cells, np.int64)
    count = 0
    first[0] = 0
    for s in range(states.size):
        place(board, states[s], mine, theirs, owner)
        if not has_won(board, owner, 2, False):
            turned(theirs, cells - 1, next_mine)
            if count + pieces * cells > state.size:
                return FULL
            for i in range(pieces):
                ways = targets(board, owner, mine[i], seen, found)
                for n in range(ways):
                    moved(mine, i, found[n], after)
                    turned(after, cells - 1, next_theirs)
                    state[count] = number(board, next_mine, next_theirs)
                    count += 1
        first[s + 1] = count
    return count


@kernel
def predecessors(board: Rhombus, pieces: int, states: Longs, first: Longs, state: Ints) -> int:
    """List what leads to each of some states; gives how many there are, or FULL."""
    cells = board.near.shape[0]
    mine, theirs = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    before, last_mine = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    last_theirs = np.zeros(pieces, np.int64)
    owner, seen = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
    found = np.zeros(cells, np.int64)
    count = 0
    first[0] = 0
    for s in range(states.size):
        place(board, states[s], mine, theirs, owner)
        turned(mine, cells - 1, last_theirs)
        if count + pieces * cells > state.size:
            return FULL
        for i in range(pieces):
            cell = theirs[i]
            ways = targets(board, owner, cell, seen, found)
            owner[cell] = 0
            for n in range(ways):
                owner[found[n]] = 2
                over = has_won(board, owner, 1, True)
                owner[found[n]] = 0
                if over:
                    continue  # the game was over then
                moved(theirs, i, found[n], before)
                turned(before, cells - 1, last_mine)
                state[count] = number(board, last_mine, last_theirs)
                count += 1
            owner[cell] = 2
        first[s + 1] = count
    return count

"""Chinese Checkers: the moves from states and to states, worked out, and where games end.

A state is two sets of cells, the mover's pieces and the other side's, seen from the mover; its
number is rank(mine) * ways(theirs) + rank(theirs), the rank of sorted cells a < b < c being
choose(a, 1) + choose(b, 2) + choose(c, 3), theirs counted on the cells that are left. A move ends
with the board turned round. Moves can be taken back by the same steps and jumps.

A set of cells is known by its rank. Where mirror images are merged, there are states only for the
sets that are kept, of a set and its image one, and the class of such a set takes the place of its
rank. A move to any other position leads to the state of its image. A set that is its own image
keeps both images of a position. So what leads to a state whose set is its own image, leads there
by a set that is kept; and to any other state, from both images of a position whose set is its own.

Helpers take arrays rather than the board, and call no others: counting references to arrays that
are handed on took more than half of the time.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import Bytes, Flags, Ints, Longs, Rhombus
from backroll.kernels import kernel

FULL = -1
"""There was not room enough for what was found."""


@kernel
def place(choose: Longs, kept: Longs, state: int, mine: Longs, theirs: Longs, owner: Bytes) -> None:
    """Put the pieces of a state on the board: 1 for the mover's, 2 for the other side's."""
    pieces, cells = mine.size, owner.size
    ways = choose[cells - pieces, pieces]
    first, second = state // ways, state % ways
    if kept.size:
        first = kept[first]
    top, top_left = cells - 1, cells - pieces - 1
    for i in range(pieces - 1, -1, -1):
        while choose[top, i + 1] > first:
            top -= 1
        while choose[top_left, i + 1] > second:
            top_left -= 1
        first, second = first - choose[top, i + 1], second - choose[top_left, i + 1]
        mine[i], theirs[i] = top, top_left
    owner[:] = 0
    for i in range(pieces):
        cell = theirs[i]
        for j in range(pieces):  # from places among the cells that are left to cells
            cell += mine[j] <= cell
        theirs[i] = cell
        owner[mine[i]], owner[cell] = 1, 2


@kernel
def by_cells(board: Rhombus, pieces: int, along: Longs, rank: Longs) -> None:
    """Rank states for both sides by what lies on the cells, one cell after the other.

    The other side's piece comes before one of the first player's, and that before an empty cell;
    of two equal boards the first player's turn comes first. rank[2 s] is that of state s with the
    first player to move, and rank[2 s + 1] with the other, whose board is turned round. What is
    before a state is counted cell by cell (Edelkamp, Sulewski and Yücel 2010).
    """
    choose, cells = board.choose, along.size
    mine, theirs = np.empty(pieces, np.int64), np.empty(pieces, np.int64)
    owner = np.empty(cells, np.uint8)
    for turned_state in range(rank.size):
        turn = turned_state % 2
        place(choose, board.kept, turned_state // 2, mine, theirs, owner)
        before, first, second = 0, pieces, pieces
        for i in range(cells):
            piece = owner[cells - 1 - along[i] if turn else along[i]]
            left = cells - 1 - i
            if piece == 2 - turn:
                second -= 1
                continue
            if second > 0:
                before += choose[left, second - 1] * choose[left - second + 1, first]
            if piece == 1 + turn:
                first -= 1
            elif first > 0:
                before += choose[left, first - 1] * choose[left - first + 1, second]
        rank[turned_state] = 2 * before + turn


@kernel
def rank_of(choose: Longs, cells: Longs) -> int:
    """The rank of sorted cells."""
    rank = 0
    for i in range(cells.size):
        rank += choose[cells[i], i + 1]
    return int(rank)


@kernel
def without(choose: Longs, cells: Longs, i: int, others: Longs, share: Longs) -> None:
    """Take the i-th of some cells away: sort the others, and find what they add to a rank.

    share[j] is what they add if a cell comes back after j of them.
    """
    count = 0
    for k in range(cells.size):
        if k != i:
            at = count
            while at > 0 and others[at - 1] > cells[k]:
                others[at] = others[at - 1]
                at -= 1
            others[at] = cells[k]
            count += 1
    for j in range(cells.size):
        share[j] = 0
        for k in range(count):
            share[j] += choose[others[k], k + 1 if k < j else k + 2]


@kernel
def rank_with(choose: Longs, others: Longs, share: Longs, cell: int) -> int:
    """The rank of the others and a cell that comes back."""
    j = 0
    for k in range(others.size):
        j += others[k] < cell
    return int(share[j] + choose[cell, j + 1])


@kernel
def places(cells: Longs, taken: Longs, found: Longs) -> None:
    """The places of some cells among those that are left where others are taken."""
    for i in range(cells.size):
        found[i] = cells[i]
        for j in range(taken.size):
            found[i] -= taken[j] < cells[i]


@kernel
def rank_left(choose: Longs, cells: Longs, left: Longs, taken: int) -> int:
    """The rank of sorted cells at the places `left`, once another cell is taken."""
    rank = 0
    for i in range(cells.size):
        rank += choose[left[i] - (taken < cells[i]), i + 1]
    return int(rank)


@kernel
def class_of(classes: Longs, rank: int) -> int:
    """The class of a set of cells, ~class if its image is kept; or its rank without classes."""
    return int(classes[rank]) if classes.size else rank


@kernel
def own_image(own: Flags, kept: int) -> bool:
    """Whether the set of a class is its own image, and images are merged."""
    return bool(own.size > 0 and kept >= 0 and own[kept])


@kernel
def turned(cells: Longs, last: int, found: Longs) -> None:
    """Sorted cells on the board turned round."""
    for i in range(cells.size):
        found[i] = last - cells[cells.size - 1 - i]


@kernel
def mirrored(mirror: Longs, cells: Longs, found: Longs) -> None:
    """Sorted cells with rows and columns exchanged."""
    for i in range(cells.size):
        image = mirror[cells[i]]
        at = i
        while at > 0 and found[at - 1] > image:
            found[at] = found[at - 1]
            at -= 1
        found[at] = image


@kernel
def targets(near: Longs, over: Longs, taken: Bytes, start: int, seen: Bytes, found: Longs) -> int:
    """Where the piece of a cell can go, by a step or a chain of jumps; gives how many cells.

    `taken` has the pieces; `seen` is all 0 and is left so.
    """
    count, jumped = 0, 0
    piece = taken[start]
    taken[start] = 0
    seen[start] = 1
    for d in range(6):
        c = over[start, d]
        if c >= 0 and taken[near[start, d]] and not taken[c]:
            seen[c] = 1
            found[count] = c
            count += 1
    while jumped < count:
        cell = found[jumped]
        jumped += 1
        for d in range(6):
            c = over[cell, d]
            if c >= 0 and taken[near[cell, d]] and not taken[c] and not seen[c]:
                seen[c] = 1
                found[count] = c
                count += 1
    for d in range(6):
        c = near[start, d]
        if c >= 0 and not taken[c] and not seen[c]:
            found[count] = c
            count += 1
    seen[start] = 0
    for i in range(jumped):
        seen[found[i]] = 0
    taken[start] = piece
    return count


@kernel
def has_won(home: Longs, owner: Bytes, side: int, turned_round: bool) -> bool:
    """Whether a side has won: its goal is full, and some of the pieces there are its own.

    `owner` has 1 and 2 where the sides have pieces. The goal of side 2 is the mover's home, that
    of side 1 the same cells with the board turned round.
    """
    last = owner.size - 1
    own = False
    for c in home:
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
        place(board.choose, board.kept, begin + i, mine, theirs, owner)
        over = has_won(board.home, owner, 2, False)
        if not over:
            over = True
            for j in range(pieces):
                if targets(board.near, board.over, owner, mine[j], seen, found) > 0:
                    over = False
                    break
        outcome[i] = lost if over else 0


@kernel
def successors(board: Rhombus, pieces: int, states: Longs, first: Longs, state: Ints) -> int:
    """List where each of some states leads; gives how many there are, or FULL."""
    choose, mirror, cells = board.choose, board.mirror, board.near.shape[0]
    last, ways = cells - 1, choose[cells - pieces, pieces]
    mine, theirs = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    next_mine, next_theirs = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    left, share = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    others = np.zeros(pieces - 1, np.int64)
    owner, seen = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
    found = np.zeros(cells, np.int64)
    count = 0
    first[0] = 0
    for s in range(states.size):
        place(choose, board.kept, states[s], mine, theirs, owner)
        if not has_won(board.home, owner, 2, False):
            if count + pieces * cells > state.size:
                return FULL
            turned(theirs, last, next_mine)
            turned(mine, last, next_theirs)
            kept = class_of(board.classes, rank_of(choose, next_mine))
            for i in range(pieces if kept < 0 else 0):
                next_mine[i], next_theirs[i] = mirror[next_mine[i]], mirror[next_theirs[i]]
            begin = ways * (~kept if kept < 0 else kept)
            places(next_theirs, next_mine, left)
            for i in range(pieces):
                without(choose, left, pieces - 1 - i, others, share)
                for n in range(targets(board.near, board.over, owner, mine[i], seen, found)):
                    cell = mirror[last - found[n]] if kept < 0 else last - found[n]
                    at = cell
                    for j in range(pieces):
                        at -= next_mine[j] < cell
                    state[count] = begin + rank_with(choose, others, share, at)
                    count += 1
        first[s + 1] = count
    return count


@kernel
def predecessors(board: Rhombus, pieces: int, states: Longs, first: Longs, state: Ints) -> int:
    """List what leads to each of some states; gives how many there are, or FULL."""
    choose, mirror, cells = board.choose, board.mirror, board.near.shape[0]
    last, ways = cells - 1, choose[cells - pieces, pieces]
    mine, theirs = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    last_mine, last_theirs = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    left, share = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    theirs_image, left_image = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    others, others_image = np.zeros(pieces - 1, np.int64), np.zeros(pieces - 1, np.int64)
    owner, seen = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
    found = np.zeros(cells, np.int64)
    count = 0
    first[0] = 0
    for s in range(states.size):
        if count + 2 * pieces * cells > state.size:
            return FULL
        place(choose, board.kept, states[s], mine, theirs, owner)
        alike = own_image(board.own, class_of(board.classes, rank_of(choose, mine)))
        turned(mine, last, last_theirs)
        mirrored(mirror, last_theirs, theirs_image)
        turned(theirs, last, last_mine)
        for i in range(pieces):
            cell = theirs[i]
            without(choose, last_mine, pieces - 1 - i, others, share)
            for j in range(pieces - 1):
                others_image[j] = mirror[others[j]]
            places(last_theirs, others, left)
            places(theirs_image, others_image, left_image)
            ways_back = targets(board.near, board.over, owner, cell, seen, found)
            owner[cell] = 0
            for n in range(ways_back):
                owner[found[n]] = 2
                over = has_won(board.home, owner, 1, True)
                owner[found[n]] = 0
                if over:
                    continue  # the game was over then
                origin = last - found[n]
                kept = class_of(board.classes, rank_with(choose, others, share, origin))
                if kept >= 0:
                    rank = rank_left(choose, last_theirs, left, origin)
                    state[count] = ways * kept + rank
                    count += 1
                if not alike and (kept < 0 or own_image(board.own, kept)):
                    rank = rank_left(choose, theirs_image, left_image, mirror[origin])
                    state[count] = ways * (~kept if kept < 0 else kept) + rank
                    count += 1
            owner[cell] = 2
        first[s + 1] = count
    return count

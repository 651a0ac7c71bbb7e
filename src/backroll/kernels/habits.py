"""Decisions by habits: which move a roll is used for, and whether to stop.

A turn is the coloured markers `mine` and `theirs`, `at` (the heights in this turn, `mine` where
there is no neutral marker) and two sets of columns as bits: `marked` have a neutral marker, and
in `full` nobody can climb, as they are won or topped.

A roll can be used in up to six ways: of split k both columns (3 k), or where both would take one
marker too many the lower (3 k + 1) or the higher (3 k + 2) alone. They are tried in this order,
which is that of the rules.
"""

from __future__ import annotations

from backroll.arrays import Floats, Longs
from backroll.kernels import inlined
from backroll.played import Board, Habits

LOWER, HIGHER = 1, 2
LOST = -1
NEUTRALS = 3
ROLL, SHARE, JUMP = 0, 1, 2


@inlined
def closed(board: Board, mine: Longs, theirs: Longs) -> int:
    """The columns that are won, as bits."""
    found = 0
    for c in range(board.length.size):
        if mine[c] == board.length[c] or theirs[c] == board.length[c]:
            found |= 1 << c
    return found


@inlined
def weigh(
    board: Board, habits: Habits, mine: Longs, theirs: Longs, at: Longs, c: int, worth: Floats
) -> None:
    """Fill worth[a - 1, c] with what climbing column c by a squares from here adds to a move."""
    start, here, other, length = mine[c], at[c], theirs[c], board.length[c]
    square = here
    for a in range(2):
        if square < length:
            square += 1
            if board.occupied == JUMP and square == other:
                square += 1
            squares = a
        value = habits.climb[c, start, here, squares] if here < length else 0.0
        if habits.chase:
            value *= 0.5 + (square - other) / length
        worth[a, c] = value


@inlined
def escaped(
    board: Board, habits: Habits, mine: Longs, theirs: Longs, at: Longs, c: int, squares: int,
    after: int,
) -> float:  # fmt: skip
    """The factor for a column in which the turn is expected to end on the opponent's marker."""
    if theirs[c] == 0:
        return 1.0
    square = min(at[c] + squares, board.length[c])
    if board.occupied == JUMP and at[c] < theirs[c] <= square:
        square += 1
    end = mine[c] + int(habits.reach[after, c] + 0.5)
    return habits.escape[c] if theirs[c] == max(end, square) else 1.0


@inlined
def shuffle(board: Board, at: Longs, full: int) -> int:
    """The order in which ties are looked at: a hash of where the markers stand.

    Whoever has won a column, it counts as climbed to the top. Products stay below 2**63.
    """
    mixed = 0
    for c in range(board.length.size):
        height = board.length[c] if full >> c & 1 else at[c]
        mixed = mixed * 31 + height & 0xFFFFFFFF  # so that the product stays below 2**63
        mixed = mixed * 0x7FEB352D & 0xFFFFFFFF
        mixed ^= mixed >> 15
    return int(mixed % board.shuffled.shape[1])


@inlined
def choose(
    board: Board, habits: Habits, mine: Longs, theirs: Longs, at: Longs, worth: Floats,
    marked: int, full: int, roll: int,
) -> int:  # fmt: skip
    """The way in which a roll is used, by what columns are worth; LOST if there is none."""
    best, highest = LOST, 0.0
    markers = board.markers[marked]
    spare = markers < NEUTRALS
    for k in range(3):
        a, b = board.split[roll, k, 0], board.split[roll, k, 1]
        if a < 0:
            break
        old_a, old_b = marked >> a & 1, marked >> b & 1
        low = not full >> a & 1 and (old_a or spare)
        high = not full >> b & 1 and (old_b or spare) and a != b
        if not (low or high):
            continue
        way, last_way = 3 * k, 3 * k
        if low and high and markers + 2 - old_a - old_b > NEUTRALS:
            way, last_way = 3 * k + LOWER, 3 * k + HIGHER
        while way <= last_way:
            up_a = low and way != 3 * k + HIGHER
            up_b = high and way != 3 * k + LOWER
            after = marked | up_a << a | up_b << b
            value = -habits.marker * (board.markers[after] - markers) - habits.hazard[after]
            if up_a:
                squares = 2 if a == b else 1
                adds = worth[squares - 1, a]
                if habits.escaping:
                    adds *= escaped(board, habits, mine, theirs, at, a, squares, after)
                value += adds
            if up_b:
                adds = worth[0, b]
                if habits.escaping:
                    adds *= escaped(board, habits, mine, theirs, at, b, 1, after)
                value += adds
            better = best == LOST or value > highest
            if not better and value == highest:
                if habits.shuffled:
                    order = shuffle(board, at, full)
                    places = board.shuffled[roll, order]
                    better = places[k] < places[best // 3]
                else:
                    better = habits.last
            if better:
                best, highest = way, value
            way += 1
    return best


@inlined
def climb(
    board: Board, theirs: Longs, at: Longs, marked: int, full: int, roll: int, way: int
) -> tuple[int, int]:
    """Use a roll; gives the columns marked and those full afterwards."""
    a, b = board.split[roll, way // 3, 0], board.split[roll, way // 3, 1]
    alone = way % 3
    jump = board.occupied == JUMP
    markers = board.markers[marked]
    before, blocked = marked, full
    for second in range(2):
        c = b if second else a
        if alone == (LOWER if second else HIGHER) or (second and a == b):
            continue
        if blocked >> c & 1 or not (before >> c & 1 or markers < NEUTRALS):
            continue
        for _ in range(2 if a == b else 1):
            if at[c] < board.length[c]:
                at[c] += 1
                if jump and at[c] == theirs[c]:
                    at[c] += 1
        marked |= 1 << c
        if at[c] == board.length[c]:
            full |= 1 << c
    return marked, full


@inlined
def stops(
    board: Board, habits: Habits, mine: Longs, theirs: Longs, at: Longs, marked: int, full: int,
    won: int,
) -> bool:  # fmt: skip
    """Whether the player stops, with `won` columns won before this turn."""
    progress = 0.0
    for q in range(board.markers[marked]):
        c = board.marks[marked, q]
        if at[c] == theirs[c] and board.occupied == ROLL:
            return False
        progress += habits.progress[c, mine[c], at[c]]
    topped = board.markers[marked & full]
    if won + topped >= board.columns or (topped and habits.topped):
        return True
    if (
        habits.eager
        and board.markers[marked] < NEUTRALS
        and marked | full != board.markers.size - 1
    ):
        return False
    return bool(progress >= habits.limit[marked])

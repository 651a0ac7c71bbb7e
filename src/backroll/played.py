"""The arrays of play: boards of Can't Stop, strategies, and what turns of theirs come to."""

from __future__ import annotations

from typing import NamedTuple

from backroll.arrays import Bytes, Flags, Floats, Ints, Longs


class Board(NamedTuple):
    """Can't Stop as it is played by kernels, columns numbered from the left.

    Dice that come up as r, 0 to sides**4 - 1, can be paired as split[r, 0], split[r, 1], …, each
    two columns, the lower first; -1 where there are no more. `markers` counts the columns of a set
    that is written as bits, and `marks` has the first three of them. `occupied` is a place in
    `OCCUPIED`.
    """

    length: Longs
    split: Ints
    shuffled: Bytes
    """shuffled[r, o, k] is where split k comes if the three pairings are looked at in order o."""
    markers: Ints
    marks: Ints
    columns: int
    """How many won columns win."""
    occupied: int


OCCUPIED = ("roll", "share", "jump")


class Habits(NamedTuple):
    """A strategy for Can't Stop whose decisions are sums of numbers looked up.

    A move is worth the sum, over the columns c that it climbs by a squares from square m, with the
    coloured marker at h, of climb[c, h, m, a - 1], less `marker` for every new marker and less
    hazard[s], s being the marked columns after it as bits. The player stops once the sum of
    progress[c, h, square] over the marked columns is limit[s] or more.
    """

    climb: Floats
    marker: float
    hazard: Floats
    progress: Floats
    limit: Floats
    eager: bool
    """Roll while another column can be marked, whatever the progress."""
    topped: bool
    """Stop when a column is topped, whatever the progress."""
    last: bool
    """Of moves worth the same take the last one, not the first."""
    shuffled: bool
    """Of moves worth the same take one as dice do that are paired in the order in which they fell:
    in one of six orders of their pairings, which where the markers stand decides."""
    chase: bool
    """Multiply what a column adds by 1/2 plus the lead over the opponent there, of its length."""
    escaping: bool
    """Multiply what column c adds by escape[c] where the turn is expected to end on the opponent's
    marker."""
    escape: Floats
    reach: Floats
    """How many squares a turn is expected to climb in column c when s is marked: reach[s, c]."""


class Softmin(NamedTuple):
    """Expected turns left alone, estimated from the heights; k columns are still to be won.

    They are offset[k] - scale[k] * log of the sum over the sets T of columns that can win, those
    that are won among them, of exp(weight[k, T] + sum of climb[k, c, height of c]) over the
    columns c of T that are not won: a soft minimum over the ways to win. `column[T]` has the
    columns of a set, `bits` the same as bits.
    """

    column: Longs
    bits: Longs
    weight: Floats
    climb: Floats
    scale: Floats
    offset: Floats


class Turns(NamedTuple):
    """Turns by habits, end to end: turn p is states first[p]:first[p + 1], a state before those
    that it leads to.

    At state s the player stops if stop[s] says so and nobody is in the way of his markers, in
    column mark[s, q] on square[s, q], -1 where there are fewer. That closes the columns topped[s],
    and the mover's placement is number leaf[s] of those left then. Else he rolls, which loses the
    turn with chance lost[s] and leads to the state child[e] of the turn with chance weight[e], e in
    edge[s]:edge[s + 1].
    """

    first: Longs
    stop: Flags
    topped: Ints
    leaf: Ints
    mark: Ints
    square: Ints
    lost: Floats
    edge: Longs
    child: Ints
    weight: Floats


class Rolls(NamedTuple):
    """The rolls that are not the same to a player with columns s marked: first[s] to end[s] - 1,
    places in the `split` of a board, each coming up with some chance; all of them where s is 0."""

    chance: Floats
    first: Longs
    end: Longs


class Field(NamedTuple):
    """A hand of anchors and where stops lead from them, by the columns that a stop closes.

    With the columns f closed as well, as bits, a side has placements[f], numbered by the sum
    of stride[f, c] * height in c; what was placement x is place[f, x] there. The anchors of that
    hand begin at start[f] if the first player closed the columns and at other[f] if the second
    did; -1 is a win. `shut` has the tops of closed columns, and 0 elsewhere.
    """

    shut: Longs
    placements: Longs
    stride: Longs
    place: Ints
    start: Longs
    other: Longs


class Reached(NamedTuple):
    """Anchors that something comes to: anchor `anchor[r]` has row[anchor] = r, 0 if nothing comes.

    flow[r] is what comes there, held[r] what was there before; `rows` counts, row 0 included.
    """

    row: Ints
    anchor: Longs
    flow: Floats
    held: Floats
    rows: Longs


class Draft(NamedTuple):
    """Room in which a turn is written out: by marked columns, by state, by column."""

    base: Longs
    met: Ints
    slot: Ints
    at: Longs
    worth: Floats

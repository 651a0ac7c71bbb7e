"""The arrays that rules become and kernels read, grouped under names that Numba knows too."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Flags: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint16]

MEAN, HIGHEST, LOWEST = 0, 1, 2
FIRST, NEIGHBOURS, KEPT = 0, 1, 2
APART, RESIDUAL, RADIUS = 0, 1, 2
"""Places in what kernels find: of what is open, and of what is proven."""
WON, LOST, DRAWN = 1, 2, 3
"""Outcomes of a game without chance; 0 is none yet, or play that goes on for ever."""
BINS, TALLY = 5, 4
COUNTS = TALLY + 2 * BINS**2
"""Kernels count components, positions, iterations and rolls, and then by fifths of the values of
both anchors of a component: components and iterations."""


class Graph(NamedTuple):
    """n positions and m edges; the children of u are child[first[u]:first[u + 1]].

    A position is worth `adds` plus the mean, the highest or the lowest of weight * value over
    its children; an end of the game has no children. Where the other player takes over, the
    weight is negative: values are centred, so that what is worth v to one side is worth -v to
    the other, and a change of sides is a change of sign.
    """

    kind: Bytes
    first: Longs
    child: Ints
    weight: Floats
    adds: Floats


class Order(NamedTuple):
    """Components, supports first, and within each an order of evaluation.

    Component c is order[start[c]:start[c + 1]]. Where it has a cycle, its `cut` positions are
    such that no cycle avoids them, and every other position comes after all its children but
    cut ones.
    """

    component: Ints
    order: Ints
    start: Longs
    cut: Flags
    cyclic: Flags


class Room(NamedTuple):
    """What kernels work in, one place a position; `visits` is zero between calls."""

    image: Floats
    other: Floats
    moved: Floats
    radius: Floats
    visits: Floats
    rank: Ints
    mark: Bytes
    matrix: Floats
    right: Floats

    @classmethod
    def of(cls, n: int, widest: int) -> Room:
        """Room for n positions, and for dense equations in `widest` unknowns."""
        image, other, moved, radius, visits = np.zeros((5, n))
        return cls(
            image,
            other,
            moved,
            radius,
            visits,
            rank=np.zeros(n, np.int32),
            mark=np.zeros(n, np.uint8),
            matrix=np.zeros((widest, widest)),
            right=np.zeros(widest),
        )


class Lists(NamedTuple):
    """What the dice can do, by kind of state: list i is outcomes first[i]:first[i + 1].

    Outcome o comes with weight[o] and leaves the choice among step[option[o]:option[o + 1]], each
    the number of one of the state's shifts; with weight lost[i] the turn is lost.
    """

    first: Ints
    weight: Floats
    option: Ints
    step: Ints
    lost: Floats


class Programs(NamedTuple):
    """Turns in evaluation order, end to end: program p is states first[p]:first[p + 1].

    State s draws from list lists[s]; its move k leads to state s + shifts[shift[s] + k]. It may
    be stopped at, for what stands in the table at leaf[s], a number of the lane's own further on,
    which fold[s] picks. Other leaves: WON, a stop that ends the game; START, where nothing can be
    stopped at; PICK, a copy of one of two states, by the lane's choice lists[s].
    """

    first: Longs
    lists: Ints
    shift: Ints
    leaf: Longs
    fold: Ints
    shifts: Ints


class Climbs(NamedTuple):
    """Can't Stop with some columns open: the sets of marked columns, largest first, and moves.

    Set i marks size[i] columns column[i]; its states draw from lists[i, c], where c tells for
    each marker in base 3 how many squares are left above it, 0, 1 or more. Its moves are
    move[i]:move[i + 1]: each climbs advance[m, q] squares with the marker q, and leads to a state
    of slab[m]. A slab is a set in which one or two columns were entered just now: of set
    slab_set[j], place entered[j] at height climb[j] above where its column was, the rest as in
    the slab parent[j] (-1: as in the set). The slabs of set i are slabs[i]:slabs[i + 1], the
    first of them the set itself.
    """

    length: Longs
    size: Longs
    column: Longs
    lists: Ints
    move: Longs
    advance: Longs
    slab: Longs
    place: Longs
    slabs: Longs
    entered: Longs
    climb: Longs
    parent: Longs
    topped: Longs


class Leaves(NamedTuple):
    """Where stops lead: by set f of columns that were topped, a block of the table.

    The number of a placement h in the block is the sum of stride[f, c] * h[c]; it stands at
    start[f] + rank * width[f], where rank is the number itself or ranks[offset[f] + number].
    A start of -1 says that the game is won.
    """

    start: Longs
    stride: Longs
    width: Longs
    offset: Longs
    ranks: Ints


class Square(NamedTuple):
    """Anchors of two players with the same closed columns and numbers of columns won.

    `heights` has the placements of a side by rank; the mover at rank x and the other side at rank
    y stand at row start + y * n + x. `place[f, y]` is where y is among the placements left when
    the columns of set f are closed; `above[x, c]` is the rank with the marker of column c one
    higher, or -1; `image[x]` that of the mirror image, or x where there is none.
    """

    start: int
    leaves: Leaves
    heights: Longs
    place: Ints
    above: Ints
    image: Ints


class Desk(NamedTuple):
    """What a thread works with: room for programs, and for running one of them."""

    programs: Programs
    slab_base: Longs
    slab_stride: Longs
    off: Longs
    tracks: tuple[Floats, Floats]
    high: Floats
    stopped: Bytes


class Steps(NamedTuple):
    """How components are solved: where to start, how to go on, when to stop."""

    start: int
    """FIRST, NEIGHBOURS or KEPT: from `first`, from solved neighbours, from the table."""
    first: float
    newton: bool
    """Use slopes; without them a step is one of value iteration."""
    tolerance: float
    limit: int
    """Most steps; fewer are wanted for one sweep of Algorithm 2."""


class Links(NamedTuple):
    """Where some states lead, or what leads to them: those of the i-th of them are
    state[first[i]:first[i + 1]]."""

    first: Longs
    state: Ints


class Rhombus(NamedTuple):
    """The board of Chinese Checkers: cells are numbered row by row.

    `near[c, d]` is the cell next to c in direction d and `over[c, d]` the one behind it, -1 off
    the board; `choose[n, k]` counts the ways to choose k of n; `home` has the mover's home.

    Where mirror images are merged, `mirror[c]` is the image of c, `kept` has of each class of sets
    of cells the rank of the set that is kept, `classes` of each rank its class, or ~class where the
    image is kept, and `own` of each class whether the set is its own image. Else these three are
    empty, and each cell is its own image.
    """

    near: Longs
    over: Longs
    choose: Longs
    home: Longs
    mirror: Longs
    kept: Longs
    classes: Longs
    own: Flags


class Study(NamedTuple):
    """What the solvers of the study work with: where states lead (`first`, `state`), what leads to
    them (`back`, `source`), whose turn it is, and what is known; and whether moves all hand over.
    """

    first: Longs
    state: Ints
    back: Longs
    source: Ints
    turns: Bytes
    outcome: Bytes
    depth: Words
    visited: Bytes
    alternating: bool


class Choices(NamedTuple):
    """The parameters of the study's solvers."""

    layered: bool = True
    """Find distances: what is settled in a pass counts in the next one only."""
    direct: bool = True
    """Settle at once who can bring about what was found."""
    win_only: bool = False
    """Look for the wins of the first player and for nothing else."""
    no_dup: bool = True
    """Go back from every state once."""
    further: bool = False
    """Going back, settle at once also those before the ones settled."""
    from_wins: bool = True
    """Settle at once who can bring about a win of the first player, if anybody is at once."""
    from_losses: bool = True
    """The same for losses."""

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

MEAN, HIGHEST, LOWEST = 0, 1, 2


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

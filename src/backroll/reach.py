"""What can be reached in an explored game: places without a way out, cycles without an anchor."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroll.graph import Explored, overrides
from backroll.kernels.scc import strong_components


def endless(explored: Explored[Any]) -> list[Any]:
    """One position of every component that no end can be reached from and nothing leaves."""
    first, child = explored.graph.first, explored.graph.child
    component, count = strong_components(first, child)
    degree = np.diff(first)
    source = np.repeat(component, degree)
    open_ended = np.zeros(count, np.bool_)
    open_ended[source[source != component[child]]] = True
    open_ended[component[degree == 0]] = True
    return _one_of_each(explored, component, np.flatnonzero(~open_ended[component]))


def cycles_without_anchor(explored: Explored[Any]) -> list[Any]:
    """One position of every component that is left when the anchors are taken out.

    A game that does not say where its anchors are has none to miss.
    """
    if not overrides(explored.game, "anchor"):
        return []
    first, child = explored.graph.first, explored.graph.child
    source = np.repeat(np.arange(first.size - 1, dtype=np.int32), np.diff(first))
    inside = ~(explored.anchor[source] | explored.anchor[child])
    source, target = source[inside], child[inside]
    kept = np.zeros(first.size, np.int64)
    np.cumsum(np.bincount(source, minlength=first.size - 1), out=kept[1:])
    component, count = strong_components(kept, target)
    cyclic = np.bincount(component, minlength=count)[component] > 1
    cyclic[source[source == target]] = True
    return _one_of_each(explored, component, np.flatnonzero(cyclic))


def _one_of_each(
    explored: Explored[Any], component: NDArray[np.int32], members: NDArray[np.intp]
) -> list[Any]:
    """The first position, as explored, of every component that has members."""
    _, at = np.unique(component[members], return_index=True)
    return [explored.positions[members[i]] for i in np.sort(at)]

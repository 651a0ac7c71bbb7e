"""Hands of anchors, and what comes to some of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backroll.arrays import Floats, Longs
from backroll.played import Reached


class Hand(NamedTuple):
    """The columns that are closed, as bits, and how many of them each side won."""

    closed: int = 0
    mine: int = 0
    theirs: int = 0


class Some(NamedTuple):
    """What comes to some anchors of a hand."""

    anchors: Longs
    flow: Floats


class Sent(NamedTuple):
    """What a hand sends on: to other hands, and to the end; and how many anchors it has."""

    hands: dict[Hand, Some]
    ends: Floats
    anchors: int
    held: Floats


def after(hand: Hand, columns: int, *, second: bool) -> Hand:
    """The hand after a side has closed some columns."""
    more = columns.bit_count()
    mine, theirs = (0, more) if second else (more, 0)
    return Hand(hand.closed | columns, hand.mine + mine, hand.theirs + theirs)


def together(coming: list[Some]) -> Some:
    """What comes to a hand from several others."""
    anchors, which = np.unique(
        np.concatenate([each.anchors for each in coming]), return_inverse=True
    )
    flow = np.zeros((anchors.size, coming[0].flow.shape[1]))
    np.add.at(flow, which, np.concatenate([each.flow for each in coming]))
    return Some(anchors, flow)


def reached_by(size: int, coming: Some, held: Floats) -> Reached:
    """The anchors of a hand that something comes to, with room for others that it leads to.

    The same anchors have the same rows whenever a hand is sent on, and so find what was held.
    """
    count = 1 + coming.anchors.size
    found = roomier(
        Reached(
            row=np.zeros(size, np.int32),
            anchor=np.append(0, coming.anchors),
            flow=np.concatenate([np.zeros_like(coming.flow[:1]), coming.flow]),
            held=np.zeros(count),
            rows=np.array([count]),
        ),
        max(held.size, 1024),
    )
    found.row[coming.anchors] = np.arange(1, count)
    found.held[: held.size] = held
    return found


def roomier(reached: Reached, more: int = 0) -> Reached:
    """The same with twice the room and more."""
    room = 2 * reached.anchor.size + more
    anchor, held = np.zeros(room, np.int64), np.zeros(room)
    flow = np.zeros((room, reached.flow.shape[1]))
    for old, new in zip(reached[1:4], (anchor, flow, held), strict=True):
        new[: len(old)] = old
    return Reached(reached.row, anchor, flow, held, reached.rows)

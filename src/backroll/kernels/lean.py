"""Deterministic games backwards in two bits a state, or in one: outcomes without distances.

A fact a state, packed into bytes, the first state in the lowest bits: 0 while it is open, WON, and
with two bits LOST. What has been won for its mover has bad news for whoever may move there, and
what is lost has good news. Good news settles a state at once; after bad news it is marked, and
looked at later: it is lost if all its moves are bad. An end has no moves, so looking does it no
harm.

With two bits the fourth fact is the mark. With one bit there are marks for eight states together,
a bit each, and a state that was found to be lost is not told from one that is open: it is found
again whenever its eight are looked at, for the same reason and to no effect.

Facts only ever become more. So whoever reads while others write may miss one, whose news comes
later, but never reads a wrong one. Writing is for one thread at a time.
"""

from __future__ import annotations

from backroll.arrays import LOST, WON, Bytes, Links, Longs
from backroll.kernels import kernel
from backroll.kernels.layers import hands_over

MARKED = 3
"""The fact of an open state that is to be looked at, with two bits."""
KEPT = -1
"""A move kept the turn and lost: with one bit that cannot be told from one that draws."""


@kernel
def fact(facts: Bytes, bits: int, s: int) -> int:
    """What is known of a state."""
    return int(facts[s * bits >> 3]) >> (s * bits & 7) & (1 << bits) - 1


@kernel
def put(facts: Bytes, bits: int, s: int, found: int) -> None:
    """Keep what is known of a state."""
    at, shift = s * bits >> 3, s * bits & 7
    others = 255 - (((1 << bits) - 1) << shift)
    facts[at] = int(facts[at]) & others | found << shift


@kernel
def put_all(facts: Bytes, bits: int, states: Longs, found: int) -> None:
    """Keep what is known of some states."""
    for s in states:
        put(facts, bits, s, found)


@kernel
def reopen(facts: Bytes, bits: int, begin: int, end: int) -> None:
    """Mark whatever is not won, with two bits."""
    for s in range(begin, end):
        if fact(facts, bits, s) != WON:
            put(facts, bits, s, MARKED)


@kernel
def collect(
    facts: Bytes, marks: Bytes, bits: int, begin: int, end: int, states: Longs
) -> tuple[int, int]:
    """List the open states that are marked and take their marks away.

    Gives how many, and where to go on: it stops when there is no room for eight more.
    """
    count, s = 0, begin
    while s < end and count + 8 <= states.size:
        if bits == 1:
            marked = marks[s >> 6] >> (s >> 3 & 7) & 1
            marks[s >> 6] = int(marks[s >> 6]) & 255 - (1 << (s >> 3 & 7))
        else:
            pair = int(facts[s >> 2]) | int(facts[min(s >> 2 | 1, facts.size - 1)]) << 8
            marked = pair & pair >> 1 & 0x5555
        if marked:
            for t in range(s, min(s + 8, end)):
                known = fact(facts, bits, t)
                if known == MARKED:
                    put(facts, bits, t, 0)
                if known == MARKED or (bits == 1 and known == 0):
                    states[count] = t
                    count += 1
        s += 8
    return count, min(s, end)


@kernel
def look(facts: Bytes, bits: int, turns: Bytes, states: Longs, links: Links, lost: Longs) -> int:
    """List those of some states whose moves are all bad, and that have one; gives how many."""
    count = 0
    for i in range(states.size):
        bad = links.first[i] < links.first[i + 1]
        for j in range(links.first[i], links.first[i + 1]):
            t = links.state[j]
            worst = WON if hands_over(turns, states[i], t) else LOST
            if fact(facts, bits, t) != worst:
                bad = False
                break
        if bad:
            lost[count] = states[i]
            count += 1
    return count


@kernel
def go_back(
    facts: Bytes, marks: Bytes, bits: int, turns: Bytes, states: Longs, links: Links, won: Longs
) -> int:
    """Bring the news of settled states, won or else lost, to those before them.

    Lists who has won by that and gives how many, or KEPT with one bit.
    """
    count = 0
    for i in range(states.size):
        s = states[i]
        good = fact(facts, bits, s) != WON
        for j in range(links.first[i], links.first[i + 1]):
            p = links.state[j]
            known = fact(facts, bits, p)
            other = hands_over(turns, p, s)
            if bits == 1 and good and not other:
                return KEPT
            if known in (WON, LOST):
                continue
            if good == other:
                put(facts, bits, p, WON)
                won[count] = p
                count += 1
            elif bits == 1:
                marks[p >> 6] = int(marks[p >> 6]) | 1 << (p >> 3 & 7)
            else:
                put(facts, bits, p, MARKED)
    return count

"""Deterministic games backwards, a layer of equal distance at a time.

A word a state: 4 * distance + outcome, seen from whoever is to move there; 0 while it is open.
Layer d + 1 is made from layer d. What a mover can bring about with a move into the layer is won.
What leads into the layer otherwise is marked, and then looked at: it is lost if all its moves are
bad. Threads may share a layer: what several of them write to one word is the same, and what is
read counts only if it is of layer d or before.
"""

from __future__ import annotations

from backroll.arrays import LOST, WON, Bytes, Links, Longs, Words
from backroll.kernels import kernel

MARKED = 65_532
"""The word of an open state that is to be looked at."""
FARTHEST = 16_382
"""The largest distance that a word has room for."""


@kernel
def put_ends(words: Words, begin: int, outcome: Bytes) -> None:
    """Fill in the ends of the game among some states."""
    for i in range(outcome.size):
        words[begin + i] = outcome[i]


@kernel
def collect(
    words: Words, begin: int, end: int, lowest: int, highest: int, states: Longs
) -> tuple[int, int]:
    """List the states whose word is in a range; gives how many, and where to go on.

    It stops when the list is full.
    """
    count, s = 0, begin
    while s < end and count < states.size:
        if lowest <= words[s] <= highest:
            states[count] = s
            count += 1
        s += 1
    return count, s


@kernel
def hands_over(turns: Bytes, s: int, t: int) -> bool:
    """Whether a move from s to t is followed by the other side's; without turns, every one is."""
    return turns.size == 0 or turns[s] != turns[t]


@kernel
def mark(words: Words, turns: Bytes, states: Longs, links: Links, layer: int, wins: bool) -> None:
    """Go back from states of a layer, and write to the words of open states.

    With `wins` to what is won by a move there, otherwise to what is to be looked at.
    """
    for i in range(states.size):
        s = states[i]
        lost = words[s] & 3 == LOST
        won = words[s] & 3 == WON
        for j in range(links.first[i], links.first[i + 1]):
            p = links.state[j]
            if words[p] & 3 != 0:
                continue
            other = hands_over(turns, p, s)
            if (lost and other) or (won and not other):
                if wins:
                    words[p] = 4 * (layer + 1) + WON
            elif not wins and words[p] != MARKED:
                words[p] = MARKED


@kernel
def look(words: Words, turns: Bytes, states: Longs, links: Links, layer: int) -> None:
    """Settle marked states all of whose moves are bad, the others being open again."""
    for i in range(states.size):
        s = states[i]
        bad = True
        for j in range(links.first[i], links.first[i + 1]):
            t = links.state[j]
            word = words[t]
            outcome = word & 3
            worst = WON if hands_over(turns, s, t) else LOST
            if word > 4 * layer + 3 or outcome != worst:
                bad = False
                break
        words[s] = 4 * (layer + 1) + LOST if bad else 0

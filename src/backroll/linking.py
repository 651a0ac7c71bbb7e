"""What the contract asks of states in blocks of arrays (`Game.states`): the rules say the same.

Of some positions that were met, or of those at their rows if other ones stand there, the states
must lead where the moves lead, be led to from there, and be over where the game is over, for the
same side.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import numpy as np

from backroll.arrays import Links
from backroll.contract import Broken, Inspector
from backroll.game import ABSENT, Terminal
from backroll.outcomes import worth
from backroll.states import MOST, states_by_arithmetic

DRAWN_ROWS = 200
"""How many positions are compared at the most."""


def linked(inspector: Inspector, random: Random) -> None:
    """Ask whether states and rules agree, if the game says that it has states."""
    game, ledger = inspector.game, inspector.ledger
    with suppress(Broken):
        with ledger.asking("states()"):
            states = states_by_arithmetic(game)
        if states is None:
            return
        if states.size != game.anchor_count():
            detail = f"expected a state a row, {game.anchor_count():,}, found {states.size:,}"
            ledger.stop("states() gives states that are no rows", detail)
        if states.size > MOST:
            return  # which is not solved: links have no room for their numbers
        met = [each for each in inspector.children if game.anchor_row(each) != ABSENT]
        for position in random.sample(met, min(DRAWN_ROWS, len(met))):
            with suppress(Broken), ledger.asking("states()", position):
                kept = game.anchor_at(game.anchor_row(position))  # it, or what stands for it
                inspector.visit(kept)
                _agrees(inspector, states, kept)


def _agrees(inspector: Inspector, states: Any, position: Any) -> None:
    game, ledger = inspector.game, inspector.ledger
    row = game.anchor_row(position)
    expected = sorted(game.anchor_row(each) for each in inspector.children[position])
    found = _only(states.successors(np.array([row])))
    if found != expected:
        detail = f"expected {expected}, found {found}"
        ledger.note("states() leads elsewhere than play()", detail, position)
    for child in dict.fromkeys(expected):
        before = _only(states.predecessors(np.array([child])))
        if before.count(row) != expected.count(child):
            detail = f"{row} leads to {child}, found before it {before}"
            ledger.note("states() does not go back where it came from", detail, position)
    outcome, node = int(states.ends(row, row + 1)[0]), game.node(position)
    value = node.value if isinstance(node, Terminal) else None
    if value != (_value(states, row, outcome, game) if outcome else None):
        detail = f"node() says {node!r}, states() the outcome {outcome}"
        ledger.note("states() ends where node() does not", detail, position)


def _value(states: Any, row: int, outcome: int, game: Any) -> float:
    """What an outcome is worth as the game writes it: in turns 1 is the second player's."""
    value = worth(outcome, game.total)
    second = states.turns.size and states.turns[row] == 1
    return game.total - value if second else value


def _only(links: Links) -> list[int]:
    """The links of the one state that was asked for."""
    return sorted(links.state[links.first[0] : links.first[1]].tolist())

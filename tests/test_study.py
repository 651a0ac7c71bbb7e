"""The choices of the study's solvers."""

from __future__ import annotations

import pytest

from backroll.engines.retrograde import ordered
from backroll.games.chinese_checkers import ChineseCheckers
from backroll.states import number

COMPILED = pytest.mark.compiled


@pytest.mark.parametrize("pieces", [1, pytest.param(2, marks=COMPILED)])
def test_the_order_of_cells_is_that_of_what_lies_on_them(pieces: int) -> None:
    game = ChineseCheckers(3, pieces)
    size = 2 * game.anchor_count()
    last = game.size**2 - 1
    along = sorted(range(last + 1), key=lambda cell: (sum(divmod(cell, game.size)), cell))

    def contents(state: int) -> list[int]:
        row, turn = divmod(state, 2)
        mine, theirs = game.anchor_at(row)
        pieces = dict.fromkeys(mine, 1) | dict.fromkeys(theirs, 0)
        if turn:
            pieces = {last - cell: 1 - side for cell, side in pieces.items()}
        return [*(pieces.get(cell, 2) for cell in along), turn]

    found = ordered("cells", size, number(game).states)
    assert found.tolist() == sorted(range(size), key=contents)

"""A user's game of any size, explored and in arrays: the same outcomes, by the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from backroll import Database, load, verify
from backroll.engines.retrograde import solve
from backroll.game import Terminal
from backroll.testing import check

TAG = Path(__file__).parents[1] / "benchmarks" / "tag.py"


@pytest.mark.parametrize("name", ["Tag", "TagInArrays"])
def test_the_game_keeps_the_contract_and_its_values_follow(name: str) -> None:
    game = load(f"{TAG}:{name},rows=3,columns=4")
    assert check(game) == []
    found = solve(game)
    assert min(found.report.counts[each] for each in ("won", "lost", "drawn")) > 0
    assert verify(Database.of(found), sample=None).residual == 0


def test_arrays_give_the_positions_that_are_reached_the_same_values() -> None:
    explored = solve(load(f"{TAG}:Tag,rows=4,columns=5"))
    game = load(f"{TAG}:TagInArrays,rows=4,columns=5")
    numbered = Database.of(solve(game))
    reached = Database.of(explored)
    assert len(numbered) == 2 * 20 * 20
    for position in explored.anchors:
        assert reached.value(position) == numbered.value(position)
        assert reached.distance(position) == numbered.distance(position)
    ends = [position for position in explored.anchors if isinstance(game.node(position), Terminal)]
    assert {numbered.value(position) for position in ends} == {0, 1}

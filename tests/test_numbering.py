from __future__ import annotations

from typing import Any

import pytest

from backroll.game import Terminal
from backroll.testing import Finding
from breaking import PLACES, Numbered, found, only


def test_rows_and_positions_that_are_inverse() -> None:
    assert found(Numbered()) == []
    assert found(Numbered(count=0, rows={(0, 0): "not asked"})) == []
    assert found(Numbered(rows={(4, 1): -1}, places={7: (4, 2)}))  # an end needs no row, but 7 one


@pytest.mark.parametrize(
    ("wrong", "problem", "position", "detail"),
    [
        ({"count": -1}, "anchor_count() gives no count", "", "expected 0 or more, found -1"),
        ({"count": "9"}, "anchor_count() gives no count", "", "found '9'"),
        ({"rows": {(2, 1): 9}}, "anchor_row() gives no row", "(2, 1)", "expected -1 to 8, found 9"),
        ({"rows": {(2, 1): -2}}, "anchor_row() gives no row", "(2, 1)", "found -2"),
        ({"rows": {(2, 1): None}}, "anchor_row() gives no row", "(2, 1)", "found None"),
        (
            {"rows": {(2, 1): 2}},
            "anchor_at() is not the inverse of anchor_row()",
            "(2, 1)",
            "at its row, 2, stands (2, 0)",
        ),
        ({"places": {3: []}}, "hash(position) raises", "[]", "row 3: TypeError"),
    ],
)
def test_rows_that_are_wrong(wrong: Any, problem: str, position: str, detail: str) -> None:
    findings = found(Numbered(**wrong))
    first = next(each for each in findings if each.problem == problem)
    assert first.position == position
    assert detail in first.detail


def test_an_anchor_without_a_row() -> None:
    findings = found(Numbered(rows={(2, 1): -1}))
    assert findings == [
        Finding("anchor_row() misses an anchor", "(2, 1)", "found -1"),
        Finding(
            "anchor_row() is not the inverse of anchor_at()",
            "(2, 1)",
            "it stands at row 3, found -1",
        ),
    ]


def test_a_row_for_what_is_no_anchor() -> None:
    class Even(Numbered):
        def anchor(self, position: Any) -> bool:
            return bool(position[0] % 2 == 0)

    problem = "anchor_row() takes for an anchor what is none"
    only(Even(), problem, "(1, 0)", "found 1")


@pytest.mark.parametrize("method", ["anchor_count", "anchor_row", "anchor_at"])
def test_an_index_that_raises(method: str) -> None:
    class Fails(Numbered):
        pass

    def fail(*_: Any) -> Any:
        raise ValueError("no")

    setattr(Fails, method, fail)
    assert f"{method}() raises" in {finding.problem for finding in found(Fails())}


def test_images_of_a_position_may_share_a_row_or_have_one_each() -> None:
    class Even(Numbered):
        """What was won is nothing if the whole game is worth the same."""

        def node(self, position: Any) -> Any:
            node = super().node(position)
            return Terminal(1) if isinstance(node, Terminal) else node

        def symmetry(self, position: Any) -> Any:
            return position[0], 0

    assert found(Even()) == []
    starts = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]
    shared = {place: place[0] for place in PLACES}
    assert found(Even(count=5, rows=shared, places=dict(enumerate(starts)))) == []

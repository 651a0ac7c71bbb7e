"""Games too long for words: refused by whatever finds distances, and by nothing else."""

from __future__ import annotations

import pytest

from backroll import load
from backroll.arrays import Choices
from backroll.engines import layers
from backroll.engines.retrograde import solve
from backroll.errors import BackrollError

FINDS_DISTANCES = [("layers", Choices()), ("backward", Choices())] + [
    (method, Choices(direct=False)) for method in ("forward", "backward")
]


@pytest.mark.parametrize(("method", "choices"), FINDS_DISTANCES)
def test_a_distance_that_words_have_no_room_for_is_refused(
    method: str, choices: Choices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layers, "FARTHEST", 6)
    counts = solve(load("nim:stones=5,most=1"), method, choices=choices).report.counts
    assert (counts["distance"], counts["height"]) == (5, 5)
    for stones in (6, 9):
        with pytest.raises(BackrollError, match="distances of less than 6, found one as large"):
            solve(load(f"nim:stones={stones},most=1"), method, choices=choices)


@pytest.mark.parametrize(
    ("method", "choices"),
    [
        ("outcomes", Choices()),
        ("wins", Choices()),
        ("naive", Choices()),
        ("hybrid", Choices()),
        ("forward", Choices(layered=False)),
        ("backward", Choices(layered=False)),
    ],
)
def test_outcomes_are_found_at_any_distance(
    method: str, choices: Choices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layers, "FARTHEST", 6)
    assert solve(load("nim:stones=9,most=1"), method, choices=choices).value == 1


@pytest.mark.compiled
def test_distances_up_to_the_last_are_found() -> None:
    game = load("nim:stones=16381,most=1")
    found = solve(game, "backward", threads=1)
    assert found.report.counts["distance"] == 16_381
    with pytest.raises(BackrollError, match="found one as large as that"):
        solve(load("nim:stones=16382,most=1"), "backward", threads=1)

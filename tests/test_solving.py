"""What solve refuses before it begins, and what it tells in the end."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from backroll import load
from backroll import solve as solve_any
from backroll.arrays import Choices
from backroll.database import Database
from backroll.engines import study
from backroll.engines.retrograde import solve
from backroll.errors import BackrollError, TableError
from backroll.games.nim import Nim
from commands import refused, run


@pytest.mark.parametrize(
    ("method", "chosen", "said"),
    [
        ("auto", {"choices": Choices(win_only=True)}, "--win-only with forward, backward or hybr"),
        ("naive", {"choices": Choices(layered=False)}, "--unlayered with forward, backward or hy"),
        ("outcomes", {"choices": Choices(from_wins=False)}, "--back with forward, backward or hyb"),
        ("forward", {"choices": Choices(no_dup=False)}, "--dup with backward, found it with forw"),
        ("hybrid", {"choices": Choices(further=True)}, "--further with backward, found it with h"),
        ("layers", {"order": "down"}, "--order with naive, forward, backward or hybrid, found it"),
    ],
)
def test_a_choice_that_a_method_does_not_take_is_refused(
    method: str, chosen: dict[str, Any], said: str
) -> None:
    with pytest.raises(BackrollError, match=f"^expected {said}"):
        solve(load("nim"), method, **chosen)
    with pytest.raises(BackrollError, match=f"^expected {said}"):
        solve_any(load("nim"), method, **chosen)
    for game, engine in (("pig:target=3", "auto"), ("nim", "general")):  # nor by other engines
        with pytest.raises(BackrollError, match=r"^expected --win-only with .* it with newton"):
            solve_any(load(game), "newton", engine=engine, choices=Choices(win_only=True))


def test_a_method_that_no_engine_has_for_a_game_is_refused() -> None:
    every = r"auto, acyclic, .*, policy, layers, outcomes, wins, naive, forward, backward, hybrid;"
    for game in ("nim", "pig:target=3"):
        with pytest.raises(BackrollError, match=f"^expected a method among {every} found 'best'"):
            solve_any(load(game), "best")
    with pytest.raises(BackrollError, match=r"^pig:target=3: expected a game that says it has no"):
        solve_any(load("pig:target=3"), "forward")
    long = load("nim:stones=20000")  # deterministic, but says otherwise for its length
    assert solve_any(long, "outcomes", engine="retrograde").value == 0


def test_what_cannot_be_kept_is_refused_before_it_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study, "solve", lambda *_: pytest.fail("solved it"))
    with pytest.raises(TableError, match="expected every outcome for a table, found --win-only"):
        solve(load("nim"), "forward", choices=Choices(win_only=True), out=tmp_path / "nim")


def test_what_has_too_many_positions_to_solve_has_no_plan() -> None:
    for command in ("plan", "solve"):
        said = refused(command, "chinesecheckers:size=9,pieces=3")
        assert "expected at most 2,147,483,647 positions, found 6,490,804,320" in said


@pytest.mark.parametrize("method", ["layers", "outcomes", "forward"])
def test_the_positions_that_are_told_are_those_that_are_counted(method: str) -> None:
    said = run("solve", "rookending:size=3", "--method", method).stdout  # an end has no row
    (line,) = (line for line in said.splitlines() if line.startswith("positions"))
    every, *parts = (int(number) for number in re.findall(r"\d+", line.replace(",", "")))
    assert every == sum(parts)


class Ladder(Nim):
    """Begun on the fifth rung, with as many above it as one likes."""

    def start(self) -> tuple[int, ...]:
        return (5,)


def test_positions_that_no_game_has_are_as_far_from_the_end_as_their_moves_say() -> None:
    found, whole = (Database.of(solve(make(5000, most=1))) for make in (Ladder, Nim))
    for stones in (5, 6, 7, 5000):
        assert found.distance((stones,)) == whole.distance((stones,)) == stones
        assert found.probe((stones,))["moves"][0]["distance"] == stones - 1

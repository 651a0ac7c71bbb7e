"""The turns engine against the general path, the settled values, and itself."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from backroll import Database, load, solve, verify
from backroll.engines import turns
from backroll.errors import BackrollError, NoSolution, NotConverged
from backroll.programs.boards import Merging
from backroll.solution import Solution, silent

PRINTED = (
    (3.00, 3.25, 3.50, 3.37, 2.87),
    (None, 3.27, 4.12, 3.83, 3.37),
    (None, None, 2.50, 4.12, 3.50),
    (None, None, None, 3.27, 3.25),
    (None, None, None, None, 3.00),
)
"""Glenn, Fang and Kruskal 2007, Table 2."""
SMALL = [
    "cantstop:sides=2,shortest=1,players=1",
    "cantstop:sides=2,shortest=2,players=1",
    "cantstop:sides=2,shortest=3,players=1,columns=1",
    "cantstop:sides=2,shortest=2,columns=1",
    "cantstop:sides=2,shortest=2,columns=2",
    "cantstop:sides=2,shortest=2,columns=2,occupied=share",
    "cantstop:sides=2,shortest=2,columns=2,occupied=jump",
    "pig:target=1",
    "pig:target=7",
    "pig:target=12,sides=3",
    "pig:target=5,piglet=yes",
]
MIDDLING = [
    "cantstop:sides=3,shortest=1,players=1",
    "cantstop:sides=2,columns=2",
    "cantstop:sides=2,columns=2,occupied=share",
    "cantstop:sides=2,columns=2,occupied=jump",
    "pig:target=40",
]
LARGE = [
    "cantstop:sides=3,shortest=2,players=1",
    "cantstop:sides=3,shortest=1",
    "cantstop:sides=3,shortest=1,occupied=share",
    "cantstop:sides=3,shortest=1,occupied=jump",
]
RUNS = [
    *SMALL,
    *(pytest.param(spec, marks=pytest.mark.compiled) for spec in MIDDLING),
    *(pytest.param(spec, marks=[pytest.mark.compiled, pytest.mark.slow]) for spec in LARGE),
]


def on_lanes(spec: str, method: str = "auto", **rest: object) -> Solution[object]:
    return turns.solve(load(spec), method, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", RUNS)
def test_every_anchor_is_worth_what_the_general_path_says(spec: str) -> None:
    general = solve(load(spec), engine="general")
    found = on_lanes(spec)
    values = Database.of(found).values(general.anchors)
    assert np.abs(values - general.values).max() < 1e-12
    assert np.abs(values - general.values).max() <= found.report.bound + 1e-15


@pytest.mark.parametrize("spec", SMALL)
def test_the_rules_agree_with_every_anchor(spec: str) -> None:
    assert verify(Database.of(on_lanes(spec)), sample=None).residual < 1e-12


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("method", ["newton", "topological", "iteration"])
@pytest.mark.parametrize("start", turns.STARTS)
def test_every_way_there_ends_within_its_bound(spec: str, method: str, start: str) -> None:
    exact = solve(load(spec), engine="general")
    found = on_lanes(spec, method, start=start, threads=1)
    assert abs(found.value - exact.value) <= found.report.bound + exact.report.bound < 1e-10
    assert found.report.residual <= found.report.bound


@pytest.mark.parametrize("spec", [SMALL[4], SMALL[6], SMALL[1], "pig:target=12,sides=3"])
def test_bounds_hold_every_value(spec: str) -> None:
    exact = solve(load(spec), engine="general")
    found = on_lanes(spec, bounds=True)
    assert found.lower is not None
    assert found.upper is not None
    rows = [found.game.anchor_row(each) for each in exact.anchors]
    assert (found.lower[rows] <= exact.values + exact.report.bound).all()
    assert (found.upper[rows] >= exact.values - exact.report.bound).all()


EVERY_MERGING = [
    Merging(closed, mirror, players)
    for closed in (True, False)
    for mirror in (True, False)
    for players in (True, False)
]


@pytest.mark.parametrize("spec", ["cantstop:sides=2,shortest=2,columns=2", SMALL[1], SMALL[6]])
def test_what_is_taken_for_the_same_changes_no_value(spec: str) -> None:
    every = [on_lanes(spec, merging=merging) for merging in EVERY_MERGING]
    for found in every[1:]:
        assert np.abs(found.values - every[0].values).max() < 1e-13
    components = [found.report.components for found in every]
    assert components[0] == min(components)
    assert components[-1] == max(components) > components[0]


@pytest.mark.parametrize("spec", ["cantstop:sides=2,columns=2", "cantstop:sides=3,players=1"])
@pytest.mark.compiled
def test_threads_change_no_bit(spec: str) -> None:
    one, two, five = (on_lanes(spec, threads=n) for n in (1, 2, 5))
    assert one.values.tobytes() == two.values.tobytes() == five.values.tobytes()
    assert one.report.rolls == two.report.rolls == five.report.rolls
    assert one.report.bound == two.report.bound == five.report.bound


TABLE = Path(__file__).with_name("golden").joinpath("turns.csv").read_text()


def golden(run: str) -> list[object]:
    rows = list(csv.DictReader(TABLE.splitlines()))
    return [
        pytest.param(row, id=f"{row['spec']} {row['unmerged']}", marks=pytest.mark.compiled)
        for row in rows
        if row["run"] == run
    ]


def agrees(row: dict[str, str]) -> None:
    merging = Merging.without(row["unmerged"].replace("+", ","))
    found = on_lanes(
        row["spec"], merging=merging, start="half" if row["unmerged"] else "neighbours"
    )
    half = 0.5 * 10.0 ** -int(row["digits"])
    assert abs(found.value - float(row["value"])) <= half + found.report.bound
    # it grows with the board: on the largest, one player (5, 1), it has always been 2.02e-11
    assert found.report.bound < (2.1e-11 if "sides=5" in row["spec"] else 2e-11)
    counts = {name: str(getattr(found.report, name)) for name in ("components", "positions")}
    assert counts == {name: row[name] for name in counts}
    assert verify(Database.of(found), sample=5).residual < 1e-12


@pytest.mark.parametrize("row", golden("fast"))
def test_golden(row: dict[str, str]) -> None:
    agrees(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", golden("slow"))
def test_golden_slow(row: dict[str, str]) -> None:
    agrees(row)


@pytest.mark.compiled
def test_newton_from_one_half_takes_about_as_many_steps_as_the_facts_say() -> None:
    report = on_lanes(
        "cantstop:sides=3,shortest=1", start="half", merging=Merging(players=False)
    ).report
    assert report.iterations / report.components == pytest.approx(2.4, abs=0.15)
    reduced = on_lanes("cantstop:sides=3,shortest=1").report
    assert reduced.iterations / reduced.components < report.iterations / report.components


def run_from(spec: str, start: str, merging: Merging) -> turns.Run:
    game = load(spec)
    run = turns.Run(turns.jobs_of(game, merging), 2, silent)
    run.solve(turns.steps_of(game, "newton", start))
    return run


@pytest.mark.parametrize("spec", ["cantstop:sides=2,shortest=2,columns=2", "pig:target=7"])
def test_every_component_is_in_the_tally_with_its_steps(spec: str) -> None:
    counts = run_from(spec, "half", Merging(players=False)).counts
    assert sum(counts.tally[::2]) == counts.components
    assert sum(counts.tally[1::2]) == counts.iterations


@pytest.mark.slow
@pytest.mark.compiled
def test_steps_by_value_are_those_of_the_papers_table_2() -> None:
    found = run_from("cantstop:sides=3", "half", Merging(players=False)).counts.tally
    counts = np.array(found).reshape(5, 5, 2)[:, ::-1].swapaxes(0, 1)
    printed = np.array([[cell or np.nan for cell in row] for row in PRINTED])
    some = counts[:, :, 0] > 0
    assert (some == ~np.isnan(printed)).all()
    off = np.abs(counts[some][:, 1] / counts[some][:, 0] - printed[some])
    assert off.max() < 0.015  # a unit of its last digit; 12 of the 15 agree to the digit


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cantstop:sides=2", "of its 3 columns both players can win 2 each, and then nobody ever"),
        ("cantstop:sides=2,shortest=1,players=1,columns=4", "at most 3 columns"),
        ("cantstop:sides=3,columns=5", "both players can win 4 each"),
    ],
)
def test_a_game_that_nobody_need_win_is_refused(spec: str, said: str) -> None:
    with pytest.raises(BackrollError, match=said):
        on_lanes(spec)
    with pytest.raises(BackrollError):
        solve(load(spec))


def test_a_lone_player_who_needs_all_columns_can_win_them() -> None:
    assert on_lanes("cantstop:sides=2,shortest=1,players=1,columns=3").value > 1


def test_the_deadlock_is_no_solution() -> None:
    with pytest.raises(NoSolution):
        on_lanes("cantstop:sides=2,shortest=3")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"method": "policy"}, "expected a method of the turns engine, auto, newton"),
        ({"start": "zero"}, "expected a start among neighbours, half; found 'zero'"),
        ({"threads": 0}, "expected 1 thread or more, found 0"),
    ],
)
def test_what_the_engine_does_not_know_is_refused(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(BackrollError, match=said):
        turns.solve(load("pig:target=3"), **arguments)  # type: ignore[arg-type]


def test_a_game_that_the_engine_does_not_know_is_refused() -> None:
    for spec in ("nim", "pig:target=9,players=1"):
        with pytest.raises(BackrollError, match="expected a game that the turns engine knows"):
            on_lanes(spec)
        assert solve(load(spec)).report.engine == ("retrograde" if spec == "nim" else "general")


def test_what_does_not_settle_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LIMIT", 1)
    with pytest.raises(NotConverged, match="level 10: expected every component to settle in 1 st"):
        on_lanes("pig:target=6")


def test_the_engine_is_picked_by_game_and_method() -> None:
    assert solve(load("pig:target=3")).report.engine == "turns"
    assert solve(load("pig:target=3"), "topological").report.engine == "general"
    assert solve(load("pig:target=3"), "topological", engine="turns").report.engine == "turns"
    with pytest.raises(BackrollError, match="expected an engine among auto, general, turns"):
        solve(load("pig:target=3"), engine="fast")
    with pytest.raises(BackrollError, match="expected the turns engine where the start"):
        solve(load("nim"), start="half")

"""The retrograde engine against the oracle, the goldens, and the study's counts and limits."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograde as oracle
from backroll import Database, load, verify
from backroll import open as open_table
from backroll import solve as solve_any
from backroll.arrays import Choices
from backroll.database import save
from backroll.engines import checkpoint, layers, study
from backroll.engines.layers import Effort
from backroll.engines.retrograde import ORDERS, ordered, solve
from backroll.errors import BackrollError, GameError, NoSolution, TableError
from backroll.game import Choice, Game, Swap, Terminal
from backroll.kernels.layers import look
from backroll.solution import Endgame
from backroll.solving import save as save_whole
from backroll.states import number, transposed
from studied import by_layers, held

ROWS = list(
    csv.DictReader(
        Path(__file__).with_name("golden").joinpath("deterministic.csv").read_text().splitlines()
    )
)
SMALL = ["nim", "chinesecheckers:size=3", "chinesecheckers:size=4,pieces=1", "rookending:size=3"]
COMPILED = pytest.mark.compiled
ANYWHERE = [order for order in ORDERS if order != "cells"]
EVERY_CHOICE = [
    Choices(layered, direct, win_only, no_dup)
    for layered in (True, False)
    for direct in (True, False)
    for win_only in (True, False)
    for no_dup in (True, False)
]


def marked(row: dict[str, str]) -> Any:
    size = int(row["positions"])
    marks = [pytest.mark.compiled] * (size > 1000) + [pytest.mark.slow] * (size > 30_000)
    return pytest.param(row, id=row["spec"], marks=marks)


@pytest.mark.parametrize("row", [marked(row) for row in ROWS])
def test_outcomes_and_heights_are_those_that_are_settled(row: dict[str, str]) -> None:
    game = load(row["spec"])
    found = solve(game)
    won, lost = (int(np.count_nonzero(found.words & 3 == each)) for each in (1, 2))
    drawn = len(found.words) - won - lost
    if len(found.words) != int(row["positions"]):  # ends without a row are not kept
        assert row["spec"].startswith("nim")
    assert [won, lost, drawn] == [int(row[name]) for name in ("won", "lost", "drawn")]
    assert found.report.counts["height"] == int(row["height"])
    assert verify(Database.of(found), sample=50).residual == 0


@pytest.mark.parametrize("spec", SMALL)
def test_every_position_is_as_the_oracle_says(spec: str) -> None:
    game = load(spec)
    database = Database.of(solve(game, threads=1))
    found = oracle.solved(game)
    for position, value, height in zip(found.positions, found.value, found.height, strict=True):
        assert database.value(position) == value
        assert database.distance(position) == (None if height < 0 else height)


class Chase(Game[tuple[int, str]]):
    """Some moves hand over and some do not; some ends are won by who is to move, or drawn."""

    def __init__(self, size: int = 7) -> None:
        self.size = size

    def start(self) -> tuple[int, str]:
        return 3, "go"

    def node(self, position: tuple[int, str]) -> Terminal | Choice:
        at, _ = position
        if at == 0:
            return Terminal(1)
        if at == self.size:
            return Terminal(0.5)
        return Choice(["step", "pass", "back"][: 3 if at % 3 else 2])

    def play(self, position: tuple[int, str], move: str) -> Any:
        at, what = position
        if move == "pass":
            return Swap((at + 1, "went" if what == "go" else "go"))
        return (at - 1 if move == "back" else min(at + 2, self.size), what)


def test_moves_that_keep_the_turn_are_understood() -> None:
    game = Chase()
    found = solve(game)
    expected = oracle.solved(game, reached=True)
    database = Database.of(found)
    for position, value, height in zip(
        expected.positions, expected.value, expected.height, strict=True
    ):
        assert database.value(position) == value
        assert database.distance(position) == (None if height < 0 else height)


@COMPILED
def test_threads_change_nothing() -> None:
    one, two, five = (solve(load("chinesecheckers:size=4"), threads=n) for n in (1, 2, 5))
    assert one.words.tobytes() == two.words.tobytes() == five.words.tobytes()
    assert one.report.counts == two.report.counts == five.report.counts


@pytest.mark.parametrize(
    "spec",
    [
        "chinesecheckers:size=3",
        "chinesecheckers:size=3,pieces=1",
        "chinesecheckers:size=3,pieces=3",
        "chinesecheckers:size=4,pieces=1",
        "chinesecheckers:size=3,pieces=1,width=5",
        "chinesecheckers:size=5,width=2",
        pytest.param("chinesecheckers:size=3,pieces=3,merged=false", marks=COMPILED),
        pytest.param("chinesecheckers:size=3,pieces=4,width=4", marks=COMPILED),
        pytest.param("chinesecheckers:size=4,pieces=3", marks=[COMPILED, pytest.mark.slow]),
    ],
)
def test_blocks_give_the_links_that_the_rules_give(spec: str) -> None:
    game = load(spec)
    states = number(game).states
    everything = np.arange(states.size)
    links, back = states.successors(everything), states.predecessors(everything)
    for row in range(states.size):
        position = game.anchor_at(row)
        node = game.node(position)
        moves = node.moves if isinstance(node, Choice) else ()
        children = [game.play(position, move).position for move in moves]
        there = links.state[links.first[row] : links.first[row + 1]]
        assert sorted(there) == sorted(map(game.anchor_row, children))
    assert states.size == game.anchor_count()
    expected = transposed(links)
    for s in range(states.size):
        before, wanted = (
            sorted(each.state[each.first[s] : each.first[s + 1]]) for each in (back, expected)
        )
        assert before == wanted


@pytest.mark.parametrize(
    "spec",
    [
        "chinesecheckers:size=3,pieces=1",
        "chinesecheckers:size=4,pieces=1",
        pytest.param("chinesecheckers:size=3,pieces=3", marks=COMPILED),
        pytest.param("chinesecheckers:size=4,pieces=3", marks=[COMPILED, pytest.mark.slow]),
    ],
)
def test_merged_mirror_images_are_worth_what_they_are_apart(spec: str) -> None:
    merged, apart = solve(load(spec)), solve(load(f"{spec},merged=false"))
    rows = [merged.game.anchor_row(position) for position in apart.anchors]
    assert (merged.words[rows] == apart.words).all()
    assert len(merged.words) < 0.7 * len(apart.words)


@pytest.mark.parametrize(
    "spec",
    ["nim", "rookending:size=3", pytest.param("chinesecheckers:size=3", marks=COMPILED)],
)
@pytest.mark.parametrize("method", ["forward", "backward", "hybrid", "naive"])
@pytest.mark.parametrize("order", ANYWHERE)
def test_every_choice_finds_the_same_outcomes(spec: str, method: str, order: str) -> None:
    states = held(spec)
    words = by_layers(states)
    for choices in EVERY_CHOICE if method in ("forward", "backward") else EVERY_CHOICE[:1]:
        choices = choices._replace(further=order == "down")
        found = study.solve(states, method, choices, ordered(order, states.size))
        mine = study.words(found, states)
        if choices.win_only and method in ("forward", "backward", "hybrid"):
            wins = np.where(states.turns == 0, words & 3 == 1, words & 3 == 2)
            assert (wins == (found.outcome == 1)).all()
        else:
            assert (mine & 3 == words & 3).all()


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize(
    ("method", "choices"),
    [
        ("forward", Choices(direct=False)),
        ("backward", Choices(direct=True)),
        ("backward", Choices(direct=False)),
    ],
)
def test_layered_solvers_find_distances(spec: str, method: str, choices: Choices) -> None:
    states = held(spec)
    for threads in (1, 3):
        found = study.solve(states, method, choices, threads=threads)
        assert (study.words(found, states) == by_layers(states)).all()


@pytest.mark.parametrize("spec", ["chinesecheckers:size=3", "rookending:size=3", "nim"])
def test_an_order_by_distance_needs_one_pass(spec: str) -> None:
    states = held(spec)
    words = by_layers(states)
    perfect = np.argsort(np.where(words & 3 > 0, words >> 2, 65535), kind="stable")
    found = study.solve(states, "forward", Choices(layered=False, direct=False), perfect)
    changing = found.effort.passes - 1
    assert changing == 1
    upside_down = study.solve(
        states, "forward", Choices(layered=False, direct=False), perfect[::-1].copy()
    )
    assert upside_down.effort.passes > found.effort.passes


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("method", "choices", "forward", "backward", "passes"),
    [
        ("forward", Choices(True, False, True), 67_248_898, 0, 37),
        ("forward", Choices(True, False, False), 38_293_120, 0, 37),
        ("forward", Choices(False, False, True), 55_444_443, 0, 29),
        ("forward", Choices(False, False, False), 27_112_140, 0, 29),
        ("forward", Choices(False, True, True), 32_592_724, 549_791, 17),
        ("forward", Choices(False, True, False), 14_017_955, 1_099_582, 17),
        ("backward", Choices(True, False, True), 4_090_505, 1_271_256, 37),
        ("backward", Choices(True, False, False), 5_780_926, 2_542_512, 37),
        ("backward", Choices(True, True, True), 3_374_445, 1_271_256, 37),
        ("backward", Choices(True, True, False), 4_348_806, 2_542_512, 37),
    ],
)
def test_counts_are_those_of_tables_4_and_5(
    method: str, choices: Choices, forward: int, backward: int, passes: int
) -> None:
    states = number(load("chinesecheckers")).states
    listed = study.two_sided(study.held(states))
    effort = study.solve(listed, method, choices, ordered("cells", listed.size, states)).effort
    assert (effort.forward, effort.backward, effort.passes - 1) == (forward, backward, passes)


def test_tables_keep_outcomes_and_distances(tmp_path: Path) -> None:
    solution = solve_any(load("rookending:size=4"))
    assert isinstance(solution, Endgame)
    save(solution, tmp_path / "table")
    with open_table(tmp_path / "table") as database:
        assert database.table is not None
        assert database.table.manifest.dtype == "uint8"
        assert (database.columns()["value"] == solution.values).all()
        probed = database.probe(database.game.start())
        assert (probed["value"], probed["distance"]) == (1.0, 3)
        assert probed["moves"][0]["distance"] == 2
        distances = [each["distance"] for each in probed["moves"] if each["value"] == 1]
        assert distances == sorted(distances)
        assert probed["moves"][-1]["distance"] is None
        assert verify(database, sample=None).residual == 0


def test_verify_finds_a_wrong_distance() -> None:
    solution = solve(load("chinesecheckers:size=3"))
    solution.words[np.argmax(solution.words)] += 8  # two moves further, won or lost as before
    assert verify(Database.of(solution), sample=None).residual >= 1


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("pig:target=3", "pig:target=3: expected a game without chance, found some at "),
        ("pig:target=3,players=1", "expected a game for two, found one for one player"),
    ],
)
def test_other_games_are_refused(spec: str, said: str) -> None:
    with pytest.raises(GameError, match=said):
        solve(load(spec))


class Polite(Game[str]):
    """Who goes first loses, and nobody has to."""

    def start(self) -> str:
        return "door"

    def node(self, position: str) -> Terminal | Choice:
        return Choice(["go", "wait"]) if position == "door" else Terminal(0)

    def play(self, position: str, move: str) -> str | Swap[str]:
        return Swap("door") if move == "wait" else "through"


def test_a_game_without_chance_that_has_no_value_is_told_of_draws() -> None:
    said = r"no unique value at door .* a game without chance says chance = False$"
    with pytest.raises(NoSolution, match=said):
        solve_any(Polite())
    assert solve(Polite()).value == 0.5
    with pytest.raises(NoSolution) as found:
        solve_any(load("cantstop:sides=2,shortest=1"), engine="general")
    assert "chance" not in str(found.value)


def test_a_method_picks_its_engine() -> None:
    nim = load("nim")
    found = [solve_any(nim, method).report for method in ("auto", "forward", "newton")]
    assert [report.engine for report in found] == ["retrograde", "retrograde", "general"]
    assert [report.value for report in found] == [1, 1, 1]
    with pytest.raises(BackrollError, match="expected no bounds where there is no chance"):
        solve_any(nim, bounds=True)
    assert solve_any(nim, engine="general", bounds=True).lower is not None
    assert solve_any(load("nim:stones=40000")).value == 0  # longer than distances are counted


def test_what_the_engine_does_not_know_is_refused() -> None:
    game = load("nim")
    with pytest.raises(BackrollError, match="expected a method of the retrograde engine, auto, l"):
        solve(game, "newton")
    with pytest.raises(BackrollError, match="expected 1 thread or more, found 0"):
        solve(game, threads=0)
    with pytest.raises(BackrollError, match="expected an order among up, down, shuffled, cells"):
        solve(game, "forward", order="sideways")
    with pytest.raises(BackrollError, match="expected Chinese Checkers for states in the order of"):
        solve(game, "forward", order="cells")


def test_wins_alone_give_no_table_and_no_value_where_there_is_no_win(tmp_path: Path) -> None:
    wins = solve(load("nim"), "backward", choices=Choices(win_only=True))
    assert wins.value == 1
    assert set(wins.report.counts) == {"won", *Effort.__slots__}
    with pytest.raises(TableError, match="expected every outcome to keep, found wins only"):
        save(wins, tmp_path / "table")
    other = solve(load("nim:stones=20"), "backward", choices=Choices(win_only=True))
    assert np.isnan(other.value)


def test_a_solve_that_is_interrupted_anywhere_goes_on_to_the_same_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", 0.0)
    game = load("chinesecheckers:size=3,pieces=3")
    whole = solve(game)
    looked, times = look, 0

    def interrupted(*arguments: Any) -> None:
        nonlocal times
        times += 1
        looked(*arguments)
        if times % 2:  # in the middle of a layer, some of it settled already
            raise KeyboardInterrupt

    monkeypatch.setattr(layers, "look", interrupted)
    runs = 0
    while True:
        runs += 1
        try:
            found = solve(game, threads=1, out=tmp_path / "table")
            break
        except KeyboardInterrupt:
            assert (tmp_path / "table.unfinished" / "journal.json").exists()
    assert runs > 2
    assert found.words.tobytes() == whole.words.tobytes()
    assert found.report.counts["height"] == whole.report.counts["height"]
    save_whole(found, tmp_path / "table")
    assert not (tmp_path / "table.unfinished").exists()

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import backroll
from backroll.database import Database, open_table, save
from backroll.errors import GameError, MissingPosition, SpecError, TableError, WrongTable
from backroll.spec import load
from backroll.table import Table
from tiny import DUEL, MIRROR, MY_GAME, PIGLET, At, Mirror, Piglet, Written, duel, solution, toll

EVERY = [
    *PIGLET,
    At(0, 0, 1),
    At(0, 0, 1, True),
    At(0, 1, 1),
    At(1, 1, 1),
    At(0, 2),
]
"""Anchors of Piglet, positions inside its turns, and ends."""


@pytest.fixture(params=["memory", "disk", "bounds"])
def piglet(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database[At]]:
    solved = solution(Piglet(), PIGLET, bounds=1e-9 if request.param == "bounds" else None)
    if request.param == "memory":
        yield Database.of(solved)
        return
    save(solved, tmp_path / "piglet")
    with open_table(tmp_path / "piglet", Piglet()) as opened:
        yield opened


def kept(game: Written, values: dict[str, float], tmp_path: Path) -> Database[str]:
    save(solution(game, values), tmp_path / "table")
    return open_table(tmp_path / "table", game)


def test_anchors_are_worth_what_was_solved(piglet: Database[At]) -> None:
    assert len(piglet) == 4
    assert piglet.spec == "tiny:Piglet"
    for position, value in PIGLET.items():
        assert piglet.value(position) == float(value)
        assert type(piglet.value(position)) is float


def test_ends_and_the_inside_of_turns_follow_from_the_rules(piglet: Database[At]) -> None:
    assert piglet.value(At(0, 2)) == 0
    assert piglet.value(At(1, 1, 1)) == 1
    assert piglet.value(At(0, 0, 1)) == pytest.approx(5 / 7, abs=1e-15)


def test_many_at_once_are_worth_what_each_is(piglet: Database[At]) -> None:
    together = piglet.values(iter(EVERY))
    assert together.dtype == np.float64
    assert together.tolist() == [piglet.value(each) for each in EVERY]
    assert piglet.values([]).tolist() == []


def test_moves_come_best_first(piglet: Database[At]) -> None:
    toss, hold = piglet.moves(At(0, 0, 1))
    assert (toss.move, hold.move) == ("toss", "hold")
    assert hold.position == At(0, 1)
    assert hold.value == pytest.approx(3 / 5, abs=1e-15)
    assert toss.value == pytest.approx(5 / 7, abs=1e-15)
    assert toss.loss == 0
    assert hold.loss == pytest.approx(4 / 35, abs=1e-15)
    assert piglet.moves(At(0, 0, 1, True)) == piglet.moves(At(0, 2)) == []


def test_a_probe_of_a_relative_game(piglet: Database[At]) -> None:
    probed = piglet.probe(At(0, 0, 1))
    assert json.loads(json.dumps(probed)) == probed
    assert probed == {
        "position": "(0, 0, 1, False)",
        "value": pytest.approx(5 / 7, abs=1e-15),
        "view": "mover",
        "kind": "choice",
        "moves": [
            {
                "move": "toss",
                "position": "(0, 0, 1, True)",
                "value": pytest.approx(5 / 7, abs=1e-15),
                "loss": 0.0,
            },
            {
                "move": "hold",
                "position": "(0, 1, 0, False)",
                "value": pytest.approx(3 / 5, abs=1e-15),
                "loss": pytest.approx(4 / 35, abs=1e-15),
            },
        ],
    }
    for position, kind in [(At(0, 0, 0, True), "chance"), (At(0, 2), "terminal")]:
        probed = piglet.probe(position)
        assert (probed["view"], probed["kind"], probed["moves"]) == ("mover", kind, [])


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (None, "expected a position of tiny:Piglet, found None"),
        ((0, 0), r"expected a position of tiny:Piglet, found \(0, 0\)"),
        ([0, 0], r"expected a position of tiny:Piglet, found \[0, 0\]"),
    ],
)
def test_what_is_no_position_is_missing(piglet: Database[At], position: Any, message: str) -> None:
    for ask in (piglet.value, piglet.probe, lambda each: piglet.values([At(0, 0), each])):
        with pytest.raises(MissingPosition, match=message):
            ask(position)
    assert piglet.get(position) is None
    assert piglet.get(position, -1.0) == -1
    assert piglet.get(At(0, 0), -1.0) == 4 / 7


def test_a_position_that_leads_to_no_anchor_is_missing(tmp_path: Path) -> None:
    lost = kept(toll(), {}, tmp_path)
    with pytest.raises(MissingPosition, match=r"^start: .* found a cycle without one"):
        lost.value("start")
    assert lost.get("start") is None
    assert lost.get("ride") == 3


def test_errors_of_the_table_are_not_taken_for_missing_positions(tmp_path: Path) -> None:
    save(solution(Piglet(), PIGLET), tmp_path / "piglet")
    opened = open_table(tmp_path / "piglet", Piglet())
    opened.close()
    for ask in (opened.value, opened.get, opened.moves, opened.probe, opened.bounds):
        for position in EVERY:
            with pytest.raises(TableError, match="the database of tiny:Piglet is closed"):
                ask(position)
    with pytest.raises(TableError, match="is closed"):
        opened.values(EVERY)
    with pytest.raises(TableError, match="is closed"):
        len(opened)


def test_bounds_are_given_at_anchors_if_they_were_kept(piglet: Database[At]) -> None:
    bounds = piglet.bounds(At(1, 1))
    if piglet.report.bound == math.inf:
        assert bounds is None
    else:
        assert bounds == (2 / 3 - 1e-9, 2 / 3 + 1e-9)
    with pytest.raises(MissingPosition, match=r"expected an anchor, found \(0, 0, 1, False\)"):
        piglet.bounds(At(0, 0, 1))


def test_the_report_comes_back_as_it_was(piglet: Database[At]) -> None:
    bounds = None if piglet.report.bound == math.inf else 1e-9
    assert piglet.report == solution(Piglet(), PIGLET, bounds).report


def test_an_absolute_game_for_two(tmp_path: Path) -> None:
    database = kept(duel(), DUEL, tmp_path)
    start, safe, bold = (database.probe(each) for each in ("start", "safe", "bold"))
    assert (start["view"], start["value"]) == ("mover", 0.5)
    assert [(each["move"], each["value"], each["loss"]) for each in start["moves"]] == [
        ("safe", 0.5, 0.0),
        ("bold", 11 / 32, 5 / 32),
    ]
    assert (safe["view"], safe["value"]) == ("mover", 0.5)
    assert [(each["move"], each["value"], each["loss"]) for each in safe["moves"]] == [
        ("half", 0.5, 0.0),
        ("three quarters", 0.25, 0.25),
    ]
    assert (bold["view"], bold["value"], bold["kind"]) == ("player 1", 11 / 32, "chance")
    assert database.probe("one")["view"] == "player 1"
    low = database.probe("low")
    assert (low["view"], low["value"]) == ("mover", 7 / 8)  # player 2's, who has 1 - 1/8
    assert database.value("low") == 1 / 8


def test_costs(tmp_path: Path) -> None:
    start = kept(toll(), {"start": 2.0}, tmp_path).probe("start")
    assert start["value"] == 2
    assert [(each["move"], each["value"], each["loss"]) for each in start["moves"]] == [
        ("walk", 2.0, 0.0),
        ("ride", 4.0, 2.0),
    ]
    gate = kept(toll(2), {"start": 2.0}, tmp_path).probe("gate")
    assert (gate["view"], gate["value"]) == ("mover", 1 - 2.5)
    assert [(each["move"], each["value"], each["loss"]) for each in gate["moves"]] == [
        ("start", 1 - 2.5, 0.0),
        ("short", 1 - 1.5, 1.0),
    ]


def test_symmetric_positions_are_shown_as_they_were_asked(tmp_path: Path) -> None:
    save(solution(Mirror(), MIRROR), tmp_path / "mirror")
    with open_table(tmp_path / "mirror", Mirror()) as database:
        assert database.probe((1, 2)) == {
            "position": "(1, 2)",
            "value": 3.0,
            "view": "player 1",
            "kind": "chance",
            "moves": [],
        }
        assert database.values([(1, 2), (0, 1)]).tolist() == [3, 1]


def test_float32(tmp_path: Path) -> None:
    save(solution(Piglet(), PIGLET), tmp_path / "piglet", dtype="float32")
    with open_table(tmp_path / "piglet", Piglet()) as database:
        values = database.values(list(PIGLET))
        assert values.dtype == np.float64
        assert values.tolist() == [np.float32(float(each)) for each in PIGLET.values()]
        assert values.tolist() == [database.value(each) for each in PIGLET]


def test_another_game_is_wrong(tmp_path: Path) -> None:
    save(solution(Piglet(), PIGLET), tmp_path / "piglet")
    with pytest.raises(WrongTable, match=r"a table of tiny:Piglet,target=3, found tiny:Piglet$"):
        open_table(tmp_path / "piglet", Piglet(3))


@pytest.mark.parametrize("name", ["later", "value"])
def test_a_report_with_other_fields_is_wrong(tmp_path: Path, name: str) -> None:
    save(solution(Piglet(), PIGLET), tmp_path / "piglet")
    with Table(tmp_path / "piglet") as opened:
        report = {**opened.manifest.report, "later": 1}
    if name != "later":
        del report["later"], report[name]
    content = replace(opened.manifest, report=report).encode()
    (tmp_path / "piglet" / "manifest.json").write_bytes(content)
    with pytest.raises(WrongTable, match=rf"expected a report that Backroll .* '{name}'"):
        open_table(tmp_path / "piglet", Piglet())


def test_a_game_that_counts_otherwise_is_wrong(tmp_path: Path) -> None:
    save(solution(toll(), {"start": 2.0}), tmp_path / "toll")
    with pytest.raises(WrongTable, match=r"\('expected cost', 2, 1.0\), found .*, 1, 1.0\)"):
        open_table(tmp_path / "toll", toll(2))


def test_two_positions_with_one_text_are_refused(tmp_path: Path) -> None:
    class Vague(Written):
        def show(self, position: str) -> str:
            return position[0]

    with pytest.raises(GameError, match="at s: expected 'start', found 's'"):
        save(solution(Vague(duel().nodes), DUEL), tmp_path / "table")


def test_texts_that_are_not_read_back_are_refused(tmp_path: Path) -> None:
    class Forgetful(Written):
        def parse(self, text: str) -> str:
            return "start"

    message = r"parse\(\) is not the inverse of show\(\), at .*: expected '.*', found 'start'"
    with pytest.raises(GameError, match=message):
        save(solution(Forgetful(duel().nodes), DUEL), tmp_path / "table")
    assert not (tmp_path / "table").exists()


@pytest.mark.parametrize("method", ["show", "show_move"])
def test_what_is_shown_must_be_text(method: str) -> None:
    game = duel()
    setattr(game, method, lambda shown: 5)
    with pytest.raises(GameError, match=r"expected a text of .*, found 5"):
        Database.of(solution(game, DUEL)).probe("start")


def test_a_table_loads_its_game_and_knows_when_the_file_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_game.py").write_text(MY_GAME)
    game = load("my_game.py:Coin,heads=3")
    save(solution(game, {"coin": 0.75}), "coin")
    with backroll.open("coin") as database:
        assert database.value("coin") == 0.75
        assert database.probe("tails")["value"] == 0
        assert database.spec == "my_game.py:Coin,heads=3"
    Path("my_game.py").write_text(MY_GAME.replace('"tails": 1', '"tails": 2'))
    with pytest.raises(WrongTable, match=r"my_game.py:Coin,heads=3 has changed .* solve the game"):
        backroll.open("coin")
    with backroll.open("coin", game) as database:  # the game as it was
        assert database.value("coin") == 0.75
    Path("my_game.py").unlink()
    with pytest.raises(SpecError, match=r"my_game\.py"):
        backroll.open("coin")

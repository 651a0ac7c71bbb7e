"""The general forms of weights: as vectors, as files, and against the genomes that they contain."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from backroll import load
from backroll.arena import simulate
from backroll.errors import StrategyError
from backroll.games.cantstop.rules import CantStop
from backroll.strategies import strategy, text_of
from backroll.strategies.forms import FORMS, Form, Weights, blocks, from_vector, started
from backroll.strategies.weighted import load as load_weights
from backroll.strategies.weighted import save
from backroll.strategies.weights import Constant, constant_rule
from choosing import decided_alike

OFFICIAL = CantStop(players=1)


def size(game: CantStop, form: Form) -> int:
    return sum(block.size for block in blocks(game, form))


def drawn(game: CantStop, form: Form, seed: int = 1) -> Weights:
    return from_vector(game, form, np.random.default_rng(seed).normal(0, 2, size(game, form)))


@pytest.mark.parametrize("form", FORMS, ids="/".join)
@pytest.mark.parametrize("sides", [2, 3, 6])
def test_every_form_contains_the_rule_of_n(form: Form, sides: int) -> None:
    game, rule = CantStop(sides=sides, players=1), constant_rule(sides, 24)
    ours, theirs = started(game, form, rule).habits(game), rule.habits(game)
    for c, length in enumerate(game.lengths):
        for h in range(length):
            one, two = np.s_[c, h, h:length, 0], np.s_[c, h, h : length - 1, 1]
            reached = np.s_[c, h, h + 1 : length + 1]
            assert np.array_equal(ours.progress[reached], theirs.progress[reached])
            assert np.array_equal(ours.climb[one], theirs.climb[one])
            assert np.array_equal(ours.climb[two], theirs.climb[two])
    assert np.array_equal(ours.limit, theirs.limit)
    assert np.array_equal(ours.hazard, theirs.hazard)
    assert ours.marker == theirs.marker


@pytest.mark.compiled
def test_a_column_that_is_topped_counts_for_more_in_every_form() -> None:
    champion = Constant.NAMED["champion"]
    plain = simulate(OFFICIAL, [champion], 300, seed=1).turns
    classes = [form for form in FORMS if form.difficulty == "classes"]
    for form in classes:
        assert simulate(OFFICIAL, [started(OFFICIAL, form, champion)], 300, seed=1).turns == plain
    topping = [
        simulate(OFFICIAL, [started(OFFICIAL, form, champion, top=20)], 300, seed=1).turns
        for form in classes
    ]
    assert topping[0] == topping[1] == topping[2] != plain


@pytest.mark.parametrize("form", FORMS, ids="/".join)
def test_vectors_files_and_texts_give_the_same_strategy(form: Form, tmp_path: Path) -> None:
    weights = drawn(OFFICIAL, form)
    path = tmp_path / "weights.json"
    save(path, weights)
    assert load_weights(path) == weights
    named = strategy(f"weighted:{path}")
    assert text_of(named) == f"weighted:path={path}"
    results = [simulate(OFFICIAL, [each], 5).turns for each in (weights, named)]
    assert results[0] == results[1]


@pytest.mark.parametrize("form", FORMS, ids="/".join)
def test_weights_are_looked_up_as_the_forms_say(form: Form) -> None:
    game = CantStop(sides=3, players=1)
    weights = drawn(game, form)
    habits = weights.habits(game)
    named = {name: block.nested(flat) for name, (block, flat) in weights.blocks(game).items()}
    for column, length in enumerate(game.lengths):
        d = min(column, len(game.lengths) - 1 - column)
        for h in range(length):
            for n in range(h + 1, length + 1):
                said = progress(form, named, d, h, n, length)
                assert habits.progress[column, h, n] == pytest.approx(said)
            for m in range(h, length):
                for squares in (1, 2)[: length - m]:
                    said = move(form, named, d, h, m, m + squares, length)
                    assert habits.climb[column, h, m, squares - 1] == pytest.approx(said)


def progress(form: Form, named: Any, d: int, h: int, n: int, length: int) -> float:
    top = n == length
    if form.kind == "columns":
        return float(named["progress"][d] * (n - h + 1) + named["top"] * top)
    if form.kind == "squares":
        return float(named["base"][d] + sum(named["progress"][d][h:n]))
    return float(named["base"][d][h] + named["progress"][d][h] * (n - h) + named["top"][d] * top)


def move(form: Form, named: Any, d: int, h: int, m: int, n: int, length: int) -> float:
    if form.kind == "columns":
        return float(named["move"][d] * (n - m))
    if form.kind == "squares":
        return float(sum(named["move"][d][m:n]))
    return float(named["move"][d][h] * (n - m) + named["reach"][d] * (n == length))


@pytest.mark.parametrize("form", FORMS, ids="/".join)
def test_kernels_and_python_decide_alike(form: Form) -> None:
    assert decided_alike(OFFICIAL, drawn(OFFICIAL, form)) > 300
    duel = load("cantstop:sides=4,occupied=jump")
    assert isinstance(duel, CantStop)
    assert decided_alike(duel, drawn(duel, form)) > 300


def test_a_difficulty_of_its_own_is_that_of_the_mirror_image_too() -> None:
    form = Form("columns", "triples")
    game = CantStop(sides=3, players=1)
    habits = drawn(game, form).habits(game)
    hazard = habits.hazard
    assert hazard[0b00111] == hazard[0b11100]
    assert hazard[0b01011] == hazard[0b11010]
    threes = [bits for bits in range(32) if bits.bit_count() == 3]
    assert len(set(hazard[threes])) == 6
    assert not any(hazard[bits] for bits in range(32) if bits not in threes)


def test_weights_are_for_one_board(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    save(path, drawn(OFFICIAL, Form()))
    with pytest.raises(StrategyError, match="expected sides=6 and shortest=3, found sides=5"):
        strategy(f"weighted:{path}").player(load("cantstop:sides=5"), Random(0))
    with pytest.raises(StrategyError, match="expected a game of cantstop"):
        strategy(f"weighted:{path}").player(load("pig"), Random(0))
    with pytest.raises(StrategyError, match="expected 20 weights of the form columns/classes"):
        Weights(6, 3, Form(), (1.0,) * 19).habits(OFFICIAL)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "x"}, "expected a file of backroll weights"),
        ({"version": 2}, "version expected one of 1, found 2"),
        ({"sides": 9}, "sides expected one of 2, 3, 4, 5, 6, found 9"),
        ({"kind": "rows"}, "kind expected one of columns, squares, markers, found 'rows'"),
        ({"difficulty": None}, "difficulty expected one of classes, triples, found None"),
        ({"weights": {"progress": 1}}, "expected weights progress, move, top"),
        ({"weights": 3}, "expected weights progress, move, top"),
        ({"progress": [1, 2]}, "progress expected 6 numbers, found 2"),
        ({"progress": 3}, "progress expected 6 numbers, found 3"),
        ({"marker": "six"}, "marker expected numbers from -1000000 to 1000000, found 'six'"),
        ({"marker": float("nan")}, "marker expected numbers from"),
        ({"marker": 10**400}, "marker expected numbers from"),
    ],
)
def test_a_wrong_file_is_one_clear_line(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    save(path, started(OFFICIAL, Form(), constant_rule(6, 28)))
    whole = json.loads(path.read_text())
    for name, value in change.items():
        (whole if name in whole else whole["weights"])[name] = value
    path.write_text(json.dumps(whole))
    with pytest.raises(StrategyError) as caught:
        strategy(f"weighted:{path}").player(OFFICIAL, Random(0))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    weights = drawn(OFFICIAL, Form())
    for _ in range(2):
        save(tmp_path / "w.json", weights)
    with pytest.raises(StrategyError, match="cannot be written: No such file"):
        save(tmp_path / "nowhere" / "w.json", weights)


def test_what_is_no_file_of_weights_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    for content, said in ((None, "cannot be read"), (b"{", "expected JSON"), (b"\xff", "JSON")):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(StrategyError, match=said):
            strategy(f"weighted:{path}").player(OFFICIAL, Random(0))

"""Strategies by weights: their genomes, and what they decide in kernels and in Python."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroll import load
from backroll.arena import simulate
from backroll.errors import StrategyError
from backroll.games.cantstop.rules import CantStop, splits
from backroll.programs.habits import board_of, place, rolls_of
from backroll.strategies import strategy, text_of
from backroll.strategies.genomes import CONSTANT, GENOMES, LINEAR
from backroll.strategies.rules import RuleOf
from backroll.strategies.weights import Constant, Linear, constant_rule, linear_rule
from choosing import decided_alike

OFFICIAL = CantStop(players=1)


@pytest.mark.parametrize(("name", "bits"), [("constant", 61), ("linear", 87)])
def test_genomes_are_as_long_as_published(name: str, bits: int) -> None:
    assert GENOMES[name].length(6) == bits


@pytest.mark.parametrize("name", GENOMES)
@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), sides=st.integers(2, 6))
def test_every_bit_string_is_a_strategy(name: str, seed: int, sides: int) -> None:
    genome = GENOMES[name]
    bits = np.random.default_rng(seed).integers(0, 2, genome.length(sides), dtype=np.uint8)
    decoded = genome.decode(sides, bits)
    assert np.array_equal(genome.encode(sides, decoded), bits)
    assert strategy(text_of(decoded)) == decoded


@pytest.mark.parametrize("name", GENOMES)
def test_champions_and_the_rule_of_28_have_genomes(name: str) -> None:
    for known, each in GENOMES[name].strategy.NAMED.items():
        assert GENOMES[name].decode(6, GENOMES[name].encode(6, each)) == each
        assert text_of(each) == f"{name}:{known}"
        assert strategy(f"{name}:{known}") == each


def test_the_order_of_genes_is_that_of_the_paper() -> None:
    first, last = np.zeros(61, np.uint8), np.zeros(61, np.uint8)
    first[:3] = 1
    last[-1] = 1
    assert CONSTANT.decode(6, first).progress == (7, 0, 0, 0, 0, 0)
    assert CONSTANT.decode(6, last).threshold == 1
    score = np.zeros(87, np.uint8)
    score[66] = 1
    assert LINEAR.decode(6, score).evens == -8


@pytest.mark.compiled
@pytest.mark.parametrize("sides", [3, 5, 6])
def test_both_genomes_encode_the_rule_of_n(sides: int) -> None:
    game = CantStop(sides=sides, players=1)
    rule = RuleOf(n=26, seven=False)
    results = [
        simulate(game, [each], 300, seed=5).turns
        for each in (rule, constant_rule(sides, 26), linear_rule(sides, 26))
    ]
    assert results[0] == results[1] == results[2]


def test_both_genomes_decide_as_the_rule_of_28() -> None:
    rule = RuleOf(n=28).habits(OFFICIAL)
    for each in (Constant.NAMED["rule28"], Linear.NAMED["rule28"]):
        habits = each.habits(OFFICIAL)
        for name in rule._fields:
            assert np.array_equal(getattr(habits, name), getattr(rule, name)), name


def test_linear_weights_are_those_of_the_formula() -> None:
    champion = Linear.NAMED["champion"]
    assert champion.squares(OFFICIAL)[0, 1:4].tolist() == [7, 39, 71]
    printed = strategy("linear:champion,start=1")
    assert isinstance(printed, Linear)
    assert printed.squares(OFFICIAL)[0, 1:4].tolist() == [28, 49, 71]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("linear:champoin", "linear: progress expected numbers with / between them"),
        ("linear:champion,start=2", "linear: start expected 0 or 1, found '2'"),
        ("linear:champion,rolling=2", "linear: unknown parameter 'rolling'"),
        ("constant:progress=1/2/x", "found '1/2/x'"),
        ("constant:progress=1/2", "constant: expected move=numbers with / between them, each from"),
    ],
)
def test_bad_parameters_are_one_clear_line(text: str, said: str) -> None:
    with pytest.raises(StrategyError) as caught:
        strategy(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_too_few_weights_for_a_board_are_refused() -> None:
    short = strategy("constant:rule28,move=1/2/3")
    with pytest.raises(StrategyError, match="constant: move expected 6 weights or more"):
        short.player(OFFICIAL, Random(0))
    assert callable(short.player(load("cantstop:sides=3,players=1"), Random(0)))


@pytest.mark.parametrize(
    ("genome", "change", "said"),
    [
        (CONSTANT, {"marker": 9.0}, "marker: expected one of -8, -7"),
        (LINEAR, {"slope": (63.0,) * 6}, "slope: expected one of 0, 1"),
        (LINEAR, {"slope": (8.0,) * 5}, "slope: expected 6 values, found 5"),
    ],
)
def test_what_a_genome_has_not_is_refused(genome: Any, change: dict[str, Any], said: str) -> None:
    champion = genome.strategy.NAMED["champion"]
    with pytest.raises(StrategyError, match=said):
        genome.encode(6, replace(champion, **change))
    with pytest.raises(StrategyError, match="bits for dice of 6 sides, found 3"):
        genome.decode(6, np.zeros(3, np.uint8))


@pytest.mark.parametrize(
    "text",
    [
        "ruleof:28",
        "ruleof:28,ties=first,wary=false",
        "ruleof:28,ties=last",
        "linear:champion",
        "constant:champion",
    ],
)
@pytest.mark.parametrize("spec", ["players=1", "players=2,sides=4,occupied=jump"])
def test_kernels_and_python_decide_alike(text: str, spec: str) -> None:
    game = load(f"cantstop:{spec}")
    assert isinstance(game, CantStop)
    each: Any = strategy(text)
    assert decided_alike(game, each) > 300


def test_shuffled_ties_treat_dice_as_they_fall() -> None:
    shares = np.zeros(3)
    for sorted_dice in combinations_with_replacement(range(1, 7), 4):
        pairings = splits(sorted_dice)
        if len(pairings) == 3:
            for order in range(6):
                first = [place(sorted_dice, low, order) for low, _ in pairings].index(0)
                shares[first] += 1
    assert shares[0] == shares[1] == shares[2] > 0
    doubled = [place((1, 1, 2, 4), low, order) for order in range(6) for low in (3,)]
    assert doubled.count(0) == 4, "a total that two pairings give comes first twice as often"


def test_rolls_that_strategies_do_not_tell_apart_are_one() -> None:
    habits = [RuleOf(28, ties=ties).habits(OFFICIAL) for ties in ("first", "shuffled")]
    boards, rolls = zip(
        *(rolls_of(board_of(OFFICIAL), each) for each in (habits[:1], habits)), strict=True
    )
    sizes = [each.end - each.first for each in rolls]
    assert max(map(max, sizes)) <= 126
    assert np.all(sizes[0] <= sizes[1])
    for board, each in zip(boards, rolls, strict=True):
        assert len(board.split) == len(board.shuffled) == len(each.chance)
        for first, end in zip(each.first, each.end, strict=True):
            assert each.chance[first:end].sum() == pytest.approx(1)


@pytest.mark.compiled
@pytest.mark.parametrize(("board", "published"), [((3, 2), 2.43), ((3, 3), 2.83)])
def test_high_and_low_are_told_by_column_seven(board: tuple[int, int], published: float) -> None:
    game = CantStop(*board, players=1)
    printed, middle = (simulate(game, [RuleOf(seven=each)], 4_000) for each in (True, False))
    assert abs(printed.mean - published) < 0.005 + 4 * printed.error
    assert middle.mean - published > 0.1


@pytest.mark.compiled
def test_the_rule_of_28_takes_the_published_turns() -> None:
    found = simulate(OFFICIAL, [RuleOf()], 1_000_000, seed=28)
    assert abs(found.mean - 10.74) < 3 * found.error

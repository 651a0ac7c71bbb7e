from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backroll import load
from backroll.arena import simulate, tournament, transcript
from backroll.arena.playing import luck_of, play
from backroll.errors import StrategyError
from backroll.game import Choice, Game
from backroll.games.cantstop.rules import CantStop
from backroll.games.pig import Score
from backroll.judging import evaluate
from backroll.parameters import REQUIRED, Parameter, parameters_of
from backroll.strategies import STRATEGIES, Player, strategy, text_of
from backroll.strategies.models import Model
from backroll.strategies.names import catalogue, class_of, plays
from backroll.strategies.rollouts import Rollout
from backroll.strategies.rules import RuleOf
from backroll.strategies.weights import constant_rule


def values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """What a parameter may be."""
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if parameter.range:
        low, high = parameter.range
        number = st.floats(low, high)
        by_kind = {int: st.integers(low, high), float: number}
        return by_kind.get(parameter.kind, st.lists(number, min_size=1).map(tuple))
    kinds: dict[Any, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        int: st.integers(-(10**9), 10**9),
        float: st.floats(-1e6, 1e6),
        str: st.text("ab/.=,: ", min_size=1).map(str.strip).filter(bool),
    }
    return kinds[parameter.kind]


@pytest.mark.parametrize("name", sorted(STRATEGIES))
@settings(deadline=None)  # the first of each imports it
@given(st.data())
def test_the_text_of_a_strategy_is_read_back(name: str, data: Any) -> None:
    made = class_of(name)
    given = {
        each.name: data.draw(values(each), each.name)
        for each in parameters_of(made)
        if each.default is REQUIRED or data.draw(st.booleans(), f"say {each.name}")
    }
    try:
        wanted = made(**given)
    except StrategyError:  # parameters that do not go together
        assume(False)
    text = text_of(wanted)
    assert strategy(text) == wanted
    assert text_of(strategy(text)) == text
    assert strategy(f"({text})") == wanted


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_named_strategies_are_read_back(name: str) -> None:
    for known, wanted in getattr(class_of(name), "NAMED", {}).items():
        assert strategy(f"{name}:{known}") == wanted
        assert text_of(wanted) == f"{name}:{known}"


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_every_strategy_says_what_it_is(name: str) -> None:
    entry = {each.name: each for each in catalogue()}[name]
    assert entry.summary.endswith(".")
    assert "dataclass" not in entry.summary
    assert not entry.summary.startswith(f"{class_of(name).__name__}(")  # what dataclasses write
    assert plays(name).startswith("Plays ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a strategy, found ''"),
        ("rulof", "found 'rulof', did you mean ruleof?"),
        ("ruleof:n=-1", "ruleof: n expected a whole number from 0 to 1000, found '-1'"),
        ("ruleof:n=", "ruleof: expected parameter=value, found 'n='"),
        ("ruleof:n=28,n=28", "ruleof: expected n once, found it again"),
        ("ruleof:m=3", "ruleof: unknown parameter 'm'"),
        ("hold:at=1001", "hold: at expected a whole number from 1 to 1000, found '1001'"),
        ("hold:twenty", "hold: at expected a whole number from 1 to 1000, found 'twenty'"),
        ("hold:(20", r"expected as many \( as \), found"),
        ("hold:20)", r"expected as many \( as \), found"),
        ("random:1", "random: expected parameter=value, found '1'"),
        ("linear:champoin", "found 'champoin'; known by name are champion, rule28"),
        ("constant", "constant: expected progress=.*, found no value; known by name are champion"),
        ("linear:champion,threshold=1e7", "threshold expected a number from -1000000 to 1000000"),
        (
            "linear:champion,slope=1/-2e6",
            "slope expected numbers with / between them, each from -1000000 to",
        ),
        ("constant:champion,marker=nan", "marker expected a number from .*, found 'nan'"),
    ],
)
def test_a_text_that_names_no_strategy_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(StrategyError, match=said) as refused:
        strategy(text)
    assert "\n" not in str(refused.value)


def test_brackets_hold_a_value_together() -> None:
    assert strategy("hold:at=(7)") == strategy("(hold:7)") == strategy(" hold: at = 7 ")


@pytest.mark.parametrize("spec", ["pig:target=40", "pig:target=9,piglet=yes", "pig:players=1"])
def test_hold_holds_at_the_first_chance_and_never_before(spec: str) -> None:
    game, player = load(spec), strategy("hold:at=6")
    players = [player.player(game, Random(0)) for _ in range(game.players)]
    seen = set()
    for number in range(20):
        for step in play(game, players, luck_of(game, 1, number)):
            if isinstance(game.node(step.position), Choice):
                assert step.move == ("hold" if step.position.turn >= 6 else "roll")
                seen.add(step.move)
    assert seen == {"hold", "roll"}


def test_hold_cannot_play_what_is_not_pig() -> None:
    with pytest.raises(StrategyError, match="hold: expected a game of pig, found nim"):
        strategy("hold").player(load("nim"), Random())


def test_random_plays_every_move_of_any_game() -> None:
    game = load("nim")
    player = strategy("random").player(game, Random(1))
    node = game.node(game.start())
    assert isinstance(node, Choice)
    assert {player(game.start()) for _ in range(60)} == set(node.moves)


def test_strategies_are_asked_at_choices_only() -> None:
    with pytest.raises(StrategyError, match="0/0/0: expected a choice, found Chance"):
        strategy("random").player(load("pig"), Random())(Score(0))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (Model(stop="foo"), "model: stop expected total, columns or weighted, found 'foo'"),  # type: ignore[arg-type]
        (Model(error=-1.0), "model: error expected a number from 0 to 10, found '-1'"),
        (Model(error=math.nan), "model: error expected a number from 0 to 10, found 'nan'"),
        (RuleOf(n=-5), "ruleof: n expected a whole number from 0 to 1000, found '-5'"),
        (RuleOf(n="28"), "ruleof: n expected a whole number"),  # type: ignore[arg-type]
        (Rollout(games=0), "rollout: games expected a whole number from 1"),
        (replace(constant_rule(2, 9), move=(1, math.inf)), "constant: move expected numbers with"),
        (replace(constant_rule(2, 9), move=(1, "2")), "constant: move expected"),  # type: ignore[arg-type]
        ("ruleof", "expected a strategy, a dataclass with a method player, found 'ruleof'"),
        (RuleOf, "expected a strategy, a dataclass with a method player"),
    ],
)
def test_what_no_text_could_name_is_refused_when_it_is_to_play(made: Any, said: str) -> None:
    game = CantStop(2, 1, 1)
    for use in (simulate, evaluate, transcript):
        with pytest.raises(StrategyError, match=said):
            use(game, [made])
    with pytest.raises(StrategyError, match=said):
        tournament(game, [made, strategy("random")], 1)


def test_a_strategy_of_yours_keeps_its_own_name() -> None:
    @dataclass(frozen=True)
    class Hold:
        at: int = 1

        def player(self, game: Game[Any], random: Random) -> Player:
            return lambda position: "hold" if position.turn >= self.at else "roll"

    assert text_of(Hold(5)) == "Hold:at=5"
    assert text_of(strategy("hold:5")) == "hold:at=5"
    found = tournament(load("pig:target=10"), [Hold(5), strategy("hold:5")], 10)
    assert found.strategies == ("Hold:at=5", "hold:at=5")


@pytest.mark.parametrize("seed", [-1, 2**62 + 1])
@pytest.mark.parametrize("text", ["ruleof", "random"])
def test_a_seed_that_kernels_cannot_hold_is_refused(text: str, seed: int) -> None:
    game = CantStop(2, 1, 1)
    for use in (simulate, transcript):
        with pytest.raises(StrategyError, match=f"expected a seed from 0 to .*, found {seed}"):
            use(game, [strategy(text)], seed=seed)

"""Rollouts against games played out by plain Python, and what an opponent's stops say of him."""

from __future__ import annotations

from random import Random
from statistics import fmean
from typing import Any

import pytest

from backroll import load
from backroll.arena import play
from backroll.arena.playing import Dice, luck_of, worth
from backroll.errors import StrategyError
from backroll.game import Swap, Terminal
from backroll.games.cantstop.rules import CantStop
from backroll.strategies import strategy, text_of
from backroll.strategies.models import Model
from backroll.strategies.playouts import rollout
from backroll.strategies.protocol import Watching
from backroll.strategies.rollouts import ERRORS, Rollout, Suspicion, justifying

SMALL = "cantstop:sides=3,shortest=2"


class Theirs(Dice):
    """The dice of games in which the first side has just stopped."""

    def __init__(self, sides: int, seed: int, game: int) -> None:
        super().__init__(sides, seed, game)
        self._turns[0] = 1

    def turn(self, who: int) -> None:
        super().turn(3 - who)


def played_out(game: CantStop, child: Any, sides: list[Any], seed: int, number: int) -> float:
    """What one game comes to that is played on by plain Python."""
    if isinstance(game.node(getattr(child, "position", child)), Terminal):
        return 1.0
    if isinstance(child, Swap):
        luck = Theirs(game.sides, seed, number)
        return 1 - worth(game, list(play(game, sides[::-1], luck, child.position)))
    return worth(game, list(play(game, sides, Dice(game.sides, seed, number), child)))


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (SMALL, "0,1,2,0,0/1,0,0,1,0@1,1,2,3"),
        (SMALL, "0,1,2,0,0/1,0,0,1,0/4=3,5=2"),
        (SMALL, "2,4,0,0,0/0,0,3,3,0/4=6"),
        ("cantstop", "0,0,1,2,3,4,0,0,0,0,0/0,0,0,0,0,0,5,5,0,0,0/6=5,7=6,9=2"),
        ("cantstop:occupied=jump", "0,0,1,2,3,4,0,0,0,0,0/0,0,0,0,0,0,5,5,0,0,0@2,3,4,4"),
    ],
)
def test_options_come_to_what_plain_python_plays(spec: str, text: str) -> None:
    game, seed, games = load(spec), 3, 16
    assert isinstance(game, CantStop)
    position, base, other = game.parse(text), Model(), Model(pair="m2", error=0.5)
    sides = [base.player(game, Random(0)), other.player(game, Random(0))]
    for found in rollout(game, position, base, other, games, seed=seed):
        child = game.play(position, found.move)
        values = [played_out(game, child, sides, seed, number) for number in range(games)]
        assert found.value == fmean(values), found.move


def test_alone_a_move_is_worth_the_turns_that_are_left() -> None:
    game, games = load("cantstop:sides=3,shortest=2,players=1"), 16
    assert isinstance(game, CantStop)
    position, base = game.parse("0,2,3,0,0/3=3,4=4,5=1"), Model()
    player = base.player(game, Random(0))
    estimates = rollout(game, position, base, base, games, seed=1)
    for found in estimates:
        child = game.play(position, found.move)
        left = []
        for number in range(games):
            luck = Dice(game.sides, 1, number)
            luck._turns[0] = found.move == "stop"  # the next turn, not this one
            left.append(worth(game, list(play(game, [player], luck, child))))
        assert found.value == fmean(left)
    assert estimates[0].value <= estimates[1].value


def test_estimates_do_not_depend_on_threads_and_compare_game_by_game() -> None:
    game = load(SMALL)
    assert isinstance(game, CantStop)
    position, base = game.parse("0,1,2,0,0/1,0,0,1,0@1,1,2,3"), Model()
    one, two = (rollout(game, position, base, base, 300, threads=n) for n in (1, 2))
    assert one == two
    assert (one[0].behind, one[0].behind_error) == (0, 0)
    assert one[1].behind == one[0].value - one[1].value
    assert one[0].error == pytest.approx((one[0].value * (1 - one[0].value) / 299) ** 0.5)
    apart = (one[0].error ** 2 + one[1].error ** 2) ** 0.5
    assert 0 < one[1].behind_error < apart


def test_a_stop_that_wins_is_no_error_and_one_for_nothing_is() -> None:
    game = load(SMALL)
    assert isinstance(game, CantStop)
    won = game.parse("2,4,0,0,0/0,0,3,3,0/4=6")
    assert justifying(game, won, Model(), 20) == 0
    suspicion = Suspicion(game, Model(), 20)
    assert suspicion.error == 0
    suspicion.add(won)
    suspicion.errors.append(1.5)
    assert suspicion.error == 0.75


@pytest.mark.compiled
def test_stopping_with_nothing_to_lose_is_the_largest_error() -> None:
    game = load("cantstop")
    assert isinstance(game, CantStop)
    early = game.parse(f"{'0,' * 10}0/{'0,' * 10}0/6=1,7=1,8=1")
    assert justifying(game, early, Model()) >= 0.5
    late = game.parse(f"{'0,' * 10}0/{'0,' * 10}0/2=2,7=5,12=2")
    assert justifying(game, late, Model()) == 0


def test_a_player_by_rollouts_takes_what_wins() -> None:
    game = load(SMALL)
    assert isinstance(game, CantStop)
    player = Rollout(games=20).player(game, Random(0))
    assert player(game.parse("2,4,0,0,0/0,0,3,3,0/4=6")) == "stop"


@pytest.mark.compiled
def test_an_adapting_player_watches_the_others_stops() -> None:
    game = load("cantstop:sides=3,shortest=1")
    adapting = strategy("rollout:games=2,adapt=true").player(game, Random(0))
    assert isinstance(adapting, Watching)
    steps = list(play(game, [Model().player(game, Random(0)), adapting], luck_of(game, 1, 0)))
    stops = [step for step in steps if step.mover == 1 and step.move == "stop"]
    found: Any = adapting
    assert stops
    assert len(found.suspicion.errors) == len(stops)
    assert set(found.suspicion.errors) <= set(ERRORS)
    assert found.other == Model(error=found.suspicion.error)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rollout:base=random", "rollout: expected a base that plays by habits, found random"),
        ("rollout:base=ruleof,error=1", "rollout: expected a model as base to err, found ruleof"),
        ("rollout:base=ruleof,adapt=true", "rollout: expected a model as base to err"),
        ("rollout:base=(model:pair=m4)", "model: pair expected m1, m2 or m3"),
        ("rollout:games=0", "rollout: games expected a whole number from 1 to"),
    ],
)
def test_bad_parameters_are_one_line(text: str, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        strategy(text)


def test_text_has_the_base_in_brackets() -> None:
    text = "rollout:games=500,base=(model:pair=m2),error=0.5"
    assert text_of(strategy(text)) == text
    assert text_of(strategy("rollout:base=(model:pair=m1)")) == "rollout"


def test_only_cantstop_is_played() -> None:
    with pytest.raises(StrategyError, match="rollout: expected a game of cantstop, found pig"):
        Rollout().player(load("pig"), Random(0))

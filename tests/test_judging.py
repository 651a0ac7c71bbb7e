"""Exact judgement: habits against the general path, and both against games that were played."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from backroll.arena import simulate
from backroll.engines import fitting
from backroll.errors import BackrollError, NoSolution, StrategyError
from backroll.game import COST, Chance, Choice, Game, Terminal
from backroll.games.cantstop.rules import CantStop
from backroll.games.pig import Pig
from backroll.judging import evaluate
from backroll.judging.habits import alone, duel
from backroll.played import Habits
from backroll.programs.habits import blank
from backroll.strategies import Player, strategy
from backroll.strategies.habits import Habitual


def close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=0, abs_tol=1e-12)


@pytest.mark.parametrize("text", ["ruleof:n=8", "ruleof:n=14", "ruleof"])
@pytest.mark.parametrize(
    "board",
    [
        (2, 1),
        (2, 2),
        pytest.param((2, 3), marks=pytest.mark.compiled),
        pytest.param((3, 1), marks=pytest.mark.compiled),
    ],
)
def test_one_player_by_habits_is_as_by_the_rules(board: tuple[int, int], text: str) -> None:
    game = CantStop(*board, players=1)
    fast = evaluate(game, [strategy(text)])
    slow = evaluate(game, [strategy(text)], engine="general")
    assert (fast.engine, slow.engine) == ("habits", "general")
    assert fast.anchors == slow.anchors
    assert close(fast.value, slow.value)
    assert slow.bound is not None
    assert slow.bound < 1e-12
    assert fast.deviation is not None
    assert slow.deviation is not None
    assert abs(fast.deviation - slow.deviation) < 1e-9  # the root of a difference
    assert set(fast.distribution) == set(slow.distribution)
    assert all(close(fast.distribution[n], slow.distribution[n]) for n in fast.distribution)


@pytest.mark.parametrize("occupied", ["roll", "share", "jump"])
@pytest.mark.parametrize(
    ("board", "columns"),
    [((2, 2), 1), ((2, 3), 1), pytest.param((3, 1), 2, marks=pytest.mark.slow)],
)
def test_two_players_by_habits_are_as_by_the_rules(
    board: tuple[int, int], columns: int, occupied: Any
) -> None:
    game = CantStop(*board, 2, occupied, columns)
    pairs = [("ruleof:n=6", "ruleof:n=8"), ("ruleof:n=7", "ruleof:n=4,ties=last")]
    if board == (3, 1):
        pairs = [("model:pair=m3", "model:pair=m2"), ("ruleof:n=8", "ruleof:n=12,ties=last")]
    for texts in pairs:
        pair = [strategy(text) for text in texts]
        fast = evaluate(game, pair)
        assert close(fast.value, evaluate(game, pair, engine="general").value)
        assert fast.off < 1e-12


@pytest.mark.parametrize(
    ("board", "text"),
    [
        ((2, 2), "ruleof:n=8"),
        ((3, 1), "ruleof"),
        pytest.param((3, 3), "ruleof", marks=pytest.mark.compiled),
        pytest.param((4, 1), "ruleof", marks=pytest.mark.slow),
        pytest.param((4, 2), "ruleof", marks=pytest.mark.slow),
        pytest.param((4, 2), "ruleof:n=20", marks=pytest.mark.slow),
    ],
)
def test_one_player_s_games_come_out_as_judged(board: tuple[int, int], text: str) -> None:
    game = CantStop(*board, players=1)
    judged = evaluate(game, [strategy(text)])
    games = 200_000 if judged.anchors > 10 else 2_000
    played = simulate(game, [strategy(text)], games)
    assert judged.deviation is not None
    assert abs(played.mean - judged.value) < 4 * judged.deviation / math.sqrt(games)
    mean = sum(n * chance for n, chance in judged.distribution.items())
    assert abs(mean - judged.value) < 1e-9
    assert 0 < judged.left < 1e-12


@pytest.mark.compiled
@pytest.mark.parametrize("occupied", ["roll", "share", "jump"])
def test_two_players_games_come_out_as_judged(occupied: Any) -> None:
    game = CantStop(3, 2, occupied=occupied)
    pair = [strategy("ruleof:n=12"), strategy("ruleof:n=9")]
    judged = evaluate(game, pair)
    played = simulate(game, pair, 100_000)
    assert abs(played.mean - judged.value) < 4 * played.error
    assert judged.off < 1e-12


def test_threads_change_nothing() -> None:
    game = CantStop(2, 2, players=1)
    one, two = (evaluate(game, [strategy("ruleof:n=8")], threads=n) for n in (1, 2))
    assert (one.value, one.deviation, one.distribution) == (
        two.value,
        two.deviation,
        two.distribution,
    )


class Toss(Game[str]):
    """Toss until it is heads, a coin a time; or leave it, for 3."""

    players, quantity = 1, COST

    def start(self) -> str:
        return "ask"

    def node(self, position: str) -> Terminal | Chance | Choice:
        if position == "ask":
            return Choice(("toss", "leave"))
        return Chance({"heads": 1, "tails": 1}, adds=1) if position == "toss" else Terminal(0)

    def play(self, position: str, move: str) -> str:
        return {"tails": "ask", "heads": "end", "leave": "end"}.get(move, move)


@dataclass(frozen=True)
class Always:
    """Plays one move where it is offered."""

    move: str

    def player(self, game: Any, random: Random) -> Player:
        return lambda position: self.move


def test_a_geometric_game_has_the_moments_and_chances_that_it_should() -> None:
    judged = evaluate(Toss(), [Always("toss")], optimal=0.0)
    assert close(judged.value, 2)
    assert judged.deviation is not None
    assert close(judged.deviation, math.sqrt(2))
    assert judged.cost is not None
    assert close(judged.cost, 2)
    for n, chance in judged.distribution.items():
        assert close(chance, 0.5**n)
    assert max(judged.distribution) == 40
    assert evaluate(Toss(), [Always("leave")]).distribution == {0.0: 1.0}


def test_what_draws_lots_cannot_be_judged() -> None:
    with pytest.raises(StrategyError, match="random: expected one that draws no lots"):
        evaluate(CantStop(2, 1, players=1), [strategy("random")])


class Endless(Habitual):
    """Stops only to win, which takes more columns than there are markers."""

    def habits(self, game: CantStop) -> Habits:
        return blank(game)


def test_what_never_ends_has_no_value() -> None:
    game = CantStop(3, 1, players=1, columns=4)
    with pytest.raises(NoSolution, match="0,0,0,0,0 is never left"):
        alone(game, Endless().habits(game))
    with pytest.raises(NoSolution, match="0,0,0,0,0/0,0,0,0,0 is never left"):
        duel(CantStop(3, 1, columns=4), [Endless().habits(game)] * 2)


def test_what_cannot_be_judged_is_refused_in_a_line() -> None:
    game = CantStop(2, 1, players=1)
    with pytest.raises(StrategyError, match="expected 1 strategy, found 2"):
        evaluate(game, [strategy("ruleof")] * 2)
    with pytest.raises(StrategyError, match="expected an engine among"):
        evaluate(game, [strategy("ruleof")], engine="fast")
    with pytest.raises(StrategyError, match="expected a game of cantstop"):
        evaluate(Pig(10), [strategy("ruleof")] * 2)
    with pytest.raises(StrategyError, match="expected habits of cantstop"):
        evaluate(Pig(10), [strategy("ruleof")] * 2, engine="habits")


def test_a_board_too_large_to_number_its_anchors_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, ruleof = strategy("model"), strategy("ruleof")
    monkeypatch.setattr(fitting, "available", lambda: 23_400_000_000)
    with pytest.raises(BackrollError, match=r"cantstop: expected a game that fits, .* 23\.4 GB"):
        evaluate(CantStop(), [model, ruleof])
    with pytest.raises(BackrollError, match=r"one that needs 24\.7 GB of memory"):
        evaluate(CantStop(players=1), [model])
    assert evaluate(CantStop(2, 1, 1), [model]).value > 1

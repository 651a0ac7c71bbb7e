"""A review: mistakes and luck of every step, by a database, by fractions and by the rules."""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from backroll import Database, load, solve
from backroll.analysis import Analyst, Basis, OnTheSpot, Review, TurnExact, review
from backroll.analysis.grades import ERRORS, GRADES, MARKS, MEANS, grade, mark
from backroll.analysis.sources import Solved, Source
from backroll.arena import Step, play, steps_of, transcript
from backroll.arena.playing import Lots
from backroll.engines.general import solve as solve_generally
from backroll.errors import BackrollError
from backroll.game import COST, Chance, Game
from backroll.solving import save
from backroll.strategies import strategy
from drawn import Drawn, drawn_games
from tiny import duel

GAMES = [
    ("pig:target=12", ["random", "hold:at=4"]),
    ("pig:target=9,players=1", ["random"]),
    ("shutthebox:tiles=4,aim=win", ["random", "random"]),
    ("nim", ["random", "random"]),
    ("cantstop:sides=2,shortest=2,columns=1", ["random", "model"]),
    pytest.param("cantstop:players=1,sides=3,shortest=1", ["random"], marks=pytest.mark.compiled),
    pytest.param("cantstop:sides=3,shortest=1", ["model", "random"], marks=pytest.mark.compiled),
]


class Plain:
    """A database asked in plain Python, whatever the game."""

    def __init__(self, game: Game[Any]) -> None:
        self.database = Database.of(solve_generally(game))

    def of(self, game: Game[Any]) -> Source:
        return Solved(self.database, Basis("exact, in plain Python", exact=True))


def played(spec: str, texts: list[str], seed: int) -> tuple[Game[Any], list[Step]]:
    game = load(spec)
    return game, steps_of(transcript(game, [*map(strategy, texts)], seed=seed), "game", game)


def adds_up(found: Review) -> None:
    """Luck and mistakes lead from the start to the end, by what either side wants."""
    one = -1 if found.quantity == COST else 1
    told = sum(
        (one if each.player == 1 else -one) * (each.luck - each.mistakes) for each in found.players
    )
    assert found.end == pytest.approx(found.start + told + found.revisions, abs=1e-12)
    for each in found.players:
        own = [d for d in found.decisions if d.player == each.player]
        assert each.mistakes == pytest.approx(sum(d.cost for d in own), abs=1e-9)
    assert all(each.cost >= 0 for each in found.decisions)


@pytest.mark.parametrize(("spec", "texts"), GAMES)
def test_luck_and_mistakes_make_the_result_of_every_game(spec: str, texts: list[str]) -> None:
    game = load(spec)
    analyst = Analyst(game, [OnTheSpot()])
    database = Database.of(solve(game))
    for seed in range(6):
        _, steps = played(spec, texts, seed)
        found = review(game, steps, analyst, texts)
        adds_up(found)
        assert found.revisions == pytest.approx(0, abs=1e-9)
        assert found.start == pytest.approx(database.value(game.start()), abs=1e-9)
        costs = [
            next(each.loss for each in database.moves(step.position) if each.move == step.move)
            for step in steps
            if step.mover
        ]
        assert [each.cost for each in found.decisions] == pytest.approx(costs, abs=1e-9)
        assert [each.name for each in found.players] == texts


@pytest.mark.parametrize("spec", ["pig:target=12", "shutthebox:tiles=4,aim=win", "nim"])
def test_perfect_play_makes_no_mistakes(spec: str, tmp_path: Path) -> None:
    save(solve(load(spec)), tmp_path / "table")
    game, steps = played(spec, [f"optimal:{tmp_path / 'table'}"] * 2, 3)
    found = review(game, steps)
    assert {each.cost for each in found.decisions} == {0}
    assert found.worst == ()
    assert {each.grade for each in found.players} == {"supernatural"}
    adds_up(found)


def first_value(game: Game[Any], known: dict[Any, Any], step: Step, paid: float) -> float:
    """What a game is worth to player 1 by fractions, with what was paid until then."""
    value = float(known[step.position])
    return paid + (value if step.who == 1 else game.total - value)


@given(drawn_games(), st.integers(0, 3))
def test_luck_is_what_fractions_say_in_any_game(game: Drawn, seed: int) -> None:
    known = naive.values(game)
    players = [lambda position: Random(position).choice(list(game.node(position).moves))] * 2  # type: ignore[union-attr]
    steps = list(islice(play(game, players, Lots(seed, 0)), 200))
    found = review(game, steps, Analyst(game, [Plain(game)]))
    adds_up(found)
    assert found.revisions == pytest.approx(0, abs=1e-6)
    paid, luck = 0.0, 0.0
    for at, (step, after) in enumerate(pairwise(steps)):
        before = first_value(game, known, step, paid)
        assert found.curve[at] == pytest.approx(before, abs=1e-6)
        node = game.node(step.position)
        paid += getattr(node, "adds", 0) * (1 if step.who == 1 else -1)
        if isinstance(node, Chance):
            luck += first_value(game, known, after, paid) - before
    one = -1 if game.quantity == COST else 1
    told = sum((one if each.player == 1 else -one) * each.luck for each in found.players)
    assert told == pytest.approx(luck, abs=1e-6)


def test_luck_is_that_of_whose_turn_it_is() -> None:
    game = load("pig:target=12")
    parse = game.parse
    steps = [Step(parse("0/0/0"), 1, 0, 1), Step(parse("0/0/0"), 2, 0, 6)]
    found = review(game, steps)
    one, two = found.players
    database = Database.of(solve(game))
    start = database.value(game.start())
    assert one.luck == pytest.approx(1 - start - start)
    assert two.luck == pytest.approx(database.value(parse("0/0/6")) - start)
    assert found.end == pytest.approx(1 - database.value(parse("0/0/6")))
    assert (found.decisions, one.decisions, one.mean) == ((), 0, 0)


def test_in_an_absolute_game_luck_is_that_of_who_chooses_next_or_chose_last() -> None:
    game = duel()
    steps = [Step("start", 1, 1, "bold"), Step("bold", 1, 0, "low"), Step("low", 1, 2, "eighth")]
    one, two = review(game, steps).players
    assert (one.luck, two.luck) == pytest.approx((0, 11 / 32 - 1 / 8))
    assert (one.mistakes, two.mistakes) == pytest.approx((1 / 2 - 11 / 32, 0))
    one, two = review(game, [steps[0], Step("bold", 1, 0, "one")]).players
    assert (one.luck, two.luck) == pytest.approx((1 - 11 / 32, 0))


def test_the_beginning_of_a_game_can_be_reviewed() -> None:
    game, steps = played("pig:target=12", ["random", "random"], 2)
    whole = review(game, steps)
    for count in range(1, len(steps)):
        part = review(game, steps[:count])
        adds_up(part)
        assert part.curve == pytest.approx(whole.curve[: count + 1])
    assert part.end == whole.end


def test_the_worst_come_first_and_can_be_found_again() -> None:
    game, steps = played("pig:target=12", ["random", "random"], 0)
    found = review(game, steps)
    assert len(found.worst) == 3
    assert [each.cost for each in found.worst] == sorted(
        (each.cost for each in found.decisions), reverse=True
    )[:3]
    for each in found.worst:
        step = steps[each.step - 1]
        assert game.parse(each.position) == step.position
        assert (each.played, each.player) == (step.move, step.mover)
        assert each.played != each.best
        assert each.mark == mark(each.cost)


def test_an_estimate_is_told_from_luck() -> None:
    spec, texts = "cantstop:sides=3,shortest=1", ["model", "model"]
    game, steps = played(spec, texts, 1)
    found = review(game, steps, Analyst(game, [TurnExact("columns")]))
    adds_up(found)
    assert abs(found.revisions) > 1e-6
    assert not found.basis.exact


def test_costs_of_turns_are_graded_as_shares_of_the_start() -> None:
    game, steps = played("pig:target=9,players=1", ["random"], 4)
    found = review(game, steps)
    [alone] = found.players
    assert alone.mistakes > 0
    assert alone.grade == grade(alone.mean / found.start)
    assert found.worst[0].mark == mark(found.worst[0].cost / found.start)


def test_grades_and_marks_change_at_their_thresholds() -> None:
    assert [grade(0), *map(grade, MEANS)] == list(GRADES)
    assert [mark(0), *map(mark, ERRORS)] == list(MARKS)


def test_no_step_is_no_game() -> None:
    with pytest.raises(BackrollError, match="pig: expected a game to review, found no step"):
        review(load("pig"), [])


def test_plain_data_holds_everything() -> None:
    game, steps = played("pig:target=12", ["random", "random"], 0)
    found = review(game, steps)
    plain = found.as_dict()
    assert [each["position"] for each in plain["worst"]] == [w.position for w in found.worst]
    assert plain["curve"] == list(found.curve)
    assert plain["basis"] == {"text": "exact, solved just now", "exact": True, "games": 0}
    del plain["worst"]
    assert set(plain) == {*Review.__slots__}

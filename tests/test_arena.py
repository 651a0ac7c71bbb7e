from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backroll import Chance, Choice, Game, Terminal, fix, load, solve
from backroll.arena import (
    Simulation,
    Stopped,
    both_seats,
    difference,
    intervals,
    simulate,
    simulation,
    tournament,
    transcript,
)
from backroll.arena.intervals import normal, percentile, wilson
from backroll.arena.playing import luck_of, play
from backroll.arena.ratings import ELO, PRIOR, Score, ratings
from backroll.arena.simulation import by_habits
from backroll.arena.tournaments import Halted
from backroll.errors import IllegalMove, StrategyError
from backroll.strategies import Player, strategy

SMALL = "cantstop:players=1,sides=3,shortest=1"
DUEL = "cantstop:sides=3,shortest=1"


def same(one: Simulation, other: Simulation) -> bool:
    counts = [(each.values, each.turns, each.unfinished, each.games) for each in (one, other)]
    return counts[0] == counts[1]


# Simulations


@pytest.mark.parametrize(("spec", "count"), [(SMALL, 1), (DUEL, 2)])
def test_threads_change_nothing(spec: str, count: int) -> None:
    game, players = load(spec), [strategy("ruleof"), strategy("ruleof:n=9")][:count]
    found = [simulate(game, players, 300, seed=5, threads=n) for n in (1, 2, 3)]
    assert same(found[0], found[1])
    assert same(found[0], found[2])
    assert found[0].batches == found[1].batches == found[2].batches
    assert not same(found[0], simulate(game, players, 300, seed=6))


@pytest.mark.parametrize(("spec", "count"), [(SMALL, 1), (DUEL, 2)])
def test_kernels_and_plain_python_play_the_same_games(
    spec: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, players = load(spec), [strategy("ruleof:n=9"), strategy("ruleof:n=12")][:count]
    quick = simulate(game, players, 150, seed=3)
    monkeypatch.setattr(simulation, "habits_of", lambda *given: [])
    plain = simulate(game, players, 150, seed=3)
    assert same(quick, plain)
    assert [b.games for b in quick.batches] == [b.games for b in plain.batches]


def test_a_simulation_is_near_the_exact_value() -> None:
    duel = load("pig:target=20")
    holds = [strategy("hold:at=8"), strategy("hold:at=12")]
    fixed = duel
    for player, each in enumerate(holds, 1):
        fixed = fix(fixed, player, each.player(duel, Random()))
    exact = solve(fixed).value
    found = simulate(duel, holds, 2_000, seed=1)
    assert abs(found.mean - exact) < 4 * found.error
    assert found.interval.low < found.mean < found.interval.high


def test_the_first_games_of_more_are_the_same_games() -> None:
    game, players = load("pig:target=15"), [strategy("hold:at=6"), strategy("random")]
    few, many = (simulate(game, players, games, seed=2) for games in (40, 80))
    rest = Counter(many.values) - Counter(few.values)
    assert sum(rest.values()) == 40
    assert all(many.values[value] >= count for value, count in few.values.items())


def test_turns_are_counted_in_any_game() -> None:
    found = simulate(load("pig:players=1,target=15"), [strategy("hold:at=6")], 50)
    assert {float(n): count for n, count in found.turns.items()} == dict(found.values)
    assert found.ended == 50
    assert sum(batch.games for batch in found.batches) == 50


class Idle(Game[int]):
    """One may wait for ever."""

    players = 1

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Choice | Terminal:
        return Terminal(1) if position else Choice(["wait", "go"])

    def play(self, position: int, move: str) -> int:
        return int(move == "go")


@dataclass(frozen=True)
class Waiting:
    """Goes at once in one game of two, and waits for ever in the others."""

    def player(self, game: Game[Any], random: Random) -> Player:
        def move(position: int) -> str:
            mark = random.getstate()
            goes = random.random() < 0.5
            random.setstate(mark)
            return "go" if goes else "wait"

        return move


def test_games_that_do_not_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "STEPS", 50)
    found = simulate(Idle(), [Waiting()], 40)
    assert found.games == 40
    assert found.unfinished + found.ended == 40
    assert min(found.unfinished, found.ended) > 5
    assert found.values == {1: found.ended}


@dataclass(frozen=True)
class Interrupting:
    """Holds at once, until somebody presses Ctrl-C."""

    after: int

    def player(self, game: Game[Any], random: Random) -> Player:
        asked = itertools.count(1)

        def move(position: Any) -> str:
            if next(asked) > self.after:
                raise KeyboardInterrupt
            return "hold"

        return move


def test_whoever_interrupts_is_told_what_came_of_the_games_until_then() -> None:
    with pytest.raises(Stopped) as stopped:
        simulate(load("pig:players=1,target=20"), [Interrupting(300)], 1_000)
    found = stopped.value.simulation
    assert 10 < found.games < 100
    assert sum(found.turns.values()) == found.ended == found.games
    assert isinstance(stopped.value, KeyboardInterrupt)


@dataclass(frozen=True)
class Remembering:
    """Holds at the highest that it has seen the other side hold at."""

    def player(self, game: Game[Any], random: Random) -> Player:
        return RememberingPlayer()


class RememberingPlayer:
    def __init__(self) -> None:
        self.seen = 2

    def watch(self, position: Any, move: Any) -> None:
        self.seen = max(self.seen, position.turn)

    def __call__(self, position: Any) -> str:
        self.seen += 1
        return "hold" if position.turn >= self.seen else "roll"


def test_what_a_player_remembers_of_a_game_does_not_outlast_it() -> None:
    game = load("pig:target=15")
    players = [Remembering(), strategy("hold:at=4")]
    values = Counter(transcript(game, players, seed=8, number=n).value for n in range(30))
    assert simulate(game, players, 30, seed=8).values == values


def test_kernels_can_be_interrupted_between_batches() -> None:
    def press(stage: str, done: int, total: int | None) -> None:
        if done >= 30:
            raise KeyboardInterrupt

    game, players = load(SMALL), [strategy("ruleof")]
    with pytest.raises(Stopped) as stopped:
        simulate(game, players, 640, progress=press)
    part = stopped.value.simulation
    assert 30 <= part.games < 640
    assert same(part, simulate(game, players, part.games))


@pytest.mark.parametrize(
    ("spec", "texts", "games", "threads", "said"),
    [
        ("pig", ["hold"], 10, 1, "expected 2 strategies, found 1"),
        ("pig:players=1", ["hold", "hold"], 10, 1, "expected 1 strategy, found 2"),
        ("pig:players=1", ["hold"], 0, 1, "expected at least one game, found 0"),
        ("pig:players=1", ["hold"], 10, 0, "expected at least one thread, found 0"),
        ("pig", ["ruleof", "hold"], 10, 1, "ruleof: expected a game of cantstop, found pig"),
        (SMALL, ["hold"], 10, 1, "hold: expected a game of pig, found cantstop"),
    ],
)
def test_what_cannot_be_played_is_refused(
    spec: str, texts: list[str], games: int, threads: int, said: str
) -> None:
    with pytest.raises(StrategyError, match=said):
        simulate(load(spec), [*map(strategy, texts)], games, threads=threads)


def test_a_move_that_is_not_offered_is_named() -> None:
    game = load("pig:target=5")
    with pytest.raises(IllegalMove, match=r"player 1 at 0/0/\d: expected one of roll, hold, found"):
        list(play(game, [lambda _: "fold"] * 2, luck_of(game, 0, 0)))


# The same dice for all


@pytest.mark.parametrize("spec", [SMALL, "pig:players=1,target=30", "shutthebox"])
def test_the_dice_of_a_turn_do_not_depend_on_the_turns_before(spec: str) -> None:
    game = load(spec)

    def rolls(turn: int, before: int) -> list[Any]:
        luck = luck_of(game, 4, 9)
        node = game.node(game.start())
        assert isinstance(node, Chance)
        for _ in range(turn):
            luck.turn(1)
            for _ in range(before):
                luck.draw(node.outcomes)
        luck.turn(1)
        return [luck.draw(node.outcomes) for _ in range(12)]

    assert rolls(3, 1) == rolls(3, 5) == rolls(3, 0)
    assert rolls(3, 1) != rolls(4, 1)


def test_outcomes_come_up_by_their_weights() -> None:
    luck = luck_of(load("pig"), 0, 0)
    luck.turn(1)
    drawn = Counter(luck.draw({"a": 1, "b": 3}) for _ in range(4_000))
    share = drawn["b"] / 4_000
    assert abs(share - 0.75) < 4 * math.sqrt(0.75 * 0.25 / 4_000)


@pytest.mark.compiled
@pytest.mark.parametrize(("spec", "count"), [("cantstop:players=1", 1), ("cantstop", 2)])
def test_common_dice_compare_near_equals_better(spec: str, count: int) -> None:
    game: Any = load(spec)
    one, other = (
        [strategy(text).habits(game), strategy("ruleof").habits(game)][:count]  # type: ignore[attr-defined]
        for text in ("ruleof:n=28", "ruleof:n=29")
    )

    def mean(habits: Any, seed: int) -> float:
        return intervals.mean(by_habits(game, habits, 200, seed, threads=1)[0])

    seeds = range(300)
    means = [mean(one, seed) for seed in seeds]
    paired = [each - mean(other, seed) for each, seed in zip(means, seeds, strict=True)]
    apart = [each - mean(other, seed + 1_000) for each, seed in zip(means, seeds, strict=True)]
    # measured 0.37 and 0.44; of equal variances the ratio is below 0.6 once in 10^5
    assert np.var(paired) < 0.6 * np.var(apart)


def test_a_difference_on_the_same_dice_is_known_better_than_both_means() -> None:
    game = load(SMALL)
    one, other = (simulate(game, [strategy(t)], 6_400) for t in ("ruleof:n=13", "ruleof:n=18"))
    low, high = difference(one, other)
    assert low < one.mean - other.mean < high
    apart = math.hypot(one.error, other.error) * 2 * intervals.quantile(0.95)
    assert high - low < apart
    with pytest.raises(StrategyError, match="the same games"):
        difference(one, simulate(game, [strategy("ruleof")], 6_400, seed=1))


# Intervals and ratings


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_wilsons_interval_is_where_the_share_is_z_errors_away(games: int, share: float) -> None:
    low, high = wilson(share, games)
    z = intervals.quantile(0.95)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            assert abs(share - end) == pytest.approx(z * math.sqrt(end * (1 - end) / games))


def test_wilsons_interval_of_no_game_is_everything() -> None:
    assert wilson(0.0, 0) == (0, 1)


@pytest.mark.parametrize("chance", [0.03, 0.5, 0.9])
def test_wilsons_interval_holds_the_truth_nineteen_times_in_twenty(chance: float) -> None:
    random, games, trials = np.random.default_rng(1), 60, 4_000
    wins = random.binomial(games, chance, trials)
    held = np.mean(
        [low <= chance <= high for low, high in (wilson(w / games, games) for w in wins)]
    )
    assert 0.92 < held < 0.985


def test_the_normal_interval_is_nearly_two_errors_wide() -> None:
    low, high = normal(5.0, 2.0)
    assert (low, high) == pytest.approx((5 - 1.959964 * 2, 5 + 1.959964 * 2), abs=1e-5)


@given(st.dictionaries(st.integers(0, 30), st.integers(1, 5), min_size=1), st.floats(0.01, 1))
def test_a_percentile_is_the_least_value_with_that_share_below(
    counts: dict[int, int], share: float
) -> None:
    values = sorted(v for v, n in counts.items() for _ in range(n))
    assert percentile(counts, share) == values[math.ceil(share * len(values) - 1e-9) - 1]


def test_batches_give_the_error_of_their_mean() -> None:
    random = np.random.default_rng(0)
    errors = [
        intervals.error_of_batches(list(random.normal(0, 1, (64, 100)).mean(1)), [100] * 64)
        for _ in range(50)
    ]
    assert np.mean(errors) == pytest.approx(1 / math.sqrt(6_400), rel=0.05)
    assert intervals.error_of_batches([1.0], [5]) == math.inf


def test_two_players_are_rated_by_the_odds() -> None:
    found = ratings(2, {(0, 1): Score(75 - PRIOR, 99), (1, 0): Score(25 - PRIOR, 99)})
    # of 100 games in each seat with half a win added to both sides: odds of 3 to 1, no advantage
    assert found.players[0].elo - found.players[1].elo == pytest.approx(ELO * math.log(3))
    assert sum(each.elo for each in found.players) == pytest.approx(0, abs=1e-9)
    assert found.first.elo == pytest.approx(0, abs=1e-9)


def test_ratings_find_the_strengths_that_made_the_results() -> None:
    random, strengths, ahead = np.random.default_rng(3), np.array([150, 20, -60, -110.0]), 40.0
    scores = {}
    for i in range(4):
        for j in range(4):
            if i != j:
                share = 1 / (1 + 10 ** (-(strengths[i] - strengths[j] + ahead) / 400))
                scores[i, j] = Score(float(random.binomial(3_000, share)), 3_000)
    found = ratings(4, scores)
    for truth, each in zip([*strengths, ahead], [*found.players, found.first], strict=True):
        assert abs(each.elo - truth) < 4 * (each.high - each.low) / (2 * 1.96)
    expected = 1 / (1 + 10 ** (-(found.players[0].elo - found.players[1].elo) / 400))
    assert expected == pytest.approx(1 / (1 + 10 ** (-130 / 400)), abs=0.02)


def test_who_has_won_everything_is_rated_all_the_same() -> None:
    found = ratings(2, {(0, 1): Score(50.0, 50), (1, 0): Score(0.0, 50)})
    assert 400 < found.players[0].elo - found.players[1].elo < 2_000
    assert found.players[0].low < found.players[0].elo < found.players[0].high


def test_ratings_are_the_likeliest() -> None:
    scores = {(0, 1): Score(30.0, 50), (1, 2): Score(20.0, 40), (2, 0): Score(10.0, 30)}
    found = ratings(3, scores)
    at = [*(each.elo / ELO for each in found.players), found.first.elo / ELO]

    def likelihood(strengths: list[float]) -> float:
        total = 0.0
        for (i, j), (points, games) in scores.items():
            p = 1 / (1 + math.exp(-(strengths[i] - strengths[j] + strengths[3])))
            won, lost = points + PRIOR, games - points + PRIOR
            total += won * math.log(p) + lost * math.log(1 - p)
        return total

    best = likelihood(at)
    for place in range(4):
        for step in (-0.01, 0.01):
            moved = [each + step * (i == place) for i, each in enumerate(at)]
            assert likelihood(moved) < best


# Tournaments


def test_a_tournament_plays_every_pair_from_both_seats() -> None:
    game = load("pig:target=20")
    entered = [strategy(text) for text in ("random", "hold:at=9", "hold:at=4")]
    found = tournament(game, entered, 60, seed=1)
    assert set(found.cells) == {(i, j) for i in range(3) for j in range(3) if i != j}
    alone = simulate(game, [entered[1], entered[0]], 60, seed=1)
    assert same(found.cells[1, 0], alone)
    standings = found.standings()
    assert sum(each.mean for each in standings) == pytest.approx(1.5)
    assert [each.mean for each in standings] == sorted([s.mean for s in standings], reverse=True)
    by_hand = (
        sum(found.cells[1, j].mean for j in (0, 2))
        + sum(1 - found.cells[j, 1].mean for j in (0, 2))
    ) / 4
    assert next(s.mean for s in standings if s.place == 1) == pytest.approx(by_hand)
    assert all(s.rating is not None and s.rating.low < s.rating.elo for s in standings)


def test_alone_strategies_are_compared_on_the_same_dice() -> None:
    entered = [strategy(text) for text in ("ruleof:n=5", "ruleof:n=9", "random")]
    found = tournament(load(SMALL), entered, 400)
    standings = found.standings()
    assert [each.mean for each in standings] == sorted(each.mean for each in standings)
    assert standings[0].behind is None
    assert found.ratings is None
    for each in standings[1:]:
        assert each.behind is not None
        assert sum(each.behind) / 2 == pytest.approx(each.mean - standings[0].mean)


class Coin(Game[str]):
    """Heads, tails, or the edge."""

    WORTH: ClassVar = {"heads": 1.0, "tails": 0.0, "edge": 0.5}

    def start(self) -> str:
        return "coin"

    def node(self, position: str) -> Any:
        worth = self.WORTH.get(position)
        return Chance(dict.fromkeys(self.WORTH, 1)) if worth is None else Terminal(worth)

    def play(self, position: str, move: str) -> str:
        return move


def test_a_draw_is_half_a_point() -> None:
    found = tournament(Coin(), [strategy("random"), Waiting()], 90)
    for (i, j), cell in found.cells.items():
        assert set(cell.values) == {0, 0.5, 1}
        points = cell.values[1] + cell.values[0.5] / 2
        assert found.scores[i, j] == (points, 90)
        assert cell.interval == normal(cell.mean, cell.error)


def test_a_tournament_needs_different_strategies() -> None:
    game = load("pig")
    with pytest.raises(StrategyError, match="expected each strategy once, found hold again"):
        tournament(game, [strategy("hold"), strategy("hold:at=20")], 10)
    with pytest.raises(StrategyError, match="expected two strategies or more, found 1"):
        tournament(game, [strategy("hold")], 10)


def test_a_tournament_can_be_interrupted() -> None:
    def press(stage: str, done: int, total: int | None) -> None:
        assert total == 30
        if done == 12:
            raise KeyboardInterrupt

    game, entered = load("pig:target=10"), [strategy(t) for t in ("random", "hold:at=3", "hold")]
    with pytest.raises(Halted) as halted:
        tournament(game, entered, 5, progress=press)
    found = halted.value.tournament
    assert [cell.games for cell in found.cells.values()] == [5, 5, 2]
    assert sum(each.games for each in found.standings()) == 2 * 12


def test_both_seats_tell_more_than_one() -> None:
    game, seats = load("pig:target=20"), [strategy("hold:at=12"), strategy("hold:at=8")]
    one, other = (simulate(game, each, 1_280, seed=1) for each in (seats, seats[::-1]))
    low, high = both_seats(one, other)
    assert (low + high) / 2 == pytest.approx((one.mean + 1 - other.mean) / 2)
    apart = math.hypot(one.error, other.error) / 2 * 2 * intervals.quantile(0.95)
    assert 0 < high - low < apart

"""Every algorithm against the naive oracle, the papers' examples, and what has no answer."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import naive
from backroll import COST, SCORE, BackrollError, Chance, Choice, Game, Swap, Terminal
from backroll.engines.general import solve
from backroll.engines.methods import METHODS
from backroll.errors import GameError, NoSolution, NotConverged, TooManyPositions
from backroll.games.pig import Pig
from drawn import Drawn, drawn_games

CYCLIC = ["auto", "iteration", "topological", "newton", "policy"]


class FigureOne(Game[str]):
    """Seed 000, figure 1: either side wins with probability 1/2 or hands over."""

    nodes: ClassVar[dict[str, Any]] = {
        "u1": Chance({"v1": 1, "u2": 1}),
        "v1": Choice(["U1"], player=1),
        "U1": Chance({"V1": 1, "U2": 1}),
        "V1": Choice(["u1"], player=2),
        "u2": Terminal(1),
        "U2": Terminal(0),
    }

    def start(self) -> str:
        return "u1"

    def node(self, position: str) -> Any:
        return self.nodes[position]

    def play(self, position: str, move: str) -> str:
        return move


@pytest.mark.parametrize("method", CYCLIC)
def test_figure_one(method: str) -> None:
    solution = solve(FigureOne(), method)
    worth = dict(zip(solution.anchors, solution.values, strict=True))
    assert solution.value == pytest.approx(2 / 3, abs=1e-13)
    assert worth["U1"] == pytest.approx(1 / 3, abs=1e-13)
    assert abs(solution.value - 2 / 3) <= solution.report.bound < 1e-13


def test_newton_takes_one_step_on_figure_one() -> None:
    report = solve(FigureOne(), "newton").report
    assert report.iterations == 1
    assert report.residual < 1e-15


def test_iteration_on_figure_one_goes_through_the_papers_fractions() -> None:
    from backroll.engines.problem import Problem
    from backroll.graph import explore
    from backroll.kernels.sweeps import iterate

    problem = Problem.of(explore(FigureOne()))
    seen = []
    for _ in range(3):
        order = problem.order.order
        iterate(problem.graph, order, 0, order.size, problem.value, problem.choice, 0.0, 1)
        seen.append(float(problem.value[0]))
    assert seen == [1 / 2, 5 / 8, 21 / 32]


@settings(max_examples=300, deadline=None)
@given(drawn_games())
def test_every_method_agrees_with_the_oracle(game: Drawn) -> None:
    exact = naive.values(game)
    for method in CYCLIC:
        solution = solve(game, method, bounds=True)
        report = solution.report
        assert report.bound < 1e-9
        assert abs(report.value - exact[0]) <= report.bound
        assert solution.lower is not None
        assert solution.upper is not None
        for place, position in enumerate(solution.anchors):
            assert solution.lower[place] <= exact[position] <= solution.upper[place]
            assert abs(solution.values[place] - exact[position]) < 1e-9


@settings(max_examples=100, deadline=None)
@given(drawn_games(largest=6))
def test_strategy_iteration_of_the_oracle_is_naive_enumeration(game: Drawn) -> None:
    assert naive.values(game)[0] == naive.enumerate_policies(game)[0]


def squeezed(game: Drawn, sweeps: int = 2000) -> tuple[float, float]:
    """The start's least and greatest value that fit, by sweeps from 0 and from 1."""
    worth = [(0.0, 1.0)] * len(game.rows)
    for _ in range(sweeps):
        before = list(worth)
        for i, row in enumerate(game.rows):
            seen = [
                (1 - worth[c][1], 1 - worth[c][0]) if s else worth[c] for c, _, s in row.children
            ]
            if row.kind == "end":
                worth[i] = (row.value, row.value)
            elif row.kind == "choice":
                best = max if row.player == 1 else min
                worth[i] = (best(low for low, _ in seen), best(high for _, high in seen))
            else:
                ways = [weight for _, weight, _ in row.children]
                sums = [
                    sum(w * each[k] for w, each in zip(ways, seen, strict=True)) for k in (0, 1)
                ]
                worth[i] = (sums[0] / sum(ways), sums[1] / sum(ways))
        if worth == before:
            break
    return worth[0]


@settings(max_examples=500, deadline=None)
@given(drawn_games(largest=7, ending=False), st.sampled_from(["auto", "topological"]))
def test_there_is_an_answer_exactly_where_there_is_one_answer(game: Drawn, method: str) -> None:
    low, high = squeezed(game)
    assume(not 1e-9 < high - low < 1e-3)  # too slow to tell
    if high - low >= 1e-3:
        with pytest.raises(NoSolution):
            solve(game, method)
        return
    try:
        solution = solve(game, method)
    except NoSolution:  # some other position has none
        return
    assert low - 1e-9 <= solution.value <= high + 1e-9


@settings(max_examples=100, deadline=None)
@given(drawn_games())
def test_acyclic_methods_agree_to_the_bit_or_refuse(game: Drawn) -> None:
    best = solve(game)
    for method in ("acyclic", "levels"):
        if best.report.cyclic:
            with pytest.raises(GameError, match="wants a game without cycles"):
                solve(game, method)
        else:
            assert np.array_equal(solve(game, method).values, best.values)


@pytest.mark.parametrize("players", [1, 2])
def test_a_limit_of_turns_ends_where_newton_does(players: int) -> None:
    game = Pig(target=30, players=players)  # type: ignore[arg-type]
    limited, newton = solve(game, "turns"), solve(game, "newton")
    assert limited.report.iterations % 2 == 0
    assert limited.report.iterations > 10
    np.testing.assert_allclose(limited.values, newton.values, rtol=0, atol=1e-12)


def test_turns_want_anchors() -> None:
    with pytest.raises(GameError, match="where a turn starts"):
        solve(FigureOne(), "turns")


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(BackrollError, match=r"expected a method among auto.*found 'best'"):
        solve(FigureOne(), "best")
    assert set(CYCLIC) | {"acyclic", "levels", "turns"} == set(METHODS)


class Walk(Game[int]):
    """A lone walker on 0..n who wants to leave by the top; fate may push back."""

    players = 1

    def __init__(self, n: int) -> None:
        self.n = n

    def start(self) -> int:
        return self.n

    def node(self, position: int) -> Any:
        if position in (0, 2 * self.n):
            return Terminal(1 if position else 0)
        return Chance({-1: 1, 1: 1})

    def play(self, position: int, move: int) -> int:
        return position + move


class ManyAnchors(Walk):
    """The walk with every square an anchor: too many for dense equations."""

    def anchor(self, position: int) -> bool:
        return True


def test_components_with_many_anchors_go_to_strategy_iteration() -> None:
    solution = solve(ManyAnchors(200))
    assert solution.value == pytest.approx(0.5, abs=1e-12)
    assert solution.report.methods == {"acyclic": 2, "policy": 1}
    assert abs(solution.value - 0.5) <= solution.report.bound < 1e-6


def test_newton_takes_any_number_of_anchors_when_told_to() -> None:
    solution = solve(ManyAnchors(40), "newton")
    assert solution.value == pytest.approx(0.5, abs=1e-12)
    assert "newton, many anchors" in solution.report.methods


class Race(Game[tuple[int, int, bool]]):
    """Pig to 4 with a coin, in which holding may be forbidden and only holding can win."""

    def __init__(self, may_hold: bool) -> None:
        self.may_hold = may_hold

    def start(self) -> tuple[int, int, bool]:
        return (0, 0, False)

    def node(self, position: tuple[int, int, bool]) -> Any:
        score, turn, _ = position
        if score == 4:
            return Terminal(0)
        if turn and self.may_hold:
            return Choice(["hold", "roll"]) if turn < 4 else Choice(["hold"])
        return Chance({"tails": 1, "heads": 1})

    def play(self, position: tuple[int, int, bool], move: str) -> Any:
        score, turn, _ = position
        if move == "hold":
            return Swap((min(4, score + turn), 0, False))
        if move == "roll":
            return (score, turn + 1, False)
        return Swap((score, 0, False)) if move == "tails" else (score, min(4, turn + 1), False)


@pytest.mark.parametrize("method", CYCLIC)
def test_pig_in_which_nobody_may_hold_has_no_value(method: str) -> None:
    with pytest.raises(NoSolution, match=r"no unique value at \(0, 0, False\).*never leaves it"):
        solve(Race(may_hold=False), method)


class Passing(Game[str]):
    """Two players who may pass for ever, or cash in: what that is worth decides."""

    def __init__(self, first: float, second: float) -> None:
        self.cash = {"one": first, "two": second}

    def start(self) -> str:
        return "one"

    def node(self, position: str) -> Any:
        if position.startswith("end"):
            return Terminal(self.cash[position[3:]])
        return Choice(["pass", "cash"], player=1 if position == "one" else 2)

    def play(self, position: str, move: str) -> str:
        if move == "cash":
            return "end" + position
        return "two" if position == "one" else "one"


@pytest.mark.parametrize("method", CYCLIC)
def test_passing_for_ever_is_a_value_only_if_somebody_would_rather_not(method: str) -> None:
    assert solve(Passing(0.7, 0.6), method).value == pytest.approx(0.7)
    assert solve(Passing(1.0, 0.0), method).value == pytest.approx(1.0)
    with pytest.raises(NoSolution, match="no unique value"):
        solve(Passing(0.3, 0.6), method)


class Errand(Game[str]):
    """A lone player pays 1 a step and may never arrive."""

    players, quantity = 1, COST

    def __init__(self, arrives: bool) -> None:
        self.arrives = arrives

    def start(self) -> str:
        return "out"

    def node(self, position: str) -> Any:
        if position == "home":
            return Terminal(0)
        if position == "coin":
            return Chance({"out": 1, "home": 1} if self.arrives else {"out": 2}, adds=1)
        return Choice(["out", "coin"], adds=1)

    def play(self, position: str, move: str) -> str:
        return move


@pytest.mark.parametrize("method", ["auto", "newton", "policy"])
def test_costs_that_need_not_go_on_for_ever(method: str) -> None:
    assert solve(Errand(arrives=True), method).value == pytest.approx(4)
    with pytest.raises(NoSolution):
        solve(Errand(arrives=False), method)


class Orchard(Game[int]):
    """A lone player picks a fruit at tree 0 as often as he likes, if nothing hinders him."""

    players, quantity = 1, SCORE

    def __init__(self, trees: int, gates: int) -> None:
        self.trees, self.gates = trees, gates

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Any:
        if position == -1:
            return Terminal(0)
        if position >= self.trees:
            return Chance({0: 3, -1: 1} if self.gates else {0: 1})
        on = list(range(position + 1, min(position + 3, self.trees) + 1))
        return Choice([-1, *on, *([0] if position and not self.gates else [])], adds=not position)

    def play(self, position: int, move: int) -> int:
        return move


@pytest.mark.parametrize("method", ["auto", "policy"])
@pytest.mark.parametrize("trees", [2, 100])
def test_a_round_that_pays_each_time_has_no_value(trees: int, method: str) -> None:
    with pytest.raises(NoSolution, match=r"no unique value at 0 .*whoever goes round for ever"):
        solve(Orchard(trees, gates=0), method)
    assert solve(Orchard(trees, gates=1), method).value == pytest.approx(4)


class Stairs(Game[int]):
    """A lone climber pays 1 a try, and every second try fails."""

    players, quantity = 1, COST

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Any:
        return Terminal(0) if position == self.steps else Chance({0: 1, 1: 1}, adds=1)

    def play(self, position: int, move: int) -> int:
        return position + move


def test_a_long_chain_of_supports_does_not_spoil_the_bound() -> None:
    solution = solve(Stairs(6000))
    assert solution.report.cyclic == 6000
    assert abs(solution.value - 12000) <= solution.report.bound < 2e-7


def test_a_round_of_moves_that_are_equally_good_is_proven_too() -> None:
    class Polite(Passing):
        def play(self, position: str, move: str) -> Any:
            return "end" + position if move == "cash" else Swap(position)

    solution = solve(Polite(0.5, 0.5))
    assert solution.value == 0.5
    assert solution.report.bound < 1e-14


def test_a_value_that_float64_cannot_hold_is_refused() -> None:
    class Rich(Walk):
        quantity = SCORE

        def node(self, position: int) -> Any:
            return Terminal(1e308) if position > 3 else Chance({1: 1}, adds=1e308)

    with pytest.raises(NotConverged, match="the value at 3 is not one that float64 can hold"):
        solve(Rich(3))


def test_exploring_stops_at_its_limit() -> None:
    class Endless(Walk):
        def node(self, position: int) -> Any:
            return Chance({-1: 1, 1: 1})

    with pytest.raises(TooManyPositions, match="more than 1,000 positions"):
        solve(Endless(3), limit=1000)


def test_the_report_adds_up() -> None:
    report = solve(Pig(target=10)).report
    assert (report.positions, report.edges, report.anchors) == (604, 2574, 81)
    assert (report.components, report.cyclic) == (45, 45)
    assert report.methods == {
        "acyclic": 1,
        "newton, one anchor": 9,
        "newton, independent halves": 36,
    }
    assert set(report.seconds) == {"explore", "order", "solve", "prove"}
    assert math.isclose(report.value, 0.709424322598, abs_tol=1e-12)

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from backroll.engines.general import solve
from backroll.errors import GameError
from backroll.game import COST, WIN, Chance, Choice, Game, Swap, Terminal
from backroll.spec import load
from backroll.wrappers import fix
from breaking import Walk, found, only


@pytest.mark.parametrize(
    "spec",
    [
        "nim:stones=4,piles=3",
        "pig:target=12",
        "pig:target=12,players=1",
        "pig:target=6,piglet=yes",
        "shutthebox:tiles=4",
        "shutthebox:tiles=4,aim=win",
        "cantstop:sides=2,shortest=1,players=1",
        "cantstop:sides=2,shortest=1,columns=1",
    ],
)
def test_the_games_of_backroll_keep_the_contract(spec: str) -> None:
    assert found(load(spec)) == []


def test_a_good_game_and_a_fixed_one_have_no_findings() -> None:
    assert found(Walk()) == []
    assert found(fix(load("pig:target=8"), 1, lambda position: "roll")) == []


class Declares(Walk):
    def __init__(self, name: str, value: Any) -> None:
        setattr(self, name, value)


@pytest.mark.parametrize(
    ("name", "value", "detail"),
    [
        ("players", 3, "expected 1 or 2, found 3"),
        ("quantity", "points", "found 'points'"),
        ("total", float("nan"), "expected a finite number, found nan"),
        ("total", "1", "expected a finite number, found '1'"),
    ],
)
def test_what_a_game_says_of_itself(name: str, value: Any, detail: str) -> None:
    only(Declares(name, value), name, "", detail)


def test_start_and_sample_may_raise_too() -> None:
    class NoStart(Walk):
        def start(self) -> Any:
            raise RuntimeError

    class NoSample(Walk):
        def sample(self, random: Random) -> Any:
            raise RuntimeError("empty")

    only(NoStart(), "start() raises", "", "RuntimeError (line")
    only(NoSample(), "sample() raises", "", "RuntimeError: empty")


def test_a_sample_that_cannot_be_reached() -> None:
    class Elsewhere(Walk):
        def sample(self, random: Random) -> Any:
            return 9, 9

    only(Elsewhere(), "sample() gives what cannot be reached", "(9, 9)", "(9, 9)")


class Anchors(Game[int]):
    """Walk round and round until a toss ends it."""

    players = 1

    def __init__(self, *anchors: Any) -> None:
        self.anchors = anchors

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Any:
        return Terminal(1) if position == 6 else Chance({"on": 1, "out": 1})

    def play(self, position: int, move: str) -> int:
        return (position + 1) % 6 if move == "on" else 6

    def anchor(self, position: int) -> Any:
        return position in self.anchors if self.anchors != (None,) else None


def test_anchors() -> None:
    assert found(Anchors(3)) == []
    only(Anchors(), "anchor() misses a cycle", "0", "a cycle through here has no anchor")
    only(Anchors(6), "anchor() misses a cycle", "0", "a cycle through here has no anchor")
    only(Anchors(None), "anchor() gives no answer", "0", "expected True or False, found None")


def test_a_step_that_stays_is_a_cycle_too() -> None:
    class Stays(Anchors):
        def play(self, position: int, move: str) -> int:
            return 6 if move == "out" or position == 5 else position + (position != 2)

    assert found(Stays(2)) == []
    only(Stays(0), "anchor() misses a cycle", "2", "a cycle through here has no anchor")


class Mirrored(Walk):
    """Two heaps that may be swapped, and a symmetry that says so, well or badly."""

    def __init__(self, how: str) -> None:
        self.how = how

    def start(self) -> Any:
        return 3, 4

    def node(self, position: Any) -> Any:
        heaps = [i for i in (0, 1) if position[i]]
        return Choice(heaps, adds=sum(position)) if heaps else Terminal(0)

    def play(self, position: Any, move: Any) -> Any:
        return tuple(each - (i == move) for i, each in enumerate(position))

    def symmetry(self, position: Any) -> Any:
        first, second = position
        if self.how == "flips":
            return second, first
        if self.how == "lumps":
            return first + second, 0
        if self.how == "wrong":
            return min(first, 2), second
        return min(position), max(position)


def test_symmetry() -> None:
    assert found(Mirrored("sorts")) == []
    assert found(Mirrored("lumps")) == []  # worth the same, though the moves differ
    only(Mirrored("flips"), "symmetry() does not settle", "(3, 4)", "of that (3, 4)")
    findings = found(Mirrored("wrong"))
    assert {finding.problem for finding in findings} == {"symmetry() does not hold"}
    assert findings[0].position == "(3, 0)"
    assert findings[0].detail == "worth 6, but (2, 0), which stands for it, 3"


def test_ends_that_symmetry_takes_for_one() -> None:
    class Lumps(Walk):
        def symmetry(self, position: Any) -> Any:
            return (4, 0) if position[0] >= 4 else position

    only(Lumps(), "symmetry() does not hold", "(4, 2)", "worth 2, but (4, 0)")


def test_a_representative_that_is_no_position() -> None:
    class Astray(Mirrored):
        def symmetry(self, position: Any) -> Any:
            return (position[0], None) if position[1] == 1 else position

    first = found(Astray(""))[0]
    assert (first.problem, first.position) == ("node() raises", "(3, None)")
    assert "TypeError" in first.detail


class Lifts(Game[tuple[int, ...]]):
    """Many short lifts to bring up one floor at a time, in any order: a large game."""

    players = 1
    quantity = COST

    def __init__(self, lifts: int, floors: int, right: str) -> None:
        self.lifts, self.floors, self.right = lifts, floors, right

    def start(self) -> Any:
        return (0,) * self.lifts

    def node(self, position: Any) -> Any:
        low = [i for i in range(self.lifts) if position[i] < self.floors]
        return Choice(low, adds=1 + position[0] % 2) if low else Terminal(0)

    def play(self, position: Any, move: int) -> Any:
        return tuple(each + (i == move) for i, each in enumerate(position))

    def symmetry(self, position: Any) -> Any:
        fixed = 1 if self.right == "yes" else 0
        return position[:fixed] + tuple(sorted(position[fixed:]))


def test_symmetry_in_a_game_too_large_to_solve_from_everywhere() -> None:
    assert found(Lifts(5, 5, "yes"), positions=500) == []
    findings = found(Lifts(5, 5, "no"), positions=500)
    assert {finding.problem for finding in findings} == {"symmetry() does not hold"}


class Endless(Game[int]):
    """Count up for ever, with a way out at first."""

    players = 1

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Any:
        return Terminal(1) if position == -1 else Choice(["up", "out"] if position < 5 else ["up"])

    def play(self, position: int, move: str) -> int:
        return -1 if move == "out" else position + 1


def test_a_game_that_does_not_end() -> None:
    problem = "more positions than the limit"
    only(Endless(), problem, "0", "more than 10,000 positions", positions=50, limit=10_000)
    detail = found(Endless(), positions=50, limit=10_000)[0].detail
    assert "--limit" in detail
    assert "\n" not in detail


def test_a_place_without_a_way_out() -> None:
    class Trap(Endless):
        def play(self, position: int, move: str) -> int:
            return -1 if move == "out" else 7 + position % 3 if position >= 7 else position + 1

    only(Trap(), "no end can be reached", "7", "every way on leads back here")


def test_what_lies_deeper_than_the_walk_is_found_too() -> None:
    class Deep(Walk):
        def node(self, position: Any) -> Any:
            at, _ = position
            return Terminal(1) if at < 0 else Choice([1, -1]) if at < 900 else Chance({-1: 0})

        def play(self, position: Any, move: Any) -> Any:
            return (position[0] + 1, 0) if move == 1 else (-1, 0)

    problem = "a weight that is not a whole number from 1"
    only(Deep(), problem, "(900, 0)", "found 0 for -1", positions=10)


class Both(Game[int]):
    """Take a step; from 1 on it is player 2 who does, or the sides have swapped, or both."""

    def __init__(self, player: int, *, swaps: bool, quantity: str = WIN) -> None:
        self.player, self.swaps, self.quantity = player, swaps, quantity

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Any:
        if position == 3:
            return Terminal(1)
        return Choice([1], player=self.player if position else 1)

    def play(self, position: int, move: int) -> Any:
        return Swap(position + move) if self.swaps else position + move


@pytest.mark.parametrize("quantity", [WIN, COST])
def test_a_game_is_written_in_one_of_the_two_ways(quantity: str) -> None:
    problem, detail = "a choice of player 2 in a game with Swap", "there is a Swap at 0"
    mixed = Both(2, swaps=True, quantity=quantity)
    only(mixed, problem, "1", detail)
    with pytest.raises(GameError, match=f"{problem}, at 1: .*{detail}"):
        solve(mixed)
    assert found(Both(1, swaps=True, quantity=quantity)) == []
    assert found(Both(2, swaps=False, quantity=quantity)) == []

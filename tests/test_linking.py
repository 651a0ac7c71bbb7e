"""States in blocks of arrays: a game that has them, what check asks, how they are solved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from backroll.arrays import LOST, Bytes, Links, Longs
from backroll.engines.retrograde import solve
from backroll.errors import TooManyPositions
from backroll.game import ABSENT, Chance, Choice, Game, Swap, Terminal
from backroll.testing import check, sampled


class Rows:
    """Taking one to three counters, as arrays."""

    def __init__(self, size: int, fault: str) -> None:
        self.size = size
        self.turns: Bytes = np.zeros(0, np.uint8)
        self.fault = fault

    def ends(self, begin: int, end: int) -> Bytes:
        lost = (np.arange(begin, end) == 0) & (self.fault != "ends")
        return np.where(lost, LOST, 0).astype(np.uint8)

    def successors(self, states: Longs) -> Links:
        return self._links(states, -1)

    def predecessors(self, states: Longs) -> Links:
        return self._links(states, 1 + (self.fault == "back"))

    def _links(self, states: Longs, step: int) -> Links:
        reach = states[:, None] + step * np.arange(1, 4 - (self.fault == "few" and step < 0))
        there = (reach >= 0) & (reach < self.size)
        first = np.concatenate([[0], np.cumsum(there.sum(1))])
        return Links(first, reach[there].astype(np.int32))


class Counters(Game[int]):
    """Take one, two or three; whoever takes the last wins."""

    chance = False

    def __init__(self, counters: int = 40, fault: str = "") -> None:
        self.counters, self.fault = counters, fault

    def start(self) -> int:
        return self.counters

    def node(self, position: int) -> Terminal | Choice:
        return Choice(range(1, min(3, position) + 1)) if position else Terminal(0)

    def play(self, position: int, move: int) -> Swap[int]:
        return Swap(position - move)

    def anchor_count(self) -> int:
        return self.counters + 1

    def anchor_row(self, position: int) -> int:
        return position if 0 <= position <= self.counters else ABSENT

    def anchor_at(self, row: int) -> int:
        return row


class Arrays(Counters):
    """The same, with arrays."""

    def states(self) -> Any:
        return Rows(self.counters + 1 + (self.fault == "size"), self.fault)


def test_arrays_are_solved_as_the_rules_are() -> None:
    by_rules, by_arrays = solve(Counters()), solve(Arrays())
    assert by_rules.words.tobytes() == by_arrays.words.tobytes()
    assert by_arrays.value == 0  # a multiple of 4
    assert by_arrays.report.counts["distance"] == 20


def test_sound_states_have_no_findings() -> None:
    assert check(Arrays()) == []


def test_a_game_that_counts_more_anchors_than_the_limit_is_not_explored_whole() -> None:
    assert check(Arrays(40), limit=40) == []  # there are 41
    assert [sampled(Arrays(40), limit) for limit in (40, 41)] == [True, False]


class Astray(Counters):
    """A broken row that is far from where the walks go."""

    def node(self, position: int) -> Any:
        return Choice([]) if 1_000 < position < 19_000 else super().node(position)

    def start(self) -> int:
        return 20


def test_rows_are_drawn_where_a_game_is_not_explored_whole() -> None:
    findings = check(Astray(20_000), positions=50, limit=1_000)
    assert {finding.problem for finding in findings} == {"a choice without moves"}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("size", "states() gives states that are no rows"),
        ("few", "states() leads elsewhere than play()"),
        ("back", "states() does not go back where it came from"),
        ("ends", "states() ends where node() does not"),
    ],
)
def test_check_finds_states_that_say_something_else(fault: str, said: str) -> None:
    assert said in {finding.problem for finding in check(Arrays(12, fault))}


class Tossed(Counters):
    """Fate decides, though there is to be none."""

    def node(self, position: int) -> Any:
        return Chance({1: 1, 2: 1}) if position == 5 else super().node(position)


def test_check_finds_chance_where_there_is_to_be_none() -> None:
    problems = {finding.problem for finding in check(Tossed(8))}
    assert "chance in a game that says it has none" in problems


class Endless(Counters):
    """More rows than links have room for."""

    def states(self) -> Any:
        return Rows(2**40, "")


def test_too_many_states_are_refused_before_anything_is_taken() -> None:
    with pytest.raises(TooManyPositions, match="at most 2,147,483,647 positions, found 1,099,511"):
        solve(Endless())

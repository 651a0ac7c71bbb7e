"""The choices of the study's solvers: orders, what is gone back from at once, threads, options."""

from __future__ import annotations

import numpy as np
import pytest

from backroll import load
from backroll.arrays import Choices
from backroll.engines import study
from backroll.engines.retrograde import ORDERS, ordered, solve
from backroll.games.chinese_checkers import ChineseCheckers
from backroll.states import number
from commands import data
from studied import by_layers, held

COMPILED = pytest.mark.compiled
ANYWHERE = [order for order in ORDERS if order != "cells"]


@pytest.mark.parametrize("pieces", [1, pytest.param(2, marks=COMPILED)])
def test_the_order_of_cells_is_that_of_what_lies_on_them(pieces: int) -> None:
    game = ChineseCheckers(3, pieces)
    size = 2 * game.anchor_count()
    last = game.size**2 - 1
    along = sorted(range(last + 1), key=lambda cell: (sum(divmod(cell, game.size)), cell))

    def contents(state: int) -> list[int]:
        row, turn = divmod(state, 2)
        mine, theirs = game.anchor_at(row)
        pieces = dict.fromkeys(mine, 1) | dict.fromkeys(theirs, 0)
        if turn:
            pieces = {last - cell: 1 - side for cell, side in pieces.items()}
        return [*(pieces.get(cell, 2) for cell in along), turn]

    found = ordered("cells", size, number(game).states)
    assert found.tolist() == sorted(range(size), key=contents)


@pytest.mark.parametrize("spec", ["nim", "rookending:size=3", "chinesecheckers:size=3,pieces=1"])
@pytest.mark.parametrize("order", ANYWHERE)
def test_hybrid_goes_back_at_once_from_wins_or_losses_or_both(spec: str, order: str) -> None:
    states = held(spec)
    words = by_layers(states)
    open_at_first = np.diff(states.links.first) > 0
    lost = open_at_first & (words & 3 == 2)
    expected = {
        "wins": np.count_nonzero(lost & (states.turns == 1)),
        "losses": np.count_nonzero(lost & (states.turns == 0)),
    }
    for back, count in {**expected, "both": sum(expected.values()), "none": 0}.items():
        choices = Choices(
            from_wins=back in ("wins", "both"), from_losses=back in ("losses", "both")
        )
        found = study.solve(states, "hybrid", choices, ordered(order, states.size))
        assert (study.words(found, states) & 3 == words & 3).all()
        assert found.effort.backward == count
    plain = study.solve(states, "forward", Choices(False, False), ordered(order, states.size))
    assert found.effort == plain.effort  # of none: nothing is settled at once


OPTIONS: list[tuple[list[str], str, Choices, str]] = [
    ([], "forward", Choices(direct=False), "up"),
    (["--unlayered"], "forward", Choices(False, direct=False), "up"),
    (["--unlayered", "--direct", "--order", "down"], "forward", Choices(False), "down"),
    (["--win-only"], "backward", Choices(direct=False, win_only=True), "up"),
    (["--direct", "--dup"], "backward", Choices(no_dup=False), "up"),
    (["--unlayered", "--further"], "backward", Choices(False, False, further=True), "up"),
    (["--back", "wins"], "hybrid", Choices(from_losses=False), "up"),
    (["--back", "losses", "--order", "shuffled"], "hybrid", Choices(from_wins=False), "shuffled"),
    (["--order", "cells"], "hybrid", Choices(), "cells"),
]


@pytest.mark.parametrize(("options", "method", "choices", "order"), OPTIONS)
def test_every_choice_can_be_made_on_the_command_line(
    options: list[str], method: str, choices: Choices, order: str
) -> None:
    spec = "chinesecheckers:size=3,pieces=1"
    found = data("solve", spec, "--method", method, "--threads", "1", *options)
    expected = solve(load(spec), method, choices=choices, order=order, threads=1).report.counts
    assert found["counts"] == expected
    others = [
        solve(load(spec), each, choices=other, order=by, threads=1).report.counts
        for _, each, other, by in OPTIONS
        if each == method and (other, by) != (choices, order)
    ]
    assert expected not in others


SHARED = [
    ("naive", Choices()),
    *(
        ("forward", Choices(False, direct, win))
        for direct in (True, False)
        for win in (True, False)
    ),
    ("forward", Choices(True, True)),
    *(("hybrid", Choices(from_wins=win, from_losses=not win)) for win in (True, False)),
    ("hybrid", Choices()),
    ("backward", Choices(False, True)),
    ("backward", Choices(False, False)),
    ("backward", Choices(True, True, further=True)),
]
"""What depends on the order of states, and so its counts on which thread is first."""
LAYERED = [
    ("forward", Choices(True, False, False)),
    ("forward", Choices(True, False, True)),
    *(
        ("backward", Choices(True, direct, win))
        for direct in (True, False)
        for win in (True, False)
    ),
    ("backward", Choices(True, False, no_dup=False)),
]
PLACES = ["rookending:size=3", pytest.param("chinesecheckers:size=4", marks=COMPILED)]


@pytest.mark.parametrize("spec", PLACES)
@pytest.mark.parametrize("order", ["up", "shuffled"])
def test_threads_find_the_same_outcomes(spec: str, order: str) -> None:
    states = held(spec)
    through = ordered(order, states.size)
    for method, choices in SHARED:
        one, two = (study.solve(states, method, choices, through, n) for n in (1, 2))
        assert (one.outcome == two.outcome).all()


@pytest.mark.parametrize("spec", PLACES)
@pytest.mark.parametrize(("method", "choices"), LAYERED)
def test_threads_find_the_same_distances_by_the_same_effort(
    spec: str, method: str, choices: Choices
) -> None:
    states = held(spec)
    one = study.solve(states, method, choices)
    for _ in range(10):  # which of them is first is luck
        two = study.solve(states, method, choices, threads=2)
        assert (one.outcome == two.outcome).all()
        assert (one.depth == two.depth).all()
        serial, shared = one.effort, two.effort
        if method == "backward":  # two threads may look at one state at the same moment
            assert shared.forward >= serial.forward
            shared.forward, shared.done = serial.forward, serial.done
        assert shared == serial


def test_threads_beyond_counting_share_a_pass_in_parts() -> None:
    states = held("nim")
    one, many = (study.solve(states, "forward", Choices(), threads=n) for n in (1, 10**9))
    assert (one.outcome == many.outcome).all()

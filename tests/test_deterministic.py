"""The oracle for games without chance, and what it finds: golden/deterministic.csv.

Positions are all those that have a row, or those that can be reached from the start in a game
without rows; images of one position are counted once only where they share a row. `won` are worth
1, `lost` 0 and `drawn` ½ by the game's own values: the mover's in a relative game, player 1's
(White's) in the rook ending. `height` is the greatest number of moves to an end among them.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import naive
import retrograde
from backroll import load
from backroll.game import Choice, Game, Swap, Terminal
from backroll.spec import spec_of

TEXT = Path(__file__).with_name("golden").joinpath("deterministic.csv").read_text()
ROWS = list(csv.DictReader(TEXT.splitlines()))
LARGE = 5_000
"""Games of more positions take seconds or minutes."""


def marked(row: dict[str, str]) -> object:
    marks = [pytest.mark.slow] if int(row["positions"]) > LARGE else []
    return pytest.param(row, id=row["spec"], marks=marks)


@pytest.mark.parametrize("row", [marked(row) for row in ROWS])
def test_golden(row: dict[str, str]) -> None:
    game = load(row["spec"])
    assert spec_of(game) == row["spec"]
    counts = retrograde.solved(game).counted()
    assert {name: str(count) for name, count in counts.items()} == {n: row[n] for n in counts}


@pytest.mark.parametrize(
    "spec",
    ["nim:stones=9", "nim:stones=3,piles=3,most=0,misere=yes", "chinesecheckers:size=3,pieces=1"],
)
def test_it_agrees_with_exact_values(spec: str) -> None:
    game = load(spec)
    exact = naive.values(game)
    found = retrograde.solved(game)
    values = dict(zip(found.positions, found.value, strict=True))
    assert all(values[game.symmetry(position)] == value for position, value in exact.items())


class Standoff(Game[str]):
    """Both may wait for ever, and whoever shoots loses."""

    def start(self) -> str:
        return "wait"

    def node(self, position: str) -> Terminal | Choice:
        return Terminal(1) if position == "shot" else Choice(["wait", "shot"])

    def play(self, position: str, move: str) -> Swap[str]:
        return Swap(move)


def test_waiting_for_ever_is_a_draw() -> None:
    found = retrograde.solved(Standoff())
    assert list(found.value) == [0.5, 1]
    assert list(found.height) == [-1, 0]

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backroll.database import Database, open_table, save
from backroll.errors import GameError, TableError
from backroll.game import Game
from backroll.verifying import verify
from tiny import DUEL, MIRROR, PIGLET, At, Mirror, Piglet, duel, solution, toll


@pytest.mark.parametrize(
    ("game", "values"),
    [
        (Piglet(), PIGLET),
        (duel(), DUEL),
        (toll(), {"start": 2, "walk": 1, "home": 0}),
        (toll(2), {"start": 2, "gate": 2.5}),
        (Mirror(), MIRROR),
    ],
)
def test_what_is_right_has_no_residual(
    game: Game[Any], values: dict[Any, float], tmp_path: Path
) -> None:
    save(solution(game, values), tmp_path / "table")
    with open_table(tmp_path / "table", game) as database:
        checked = verify(database, sample=None)
    assert checked.checked == len(values)
    assert checked.residual < 1e-15
    assert checked.seconds > 0


@pytest.mark.parametrize("wrong", list(PIGLET))
def test_a_wrong_value_is_found_where_it_is(wrong: At) -> None:
    values = {**PIGLET, wrong: PIGLET[wrong] + 1}
    checked = verify(Database.of(solution(Piglet(), values)), sample=None)
    assert checked.where == Piglet().show(wrong)
    assert checked.residual >= 0.5


def test_the_residual_is_the_difference_that_one_turn_makes() -> None:
    values = {**PIGLET, At(1, 1): 0.7}
    checked = verify(Database.of(solution(Piglet(), values)), sample=None)
    # its own turn says 1/2 + (1 - 0.7)/2 = 0.65, the others lean on it by half at most
    assert checked.residual == pytest.approx(0.05, abs=1e-15)
    assert checked.where == Piglet().show(At(1, 1))


def test_a_value_that_is_no_number_is_the_largest_residual() -> None:
    values = {**PIGLET, At(0, 0): float("nan")}
    checked = verify(Database.of(solution(Piglet(), values)), sample=None)
    assert checked.residual == np.inf
    assert checked.where == Piglet().show(At(0, 0))


def test_a_sample_is_drawn_by_its_seed() -> None:
    values = {At(each, 0): 0.0 for each in range(1000)}
    database = Database.of(solution(Piglet(2000), values))

    def met(sample: int, seed: int) -> list[At]:
        positions: list[At] = []

        def recompute(position: At) -> float:
            positions.append(position)
            return 0.0

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(database, "recompute", recompute)
            assert verify(database, sample, seed).checked == sample
        return positions

    first = met(10, 0)
    assert len(set(first)) == 10
    assert first == met(10, 0)
    assert first != met(10, 1)
    assert met(1000, 0) == list(values)


def test_a_sample_larger_than_the_table_is_all_of_it() -> None:
    assert verify(Database.of(solution(Piglet(), PIGLET))).checked == 4


def test_an_empty_table_has_nothing_to_check() -> None:
    checked = verify(Database.of(solution(Piglet(), {})))
    assert checked[:3] == (0, 0.0, "")


def test_a_sample_of_none_is_an_error() -> None:
    with pytest.raises(TableError, match="a sample of 1 or more anchors, found 0"):
        verify(Database.of(solution(Piglet(), PIGLET)), sample=0)


def test_a_text_that_reads_as_another_position_is_an_error() -> None:
    class Careless(Piglet):
        def parse(self, text: str) -> At:
            return At(0, 0)

    with pytest.raises(GameError, match=r"show and parse to be inverse, but not at \(0, 1, 0"):
        verify(Database.of(solution(Careless(), PIGLET)))


def test_progress_is_told() -> None:
    told = []
    database = Database.of(solution(Piglet(), PIGLET))
    verify(database, progress=lambda *each: told.append(each))
    assert told == [("verify", done, 4) for done in range(5)]

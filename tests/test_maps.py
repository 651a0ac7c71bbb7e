"""What a solved game looks like: maps agree with the database that they are made from."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from backroll import load, solve
from backroll.analysis import Analyst, OnTheSpot, maps
from backroll.database import Database
from backroll.errors import SpecError
from backroll.games.cantstop.rules import CantStop, Position
from backroll.games.pig import Pig, Score


def held(found: dict[str, Any], own: int, other: int, total: int) -> bool:
    return any(low <= total <= high for low, high in found["holds"][own][other])


@pytest.mark.parametrize("spec", ["pig:target=12,sides=3", "pig:target=8,piglet=yes"])
def test_the_policy_of_pig_is_what_the_database_plays(spec: str) -> None:
    game = load(spec)
    assert isinstance(game, Pig)
    database = Database.of(solve(game))
    found = maps.policy(game, database)
    assert found["value"] == database.value(game.start())
    seen: set[bool] = set()
    for own, other in product(range(game.target), repeat=2):
        for total in range(1, game.target - own):
            best, second = database.moves(Score(own, other, total))
            if best.value - second.value > 1e-9:
                assert held(found, own, other, total) == (best.move == "hold")
                seen.add(best.move == "hold")
    assert seen == {True, False}


def test_the_policy_of_one_player_is_refused() -> None:
    game = load("pig:target=10,players=1")
    assert isinstance(game, Pig)
    with pytest.raises(SpecError, match="two players"):
        maps.policy(game, Database.of(solve(game)))


@pytest.mark.compiled
@pytest.mark.parametrize("spec", ["cantstop:sides=2,players=1", "cantstop:sides=2,columns=1"])
def test_stops_are_what_the_database_says(spec: str) -> None:
    game = load(spec)
    analyst = Analyst(game, (OnTheSpot(),))
    found = maps.stops(analyst, (2, 3, 4), 2)
    assert isinstance(game, CantStop)
    database = Database.of(solve(game))
    assert [len(found["gain"]), len(found["gain"][0])] == [game.lengths[1], game.lengths[0]]
    for y, row in enumerate(found["gain"], 1):
        for x, gain in enumerate(row, 1):
            position = Position(*game.start()[:2], ((0, x), (1, y), (2, 2)))
            values = {each.move: each.value for each in database.moves(position)}
            sign = -1 if game.players == 1 else 1
            assert gain == pytest.approx(sign * (values["stop"] - values["roll"]), abs=1e-9)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("columns", "third"),
    [((2, 2, 3), 1), ((1, 2, 3), 1), ((2, 3, 9), 1), ((2, 3, 4), 0), ((2, 3, 4), 9), ((2, 3), 1)],
)
def test_columns_that_are_none_are_refused(columns: tuple[int, ...], third: int) -> None:
    analyst = Analyst(load("cantstop:sides=2,players=1"), (OnTheSpot(),))
    with pytest.raises(SpecError, match="expected"):
        maps.stops(analyst, columns, third)


@pytest.mark.compiled
def test_heights_are_worth_what_the_database_says() -> None:
    game = load("cantstop:sides=2,players=1")
    assert isinstance(game, CantStop)
    *_, found = maps.climbs(Analyst(game, (OnTheSpot(),)))
    database = Database.of(solve(game))
    assert list(found["values"]) == ["2", "3", "4"]
    for place, length in enumerate(game.lengths):
        for height in range(length + 1):
            mine = tuple(height if at == place else 0 for at in range(3))
            value = database.value(Position(mine, (0, 0, 0)))
            assert found["values"][str(place + 2)][height] == pytest.approx(value, abs=1e-9)


@pytest.mark.compiled
def test_turns_are_shares_of_games() -> None:
    game = load("cantstop:sides=3,players=1")
    assert isinstance(game, CantStop)
    *_, found = maps.turns(game, ["model", "ruleof"], 2000)
    assert list(found["strategies"]) == ["model", "ruleof"]
    for each in found["strategies"].values():
        assert 1 - maps.REST <= sum(share for _, share in each["shares"]) <= 1
        low, high = each["interval"]
        assert low < each["mean"] < high
    with pytest.raises(SpecError, match="one player"):
        next(maps.turns(load("cantstop"), ["model"], 10))  # type: ignore[arg-type]

"""What an analysis says, against tables asked in plain Python, and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from backroll import Choice, Database, Terminal, fix, load, solve
from backroll.analysis import Analysis, Analyst, Basis, OnTheSpot, Rollouts, Tables, TurnExact
from backroll.analysis.losing import at_next_roll, in_turn
from backroll.analysis.sources import Kind, Solved, Source
from backroll.arena.intervals import Interval
from backroll.errors import (
    BackrollError,
    MissingTable,
    NoSolution,
    NotConverged,
    StrategyError,
    WrongTable,
)
from backroll.game import Game
from backroll.solving import save
from backroll.strategies import strategy
from backroll.strategies.playouts import rollout
from backroll.turn import seen_by
from commands import RACE
from tiny import Written

CLOSE = 1e-9
TURNS = [
    "cantstop:players=1,sides=2,shortest=2",
    "cantstop:sides=2,shortest=2,columns=1",
    "cantstop:sides=2,shortest=3,columns=1,occupied=jump",
    "cantstop:sides=2,shortest=2,columns=1,occupied=share",
    pytest.param("cantstop:players=1,sides=3,shortest=1", marks=pytest.mark.compiled),
    pytest.param("cantstop:sides=3,shortest=1", marks=pytest.mark.compiled),
]
OTHERS = ["pig:target=12", "pig:target=9,players=1", "nim", "shutthebox:tiles=4,aim=win"]


@dataclass(frozen=True)
class Plain:
    """A database asked in plain Python, whatever the game."""

    database: Database[Any]

    def of(self, game: Game[Any]) -> Source:
        return Solved(self.database, Basis("exact, in plain Python", exact=True))


def kept(spec: str, folder: Path) -> Database[Any]:
    """The board solved, and its table in a folder."""
    solution = solve(load(spec))
    save(solution, folder / "table")
    return Database.of(solution)


def sampled(game: Game[Any], count: int) -> list[Any]:
    random = Random(1)
    return [game.start(), *(game.sample(random) for _ in range(count))]


def compare(found: Analysis, wanted: Analysis) -> None:
    """The same figures, whatever order equal moves have."""
    assert found.value == pytest.approx(wanted.value, abs=CLOSE)
    assert (found.kind, found.view, found.distance) == (wanted.kind, wanted.view, wanted.distance)
    moves = {each.move: each for each in wanted.moves}
    assert {each.move for each in found.moves} == set(moves)
    for each in found.moves:
        other = moves[each.move]
        assert each.position == other.position
        assert (each.value, each.loss) == pytest.approx((other.value, other.loss), abs=CLOSE)
        if each.danger is not None and other.danger is not None:
            assert each.danger.roll == other.danger.roll
            assert each.danger.turn == pytest.approx(other.danger.turn, abs=CLOSE)
    assert [each.loss for each in found.moves] == sorted(each.loss for each in found.moves)


@pytest.mark.parametrize("spec", [*TURNS, *OTHERS])
def test_all_exact_sources_say_the_same(spec: str, tmp_path: Path) -> None:
    database = kept(spec, tmp_path)
    game = load(spec)
    plain = Analyst(game, [Plain(database)])
    table, spot = Analyst(game, [Tables((tmp_path,))]), Analyst(game, [OnTheSpot()])
    for position in sampled(game, 40):
        wanted = plain.analyse(position)
        found = table.analyse(position)
        compare(found, wanted)
        compare(spot.analyse(position), wanted)
        assert found.basis == Basis("exact, from the table table", exact=True)
        assert spot.analyse(position).basis == Basis("exact, solved just now", exact=True)
        assert found.interval is None


@pytest.mark.parametrize("spec", TURNS)
def test_exact_turns_from_an_exact_table_are_the_table(spec: str, tmp_path: Path) -> None:
    plain = Analyst(load(spec), [Plain(kept(spec, tmp_path))])
    turns = Analyst(load(spec), [TurnExact(f"table:{tmp_path / 'table'}")])
    for position in sampled(plain.game, 40):
        compare(turns.analyse(position), plain.analyse(position))


@pytest.mark.parametrize("spec", ["pig:target=12", "nim", "shutthebox:tiles=4,aim=win"])
def test_an_analysis_says_what_probe_does(spec: str) -> None:
    database = Database.of(solve(load(spec)))
    analyst = Analyst(load(spec), [Plain(database)])
    for position in sampled(database.game, 20):
        wanted, found = database.probe(position), analyst.analyse(position).as_dict()
        moves = wanted.pop("moves")
        assert {name: found[name] for name in wanted} == wanted
        assert ("distance" in found) == ("distance" in wanted)
        for each, other in zip(found["moves"], moves, strict=True):
            assert {name: each[name] for name in other} == other


def lost_by_the_rules(database: Database[Any], position: Any) -> float:
    """The chance to lose the turn by the rules of Pig, move after move of the database."""
    game = database.game
    node = game.node(position)
    if isinstance(node, Choice):
        best = database.moves(position)[0]
        return 0.0 if best.move == "hold" else lost_by_the_rules(database, best.position)
    if isinstance(node, Terminal):
        return 0.0
    children = [game.play(position, face) for face in range(2, 7)]
    return (1 + sum(lost_by_the_rules(database, each) for each in children)) / 6


def test_a_turn_of_pig_is_lost_by_a_one() -> None:
    database = Database.of(solve(load("pig:target=12")))
    analyst = Analyst(database.game, [Plain(database)])
    for text in ("0/0/0", "3/5/0", "3/5/4", "3/5/4@", "0/11/2"):
        position = database.game.parse(text)
        danger = analyst.analyse(position).danger
        assert danger is not None
        assert danger.roll == 1 / 6
        assert danger.turn == pytest.approx(lost_by_the_rules(database, position), abs=1e-12)
        assert in_turn(database.game, position, database.value) == danger.turn


def test_the_next_roll_of_cantstop_loses_what_the_dice_say() -> None:
    game = load("cantstop")
    position = game.parse(f"{'0,' * 10}0/{'0,' * 10}0/6=1,7=1,8=1")
    assert at_next_roll(game, position) == pytest.approx(104 / 1296)  # the well-known 92 %
    assert at_next_roll(game, game.start()) == 0


def fixed(spec: str, text: str) -> Database[Any]:
    """What positions are worth where everybody plays by one strategy."""
    game = load(spec)
    for player in range(1, game.players + 1):
        game = fix(game, player, strategy(text).player(load(spec), Random(0)))
    return Database.of(solve(game, engine="general"))


def contain(intervals: list[tuple[Interval, float]]) -> None:
    """Of intervals at 95 %, at least four fifths hold the value: less is one case in a million."""
    assert len(intervals) >= 40
    held = sum(low - 1e-12 <= value <= high + 1e-12 for (low, high), value in intervals)
    assert held / len(intervals) >= 0.8


@pytest.mark.compiled
@pytest.mark.parametrize("base", ["model", "ruleof:n=6"])
def test_intervals_of_rollouts_hold_what_the_base_is_worth_alone(base: str) -> None:
    spec = "cantstop:players=1,sides=3,shortest=1"
    database, game = fixed(spec, base), load(spec)
    intervals = []
    for seed, position in enumerate(sampled(game, 300)):
        known = database.get(position)  # where the base never comes nothing is known
        if known is None or isinstance(game.node(position), Terminal):
            continue
        found = Analyst(game, [Rollouts(2_000, base, seed=seed)]).found(position)
        if not found.moves:
            assert found.interval is not None
            intervals.append((found.interval, known))
        for move, (interval, _) in zip(found.moves, found.intervals, strict=True):
            value = database.get(move.position)
            if value is not None:
                intervals.append((interval, value))
    contain(intervals)


@pytest.mark.parametrize("spec", ["pig:target=12", "pig:target=12,players=1", "shutthebox:tiles=6"])
def test_intervals_of_perfect_play_in_python_hold_the_exact_value(
    spec: str, tmp_path: Path
) -> None:
    database = kept(spec, tmp_path)
    game, base = database.game, f"optimal:{tmp_path / 'table'}"
    intervals: list[tuple[Interval, float]] = []
    for seed, position in enumerate(sampled(game, 300)):
        node = game.node(position)
        if isinstance(node, Terminal) or len(intervals) >= 80:
            continue
        found = Analyst(game, [Rollouts(64, base, seconds=60, seed=seed)]).found(position)
        value = seen_by(game, node, database.value(position))
        moves = {each.move: each for each in database.moves(position)}
        if not moves:
            assert found.interval is not None
            intervals.append((found.interval, value))
        for each, (interval, loss) in zip(found.moves, found.intervals, strict=True):
            intervals.append((interval, moves[each.move].value))
            assert 0 <= loss.low <= loss.high
    contain(intervals)


@pytest.mark.parametrize("text", ["0,1,2,0,0/1,0,0,1,0@1,1,2,3", "0,1,2,0,0/1,0,0,1,0/4=3,5=2"])
def test_rollouts_are_refined_to_those_that_are_made_at_once(text: str) -> None:
    game = load("cantstop:sides=3,shortest=2")
    position, base = game.parse(text), strategy("model")
    analyst = Analyst(game, [Rollouts(3_000)])
    found = list(analyst.refine(position))
    assert [each.basis.games for each in found] == [1_000, 2_000, 3_000]
    assert found[-1].basis.text.startswith("3,000 games an option by model, ± ")
    widths = [each.interval.high - each.interval.low for each in found if each.interval]
    assert len(widths) == 3
    assert all(later < sooner for sooner, later in pairwise(widths))
    wanted: Any = rollout(game, position, base, base, 3_000)  # type: ignore[arg-type]
    assert [each.value for each in found[-1].moves] == [each.value for each in wanted]
    assert [each.loss for each in found[-1].moves] == [each.behind for each in wanted]


def test_time_is_up_after_at_least_one_game() -> None:
    analyst = Analyst(load("pig:target=20"), [Rollouts(1_000, seconds=0)])
    found = list(analyst.refine(analyst.game.parse("3/4/5")))
    assert [each.basis.games for each in found] == [1]
    assert {each.move for each in found[0].moves} == {"roll", "hold"}


def test_the_end_of_a_game_needs_no_games() -> None:
    analyst = Analyst(load("pig:target=20"), [Rollouts()])
    found = analyst.analyse(analyst.game.parse("20/4/0"))
    assert (found.kind, found.value, found.moves, found.danger) == ("terminal", 1, (), None)
    assert found.basis.exact


def test_the_surest_source_is_taken(tmp_path: Path) -> None:
    kept("pig:target=12", tmp_path)
    kinds: list[Kind] = [
        Tables((tmp_path,)),
        OnTheSpot(positions=2_000, anchors=200),
        TurnExact(),
        Rollouts(8),
    ]

    def said(spec: str) -> str:
        game = load(spec)
        return Analyst(game, kinds).analyse(game.start()).basis.text

    assert said("pig:target=12") == "exact, from the table table"
    assert said("pig:target=13") == "exact, solved just now"
    assert said("pig:target=20").startswith("8 games an option by random")
    assert said("shutthebox:tiles=3") == "exact, solved just now"
    assert said("shutthebox").startswith("8 games an option by random")
    assert said("cantstop:sides=3,shortest=2") == "turn-exact on the estimate columns"


@pytest.mark.compiled
def test_the_official_board_is_judged_by_exact_turns() -> None:
    game = load("cantstop:players=1")
    found = Analyst(game).analyse(game.parse(f"{'0,' * 10}0/6=1,7=1,8=1"))
    assert found.basis == Basis("turn-exact on the estimate fitted")
    assert [each.move for each in found.moves] == ["roll", "stop"]


def test_a_game_without_a_solution_is_played_on() -> None:
    game = Written({"start": Choice(["start", "end"]), "end": Terminal(0)}, players=1)
    with pytest.raises(NoSolution):
        solve(game)
    found = Analyst(game, [OnTheSpot(), Rollouts(16)]).analyse("start")
    assert (found.value, found.basis.games) == (0, 16)


def test_broken_tables_and_those_of_other_games_are_passed_over(tmp_path: Path) -> None:
    for name, spec in (("a", "pig:target=12"), ("b", "pig:target=13"), ("c", "pig:target=14")):
        save(solve(load(spec)), tmp_path / name)
    (tmp_path / "a" / "manifest.json").write_text("{}")
    (tmp_path / "text.txt").write_text("no table")
    game = load("pig:target=14")
    found = Analyst(game, [Tables((tmp_path,))]).analyse(game.start())
    assert found.basis.text == "exact, from the table c"


def test_a_table_of_other_rules_is_not_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "race.py"
    file.write_text(RACE)
    save(solve(load(str(file))), tmp_path / "table")
    file.write_text(RACE + "\n# changed\n")
    with pytest.raises(WrongTable, match="has changed since the table was made"):
        _ = Analyst(load(str(file)), [Tables((tmp_path,))]).source


def test_a_base_without_an_end_is_refused() -> None:
    game = load("pig:target=1000")
    with pytest.raises(NotConverged, match="expected games that hold:at=1000 brings to an end"):
        Analyst(game, [Rollouts(2, "hold:at=1000")]).analyse(game.start())


def test_what_cannot_be_answered_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(MissingTable, match="expected a folder of tables, found none at"):
        Tables((tmp_path / "nowhere",))
    with pytest.raises(BackrollError, match="pig: expected a source that knows the game"):
        _ = Analyst(load("pig"), [Tables((tmp_path,)), TurnExact()]).source
    with pytest.raises(StrategyError, match="there is no fitted estimate for cantstop:sides=3"):
        _ = Analyst(load("cantstop:sides=3"), [TurnExact("fitted")]).source
    with pytest.raises(StrategyError, match="expected a game of cantstop, found pig"):
        _ = Analyst(load("pig"), [Rollouts(base="model")]).source

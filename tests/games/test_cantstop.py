"""Can't Stop: every rule by hand, settled values and counts, and the text form."""

from __future__ import annotations

from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

import naive
from backroll.dice import multisets
from backroll.errors import NoSolution, NotationError, SpecError
from backroll.game import COST, Chance, Choice, Game, Swap, Terminal
from backroll.games.cantstop import CantStop, Position
from backroll.spec import load

ROLL = Chance(multisets(4, 3))
STOP_OR_ROLL = Choice(("stop", "roll"))


def board(**changes: Any) -> CantStop:
    """Two players on columns of 1, 3, 5, 3 and 1 squares."""
    return CantStop(sides=3, shortest=1, **changes)


def moves(game: CantStop, text: str) -> list[str]:
    """The moves of a position, as a person reads them."""
    node = game.node(game.parse(text))
    assert isinstance(node, Choice)
    return [game.show_move(move) for move in node.moves]


def after(game: CantStop, text: str, move: Any) -> str:
    """The position that a move or a roll leads to, ~ before one of the other side's."""
    child = game.play(game.parse(text), move)
    return "~" + game.show(child.position) if isinstance(child, Swap) else game.show(child)


def test_columns_grow_by_two_to_the_middle() -> None:
    assert board().lengths == (1, 3, 5, 3, 1)
    assert CantStop().lengths == (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)


def test_a_turn_begins_with_a_roll() -> None:
    game = board()
    assert game.show(game.start()) == "0,0,0,0,0/0,0,0,0,0"
    assert game.node(game.start()) == ROLL
    rolled = after(game, "0,0,0,0,0/0,0,0,0,0", (1, 1, 2, 3))
    assert rolled == "0,0,0,0,0/0,0,0,0,0@1,1,2,3"


def test_after_a_move_the_player_stops_or_rolls_again() -> None:
    game = board()
    moved = after(game, "0,0,0,0,0/0,1,0,0,0@1,2,2,2", (3, 4))
    assert moved == "0,0,0,0,0/0,1,0,0,0/3=1,4=1"
    text = "0,1,0,0,0/0,0,2,0,0/3=2,4=1"
    assert game.node(game.parse(text)) == STOP_OR_ROLL
    assert after(game, text, "roll") == text + "@"
    assert game.node(game.parse(text + "@")) == ROLL
    assert after(game, text + "@", (1, 1, 2, 3)) == text + "@1,1,2,3"
    assert after(game, text, "stop") == "~0,0,2,0,0/0,2,1,0,0"


def test_the_player_picks_a_split_and_uses_both_totals() -> None:
    assert moves(board(), "0,0,0,0,0/0,0,0,0,0@1,1,2,3") == ["2+5", "3+4"]
    assert moves(board(), "0,0,0,0,0/0,0,0,0,0@1,2,2,3") == ["3+5", "4+4"]


def test_if_only_one_total_can_be_used_it_is() -> None:
    game = board()
    assert moves(game, "1,0,0,0,0/0,0,0,0,0@1,1,2,3") == ["5", "3+4"]
    assert moves(game, "0,0,0,0,0/0,0,0,0,0/3=1,4=1,5=1@1,1,2,3") == ["5", "3+4"]


def test_with_one_marker_left_the_player_says_which_new_column() -> None:
    game = board()
    assert moves(game, "0,0,0,0,0/0,0,0,0,0/3=1,6=1@1,1,2,3") == ["2", "5", "3+4"]
    assert moves(game, "0,0,0,0,0/0,0,0,0,0/6=1@1,1,2,3") == ["2+5", "3+4"]
    assert after(game, "0,0,0,0,0/0,0,0,0,0/3=1,6=1@1,1,2,3", (5,)).endswith("/3=1,5=1,6=1")


def test_a_total_twice_climbs_two_squares_or_one_if_no_more_is_left() -> None:
    game = board()
    start = "0,0,0,0,0/0,0,0,0,0"
    assert moves(game, start + "@2,2,2,2") == ["4+4"]
    assert after(game, start + "@2,2,2,2", (4, 4)) == start + "/4=2"
    assert moves(game, start + "/4=3@2,2,2,2") == ["4+4"]
    assert moves(game, start + "/4=4@2,2,2,2") == ["4"]
    assert after(game, start + "/4=4@2,2,2,2", (4,)) == start + "/4=5"
    assert moves(game, start + "@1,1,1,1") == ["2"]
    assert moves(game, start + "/2=1,3=1@2,2,2,2") == ["4+4"]


def test_a_topped_column_keeps_its_marker_and_takes_no_move() -> None:
    game = board()
    assert moves(game, "0,0,0,0,0/0,0,0,0,0/2=1@1,1,2,3") == ["5", "3+4"]
    assert moves(game, "0,0,0,0,0/0,0,0,0,0/2=1@1,1,1,1") == ["bust"]


def test_a_won_column_is_closed_to_both_and_loses_the_other_marker() -> None:
    game = board()
    assert moves(game, "1,0,0,0,0/0,0,0,0,0@1,1,1,2") == ["3"]
    assert moves(game, "0,0,0,0,0/1,0,0,0,0@1,1,1,2") == ["3"]
    assert after(game, "0,2,0,0,0/0,1,0,0,0/3=3", "stop") == "~0,0,0,0,0/0,3,0,0,0"


def test_a_roll_that_cannot_be_used_loses_the_progress() -> None:
    game = board()
    text = "1,1,0,0,0/0,0,2,0,0/3=2"
    assert after(game, text + "@", (1, 1, 1, 1)) == "~0,0,2,0,0/1,1,0,0,0"
    assert moves(game, text + "@1,1,1,1") == ["bust"]
    assert after(game, text + "@1,1,1,1", "bust") == "~0,0,2,0,0/1,1,0,0,0"


def test_three_columns_win_but_only_at_a_stop() -> None:
    game = board()
    topped = "1,0,0,0,1/0,2,0,2,0/4=5"
    assert game.node(game.parse(topped)) == STOP_OR_ROLL
    won = game.parse(after(game, topped, "stop"))
    assert game.show(won) == "1,0,5,0,1/0,2,0,2,0"
    assert game.node(won) == Terminal(1)
    assert game.node(game.parse("0,2,0,2,0/1,0,5,0,1")) == Terminal(0)
    assert not game.anchor(won)
    must_roll = game.parse("1,0,0,0,1/0,2,0,2,0/4=5,5=2")
    assert game.node(must_roll) == ROLL


def test_columns_to_win_may_be_changed() -> None:
    assert board(columns=1).node(Position((1, 0, 0, 0, 0), (0,) * 5)) == Terminal(1)
    assert board(columns=4).node(Position((1, 0, 5, 0, 1), (0,) * 5)) == ROLL


@pytest.mark.parametrize(
    ("occupied", "node"), [("roll", ROLL), ("share", STOP_OR_ROLL)], ids=["roll", "share"]
)
def test_on_the_square_of_the_opponent(occupied: str, node: Chance | Choice) -> None:
    game = board(occupied=occupied)
    text = "0,0,0,0,0/0,0,2,0,0"
    assert after(game, text + "@2,2,2,2", (4, 4)) == text + "/4=2"
    assert game.node(game.parse(text + "/4=2")) == node


def test_jumping_over_the_opponent() -> None:
    game = board(occupied="jump")
    text = "0,0,0,0,0/0,0,1,0,0"
    assert after(game, text + "@1,1,3,3", (4, 4)) == text + "/4=3"
    assert after(game, text + "@1,2,2,2", (3, 4)) == text + "/3=1,4=2"
    assert game.node(game.parse(text + "/4=3")) == STOP_OR_ROLL
    near_the_top = "0,0,3,0,0/0,0,4,0,0"
    assert moves(game, near_the_top + "@2,2,2,2") == ["4"]
    assert after(game, near_the_top + "@2,2,2,2", (4,)) == near_the_top + "/4=5"


def test_alone_every_turn_costs_one() -> None:
    game = board(players=1)
    assert game.quantity == COST
    assert game.node(game.start()) == Chance(multisets(4, 3), adds=1)
    assert after(game, "0,1,0,0,0/3=2", "stop") == "0,2,0,0,0"
    assert after(game, "1,1,0,0,0/3=2@", (1, 1, 1, 1)) == "1,1,0,0,0"
    assert game.node(game.parse("1,3,0,0,1")) == Terminal(0)


def test_anchors_have_nothing_on_the_table() -> None:
    game = board()
    start = "0,0,0,0,0/0,0,0,0,0"
    assert game.anchor(game.parse(start))
    for rest in ("@1,1,1,2", "/3=1", "/3=1@", "/3=1@1,1,1,2"):
        assert not game.anchor(game.parse(start + rest))


def test_symmetry_at_anchors_only() -> None:
    game = board()
    left, right = game.parse("0,1,0,0,0/1,0,2,0,0"), game.parse("0,0,0,1,0/0,0,2,0,1")
    assert game.symmetry(left) == game.symmetry(right)
    mine, theirs = game.parse("1,0,0,2,0/0,3,0,0,0"), game.parse("0,3,0,2,0/1,0,0,0,0")
    assert game.symmetry(mine) == game.symmetry(theirs)
    assert game.symmetry(left) != game.symmetry(Position(left.theirs, left.mine))
    for rest in ("/3=3", "/3=3@", "@1,1,2,3"):
        inside = game.parse("0,1,0,0,0/1,0,2,0,0" + rest)
        assert game.symmetry(inside) == inside
    won = {game.symmetry(game.parse(f"1,3,0,0,1/0,0,{height},0,0")) for height in range(5)}
    assert len(won) == 1


def test_anchors_are_counted_as_the_paper_does() -> None:
    """Glenn, Fang and Kruskal, 2007: 16,767 indices of which 1,230 are won; 6,324 components."""
    game = board()
    columns = [_pairs(length) for length in game.lengths]
    sides = (tuple(zip(*pairs, strict=True)) for pairs in product(*columns))
    indices = [Position(mine, theirs) for mine, theirs in sides]
    anchors = [position for position in indices if game.anchor(position)]
    assert len(indices) == prod(3 + n * (n - 1) for n in game.lengths) == 16_767
    assert len(indices) - len(anchors) == 1_230
    components = {game.symmetry(position) for position in anchors}
    assert len(components) == 6_324
    swapped = (game.symmetry(Position(p.theirs, p.mine)) for p in components)
    assert len({frozenset(pair) for pair in zip(components, swapped, strict=True)}) == 3_170


def _pairs(length: int) -> list[tuple[int, int]]:
    """Where the two markers may be in a column."""
    pairs = [(x, y) for x, y in product(range(length), repeat=2) if x != y or not x]
    return [*pairs, (length, 0), (0, length)]


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("cantstop:players=1,sides=2,shortest=1", 1.297948189812),
        ("cantstop:players=1,sides=2,shortest=2", 1.347281861517),
    ],
)
def test_settled_values_alone(spec: str, value: float) -> None:
    game = load(spec)
    assert float(naive.values(game)[game.start()]) == pytest.approx(value, abs=1e-12, rel=0)


@pytest.mark.parametrize("occupied", ["roll", "share", "jump"])
def test_symmetry_takes_only_equal_values_together(occupied: str) -> None:
    game = load(f"cantstop:sides=2,shortest=1,columns=2,occupied={occupied}")
    values = naive.values(game)
    by_symmetry: dict[Position, Any] = {}
    for position, value in values.items():
        assert by_symmetry.setdefault(game.symmetry(position), value) == value
    assert len(by_symmetry) < len(values)


def test_two_players_on_two_sided_dice_may_never_end() -> None:
    game = load("cantstop:sides=2,shortest=1")
    with pytest.raises(NoSolution):
        naive.values(game)


SPECS = [
    *(f"cantstop:sides=3,shortest=1,occupied={occupied}" for occupied in ("roll", "share", "jump")),
    "cantstop:players=1,sides=3,shortest=2",
    "cantstop",
    "cantstop:players=1,columns=5,shortest=7",
]


@pytest.mark.parametrize("spec", SPECS)
def test_text_and_position_are_inverse(spec: str) -> None:
    game, random = load(spec), Random(1)
    for _ in range(300):
        position = game.sample(random)
        assert game.parse(game.show(position)) == position
        assert game.show(game.parse(game.show(position))) == game.show(position)


@pytest.mark.parametrize("spec", SPECS)
def test_random_games_stay_within_the_rules(spec: str) -> None:
    """Long games, so that columns close and games end; every position can be typed."""
    game, random = load(spec), Random(2)
    ends = sum(_played(game, random) for _ in range(4))
    assert ends > 0


def _played(game: Game[Position], random: Random) -> bool:
    position = game.start()
    for _ in range(1500):
        node = game.node(position)
        if isinstance(node, Terminal):
            return True
        options = list(node.outcomes if isinstance(node, Chance) else node.moves)
        child = game.play(position, random.choice(options))
        position = child.position if isinstance(child, Swap) else child
        assert game.parse(game.show(position)) == position
    return False


def test_text_forms() -> None:
    text = "1,0,2,0,0/0,1,0,0,0/3=2,4=3@1,1,2,3"
    position = Position((1, 0, 2, 0, 0), (0, 1, 0, 0, 0), ((1, 2), (2, 3)), (1, 1, 2, 3))
    assert board().parse(text) == position
    assert board().show(position) == text
    loose = " 1,0, 2,0,0 / 0,1,0,0,0/ 4=3 ,3= 2 @ 3,1,2,1 "
    assert board().parse(loose) == position
    alone = "1,0,2,0,0/3=2@1,1,2,3"
    assert board(players=1).show(board(players=1).parse(alone)) == alone
    assert board(occupied="share").parse("0,1,0,0,0/0,1,0,0,0").theirs == (0, 1, 0, 0, 0)


NOTHING = "0,0,0,0,0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "0,0,0,0,0",
            "expected mover/opponent, mover/opponent/neutral and perhaps @dice, found '0,0,0,0,0'",
        ),
        (
            "0,0,0/0,0,0,0,0",
            "the mover: expected 5 heights, for columns 2 to 6, found 3 in '0,0,0'",
        ),
        ("0,0,0,0,0/0", "the opponent: expected 5 heights, for columns 2 to 6, found 1 in '0'"),
        (
            "0,4,0,0,0/0,0,0,0,0",
            "the mover, column 3: expected a whole number from 0 to 3, found '4'",
        ),
        (
            "0,0,0,0,0/0,-1,0,0,0",
            "the opponent, column 3: expected a whole number from 0 to 3, found '-1'",
        ),
        ("1,0,0,0,0/1,0,0,0,0", "column 2: expected one winner, found both at 1"),
        ("0,3,0,0,0/0,2,0,0,0", "column 3 is won: expected 0 for the other, found 2"),
        (
            "0,2,0,0,0/0,2,0,0,0",
            "column 3: expected different squares with occupied=roll, found both at 2",
        ),
        ("0,0,0,0,0/0,0,0,0,0/", "expected a neutral marker as column=height, found ''"),
        ("0,0,0,0,0/0,0,0,0,0/3", "expected a neutral marker as column=height, found '3'"),
        ("0,0,0,0,0/0,0,0,0,0/2=1,3=1,4=1,5=1", "expected at most 3 neutral markers, found 4"),
        ("0,0,0,0,0/0,0,0,0,0/3=1,3=2", "expected one neutral marker a column, found '3=1,3=2'"),
        (
            "0,0,0,0,0/0,0,0,0,0/7=1",
            "a neutral marker's column: expected a whole number from 2 to 6, found '7'",
        ),
        (
            "0,2,0,0,0/0,0,0,0,0/3=2",
            "the neutral marker in column 3: expected a whole number from 3 to 3, found '2'",
        ),
        (
            "0,0,0,0,0/0,0,0,0,0/3=4",
            "the neutral marker in column 3: expected a whole number from 1 to 3, found '4'",
        ),
        ("0,3,0,0,0/0,0,0,0,0/3=3", "column 3 is won: expected no neutral marker, found '3=3'"),
        ("0,0,0,0,0/0,3,0,0,0/3=1", "column 3 is won: expected no neutral marker, found '3=1'"),
        ("0,0,0,0,0/0,0,0,0,0@1,1,1", "expected four dice after @, found 3 in '1,1,1'"),
        ("0,0,0,0,0/0,0,0,0,0@1,1,1,4", "a die: expected a whole number from 1 to 3, found '4'"),
        ("0,0,0,0,0/0,0,0,0,0@", "the player must roll here: expected four dice after @, or no @"),
        (
            "0,0,0,0,0/0,1,0,0,0/3=1@",
            "the player must roll here: expected four dice after @, or no @",
        ),
        ("1,3,0,0,1/0,0,0,0,0/4=1", "the game is won: expected no neutral markers and no dice"),
        ("1,3,0,0,1/0,0,0,0,0@1,1,1,1", "the game is won: expected no neutral markers and no dice"),
        ("1,3,0,0,1/0,0,0,0,0@", "the game is won: expected no neutral markers and no dice"),
    ],
)
def test_a_wrong_text_gets_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        board().parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("changes", "text", "message"),
    [
        (
            {"players": 1},
            "0,0,0,0,0/3=1/4=1",
            "expected heights, heights/neutral and perhaps @dice",
        ),
        ({"players": 1}, "0,0,0,0,0/0,1,0,0,0", "expected at most 3 neutral markers, found 5"),
        ({"occupied": "jump"}, "0,1,0,0,0/0,1,0,0,0", "different squares with occupied=jump"),
        (
            {"occupied": "jump"},
            "0,0,0,0,0/0,1,0,0,0/3=1",
            "column 3: expected .* to jump .* both at 1",
        ),
        (
            {"columns": 1},
            "1,0,0,0,0/0,0,0,0,1",
            "expected one winner, found both with columns=1 won",
        ),
    ],
)
def test_what_is_wrong_depends_on_the_game(
    changes: dict[str, Any], text: str, message: str
) -> None:
    with pytest.raises(NotationError, match=message):
        board(**changes).parse(text)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cantstop:sides=7", "sides expected a whole number from 2 to 6"),
        ("cantstop:sides=2,columns=4", "at most 3 columns to win with sides=2, found columns=4"),
        ("cantstop:players=1,occupied=jump", "one player meets nobody, so leave out occupied=jump"),
        ("cantstop:occupied=never", "occupied expected roll, share or jump"),
    ],
)
def test_wrong_parameters_are_refused(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        load(spec)

"""The rows of Can't Stop's anchors: the blocks by hand, and what holds for all of them."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backroll.game import ABSENT, Swap
from backroll.games.cantstop import CantStop, Position
from backroll.games.cantstop.index import Block, blocks
from backroll.spec import load

SMALL = [
    "cantstop:sides=2,shortest=1,players=1",
    "cantstop:sides=2,shortest=2,players=1",
    "cantstop:sides=3,shortest=1,players=1",
    "cantstop:sides=2,shortest=2,columns=1",
    "cantstop:sides=2,shortest=2,columns=2,occupied=share",
    "cantstop:sides=2,shortest=2,columns=2,occupied=jump",
    "cantstop:sides=3,shortest=1",
    "cantstop:sides=3,shortest=1,occupied=share",
    "cantstop:sides=3,shortest=1,occupied=jump",
]
LARGE = ["cantstop", "cantstop:players=1", "cantstop:columns=5", "cantstop:sides=4,occupied=share"]


def game(spec: str) -> CantStop:
    loaded = load(spec)
    assert isinstance(loaded, CantStop)
    return loaded


def mirrored(position: Position) -> Position:
    return position._replace(mine=position.mine[::-1], theirs=position.theirs[::-1])


def test_the_blocks_of_one_player_on_columns_of_1_3_and_1() -> None:
    long, short = ((0, 0), (1, 0), (2, 0)), ((0, 0),)
    assert blocks(game("cantstop:sides=2,shortest=1,players=1")) == (
        Block(0, 0b000, 0, 0, (0, 1, 2), (short, long, short)),
        Block(3, 0b001, 1, 0, (1, 2), (long, short)),  # the left one; the right one leans on it
        Block(6, 0b010, 1, 0, (0, 2), (short, short)),
        Block(7, 0b011, 2, 0, (2,), (short,)),
        Block(8, 0b101, 2, 0, (1,), (long,)),
    )


def test_the_blocks_of_two_players_by_who_won_what() -> None:
    found = blocks(game("cantstop:sides=2,shortest=1,columns=2"))
    assert [(each.start, each.closed, each.mine, each.theirs) for each in found] == [
        (0, 0b000, 0, 0),
        (7, 0b001, 0, 1),
        (14, 0b001, 1, 0),
        (21, 0b010, 0, 1),
        (22, 0b010, 1, 0),
        (23, 0b011, 1, 1),
        (24, 0b101, 1, 1),
    ]
    assert found[0].digits[1] == ((0, 0), (0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1))


def test_the_pairs_of_a_column_by_the_rule_of_occupied_squares() -> None:
    roll, share, jump = (
        blocks(game(f"cantstop:sides=3,shortest=1,occupied={rule}"))[0]
        for rule in ("roll", "share", "jump")
    )
    assert roll.radices == jump.radices == (1, 7, 21, 7, 1)
    assert share.radices == (1, 9, 25, 9, 1)
    assert share.digits[1][3:6] == ((0, 2), (1, 1), (2, 0))
    assert roll.strides == (1029, 147, 7, 1, 1)


@pytest.mark.parametrize(
    ("spec", "rows"),
    [
        ("cantstop:sides=3,shortest=1", 8_172),
        ("cantstop:sides=3,shortest=2", 116_112),
        ("cantstop:sides=3,shortest=3", 1_443_912),
        ("cantstop:sides=4,shortest=1", 7_764_282),
        ("cantstop:sides=5,shortest=3,players=1", 25_242_156),
        ("cantstop:sides=6,shortest=3,players=1", 3_924_730_053),
    ],
)
def test_how_many_rows_there_are(spec: str, rows: int) -> None:
    assert game(spec).anchor_count() == rows


def test_a_row_by_hand() -> None:
    played = game("cantstop:sides=3,shortest=1")
    third = next(b for b in blocks(played) if (b.closed, b.mine) == (0b00010, 0))
    # the fourth column is closed, so the mirror image stands: 0/0, open 1/0, 0/2, 0/0
    position = played.parse("0,0,1,0,0/0,2,0,3,0")
    assert played.anchor_row(position) == third.start + 2 * 7 + 3
    assert played.show(played.anchor_at(third.start + 17)) == "0,0,1,0,0/0,3,0,2,0"


@pytest.mark.parametrize("spec", SMALL)
def test_every_row_has_a_position_and_every_position_its_row(spec: str) -> None:
    played = game(spec)
    for row in range(played.anchor_count()):
        position = played.anchor_at(row)
        assert played.anchor(position)
        assert played.anchor_row(position) == row
        assert played.parse(played.show(position)) == position


@pytest.mark.parametrize("spec", SMALL + LARGE)
def test_positions_that_can_be_reached(spec: str) -> None:
    played, random = game(spec), Random(0)
    anchors = 0
    for _ in range(500):
        position = played.sample(random)
        if not played.anchor(position):
            assert played.anchor_row(position) == ABSENT
            continue
        anchors += 1
        for image in (position, mirrored(position)):
            stands = played.anchor_at(played.anchor_row(image))
            assert played.symmetry(stands) == played.symmetry(position)
    assert anchors > 10


@pytest.mark.parametrize("spec", SMALL + LARGE)
@given(st.data())
def test_stopping_leads_to_a_larger_row_of_the_same_side(spec: str, data: st.DataObject) -> None:
    played = game(spec)
    row = data.draw(st.integers(0, played.anchor_count() - 1), "row")
    position = played.anchor_at(row)
    assert played.anchor_row(position) == row
    random = Random(data.draw(st.integers(0, 1 << 20), "seed"))
    child = stopped(played, position, random)
    if child is not None and played.anchor(child):
        assert played.anchor_row(child) > row
        if played.players == 2:  # and so for the other side, which has not moved
            assert played.anchor_row(turned(child)) > played.anchor_row(turned(position))


def turned(position: Position) -> Position:
    return Position(position.theirs, position.mine)


def stopped(played: CantStop, position: Position, random: Random) -> Position | None:
    """Where some turn leads that ends with a stop, from the side of who played it."""
    for _ in range(40):
        node: Any = played.node(position)
        options = list(node.outcomes if hasattr(node, "outcomes") else node.moves)
        if options == ["bust"]:
            return None
        move = random.choice(options)
        child = played.play(position, move)
        if isinstance(child, Swap):
            return turned(child.position) if move == "stop" else None
        position = child
        if move == "stop":
            return position
    return None


@pytest.mark.parametrize("spec", LARGE)
def test_blocks_follow_one_another(spec: str) -> None:
    played = game(spec)
    found = blocks(played)
    assert found[0].start == 0
    for one, other in pairwise(found):
        assert one.start + one.size == other.start
        assert one.closed.bit_count() <= other.closed.bit_count()
    assert found[-1].start + found[-1].size == played.anchor_count()


@pytest.mark.parametrize("row", [-1, 11, 1 << 40])
def test_a_row_that_is_none(row: int) -> None:
    with pytest.raises(IndexError, match=f"a row from 0 to 10, found {row:,}"):
        game("cantstop:sides=2,shortest=1,players=1").anchor_at(row)


@pytest.mark.parametrize(
    "position",
    [
        Position((0, 1, 0, 0, 0), (0, 1, 0, 0, 0)),  # both on one square
        Position((1, 3, 0, 0, 1), (0, 0, 0, 0, 0)),  # won
        Position((0, 0, 0, 0, 0), (1, 3, 5, 0, 0)),  # lost
        Position((0, 0, 0, 0, 0), (0, 0, 0, 0, 0), ((1, 1),)),
        Position((0, 0, 0, 0, 0), (0, 0, 0, 0, 0), (), (1, 1, 1, 1)),
        Position((1, 0, 0, 0, 0), (1, 0, 0, 0, 0)),  # a column with two winners
        Position((0, 9, 0, 0, 0), (0, 0, 0, 0, 0)),
        Position((0, -1, 0, 0, 0), (0, 0, 0, 0, 0)),
        Position((0, 0, 0), (0, 0, 0)),
    ],
)
def test_what_is_no_anchor_has_no_row(position: Position) -> None:
    assert game("cantstop:sides=3,shortest=1").anchor_row(position) == ABSENT


def test_who_won_which_closed_column_does_not_matter() -> None:
    played = game("cantstop:sides=3,shortest=1")
    texts = ("1,3,0,0,0/0,0,2,0,1", "1,0,0,0,1/0,3,2,0,0", "0,0,0,3,1/1,0,2,0,0")
    assert len({played.anchor_row(played.parse(text)) for text in texts}) == 1
    fewer = played.parse("1,0,0,0,0/0,3,2,0,1")  # the same columns, but one of them is his
    assert played.anchor_row(fewer) != played.anchor_row(played.parse(texts[0]))

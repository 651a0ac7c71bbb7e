"""Chinese Checkers: the rules by hand, moves against an oracle on coordinates, counts and rows."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backroll.errors import NotationError, SpecError
from backroll.game import ABSENT, Choice, Swap, Terminal
from backroll.games.chinese_checkers import ChineseCheckers, Position
from backroll.games.chinese_checkers.index import MOST_SETS, rank, unrank
from backroll.spec import load, spec_of

Place: TypeAlias = tuple[int, int]
SMALL = [(3, 1), (3, 2), (3, 3), (3, 4), (4, 1), (4, 2)]
BOARDS = [*SMALL, (4, 6), (5, 3), (6, 4), (7, 2), (7, 3), (9, 6)]
OBLONG = [(3, 1, 5), (5, 1, 3), (3, 2, 4), (4, 2, 3), (3, 3, 4), (5, 2, 1), (4, 5, 6), (9, 4, 15)]
EVERY = [*((*board, 0) for board in BOARDS), *OBLONG]
"""Size, pieces and width."""
MIRRORED = {1, 3, 6}


def moves(game: ChineseCheckers, text: str) -> list[str]:
    """The moves of a position, as a person reads them."""
    node = game.node(game.parse(text))
    return list(map(game.show_move, node.moves)) if isinstance(node, Choice) else []


def reached(game: ChineseCheckers, text: str, piece: str) -> str:
    """Where one of the pieces can go."""
    return " ".join(move[3:] for move in moves(game, text) if move.startswith(piece))


def after(game: ChineseCheckers, position: Position, move: tuple[int, int]) -> Position:
    return game.play(position, move).position


def drawn_at_random(game: ChineseCheckers, random: Random) -> Position:
    return game.anchor_at(random.randrange(game.anchor_count()))


# The rules by hand


def test_two_and_three_pieces_are_at_home_where_the_tables_have_them() -> None:
    assert ChineseCheckers().show(ChineseCheckers().start()) == "a1,b1/f7,g7"
    three = ChineseCheckers(pieces=3)
    assert three.show(three.start()) == "a1,b1,a2/g6,f7,g7"
    six = ChineseCheckers(pieces=6)
    assert six.show(six.start()).startswith("a1,b1,c1,a2,b2,a3/")


def test_a_piece_steps_in_six_directions() -> None:
    game = ChineseCheckers(pieces=1)
    assert reached(game, "d4/g7", "d4") == "d3 e3 c4 e4 c5 d5"


def test_no_piece_leaves_the_board() -> None:
    game = ChineseCheckers(pieces=1)
    assert reached(game, "a1/g7", "a1") == "b1 a2"
    assert reached(game, "a7/g7", "a7") == "a6 b6 b7"
    assert reached(game, "g1/g7", "g1") == "f1 f2 g2"
    assert reached(game, "g7/b1", "g7") == "g6 f7"
    assert reached(game, "a4/g7", "a4") == "a3 b3 b4 a5"
    assert reached(game, "b4/a4", "b4") == "b3 c3 c4 a5 b5"  # there is nothing behind a4


def test_a_piece_jumps_over_either_colour_in_every_direction() -> None:
    for pair_of_cells in ("d3 d2", "e3 f2", "c4 b4", "e4 f4", "c5 b6", "d5 d6"):
        over, behind = pair_of_cells.split()
        alone = ChineseCheckers(pieces=1)
        assert behind in reached(alone, f"d4/{over}", "d4")
        assert over not in reached(alone, f"d4/{over}", "d4")
        pair = ChineseCheckers()
        assert behind in reached(pair, f"d4,{over}/a7,g1", "d4")
        assert behind not in reached(pair, f"d4,{behind}/{over},a7", "d4")  # filled
        assert behind not in reached(pair, f"d4,a7/{over},{behind}", "d4")


def test_jumps_go_on_and_steps_do_not() -> None:
    game = ChineseCheckers()
    assert reached(game, "a1,b1/d1,e2", "a1") == "c1 e1 a2 e3"  # over b1, d1, then e2
    assert "c3" not in reached(game, "a1,b2/a7,g7", "a1")  # b2 is no neighbour of a1
    assert "d1" not in reached(game, "a1,c1/f7,g7", "a1")  # no jump after the step to b1


def test_a_long_jump_is_none() -> None:
    assert reached(ChineseCheckers(pieces=1), "a1/c1", "a1") == "b1 a2"


def test_a_chain_that_comes_round_to_where_it_began_is_no_move() -> None:
    game = ChineseCheckers(pieces=3)
    # c3, e1 and e3 are a triangle of jumps, over d2, e2 and d3
    assert reached(game, "c3,a7,a6/d2,e2,d3", "c3") == "e1 c2 b3 e3 b4 c4"
    assert reached(game, "e1,a7,a6/d2,e2,d3", "e1") == "d1 f1 c3 e3"


def test_however_many_ways_lead_there_it_is_one_move() -> None:
    game = ChineseCheckers(pieces=3)
    found = Counter(moves(game, "c3,a7,a6/d2,e2,d3"))  # e1 and e3 can be reached both ways round
    assert found["c3-e1"] == found["c3-e3"] == max(found.values()) == 1


def test_moves_come_in_order_of_their_numbers() -> None:
    assert moves(ChineseCheckers(), "a1,b1/f7,g7") == ["a1-c1", "a1-a2", "b1-c1", "b1-a2", "b1-b2"]


def test_after_a_move_the_board_is_turned() -> None:
    game = ChineseCheckers()
    child = game.play(game.parse("a1,b1/f7,g7"), (1, 8))
    assert child == Swap(game.parse("a1,b1/f6,g7"))
    assert game.show_move((1, 8)) == "b1-b2"


def test_the_mover_has_lost_when_its_home_is_filled_and_not_by_itself_alone() -> None:
    game = ChineseCheckers()
    assert game.node(game.parse("c3,d4/a1,b1")) == Terminal(0)
    assert game.node(game.parse("a1,d4/b1,d5")) == Terminal(0)
    assert game.node(game.parse("b1,d4/a1,d5")) == Terminal(0)
    assert isinstance(game.node(game.parse("a1,b1/f7,d5")), Choice)  # filled by itself
    assert isinstance(game.node(game.parse("a2,d4/b1,d5")), Choice)  # not filled
    assert isinstance(game.node(game.parse("f7,g7/a1,d5")), Choice)  # its goal does not matter now


def test_whoever_has_no_move_has_lost() -> None:
    game = ChineseCheckers(size=3, pieces=4)
    position = game.parse("b2,c2,b3,c3/b1,c1,a2,a3")  # only a1 is empty, and no jump leads there
    assert not game.lost(position)
    assert game.node(position) == Terminal(0)
    free = game.parse("b2,c2,a3,c3/b1,c1,a2,b3")
    assert moves(game, game.show(free)) == ["a3-a1"]


# Counts


def test_positions_are_counted_as_in_the_paper() -> None:
    """Sturtevant and Saffidine: 2,542,512 and 559,352,640, each colour to move."""
    assert 2 * ChineseCheckers().anchor_count() == 2_542_512
    assert 2 * ChineseCheckers(pieces=3, merged=False).anchor_count() == 559_352_640


def test_merged_positions_stand_for_those_of_the_paper() -> None:
    """A set that is its own mirror image keeps both images of a position, any other set one."""
    game = ChineseCheckers(pieces=3)
    classes = game.index.classes
    assert classes is not None
    own = sum(classes.own) * game.index.others
    assert game.anchor_count() == 141_219_540
    assert 2 * (2 * game.anchor_count() - own) == 559_352_640


def test_terminal_positions_on_7_by_7() -> None:
    """5,405 a colour: enumerated are the placements of which two cells of home are filled."""
    game = ChineseCheckers()
    a1, b1 = game.board.home
    others = range(2, 49)
    both = [((x, y), (a1, b1)) for x, y in combinations(others, 2)]
    one = [
        ((mine, x), (theirs, y))
        for mine, theirs in ((a1, b1), (b1, a1))
        for x in others
        for y in others
        if x != y
    ]
    assert all(game.node(position) == Terminal(0) for position in both + one)
    assert len(both) + len(one) == 5_405


@pytest.mark.slow
def test_no_other_position_on_7_by_7_is_terminal() -> None:
    game = ChineseCheckers()
    ends = (game.node(game.anchor_at(row)) == Terminal(0) for row in range(game.anchor_count()))
    assert sum(ends) == 5_405


# The oracle


def neighbours(one: Place, other: Place) -> bool:
    """On the lattice, rows, columns and their sum each differ by one at most, and not all by 0."""
    down, right = other[0] - one[0], other[1] - one[1]
    return max(abs(down), abs(right), abs(down + right)) == 1


def jumped(places: list[Place], filled: set[Place], at: Place, seen: set[Place]) -> set[Place]:
    """Where jumps lead from a place: the piece between is a neighbour of both ends, in line."""
    for to in set(places) - filled - seen:
        between = ((at[0] + to[0]) / 2, (at[1] + to[1]) / 2)
        if between in filled and neighbours(at, (int(between[0]), int(between[1]))):
            seen |= {to} | jumped(places, filled, to, seen | {to})
    return seen


def oracle(size: int, width: int, position: Position) -> set[tuple[int, int]]:
    """The moves, from sets of coordinates."""
    places = [(row, column) for row in range(size) for column in range(width)]
    mine, theirs = ({places[cell] for cell in side} for side in position)
    found = set()
    for piece in mine:
        filled = (mine | theirs) - {piece}
        stepped = {place for place in places if neighbours(piece, place)} - filled
        ends = (stepped | jumped(places, filled, piece, {piece})) - {piece}
        found |= {(places.index(piece), places.index(end)) for end in ends}
    return found


@pytest.mark.parametrize(("size", "pieces", "width"), EVERY)
def test_moves_agree_with_the_oracle(size: int, pieces: int, width: int) -> None:
    game, random = ChineseCheckers(size, pieces, width), Random(1)
    for _ in range(60):
        position = drawn_at_random(game, random)
        found = game.moves(position)
        assert found == sorted(found)
        assert len(found) == len(set(found))
        assert set(found) == oracle(size, width or size, position)


@pytest.mark.parametrize(("size", "pieces", "width"), EVERY)
def test_every_move_can_be_taken_back(size: int, pieces: int, width: int) -> None:
    game, random = ChineseCheckers(size, pieces, width), Random(2)
    for _ in range(60):
        mine, theirs = drawn_at_random(game, random)
        for piece, to in game.moves((mine, theirs)):
            moved = tuple(sorted({*mine, to} - {piece}))
            assert (to, piece) in game.moves((moved, theirs))


@pytest.mark.parametrize(("size", "pieces"), SMALL)
def test_predecessors_are_where_moves_come_from(size: int, pieces: int) -> None:
    game = ChineseCheckers(size, pieces, merged=False)
    forward: Counter[tuple[Position, Position]] = Counter()
    backward: Counter[tuple[Position, Position]] = Counter()
    for position in map(game.anchor_at, range(game.anchor_count())):
        node = game.node(position)
        for move in node.moves if isinstance(node, Choice) else ():
            forward[position, after(game, position, move)] += 1
        for before in game.predecessors(position):
            backward[before, position] += 1
    assert forward == backward
    assert set(forward.values()) == {1}


# Rows and symmetry


@pytest.mark.parametrize(("size", "pieces"), SMALL)
def test_rows_and_positions_are_one_to_one(size: int, pieces: int) -> None:
    game = ChineseCheckers(size, pieces, merged=False)
    cells = size * size
    assert game.anchor_count() == comb(cells, pieces) * comb(cells - pieces, pieces)
    positions = [game.anchor_at(row) for row in range(game.anchor_count())]
    assert len(set(positions)) == len(positions)
    assert [game.anchor_row(position) for position in positions] == list(range(len(positions)))
    assert all(sorted(side) == list(side) for each in positions for side in each)


@given(st.sampled_from(EVERY), st.data())
def test_positions_come_back_from_their_rows(
    board: tuple[int, int, int], data: st.DataObject
) -> None:
    size, pieces, width = board
    game = ChineseCheckers(size, pieces, width)
    order = st.permutations(range(game.board.cells))
    cells = data.draw(order)[: 2 * pieces]
    position = tuple(sorted(cells[:pieces])), tuple(sorted(cells[pieces:]))
    row = game.anchor_row(position)
    assert 0 <= row < game.anchor_count()
    kept = game.anchor_at(row)
    assert game.symmetry(kept) == game.symmetry(position)
    assert game.anchor_row(kept) == row
    apart = ChineseCheckers(size, pieces, width, merged=False)
    assert apart.anchor_at(apart.anchor_row(position)) == apart.symmetry(position) == position


@pytest.mark.parametrize(("size", "pieces"), [(3, 1), (3, 3), (4, 1), (4, 3)])
def test_mirror_images_share_a_row_unless_the_set_is_its_own(size: int, pieces: int) -> None:
    game, apart = ChineseCheckers(size, pieces), ChineseCheckers(size, pieces, merged=False)
    mirror = game.board.mirrored
    seen: Counter[int] = Counter()
    for row in range(apart.anchor_count()):
        mine, theirs = apart.anchor_at(row)
        image = mirror(mine), mirror(theirs)
        shared = game.anchor_row((mine, theirs)) == game.anchor_row(image)
        assert shared == (mirror(mine) != mine or mirror(theirs) == theirs)
        seen[game.anchor_row((mine, theirs))] += 1
    assert set(seen) == set(range(game.anchor_count()))


def test_boards_that_cannot_be_solved_are_not_merged() -> None:
    """Their sets would fill the memory, and there are more rows than links can name."""
    for size in range(3, 10):
        for pieces in MIRRORED:
            sets = comb(size * size, pieces)
            rows = sets * comb(size * size - pieces, pieces)
            assert sets <= MOST_SETS or rows / 2 > 2**31
    assert ChineseCheckers(9, 6).index.classes is None


def test_a_row_by_hand() -> None:
    game = ChineseCheckers(size=3)
    # mine {1, 3} is place 1 + 3 = 4; theirs {0, 4} of what is left {0, 2}, place 0 + 1 = 1
    assert game.anchor_row(((1, 3), (0, 4))) == 4 * comb(7, 2) + 1
    assert game.anchor_at(4 * 21 + 1) == ((1, 3), (0, 4))


def test_ranks_are_colexicographic() -> None:
    sets = sorted(combinations(range(8), 3), key=lambda cells: cells[::-1])
    assert list(map(rank, sets)) == list(range(len(sets)))
    assert [unrank(place, 3) for place in range(len(sets))] == sets


@pytest.mark.parametrize(
    "position",
    [
        ((0, 1), (1, 2)),
        ((1, 0), (2, 3)),
        ((0, 0), (2, 3)),
        ((0, 1), (2, 9)),
        ((-1, 1), (2, 3)),
        ((0,), (2, 3)),
        ((0, 1), (2, 3, 4)),
        ((0, 1), ()),
    ],
)
def test_what_is_no_position_has_no_row(position: Position) -> None:
    assert ChineseCheckers(size=3).anchor_row(position) == ABSENT


@pytest.mark.parametrize("row", [-1, 756])
def test_a_row_that_is_none(row: int) -> None:
    with pytest.raises(IndexError, match=f"expected a row from 0 to 755, found {row}"):
        ChineseCheckers(size=3).anchor_at(row)


@pytest.mark.parametrize(("size", "pieces"), BOARDS)
def test_the_mirror_image_has_the_mirrored_moves(size: int, pieces: int) -> None:
    game, random = ChineseCheckers(size, pieces), Random(3)
    mirror = game.board.mirrored
    for _ in range(40):
        position = drawn_at_random(game, random)
        image = mirror(position[0]), mirror(position[1])
        assert (game.symmetry(position) == game.symmetry(image)) == (
            pieces in MIRRORED or position == image
        )
        if pieces in MIRRORED:
            assert game.symmetry(position) in (position, image)
            assert game.lost(position) == game.lost(image)
            children = [after(game, position, move) for move in game.moves(position)]
            images = [after(game, image, move) for move in game.moves(image)]
            assert Counter(map(game.symmetry, children)) == Counter(map(game.symmetry, images))


def test_nothing_is_merged_where_that_is_not_wanted_or_not_possible() -> None:
    apart = ChineseCheckers(3, 1, merged=False)
    assert apart.anchor_count() == 9 * 8
    assert apart.symmetry(((1,), (2,))) == ((1,), (2,))
    assert apart.symmetry(((3,), (2,))) == ((3,), (2,))
    oblong = ChineseCheckers(3, 1, 4)
    assert oblong.anchor_count() == 12 * 11
    assert oblong.symmetry(((4,), (2,))) == ((4,), (2,))


def test_a_board_on_its_side_is_the_mirror_image() -> None:
    wide, high = ChineseCheckers(3, 3, 5), ChineseCheckers(5, 3, 3)

    def image(position: Position) -> Position:
        first, second = (tuple(sorted(cell % 5 * 3 + cell // 5 for cell in s)) for s in position)
        return first, second

    random = Random(5)
    assert image(wide.start()) == high.start()
    for _ in range(100):
        position = drawn_at_random(wide, random)
        moves = {(a % 5 * 3 + a // 5, b % 5 * 3 + b // 5) for a, b in wide.moves(position)}
        assert set(high.moves(image(position))) == moves
        assert wide.lost(position) == high.lost(image(position))


def test_homes_of_two_four_and_five_pieces_are_not_their_own_mirror_image() -> None:
    for pieces in range(1, 7):
        home = ChineseCheckers(7, pieces).board.home
        same = ChineseCheckers(7, pieces).board.mirrored(home) == home
        assert same == (pieces in MIRRORED)


# Parameters


@pytest.mark.parametrize("pieces", [5, 6])
def test_homes_that_overlap_are_refused(pieces: int) -> None:
    with pytest.raises(SpecError) as error:
        load(f"chinesecheckers:size=3,pieces={pieces}")
    assert str(error.value) == (
        f"chinesecheckers: expected homes that do not overlap, found pieces={pieces} with size=3"
    )


@pytest.mark.parametrize(("size", "width", "pieces"), [(3, 1, 2), (3, 1, 6), (3, 2, 5)])
def test_homes_that_overlap_on_an_oblong_board_are_refused(
    size: int, width: int, pieces: int
) -> None:
    with pytest.raises(SpecError) as error:
        load(f"chinesecheckers:size={size},pieces={pieces},width={width}")
    assert str(error.value) == (
        f"chinesecheckers: expected homes that do not overlap, "
        f"found pieces={pieces} with size={size},width={width}"
    )


def test_homes_that_leave_no_room_are_refused() -> None:
    with pytest.raises(SpecError) as error:
        load("chinesecheckers:size=3,pieces=6,width=4")
    assert str(error.value) == (
        "chinesecheckers: expected homes that leave a cell empty, "
        "found pieces=6 with size=3,width=4"
    )


def test_specs_say_what_is_not_usual() -> None:
    for spec in (
        "chinesecheckers",
        "chinesecheckers:size=5,pieces=1",
        "chinesecheckers:size=4,pieces=3,width=6",
        "chinesecheckers:pieces=3,merged=false",
    ):
        assert spec_of(load(spec)) == spec
    assert spec_of(load("chinesecheckers:size=7,pieces=2")) == "chinesecheckers"


@pytest.mark.parametrize(
    "parameters", ["size=2", "size=10", "pieces=0", "pieces=7", "width=-1", "width=16", "width=x"]
)
def test_a_parameter_out_of_its_range_is_refused(parameters: str) -> None:
    with pytest.raises(SpecError):
        load(f"chinesecheckers:{parameters}")


# The text form


@pytest.mark.parametrize(("size", "pieces", "width"), EVERY)
def test_text_and_position_are_inverse(size: int, pieces: int, width: int) -> None:
    game, random = ChineseCheckers(size, pieces, width), Random(4)
    for _ in range(100):
        position = drawn_at_random(game, random)
        assert game.parse(game.show(position)) == position


def test_cells_may_come_in_any_order() -> None:
    game = ChineseCheckers()
    assert game.parse(" b1, a1 / g7 ,f7") == game.start() == ((0, 1), (47, 48))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected the mover's cells / the other side's, as in a1,b1/b3,c3, found ''"),
        (
            "a1,b1",
            "expected the mover's cells / the other side's, as in a1,b1/b3,c3, found 'a1,b1'",
        ),
        ("a1/b3,c3", "the mover: expected 2 different cells, found 'a1'"),
        ("a1,a1/b3,c3", "the mover: expected 2 different cells, found 'a1,a1'"),
        ("a1,b1,b1/b3,c3", "the mover: expected 2 different cells, found 'a1,b1,b1'"),
        ("a1,b1/b3", "the other side: expected 2 different cells, found 'b3'"),
        ("a1,b1/b1,c3", "expected one piece a cell, found both sides on b1"),
        ("a1,d1/b3,c3", "the mover: expected a cell from a1 to c3, found 'd1'"),
        ("a1,b1/b3,c4", "the other side: expected a cell from a1 to c3, found 'c4'"),
        ("a1,b0/b3,c3", "the mover: expected a cell from a1 to c3, found 'b0'"),
        ("a1,/b3,c3", "the mover: expected a cell from a1 to c3, found ''"),
        ("a1,b²/b3,c3", "the mover: expected a cell from a1 to c3, found 'b²'"),
        ("a1,b01/b3,c3", "the mover: expected a cell from a1 to c3, found 'b01'"),
    ],
)
def test_a_wrong_text_gets_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        ChineseCheckers(size=3).parse(text)
    assert str(error.value) == message


def test_an_oblong_board_has_its_own_last_cell() -> None:
    wide = ChineseCheckers(3, 1, 15)
    assert wide.show(wide.start()) == "a1/o3"
    with pytest.raises(NotationError, match="the mover: expected a cell from a1 to o3, found 'a4'"):
        wide.parse("a4/o3")
    with pytest.raises(NotationError, match="the mover: expected a cell from a1 to c5, found 'd1'"):
        ChineseCheckers(5, 1, 3).parse("d1/a1")


def test_one_piece_is_one_cell() -> None:
    with pytest.raises(NotationError, match="the mover: expected 1 different cell, found 'a1,b1'"):
        ChineseCheckers(pieces=1).parse("a1,b1/g7")

"""King and rook against king: the rules by hand, an oracle that takes kings, and known results."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest

import retrograde
from backroll.errors import NotationError, SpecError
from backroll.game import ABSENT, Choice, Terminal
from backroll.games.rook_ending import Ending, RookEnding
from backroll.games.rook_ending.board import board
from backroll.games.rook_ending.position import BLACK, LOST, WHITE, legal
from backroll.spec import load

BARE_KINGS = 462
"""Pairs of kings on the chessboard that differ under its symmetries."""
UCI = [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390]
"""Positions with Black to move by White's moves to mate (Bain and Hoff, UCI, 1994)."""
UCI_DRAWN = 2_796


def moves(text: str, size: int = 8) -> str:
    """The moves of a position, as a person reads them."""
    game = RookEnding(size)
    node = game.node(game.parse(text))
    assert isinstance(node, Choice)
    assert node.player == (1 if text.startswith("w") else 2)
    return " ".join(map(game.show_move, node.moves))


def end(text: str, size: int = 8) -> Terminal:
    game = RookEnding(size)
    node = game.node(game.parse(text))
    assert isinstance(node, Terminal)
    return node


def after(text: str, move: tuple[str, str], size: int = 8) -> str:
    game = RookEnding(size)
    square = (int(move[1][1]) - 1) * size + ord(move[1][0]) - ord("a")
    return game.show(game.play(game.parse(text), (move[0], square)))


@cache
def every(size: int) -> list[Ending]:
    """Every legal position with a rook, images each for itself."""
    squares = range(size * size)
    placed = product((WHITE, BLACK), squares, squares, squares)
    return [each for each in (Ending(*at) for at in placed) if legal(board(size), each)]


# The rules by hand


def test_the_game_begins_with_both_kings_at_home() -> None:
    game = RookEnding()
    assert game.show(game.start()) == "w Ke1 Rh1 ke8"
    assert RookEnding(3).show(RookEnding(3).start()) == "w Kb1 Rc1 kb3"


def test_the_king_touches_neither_the_other_king_nor_its_own_rook() -> None:
    assert moves("w Kb2 Ra1 kb4").startswith("Kb1 Kc1 Ka2 Kc2 Rb1")
    assert moves("w Kc3 Rh8 kc5").startswith("Kb2 Kc2 Kd2 Kb3 Kd3 Rh1")


def test_the_rook_goes_along_rank_and_file_up_to_a_piece() -> None:
    assert moves("w Kd5 Rd3 kg8").endswith(" Rd1 Rd2 Ra3 Rb3 Rc3 Re3 Rf3 Rg3 Rh3 Rd4")


def test_the_rook_gives_check_but_not_through_its_king() -> None:
    assert moves("b Ka1 Rd1 kd8") == "kc7 ke7 kc8 ke8"
    assert moves("b Kd5 Rd1 kd8") == "kc7 kd7 ke7 kc8 ke8"


def test_the_king_cannot_flee_along_the_line_of_the_rook() -> None:
    assert moves("b Ka1 Rd1 kd4") == "kc3 ke3 kc4 ke4 kc5 ke5"


def test_the_king_takes_a_rook_that_is_not_guarded() -> None:
    assert moves("b Ka1 Rd4 ke5") == "kd4 kf5 ke6 kf6"
    assert after("b Ka1 Rd4 ke5", ("k", "d4")) == "w Ka1 kd4"
    assert "kd4" not in moves("b Kc3 Rd4 ke5").split()


def test_a_lost_rook_is_a_draw() -> None:
    assert end("w Ka1 kd4") == Terminal(0.5)


def test_mate_and_stalemate() -> None:
    assert end("b Ke6 Ra8 ke8") == Terminal(1)
    assert end("b Kb6 Rh8 ka8") == Terminal(1)
    assert end("b Kc6 Rb7 ka8") == Terminal(0.5)
    assert moves("b Ke6 Rd8 ke8") == "kd8"


def test_moves_change_the_player() -> None:
    assert after("w Ke1 Rh1 ke8", ("K", "e2")) == "b Ke2 Rh1 ke8"
    assert after("w Ke1 Rh1 ke8", ("R", "h7")) == "b Ke1 Rh7 ke8"
    assert after("b Ke1 Rh7 ke8", ("k", "f8")) == "w Ke1 Rh7 kf8"


# The oracle: moves that look at nothing but geometry, of which those are legal that leave no king
# to be taken


def lines(size: int, pieces: dict[str, int], letter: str) -> set[int]:
    """The squares where a piece can go or take, whatever becomes of the kings."""
    rank, file = divmod(pieces[letter], size)
    found = set()
    for up, right in product((-1, 0, 1), repeat=2):
        far = size if letter == "R" else 2
        if (up, right) == (0, 0) or (letter == "R" and up and right):
            continue
        for step in range(1, far):
            to = rank + step * up, file + step * right
            if not (0 <= to[0] < size and 0 <= to[1] < size):
                break
            found.add(to[0] * size + to[1])
            if to[0] * size + to[1] in pieces.values():
                break
    return found


def oracle(size: int, position: Ending) -> set[tuple[str, int]]:
    pieces = {"K": position.king, "k": position.lone, "R": position.rook}
    white = position.player == WHITE
    found = set()
    for letter in "KR" if white else "k":
        for to in lines(size, pieces, letter):
            moved = {other: at for other, at in pieces.items() if at != to} | {letter: to}
            own = pieces["R" if letter == "K" else "K"] if white else LOST
            if to == own or not {"K", "k"} <= moved.keys():
                continue
            answers = ("k",) if white else ("K", "R") if "R" in moved else ("K",)
            king = moved["K" if white else "k"]
            if not any(king in lines(size, moved, other) for other in answers):
                found.add((letter, to))
    return found


@pytest.mark.parametrize("size", [3, 4, 8])
def test_moves_agree_with_the_oracle(size: int) -> None:
    game = RookEnding(size)
    for position in Random(1).sample(every(size), min(len(every(size)), 1500)):
        node = game.node(position)
        found = list(node.moves) if isinstance(node, Choice) else []
        assert set(found) == oracle(size, position)
        assert len(found) == len(set(found))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_moves_lead_to_legal_positions(size: int) -> None:
    game = RookEnding(size)
    for position in every(size):
        node = game.node(position)
        for move in node.moves if isinstance(node, Choice) else ():
            child = game.play(position, move)
            assert game.anchor_row(child) != ABSENT
            assert game.parse(game.show(child)) == child


# Counts and rows


def test_legal_positions_on_the_chessboard() -> None:
    """399,112 with a rook: 175,168 with White to move and 223,944 with Black."""
    players = Counter(position.player for position in every(8))
    assert players == {WHITE: 175_168, BLACK: 223_944}


def test_positions_that_differ_under_the_symmetries_of_the_chessboard() -> None:
    game = RookEnding()
    rows = map(game.anchor_at, range(game.anchor_count()))
    kinds = Counter((each.player, each.rook == LOST) for each in rows)
    assert kinds[BLACK, False] == sum(UCI) + UCI_DRAWN == 28_056
    assert kinds[WHITE, True] == BARE_KINGS
    assert kinds[WHITE, False] == 21_959


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_every_row_has_a_position_and_every_position_its_row(size: int) -> None:
    game = RookEnding(size)
    positions = [game.anchor_at(row) for row in range(game.anchor_count())]
    assert [game.anchor_row(position) for position in positions] == list(range(len(positions)))
    assert all(game.symmetry(position) == position for position in positions)
    standing = {game.symmetry(position) for position in every(size)}
    assert standing == {position for position in positions if position.rook != LOST}


@pytest.mark.parametrize("size", [3, 8])
def test_the_eight_images_of_a_position_share_a_row_and_its_moves(size: int) -> None:
    game = RookEnding(size)
    assert len(set(game.board.images)) == 8
    for position in Random(2).sample(every(size), 60):
        images = [
            Ending(position.player, *(image[at] for at in position[1:]))
            for image in game.board.images
        ]
        assert len({game.anchor_row(image) for image in images}) == 1
        assert len({game.symmetry(image) for image in images}) == 1
        ways = [game.node(image) for image in images]
        counts = {len(list(way.moves)) if isinstance(way, Choice) else way.value for way in ways}
        assert len(counts) == 1


def test_the_image_with_the_smallest_numbers_stands_for_all() -> None:
    game = RookEnding()
    assert game.show(game.symmetry(game.parse("b Kh8 Rh7 ka8"))) == "b Ka1 Ra2 kh1"


@pytest.mark.parametrize(
    "position",
    [
        Ending(WHITE, 0, 9, 2),  # kings that touch
        Ending(WHITE, 0, 18, 2),  # Black in check and White to move
        Ending(BLACK, 0, 18, LOST),
        Ending(BLACK, 0, 18, 18),
        Ending(BLACK, 0, 0, 18),
    ],
)
def test_what_is_no_position_has_no_row(position: Ending) -> None:
    assert RookEnding().anchor_row(position) == ABSENT


@pytest.mark.parametrize("row", [-1, 48])
def test_a_row_that_is_none(row: int) -> None:
    with pytest.raises(IndexError, match=f"expected a row from 0 to 47, found {row}"):
        RookEnding(3).anchor_at(row)


# Results


@pytest.mark.slow
def test_mates_on_the_chessboard_are_those_of_the_published_table() -> None:
    found = retrograde.solved(RookEnding())
    depths: Counter[int] = Counter()
    longest = 0
    for position, height in zip(found.positions, found.height, strict=True):
        if position.player == BLACK:
            depths[height] += 1
        else:
            longest = max(longest, height)
    assert longest == 31
    assert depths == {2 * depth: count for depth, count in enumerate(UCI)} | {-1: UCI_DRAWN}


def test_on_4_by_4_a_king_that_can_take_the_rook_draws_and_white_to_move_wins() -> None:
    game = RookEnding(4)
    found = retrograde.solved(game)
    for position, value in zip(found.positions, found.value, strict=True):
        node = game.node(position)
        if isinstance(node, Terminal):
            assert value == node.value
        elif position.player == BLACK:
            can_take = any(game.play(position, move).rook == LOST for move in node.moves)
            assert not can_take or value == 0.5
        else:
            assert value == 1


# The text form


@pytest.mark.parametrize("size", [3, 4, 8])
def test_text_and_position_are_inverse(size: int) -> None:
    game = RookEnding(size)
    for position in Random(3).sample(every(size), 100):
        assert game.parse(game.show(position)) == position


def test_pieces_may_come_in_any_order() -> None:
    game = RookEnding()
    assert game.show(game.parse(" b  ke8 Kf6 Re1 ")) == "b Kf6 Re1 ke8"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected w or b, K, R and k, as in w Kc1 Rd1 kc4, found ''"),
        ("Kc1 Rd1 kc4", "expected w or b, K, R and k, as in w Kc1 Rd1 kc4, found 'Kc1 Rd1 kc4'"),
        ("w Kc1 Rd1", "expected w or b, K, R and k, as in w Kc1 Rd1 kc4, found 'w Kc1 Rd1'"),
        (
            "w Kc1 Ka1 kc4",
            "expected w or b, K, R and k, as in w Kc1 Rd1 kc4, found 'w Kc1 Ka1 kc4'",
        ),
        (
            "w Kc1 Qa1 kc4",
            "expected w or b, K, R and k, as in w Kc1 Rd1 kc4, found 'w Kc1 Qa1 kc4'",
        ),
        ("w Kc1 Re1 kc4", "R: expected a cell from a1 to d4, found 'e1'"),
        ("w Kc1 Rd5 kc4", "R: expected a cell from a1 to d4, found 'd5'"),
        ("w Kc1 R kc4", "R: expected a cell from a1 to d4, found ''"),
        ("w Kc1 Rc1 kc4", "expected one piece a square, found 'w Kc1 Rc1 kc4'"),
        ("w Kc1 kc2", "expected kings that do not touch, found 'w Kc1 kc2'"),
        ("b Kc1 kc4", "expected w to move when the rook is lost, found 'b Kc1 kc4'"),
        ("w Kd1 Rc1 kc4", "expected k not in check with w to move, found 'w Kd1 Rc1 kc4'"),
    ],
)
def test_a_wrong_text_gets_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        RookEnding(4).parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize("spec", ["rookending:size=2", "rookending:size=9"])
def test_a_size_out_of_its_range_is_refused(spec: str) -> None:
    with pytest.raises(SpecError):
        load(spec)

"""The board of Chinese Checkers, drawn: the text by hand, and the geometry of the SVG."""

from __future__ import annotations

from math import dist
from xml.etree import ElementTree

import pytest

from backroll.games.chinese_checkers import ChineseCheckers, drawn, svg
from backroll.games.chinese_checkers.view import PITCH

SVG = "{http://www.w3.org/2000/svg}"


def test_the_start_in_text() -> None:
    game = ChineseCheckers(size=4)
    assert drawn(game, game.start()).splitlines() == [
        "4     . . o o",
        "3    . . . .",
        "2   . . . .",
        "1  x x . .",
        "   a b c d",
    ]


def test_empty_cells_of_the_homes_are_marked() -> None:
    game = ChineseCheckers(size=3, pieces=1)
    assert drawn(game, game.parse("b2/a3")).splitlines()[:3] == [
        "3    o . +",
        "2   . x .",
        "1  + . .",
    ]


def shapes(game: ChineseCheckers, text: str, kind: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(svg(game, game.parse(text)))
    return [each for each in root if kind in each.get("class", "").split()]


def middle(shape: ElementTree.Element) -> tuple[float, float]:
    """The middle of a circle or of a square."""
    if shape.tag == f"{SVG}circle":
        return float(shape.attrib["cx"]), float(shape.attrib["cy"])
    half = float(shape.attrib["width"]) / 2
    return float(shape.attrib["x"]) + half, float(shape.attrib["y"]) + half


def test_an_oblong_board_in_text() -> None:
    wide, high = ChineseCheckers(3, 2, 5), ChineseCheckers(4, 1, 2)
    assert drawn(wide, wide.start()).splitlines() == [
        "3    . . . o o",
        "2   . . . . .",
        "1  x x . . .",
        "   a b c d e",
    ]
    assert drawn(high, high.parse("b2/a3")).splitlines() == [
        "4     . +",
        "3    o .",
        "2   . x",
        "1  + .",
        "   a b",
    ]


@pytest.mark.parametrize(("size", "width"), [(3, 0), (7, 0), (9, 0), (3, 6), (5, 2)])
def test_cells_that_touch_in_the_drawing_are_neighbours(size: int, width: int) -> None:
    game = ChineseCheckers(size, width=width)
    middles = [middle(cell) for cell in shapes(game, game.show(game.start()), "cell")]
    assert len(middles) == size * (width or size)
    for cell, at in enumerate(middles):
        close = {other for other, to in enumerate(middles) if 0 < dist(at, to) < 1.2 * PITCH}
        assert close == set(game.board.steps[cell])
        assert all(abs(dist(at, middles[other]) - PITCH) < 0.2 for other in close)


@pytest.mark.parametrize("width", [0, 4, 15])
def test_the_first_rank_is_at_the_bottom_and_everything_is_on_the_sheet(width: int) -> None:
    game = ChineseCheckers(9, 6, width)
    root = ElementTree.fromstring(svg(game, game.start()))
    _, _, right, bottom = map(float, root.attrib["viewBox"].split())
    cells = [middle(cell) for cell in root if "cell" in cell.get("class", "").split()]
    assert cells[0][1] == max(y for _, y in cells)
    labels = [
        (float(each.attrib["x"]), float(each.attrib["y"])) for each in root.iter(f"{SVG}text")
    ]
    assert len(labels) == 9 + (width or 9)
    room = PITCH * 0.45
    assert all(room <= x <= right - room and room <= y <= bottom - room for x, y in cells)
    assert all(0 < x < right and 10 < y < bottom for x, y in labels)


def test_the_sides_differ_in_shape_and_stand_where_the_position_says() -> None:
    game = ChineseCheckers()
    text = "c3,d4/e2,b1"
    cells = {each[0].text: middle(each) for each in shapes(game, text, "cell")}
    movers, others = shapes(game, text, "mover"), shapes(game, text, "other")
    assert {each.tag for each in movers} == {f"{SVG}circle"}
    assert {each.tag for each in others} == {f"{SVG}rect"}
    assert [middle(each) for each in movers] == [cells["c3"], cells["d4"]]
    for square, cell in zip(others, ("b1", "e2"), strict=True):
        assert middle(square) == pytest.approx(cells[cell])
    assert len(shapes(game, text, "home")) == 4


def test_the_title_says_the_position() -> None:
    game = ChineseCheckers()
    root = ElementTree.fromstring(svg(game, game.start()))
    assert (root.findtext(f"{SVG}title") or "").startswith("a1,b1/f7,g7: ")

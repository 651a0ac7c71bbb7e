"""Pictures are well-formed, follow the theme on pages and stand alone as files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backroll import load, solve
from backroll.analysis import maps
from backroll.database import Database
from backroll.games.pig import Pig
from backroll.web.pages import charts, grids, surfaces
from backroll.web.pages.charts import Mark, Series, lines, standing_alone, ticks
from test_board_style import contrast

CSS = (Path(charts.__file__).parent / "pages.css").read_text()
NS = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def policy() -> dict[str, Any]:
    game = load("pig:target=10,piglet=yes")
    assert isinstance(game, Pig)
    return maps.policy(game, Database.of(solve(game)))


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{NS}text")]


def test_a_chart_names_its_lines_and_axes() -> None:
    series = [Series("one & two", [(0, 0.2), (4, 0.8)]), Series("three", [(0, 0.5), (4, 0.1)])]
    svg = lines(series, "t<itle", across="step", up="chance", share=True, marks=[Mark(4, 0.8, "!")])
    tree = ElementTree.fromstring(svg)
    assert tree.get("aria-label") == "t<itle"
    assert {"one & two", "three", "step", "chance", "20 %"} <= set(texts(svg))
    drawn = list(tree.iter(f"{NS}polyline"))
    assert len(drawn) == 2
    assert drawn[0].get("stroke-dasharray") != drawn[1].get("stroke-dasharray")
    assert len(list(tree.iter(f"{NS}circle"))) == 1


def test_a_chart_of_nothing_is_drawn() -> None:
    ElementTree.fromstring(lines([Series("none", [])], "", across="", up=""))


def test_a_file_has_colours_of_its_own() -> None:
    svg = lines([Series("a", [(0, 1)])], "t", across="x", up="y")
    assert "var(--blue,#0b5cad)" in svg
    alone = standing_alone(svg)
    assert "var(" not in alone
    assert "#0b5cad" in alone
    assert ElementTree.fromstring(alone)[0].tag == f"{NS}rect"


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_are_round_and_inside(low: float, wide: float) -> None:
    found = ticks(low, low + wide)
    slack = 1e-6 * max(1.0, abs(low), wide)
    assert 2 <= len(found) <= 13
    assert all(low - slack <= each <= low + wide + slack for each in found)


@pytest.mark.parametrize("degrees", [0, 90, 215, 359])
def test_the_surface_has_a_piece_for_every_pair_of_scores(
    policy: dict[str, Any], degrees: int
) -> None:
    tree = ElementTree.fromstring(surfaces.surface(policy, degrees))
    said = [each.text for each in tree.iter(f"{NS}title")]
    assert len(said) == policy["target"] ** 2
    own, other = 3, 5
    assert f"{own} to {other}: hold at {surfaces.first_hold(policy, own, other)}" in said


def test_the_plan_covers_every_pair_of_scores_once(policy: dict[str, Any]) -> None:
    size = policy["target"]
    tree = ElementTree.fromstring(surfaces.plan(policy))
    areas = [each for each in tree.iter(f"{NS}path") if each.find(f"{NS}title") is not None]
    step = (536 - 16) / size
    heights = [
        float(each) for area in areas for each in re.findall(r"v-([0-9.]+)", area.get("d", ""))
    ]
    assert round(sum(heights) / (step + 0.15)) == size * size


def test_a_cut_shows_both_choices(policy: dict[str, Any]) -> None:
    assert {"roll", "hold"} <= set(texts(surfaces.cut(policy, 0)))


def test_a_map_says_stop_or_roll_in_letters() -> None:
    found = {
        "spec": "cantstop", "quantity": "win probability", "columns": [6, 7, 8], "third": 1,
        "gain": [[0.1, -0.2], [None, 0.0]],
    }  # fmt: skip
    letters = [each for each in texts(grids.stop_map(found)) if each in ("S", "R")]
    assert letters == ["S", "R", "R"]


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_ink_stands_out_on_any_colour(channels: tuple[int, int, int]) -> None:
    fill = "#" + "".join(f"{each:02x}" for each in channels)
    assert contrast(charts.ink_on(fill), fill) >= 4.5


def block(selector: str) -> dict[str, str]:
    found = re.search(re.escape(selector) + r" \{(.*?)\}", CSS, re.DOTALL)
    assert found
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", found[1]))


@pytest.mark.parametrize("theme", [":root", "body.body--dark"])
def test_texts_of_pages_stand_out(theme: str) -> None:
    colours = block(theme)
    for name in ("ink", "quiet", "blue", "good", "bad", "orange"):
        for ground in ("page", "card"):
            assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
    assert contrast(colours["on-blue"], colours["blue"]) >= 4.5
    assert contrast(colours["line"], colours["page"]) >= 3


def test_charts_have_the_light_theme_s_colours() -> None:
    colours = block(":root")
    named = re.findall(r"var\(--([a-z-]+),(#[0-9a-f]{6})\)", Path(charts.__file__).read_text())
    assert len(named) > 5
    assert all(colours[name] == colour for name, colour in named)
    assert block("body.body--dark").keys() <= colours.keys()

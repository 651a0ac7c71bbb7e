"""How pages look and are controlled: themes, names, and nothing from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from browser.board import begin

pytestmark = pytest.mark.compiled
PAGES = ["/", "/?spec=pig&first=you&second=hold", "/analyse?spec=pig:target=10", "/review",
         "/explore?view=heights"]  # fmt: skip
NAMELESS = """() => [...document.querySelectorAll("button, a, select, input, textarea, summary")]
  .filter((each) => each.checkVisibility())
  .filter((each) => !(each.ariaLabel || each.innerText?.trim() && each.tagName !== "SELECT"
    || [...(each.labels ?? [])].some((label) => label.textContent.trim())))
  .map((each) => each.outerHTML)"""
SMALL = """() => [...document.querySelectorAll("button, select, input, nav a")]
  .filter((each) => each.checkVisibility() && each.type !== "checkbox")
  .filter((each) => each.getBoundingClientRect().height < 43.5)
  .map((each) => each.outerHTML)"""


def background(page: Any) -> str:
    return str(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))


def test_the_theme_is_switched_and_kept(anywhere: Any) -> None:
    page = anywhere
    begin(page)
    light = background(page)
    page.get_by_label("Theme").select_option("dark")
    page.wait_for_function("() => document.querySelector('.backroll').dataset.theme === 'dark'")
    dark = background(page)
    assert dark != light
    page.reload()
    page.wait_for_function("() => document.querySelector('.backroll')?.dataset.theme === 'dark'")
    assert background(page) == dark
    assert not page.get_by_role("switch", name="Animation").is_checked()


@pytest.mark.parametrize("path", PAGES)
def test_every_control_has_a_name_and_room(anywhere: Any, path: str, address: str) -> None:
    page, asked = anywhere, []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path)
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate(SMALL) == []
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    assert {url for url in asked if not url.startswith((address, "data:", "blob:"))} == set()


def test_the_first_key_skips_to_the_content(page: Any) -> None:
    page.goto("/")
    page.get_by_role("button", name="Begin").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "To the page's content"
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.tagName === 'MAIN'")


@pytest.mark.parametrize("view", ["pig", "stops", "heights", "turns"])
def test_what_is_explored_is_drawn_and_kept(page: Any, view: str, tmp_path: Path) -> None:
    page.goto(f"/explore?view={view}")
    page.locator("figure.chart svg").first.wait_for()
    with page.expect_download() as kept:
        page.get_by_role("button", name="as SVG").first.click()
    kept.value.save_as(tmp_path / "chart.svg")
    tree = ElementTree.parse(tmp_path / "chart.svg").getroot()
    assert tree.tag.endswith("svg")
    assert len(tree) > 10
    assert "var(" not in (tmp_path / "chart.svg").read_text()
    with page.expect_download() as kept:
        page.get_by_role("button", name="as PNG").first.click()
    kept.value.save_as(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_rollouts_refine_and_can_be_cancelled(page: Any) -> None:
    page.goto("/analyse?spec=cantstop&position=0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0@2,3,4,5")
    page.get_by_text("Rests on:").wait_for()
    page.get_by_role("button", name="Refine by rollouts").click()
    page.get_by_text("games an option").first.wait_for()
    cancel = page.get_by_role("button", name="Cancel")
    if cancel.is_visible():
        cancel.click()
    cancel.wait_for(state="hidden")
    assert page.get_by_text("Rests on:").is_visible()

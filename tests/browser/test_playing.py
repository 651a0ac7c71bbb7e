"""A game is played in a real browser: by clicking and by keys, on a desktop and on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from browser.board import begin, choices, choose, drawn, over, said, wait

pytestmark = pytest.mark.compiled


def test_a_whole_game_by_clicking(anywhere: Any) -> None:
    page = anywhere
    begin(page)
    clicks = 0
    while not over(page):
        stop = choices(page).filter(has_text="stop")
        choose(page, "stop" if stop.count() else "")
        clicks += 1
        assert clicks < 300
    assert page.locator(".players .moves").inner_text().endswith("won")
    page.get_by_role("link", name="Review", exact=True).last.click()
    page.get_by_text("Rests on:").wait_for()
    table = page.get_by_role("table").first
    assert table.get_by_role("columnheader", name="grade").count() == 1
    assert table.get_by_role("row").count() == 3
    assert page.get_by_role("img", name="chance to win").count() == 1


def test_a_hint_and_undo(anywhere: Any) -> None:
    page = anywhere
    begin(page)
    choose(page, "roll")
    dice = page.locator(".dice").get_attribute("aria-label")
    offered = choices(page).count()
    page.get_by_role("button", name="Hint").click()
    page.get_by_text("Rests on: exact").wait_for()
    assert choices(page).filter(has_text="best").count() >= 1
    assert choices(page).filter(has_text="%").count() == offered
    before = drawn(page)
    choose(page)
    assert drawn(page) != before
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function(
        "dice => document.querySelector('.dice').getAttribute('aria-label') === dice", arg=dice
    )
    assert (drawn(page), choices(page).count()) == (before, offered)


def test_a_mistake_is_replayed(page: Any) -> None:
    # stopping with one step in a turn that no roll can lose is a mistake
    page.goto("/?spec=cantstop:sides=3,shortest=1,columns=2&first=you&second=you")
    wait(page)
    for _ in range(3):
        while not choices(page).filter(has_text="stop").count():
            choose(page)
        choose(page, "stop")
    page.get_by_role("link", name="Review", exact=True).last.click()
    page.get_by_role("button", name="replay step").first.click()
    page.get_by_role("heading", name="again").wait_for()
    assert choices(page).filter(has_text="best").count() == 1
    assert choices(page).filter(has_text="costs").count() >= 1


def test_by_keys(page: Any) -> None:
    begin(page)
    page.keyboard.press("r")
    page.wait_for_function("() => document.querySelector('.dice svg')")
    wait(page)
    before = drawn(page)
    page.keyboard.press("1")
    page.wait_for_function(
        "words => document.querySelector('.field > svg').getAttribute('aria-label') !== words",
        arg=before,
    )
    page.keyboard.press("u")
    page.wait_for_function(
        "words => document.querySelector('.field > svg').getAttribute('aria-label') === words",
        arg=before,
    )
    page.keyboard.press("h")
    page.get_by_text("Rests on:").wait_for()


def test_a_link_reopens_the_position(page: Any, new_context: Any) -> None:
    begin(page)
    choose(page, "roll")
    choose(page)
    before = drawn(page), choices(page).all_inner_texts()
    target = page.get_by_role("link", name="Link to this position").get_attribute("href")
    page.reload()
    wait(page)
    assert (drawn(page), choices(page).all_inner_texts()) == before
    other = new_context().new_page()
    other.goto(target)
    wait(other)
    assert (drawn(other), choices(other).all_inner_texts()) == before


def test_saved_games_are_found_again_and_nobody_elses(page: Any, new_context: Any) -> None:
    begin(page)
    choose(page, "roll")
    words, url = drawn(page), page.url
    page.get_by_role("link", name="New game").click()
    page.get_by_role("link", name="open cantstop").first.click()
    wait(page)
    assert (drawn(page), page.url) == (words, url)
    other = new_context().new_page()
    other.goto(url)
    other.get_by_role("alert").filter(has_text="expected a game of this session").wait_for()
    page.get_by_role("link", name="New game").click()
    page.get_by_role("button", name="delete cantstop").first.click()
    page.get_by_role("heading", name="Your games").wait_for(state="detached")


@pytest.mark.parametrize("spec", ["pig:target=20", "shutthebox", "nim"])
def test_other_games_are_played(page: Any, spec: str) -> None:
    page.goto(f"/?spec={spec}&first=you&second=random")
    wait(page)
    before = said(page)
    choose(page)
    assert said(page) != before
    page.locator("details.more summary").click()
    assert page.locator(".log li").count() >= 1


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/?spec=cantstop:sides=99", "sides"),
        ("/?spec=my_game.py:Mine", "expected a game among"),
        ("/?spec=pig&first=optimal:/etc", "without a file"),
        (f"/?spec=pig&position={'0' * 501}", "500 characters"),
        ("/?game=none", "of this session"),
        ("/analyse?spec=pig&position=many", "mover/opponent/turn"),
        ("/review?game=none", "of this session"),
    ],
)
def test_what_cannot_be_met_is_said_in_one_line(page: Any, path: str, said: str) -> None:
    page.goto(path)
    alert = page.get_by_role("alert").filter(has_text=said)
    alert.wait_for()
    assert "\n" not in alert.inner_text()


def test_undo_does_not_show_the_game_again(page: Any) -> None:
    page.goto("/?spec=cantstop:sides=3&first=you&second=you")
    wait(page)
    assert page.get_by_role("switch", name="Animation").is_checked()
    for _ in range(14):
        choose(page)
    while "stop" not in page.locator(".choices b").all_inner_texts():
        choose(page)
    before = page.locator(".choices b").all_inner_texts()
    choose(page, "stop")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function(
        "before => [...document.querySelectorAll('.choices b')]"
        ".map(each => each.textContent).join() === before",
        arg=",".join(before),
        timeout=2500,
    )
    wait(page)

"""What tests do at the board of a page."""

from __future__ import annotations

import re
from typing import Any

READY = """() => {
  const said = document.querySelector(".backroll .said")?.textContent ?? "";
  const buttons = [...document.querySelectorAll(".backroll .choices button")];
  return said.endsWith(" won.")
    || (buttons.length > 0 && buttons.every((each) => each.ariaDisabled !== "true"));
}"""


def begin(page: Any, *, sides: int = 3, shortest: int = 1, columns: int = 2) -> None:
    """Begin a game of Can't Stop against the Rule of 28, with nothing moving by itself."""
    page.goto("/")
    page.get_by_role("switch", name="Animation").uncheck()
    for label, number in (
        ("Sides of a die", sides), ("Shortest column", shortest), ("Columns to win", columns),
    ):  # fmt: skip
        page.get_by_label(label).fill(str(number))
        page.get_by_label(label).press("Tab")
    page.get_by_role("combobox", name="Second player").select_option("ruleof")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(re.compile(r"/\?game="))
    wait(page)


def wait(page: Any) -> None:
    """Until a person is to move, or the game is over."""
    page.wait_for_function(READY)


def said(page: Any) -> str:
    """The sentence about the game."""
    return str(page.locator(".backroll .said").inner_text())


def over(page: Any) -> bool:
    """Whether somebody has won."""
    return said(page).endswith(" won.")


def choices(page: Any) -> Any:
    """The buttons of the choices."""
    return page.get_by_role("group", name="choices").get_by_role("button")


def choose(page: Any, name: str = "") -> None:
    """Click a choice, the first if none is named, and wait until it is a person's turn again."""
    before = page.locator(".log li").count(), said(page)
    found = choices(page).filter(has_text=name) if name else choices(page)
    found.first.click()
    page.wait_for_function(
        "([count, text]) => document.querySelectorAll('.log li').length !== count"
        " || document.querySelector('.backroll .said').textContent !== text",
        arg=list(before),
    )
    wait(page)


def drawn(page: Any) -> str:
    """What stands on the board, in words."""
    return str(page.locator(".backroll .field > svg").get_attribute("aria-label"))

"""Makes the pictures of `play.md`: pages as Chromium shows them, and charts as they are drawn.

Run from the root of the repository, `python docs/pictures.py`; needs the extras `web` and `dev`,
and Debian's Chromium.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

from backroll import load, solve
from backroll.analysis import Analyst, maps
from backroll.arena import transcript
from backroll.database import Database
from backroll.games.pig import Pig
from backroll.strategies import strategy
from backroll.web.pages.charts import standing_alone
from backroll.web.pages.grids import stop_map
from backroll.web.pages.surfaces import surface

PICTURES = Path(__file__).parent / "pictures"
SERVE = [sys.executable, "-c", "from backroll.cli import main; main()", "serve"]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
MIDDLE = "0,0,1,2,3,4,0,0,0,0,0/0,0,0,0,0,0,5,5,0,0,0/6=5,7=6,9=2"
DESKTOP, PHONE = {"width": 1000, "height": 760}, {"width": 390, "height": 940}
PATIENCE = 120_000


@contextmanager
def served() -> Iterator[str]:
    """The address of a server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([*SERVE, "--port", str(port)])
    url = f"http://127.0.0.1:{port}"
    try:
        while server.poll() is None:
            try:
                urlopen(f"{url}/api/games").close()
                break
            except URLError:
                time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.wait()


def hinted(page: Any) -> None:
    """A game in the middle of a turn, with a hint."""
    page.goto("/?" + urlencode({"spec": "cantstop", "position": MIDDLE, "second": "model"}))
    page.get_by_role("button", name="Hint").click()
    page.get_by_text("Rests on:").wait_for()


def reviewed(page: Any) -> None:
    """A game that was played by strategies, judged."""
    game = load("cantstop:sides=3")
    played = transcript(game, [strategy("random"), strategy("ruleof")], seed=2)
    page.goto("/review")
    page.get_by_label("Transcript").fill(played.as_text())
    page.get_by_role("button", name="Review it").click()
    page.get_by_text("Rests on:").wait_for()
    page.locator("details.more").last.evaluate("each => each.removeAttribute('open')")


def charts() -> Iterator[tuple[str, str]]:
    """The pictures that need no browser."""
    game = load("pig")
    assert isinstance(game, Pig)
    yield "pig", surface(maps.policy(game, Database.of(solve(game))), 215)
    yield "stops", stop_map(maps.stops(Analyst(load("cantstop:players=1")), (6, 7, 8), 3))


def main() -> None:
    """Make every picture."""
    PICTURES.mkdir(exist_ok=True)
    for name, svg in charts():
        (PICTURES / f"{name}.svg").write_text(standing_alone(svg), encoding="utf-8")
    shots = [("play", hinted, DESKTOP, "light"), ("phone", hinted, PHONE, "dark"),
             ("review", reviewed, DESKTOP, "light")]  # fmt: skip
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        for name, makes, viewport, scheme in shots:
            context: Any = browser.new_context(
                base_url=url, viewport=viewport, color_scheme=scheme, reduced_motion="reduce"
            )
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            makes(page)
            page.evaluate("() => scrollTo(0, 0)")
            page.screenshot(path=PICTURES / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()

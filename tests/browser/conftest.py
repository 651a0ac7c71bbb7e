"""A server, and a browser that looks at it: Debian's Chromium, as no other can be counted on."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from commands import BACKROLL

REQUIRED = bool(os.environ.get("REQUIRE_BROWSER"))
if find_spec("pytest_playwright") is None and not REQUIRED:
    collect_ignore_glob = ["test_*.py"]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 60_000
"""Milliseconds: a worker may have kernels to compile before it answers."""
VIEWPORTS = {"desktop": (1200, 900), "phone": (390, 844)}


@pytest.fixture(scope="package")
def chromium() -> str:
    """The browser; without one tests are left out, unless REQUIRE_BROWSER says otherwise."""
    if CHROMIUM is None:
        if REQUIRED:
            pytest.fail("expected Chromium, found none: apt-get install chromium")
        pytest.skip("needs Chromium")
    return CHROMIUM


@pytest.fixture(scope="package")
def playwright() -> Iterator[Any]:
    """Playwright, closed with these tests: while it is open no other loop can run."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="package")
def browser(chromium: str, playwright: Any) -> Iterator[Any]:
    """One browser for all tests."""
    found = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
    yield found
    found.close()


@pytest.fixture(scope="package")
def address(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own, which keeps games in a folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    games: Path = tmp_path_factory.mktemp("games")
    command = [*BACKROLL, "serve", "--port", str(port), "--games", str(games)]
    server = subprocess.Popen(command)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(server, url)
        yield url
    finally:
        server.terminate()
        server.wait(20)


def _wait(server: subprocess.Popen[bytes], url: str) -> None:
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until and server.poll() is None:
        try:
            urlopen(f"{url}/api/games").close()
        except URLError:
            time.sleep(0.2)
        else:
            return
    pytest.fail("expected a server, found none")


@pytest.fixture(scope="package")
def browser_context_args(address: str) -> dict[str, Any]:
    """What every context has."""
    return {"base_url": address}


@pytest.fixture
def page(new_context: Any) -> Any:
    """A page of a new session."""
    return patient(new_context())


@pytest.fixture(params=VIEWPORTS)
def anywhere(request: pytest.FixtureRequest, new_context: Any) -> Any:
    """A page on a desktop and on a phone."""
    width, height = VIEWPORTS[request.param]
    phone = request.param == "phone"
    size = {"width": width, "height": height}
    return patient(new_context(viewport=size, has_touch=phone))


def patient(context: Any) -> Any:
    """A page that waits long enough for workers, and fails where its scripts do."""
    found = context.new_page()
    found.set_default_timeout(PATIENCE)
    found.on("pageerror", lambda error: pytest.fail(str(error)))
    return found

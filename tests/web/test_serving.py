"""The command: where it listens, what it says, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("nicegui")

import httpx

LINUX = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="asks the kernel of Linux")
PROGRAM = "from backroll.cli import main; main()"
WITHOUT = f"import sys; sys.modules['nicegui'] = None; {PROGRAM}"


def started(*options: str, program: str = PROGRAM) -> subprocess.Popen[str]:
    """The command, with what it says."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", program, "serve", *options]
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)


def refused(*options: str, program: str = PROGRAM) -> str:
    """The one line of a command that cannot serve."""
    process = started(*options, program=program)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("backroll: ")
    return err


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    port = free_port()
    process = started("--port", str(port), "--games", str(tmp_path / "games"))
    assert process.stdout is not None
    assert f"http://127.0.0.1:{port}/" in process.stdout.readline()
    yield process, port
    process.kill()
    process.communicate()


@LINUX
def test_it_serves_pages_and_the_api_on_the_loopback_address_alone(
    served: tuple[subprocess.Popen[str], int], tmp_path: Path
) -> None:
    process, port = served
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60) as client:
        page = client.get("/")
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        begun = client.post("/api/game", json={"spec": "pig", "first": "you", "second": "you"})
        assert begun.status_code == 201
        assert (tmp_path / "games" / f"{begun.json()['id']}.json").exists()
        assert client.get("/api/nothing").json()["error"]
        assert client.get("/nothing").status_code == 404
    inodes = {os.readlink(each) for each in Path(f"/proc/{process.pid}/fd").iterdir()}
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    heard = [row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in inodes]
    assert heard == [f"0100007F:{port:04X}"]
    process.send_signal(signal.SIGINT)
    assert process.wait(20) in (0, 130)


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "in use" in refused("--port", port)


def test_what_cannot_be_served_is_said(tmp_path: Path) -> None:
    port = ("--port", str(free_port()))
    assert "none at" in refused(*port, "--tables", str(tmp_path / "none"))
    assert "expected a file of Python" in refused(*port, "--game", str(tmp_path / "none.py"))
    (tmp_path / "file").touch()
    assert "file" in refused(*port, "--games", str(tmp_path / "file"))
    assert "none.example" in refused(*port, "--host", "none.example.invalid")


def test_without_the_extra_it_says_which() -> None:
    assert "backroll[web]" in refused(program=WITHOUT)


@LINUX
def test_workers_end_with_a_server_that_was_killed(
    served: tuple[subprocess.Popen[str], int],
) -> None:
    process, port = served
    httpx.get(f"http://127.0.0.1:{port}/api/games", trust_env=False, timeout=60)
    task = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (workers := task.read_text().split()):
        time.sleep(0.05)
    process.kill()
    process.wait()
    until = time.monotonic() + 60
    while any(Path(f"/proc/{worker}/fd/0").exists() for worker in workers):
        assert time.monotonic() < until
        time.sleep(0.05)

"""Sessions and their bounds, games that are kept, and worker processes that end."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")

from backroll.errors import BackrollError
from backroll.web.allowed import Allowed
from backroll.web.house import House, Settings
from backroll.web.sessions import Sessions, Signer, Unknown
from backroll.web.store import Store
from backroll.web.workers import Busy, Pool

SPEC = "pig:target=30"
SEATS = ("you", "you")
SLOW = """
from time import sleep

from backroll import Choice, Game, Terminal


class Slow(Game):
    players = 1

    def start(self):
        return "start"

    def node(self, position):
        if position == "slow":
            sleep(60)
        if position == "gone":
            import os

            os._exit(1)
        if position == "bad":
            raise KeyError("bad")
        return Choice(["end"]) if position != "end" else Terminal(1)

    def play(self, position, move):
        return move
"""


def sessions(folder: Path | None, **bounds: int) -> Sessions:
    return Sessions(Allowed(), Store(folder), **bounds)


def test_a_restart_goes_on_with_saved_games(tmp_path: Path) -> None:
    before = sessions(tmp_path)
    id, match = before.begin("ann" * 8, SPEC, SEATS)
    for move in ("roll", "roll", "roll"):
        if move in {each["move"] for each in match.state()["choices"]}:
            match.choose(move)
    before.save("ann" * 8, id)
    after = sessions(tmp_path)
    found = after.match("ann" * 8, id)
    assert (found.state(), found.seed) == (match.state(), match.seed)
    for each in (match, found):  # the dice go on as they would have
        while not each.over:
            each.choose(each.state()["choices"][-1]["move"])
    assert found.transcript() == match.transcript()
    with pytest.raises(Unknown):
        after.match("bob" * 8, id)


def test_the_key_is_kept_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    cookie = Signer.in_folder(tmp_path).sign("ann" * 8)
    assert Signer.in_folder(tmp_path).read(cookie) == "ann" * 8
    assert Signer().read(cookie) is None
    (key,) = tmp_path.iterdir()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.write_bytes(b"short")
    with pytest.raises(BackrollError, match="32 bytes"):
        Signer.in_folder(tmp_path)


@pytest.mark.parametrize(
    "broken",
    ["", "{", "[]", "3", '{"format": "backroll saved game 1"}', '{"format": "other"}', "\0" * 100,
     "[" * 100_000, "é".encode("latin-1"), b"x" * 1_000_001],
)  # fmt: skip
def test_broken_files_are_left_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], broken: str | bytes
) -> None:
    before = sessions(tmp_path)
    id, _ = before.begin("ann" * 8, SPEC, SEATS)
    before.save("ann" * 8, id)
    bad = tmp_path / f"{'x' * 32}.json"
    bad.write_bytes(broken if isinstance(broken, bytes) else broken.encode())
    after = sessions(tmp_path)
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert bad.exists()
    assert after.match("ann" * 8, id).seed


@pytest.mark.parametrize(
    "change",
    [{"moves": ["fly"]}, {"spec": "x.py"}, {"seats": ["weighted:x"]}, {"start": "?"},
     {"seats": []}, {"moves": ["3"] * 9}],
)  # fmt: skip
def test_a_saved_game_that_the_rules_do_not_follow_is_refused(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    before = sessions(tmp_path)
    id, _ = before.begin("ann" * 8, SPEC, SEATS)
    before.save("ann" * 8, id)
    (file,) = tmp_path.glob("*.json")
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    after = sessions(tmp_path)
    with pytest.raises(BackrollError):
        after.match("ann" * 8, id)
    assert after.games("ann" * 8) == {}


def test_the_name_of_a_file_is_the_id_of_its_game(tmp_path: Path) -> None:
    before = sessions(tmp_path)
    id, _ = before.begin("ann" * 8, SPEC, SEATS)
    before.save("ann" * 8, id)
    (tmp_path / f"{id}.json").rename(tmp_path / f"{'y' * 32}.json")
    assert sessions(tmp_path).games("ann" * 8) == {}
    with pytest.raises(AssertionError):
        Store(tmp_path).remove("../../etc/passwd")


def test_games_of_a_session_and_sessions_are_bounded(tmp_path: Path) -> None:
    held = sessions(tmp_path, sessions=3, games=2)
    ids = {}
    for owner in "abcd":
        session = owner * 22
        for number in range(3):
            ids[owner, number] = held.begin(session, SPEC, SEATS)[0]
            held.save(session, ids[owner, number])
        if owner == "c":
            held.match("a" * 22, ids["a", 1])  # touched, so that b is the oldest
    assert len(held) == 3
    assert held.games("b" * 22) == {}
    assert set(held.games("a" * 22)) == {ids["a", 1], ids["a", 2]}
    assert len(list(tmp_path.glob("*.json"))) == 6


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    held = sessions(None)
    id, _ = held.begin("ann" * 8, SPEC, SEATS)
    held.save("ann" * 8, id)
    held.remove("ann" * 8, id)
    assert not list(tmp_path.iterdir())


def within(pool: Pool, work: Callable[[], Awaitable[None]], seconds: float = 60.0) -> None:
    """Do some work while a pool is open, all of it soon."""

    async def opened() -> None:
        pool.start()
        try:
            await asyncio.wait_for(work(), seconds)
        finally:
            await pool.close()

    asyncio.run(opened())


@pytest.fixture
def slow(tmp_path: Path) -> str:
    (tmp_path / "slow.py").write_text(SLOW)
    return f"{tmp_path / 'slow.py'}:Slow"


def asked(spec: str, position: str) -> dict[str, Any]:
    return {"kind": "analyse", "spec": spec, "position": position, "by": "best"}


def test_a_worker_that_hangs_or_dies_is_replaced(slow: str) -> None:
    pool = Pool(["--game", slow], size=1, limit=4)

    async def work() -> None:
        hangs = await pool.submit("a", asked(slow, "slow"))
        dies = await pool.submit("b", asked(slow, "gone"))
        fails = await pool.submit("c", asked(slow, "bad"))
        good = await pool.submit("d", asked(slow, "start"))
        assert (await good.result())["value"] == 1
        errors = [job.error for job in (hangs, dies, fails)]
        assert [job.status for job in (hangs, dies, fails)] == ["failed"] * 3
        words = ("4 s", "gone", "bad")
        assert all(word in error for word, error in zip(words, errors, strict=True)), errors

    within(pool, work)


def test_a_cancelled_job_makes_room_at_once(slow: str) -> None:
    pool = Pool(["--game", slow], size=1)

    async def work() -> None:
        first = await pool.submit("a", asked(slow, "slow"))
        while first.status == "waiting":
            await asyncio.sleep(0.01)
        second = await pool.submit("a", asked(slow, "start"))
        assert first.status == "cancelled"
        assert (await second.result())["value"] == 1
        with pytest.raises(BackrollError, match="cancelled"):
            await first.result()

    within(pool, work)


def test_the_queue_is_bounded(slow: str) -> None:
    pool = Pool(["--game", slow], size=1, queue=2)

    async def work() -> None:
        first = await pool.submit("a", asked(slow, "slow"))
        while first.status == "waiting":
            await asyncio.sleep(0.01)
        waiting = [await pool.submit(name, asked(slow, "slow")) for name in "bc"]
        with pytest.raises(Busy):
            await pool.submit("d", asked(slow, "slow"))
        pool.cancel(waiting[0])
        await pool.submit("d", asked(slow, "slow"))
        assert pool.job("a", first.id) is first
        assert pool.job("b", first.id) is None

    within(pool, work)


def test_workers_end_with_the_pool(slow: str) -> None:
    pool = Pool(["--game", slow], size=2)
    found: list[int] = []

    async def work() -> None:
        await (await pool.submit("a", asked(slow, "start"))).result()
        found.extend(pool.processes)

    within(pool, work)
    assert len(found) == 2
    for process in found:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_a_strategy_that_cannot_be_asked_is_said_and_asked_again() -> None:
    async def work() -> None:
        house = House(Settings(workers=1))
        id, match = await house.begin("a", "nim:stones=3,piles=2", ("optimal", "you"))
        assert house.thinking(id)  # a choice without dice before it, and no worker yet
        await house.pool.close()
        while house.thinking(id):
            await asyncio.sleep(0.01)
        assert "cancelled" in house.trouble(id)
        house.open()
        while not (match.waits or match.over):
            await house.go_on("a", id)
        assert not house.trouble(id)
        await house.close()

    asyncio.run(asyncio.wait_for(work(), 60))

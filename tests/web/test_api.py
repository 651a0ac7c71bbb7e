"""The routes, asked well and badly; sessions apart; what is refused before it is read."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")

from httpx import Client

from backroll import Database, load, solve
from backroll.arena import read, replay
from backroll.database import save
from backroll.web.app import make
from backroll.web.house import Settings
from backroll.web.limits import COOKIE, LARGEST
from web.served import served, somebody

SPEC = "pig:target=10"
JSON = {"content-type": "application/json"}
FILE = '''
from backroll import Choice, Game, Terminal


class Countdown(Game):
    """Take one or two; who takes the last loses nothing."""

    players = 1

    def start(self):
        return 5

    def node(self, position):
        return Choice([1, 2]) if position > 1 else Terminal(position)

    def play(self, position, move):
        return position - move
'''


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("web")
    (folder / "tables").mkdir()
    save(solve(load(SPEC)), folder / "tables" / "pig")
    (folder / "countdown.py").write_text(FILE)
    return Settings(
        tables=(folder / "tables",), files=(str(folder / "countdown.py"),), saved=folder / "games"
    )


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[Client]:
    with served(make(settings)) as address, somebody(address) as client:
        yield client


@pytest.fixture
def stranger(client: Client) -> Iterator[Client]:
    """Somebody else at the same server."""
    with somebody(str(client.base_url)) as found:
        yield found


def begun(client: Client, **wanted: Any) -> Any:
    answer = client.post("/api/game", json={"spec": SPEC, "second": "hold:at=4", **wanted})
    assert answer.status_code == 201, answer.text
    return answer.json()


def played(client: Client, found: Any) -> Any:
    """The game played on to its end, by the first choice that there is."""
    while not found["over"]:
        if found["waits"]:
            move = found["state"]["choices"][0]["move"]
            answer = client.post(f"/api/game/{found['id']}/move", json={"move": move})
        else:
            answer = client.get(f"/api/game/{found['id']}")
        assert answer.status_code == 200, answer.text
        found = answer.json()
        assert not found["error"]
    return found


def finished(client: Client, answer: Any) -> Any:
    """What came of a job."""
    until = time.monotonic() + 120
    while answer["status"] in ("waiting", "running") and time.monotonic() < until:
        time.sleep(0.05)
        answer = client.get(f"/api/job/{answer['job']}").json()
    return answer


def refused(answer: Any, code: int) -> str:
    """The line that says what was wrong."""
    assert answer.status_code == code, answer.text
    said = answer.json()
    assert list(said) == ["error"]
    assert len(said["error"].splitlines()) == 1
    return str(said["error"])


def test_games_and_strategies_are_listed(client: Client, settings: Settings) -> None:
    games = client.get("/api/games").json()["games"]
    assert {"pig", "cantstop", settings.files[0] + ":Countdown"} <= {each["name"] for each in games}
    strategies = client.get("/api/strategies").json()["strategies"]
    assert all(each["strength"] and each["plays"] for each in strategies)
    assert "weighted" not in {each["name"] for each in strategies}


def test_a_position_in_a_table_is_answered_at_once(client: Client) -> None:
    answer = client.post("/api/position", json={"spec": SPEC, "position": "3/4/5"})
    found = answer.json()
    assert (answer.status_code, found["status"], found["job"]) == (200, "done", None)
    moves = found["found"]["moves"]
    database = Database.of(solve(load(SPEC)))
    probed = database.probe(load(SPEC).parse("3/4/5"))
    assert [each["move"] for each in moves] == [each["move"] for each in probed["moves"]]
    assert found["found"]["value"] == pytest.approx(probed["value"], abs=1e-12)
    assert probed.keys() <= found["found"].keys()
    assert "table" in found["found"]["basis"]["text"]


@pytest.mark.compiled
def test_a_small_board_is_solved_by_a_worker(client: Client) -> None:
    spec = "cantstop:sides=3,shortest=1"
    answer = client.post("/api/position", json={"spec": spec})
    assert answer.status_code == 202
    found = finished(client, answer.json())
    assert found["status"] == "done", found
    assert found["found"]["basis"]["exact"]
    assert found["found"]["value"] == pytest.approx(solve(load(spec)).report.value, abs=1e-9)
    again = client.post("/api/position", json={"spec": spec})  # the server has its table now
    assert again.status_code == 200
    assert again.json()["found"]["value"] == found["found"]["value"]


@pytest.mark.compiled
def test_rollouts_refine_and_end_when_cancelled(client: Client, stranger: Client) -> None:
    asked = {"spec": "cantstop", "by": "rollouts", "position": None}
    answer = client.post("/api/position", json=asked)
    assert answer.status_code == 202
    found = answer.json()
    games = set()
    while not found["found"]:
        assert found["status"] in ("waiting", "running"), found
        time.sleep(0.02)
        found = client.get(f"/api/job/{found['job']}").json()
    games.add(found["found"]["basis"]["games"])
    assert refused(stranger.get(f"/api/job/{found['job']}"), 404)
    ended = client.delete(f"/api/job/{found['job']}").json()
    assert ended["status"] in ("cancelled", "done")
    assert ended["found"]["interval"][0] <= ended["found"]["value"] <= ended["found"]["interval"][1]


def test_a_new_question_ends_the_one_before(client: Client) -> None:
    first = client.post("/api/position", json={"spec": "cantstop", "by": "rollouts"}).json()
    second = client.post("/api/position", json={"spec": "shutthebox:tiles=3"}).json()
    assert client.get(f"/api/job/{first['job']}").json()["status"] == "cancelled"
    assert finished(client, second)["status"] == "done"


def test_a_game_is_played_to_its_end_and_reviewed(client: Client) -> None:
    found = played(client, begun(client))
    assert found["state"]["phase"] == "over"
    text = client.get(f"/api/game/{found['id']}/transcript").json()["text"]
    assert replay(read(text)) == found["state"]["worth"]
    job = finished(client, client.post("/api/review", json={"transcript": text}).json())
    assert job["status"] == "done", job
    assert job["found"]["end"] == found["state"]["worth"]
    assert job["found"]["players"][0]["name"] == "you"


@pytest.mark.parametrize("second", ["optimal", "random", "you"])
def test_opponents(client: Client, second: str) -> None:
    assert played(client, begun(client, second=second))["seats"] == ["you", second]


@pytest.mark.compiled
@pytest.mark.parametrize("second", ["ruleof:28", "exact:columns", "rollout:games=20"])
def test_opponents_at_cant_stop(client: Client, second: str) -> None:
    assert played(client, begun(client, spec="cantstop:sides=3,shortest=1", second=second))["over"]


def test_a_game_of_a_file_and_a_game_alone(client: Client, settings: Settings) -> None:
    spec = settings.files[0] + ":Countdown"
    found = begun(client, spec=spec, second=None)
    assert [each["move"] for each in found["state"]["choices"]] == ["1", "2"]
    assert played(client, found)["over"]
    job = finished(client, client.post("/api/position", json={"spec": spec}).json())
    assert job["found"]["value"] == 1.0


def test_what_is_undone_is_rolled_again(client: Client) -> None:
    found = begun(client, spec="cantstop:sides=3,shortest=2", second="you")
    move = f"/api/game/{found['id']}/move"
    states = [found["state"]]
    for _ in range(6):
        choice = states[-1]["choices"][0]["move"]
        states.append(client.post(move, json={"move": choice}).json()["state"])
    undone = client.post(f"/api/game/{found['id']}/undo").json()
    before = [state for state in states[:-1] if state["position"] == undone["state"]["position"]]
    assert before[-1] == undone["state"]
    choice = undone["state"]["choices"][0]["move"]
    assert client.post(move, json={"move": choice}).json()["state"] == states[-1]


def test_a_hint_is_an_analysis_of_the_game(client: Client) -> None:
    found = begun(client)
    hint = client.post(f"/api/game/{found['id']}/hint").json()
    assert hint["found"]["position"] == found["state"]["position"]


def test_moves_out_of_turn_are_refused(client: Client) -> None:
    found = begun(client, second="you")
    move = f"/api/game/{found['id']}/move"
    assert "expected the move to be roll" in refused(client.post(move, json={"move": "hold"}), 409)
    assert "step" in refused(client.post(move, json={"move": "roll", "step": 7}), 409)
    assert "undo" in refused(client.post(f"/api/game/{found['id']}/undo"), 409)
    assert "over" in refused(client.get(f"/api/game/{found['id']}/transcript"), 409)


def test_a_session_has_its_own_games_alone(client: Client, stranger: Client) -> None:
    found = begun(client)
    stranger.get("/api/games")
    assert stranger.cookies[COOKIE] != client.cookies[COOKIE]
    place = f"/api/game/{found['id']}"
    for answer in (
        stranger.get(place),
        stranger.delete(place),
        stranger.get(f"{place}/transcript"),
        stranger.post(f"{place}/move", json={"move": "roll"}),
        stranger.post(f"{place}/undo"),
        stranger.post(f"{place}/hint"),
    ):
        refused(answer, 404)
    assert stranger.get("/api/game").json() == {"games": []}
    assert found["id"] in {each["id"] for each in client.get("/api/game").json()["games"]}
    assert client.get(place).json()["state"] == found["state"]
    assert client.delete(place).status_code == 204
    refused(client.get(place), 404)


def test_a_cookie_of_ones_own_making_is_no_session(client: Client, stranger: Client) -> None:
    begun(client)
    session, _, signature = client.cookies[COOKIE].partition(".")
    for cookie in (session, f"{session}.{signature[:-1]}x", "x" * 22, '"', f"{session}.é"):
        header = {b"Cookie": f"{COOKIE}={cookie}".encode()}
        stranger.cookies.clear()
        answer = stranger.get("/api/game", headers=header)
        assert answer.json() == {"games": []}
        assert COOKIE in answer.cookies


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(stranger: Client) -> None:
    said = stranger.get("/api/games").headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=lax" in said


@pytest.mark.parametrize(
    "spec",
    ["chess", "/etc/passwd", "game.py", "game.py:Game", "../x.py:Y", "pig:target=1001",
     "pig:target=x", "nim:stones=1000000", "", "pig\0", "\ud800", "x" * 201],
)  # fmt: skip
def test_other_games_are_refused(client: Client, spec: str) -> None:
    body = {"spec": spec, "first": "you", "second": "random"}
    answer = client.post("/api/game", content=json.dumps(body), headers=JSON)
    refused(answer, 422 if spec in ("", "\ud800") or len(spec) > 200 else 400)


@pytest.mark.parametrize(
    "second",
    ["optimal:tables/pig", "weighted:/etc/passwd", "weighted:path=x", "(weighted:x)",
     "exact:table:/etc/passwd", "exact:(table:/etc/passwd)", "rollout:base=(weighted:x)",
     "rollout:games=1000000", "rollout:adapt=true", "nobody", "hold:at=0", "((((((", "table:x"],
)  # fmt: skip
def test_strategies_with_files_are_refused(client: Client, second: str) -> None:
    refused(client.post("/api/game", json={"spec": "cantstop", "second": second}), 400)


def test_a_strategy_must_play_the_game(client: Client) -> None:
    refused(client.post("/api/game", json={"spec": "cantstop", "second": "hold"}), 400)
    refused(client.post("/api/game", json={"spec": SPEC}), 400)
    refused(client.post("/api/game", json={"spec": SPEC, "second": "ruleof"}), 400)


@pytest.mark.parametrize("position", ["", "3/4", "3/4/x", "-1/0/0", "9" * 400, "((((", "\0"])
def test_other_positions_are_refused(client: Client, position: str) -> None:
    for spec in (SPEC, "cantstop", "nim", "shutthebox", "chinesecheckers", "rookending"):
        answer = client.post("/api/position", json={"spec": spec, "position": position})
        assert answer.status_code == 400, (spec, answer.text)
        refused(client.get("/api/link", params={"spec": spec, "position": position}), 400)


@pytest.mark.parametrize("text", ["x", "{", "backroll game 1", "[" * 100_000, '{"format": 1}'])
def test_what_is_no_transcript_is_refused(client: Client, text: str) -> None:
    job = finished(client, client.post("/api/review", json={"transcript": text}).json())
    assert job["status"] == "failed"
    assert len(job["error"].splitlines()) == 1


def test_a_transcript_of_a_file_is_refused(client: Client, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    found = client.get(f"/api/game/{played(client, begun(client))['id']}/transcript").json()
    text = found["text"].replace(SPEC, f"{bad}:Game")
    job = finished(client, client.post("/api/review", json={"transcript": text}).json())
    assert job["status"] == "failed"
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "body", [{}, {"spec": 3}, {"spec": SPEC, "more": 1}, [], None, "x", {"spec": None}]
)
def test_other_bodies_are_refused(client: Client, body: Any) -> None:
    refused(client.post("/api/position", json=body), 422)


def test_bodies_are_bounded(client: Client) -> None:
    long = b'{"transcript": "' + b"x" * LARGEST + b'"}'
    assert str(f"{LARGEST:,}") in refused(client.post("/api/review", content=long), 413)
    parts = (long[at : at + 10_000] for at in range(0, len(long), 10_000))
    refused(client.post("/api/review", content=parts), 413)


def test_a_request_to_another_host_is_refused(client: Client) -> None:
    for host in ("evil.example", "evil.example:8600", "", "localhost.evil.example"):
        refused(client.get("/api/games", headers={"host": host}), 400)
    for host in ("localhost:8600", "127.0.0.1", "[::1]:8600", "LOCALHOST"):
        assert client.get("/api/games", headers={"host": host}).status_code == 200


def test_a_link_leads_back_to_the_position(client: Client) -> None:
    url = client.get("/api/link", params={"spec": SPEC, "position": "3/4/5"}).json()["url"]
    assert url == "/?spec=pig%3Atarget%3D10&position=3%2F4%2F5"
    refused(client.get("/api/link"), 422)


def test_the_api_describes_itself_without_the_internet(client: Client) -> None:
    described = client.get("/docs").text
    paths = client.get("/api/openapi.json").json()["paths"]
    assert all(path in described for path in paths)
    assert "http:" not in described
    assert "https:" not in described
    assert "src=" not in described
    refused(client.get("/api/nothing"), 404)
    refused(client.put("/api/games"), 405)

"""The API asked at random by its own description: no 500, and nothing that it does not describe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("schemathesis")

import schemathesis
from httpx import Client, Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from backroll.web.app import make
from backroll.web.house import Settings
from web.served import served, somebody

CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]
FEW = settings(
    max_examples=15, deadline=None, derandomize=True, suppress_health_check=[*HealthCheck]
)
ROUTES = [
    (path, method, mode)
    for path, methods in make(Settings()).openapi()["paths"].items()
    for method, about in methods.items()
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or about.keys() & {"parameters", "requestBody"}
]
SPECS = [
    "pig:target=10", "cantstop:sides=3,shortest=1,players=1", "nim:stones=3,piles=2",
    "shutthebox:tiles=2", "rookending", "chinesecheckers:size=3,pieces=1",
]  # fmt: skip
WORDS = [
    "0", "0/0/0", "3/4/5", "you", "optimal", "random", "hold", "ruleof", "roll", "hold:at=3", "",
    "optimal:x", "((", "\x00", "..", "/", "{", "1e999", "9" * 300, "٣", "\N{SNOWMAN}", ":=,",
    "backroll game 1\nspec\tpig\nend\t1\t0\t0", "\ud800", "[" * 400, "cantstop", "-1,5",
]  # fmt: skip
TEXTS = st.sampled_from([*SPECS, *WORDS]) | st.text(max_size=30)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(make(Settings(workers=1))) as found:
        yield found


@pytest.fixture(scope="module")
def schema(address: str) -> Any:
    return schemathesis.openapi.from_url(f"{address}/api/openapi.json")


@pytest.mark.parametrize(("path", "method", "mode"), ROUTES)
def test_forms_right_and_wrong(schema: Any, path: str, method: str, mode: GenerationMode) -> None:
    @FEW
    @given(case=schema[path][method].as_strategy(generation_mode=mode))
    def asked(case: Any) -> None:
        case.call_and_validate(checks=CHECKS)

    asked()


def test_right_forms_with_texts_that_mean_something(address: str) -> None:
    with somebody(address) as client:

        @settings(FEW, max_examples=100)
        @given(spec=st.sampled_from(SPECS) | TEXTS, words=st.tuples(TEXTS, TEXTS, TEXTS))
        def asked(spec: str, words: tuple[str, str, str]) -> None:
            position, first, second = words
            link = client.get("/api/link", params=encodable(spec=spec, position=position))
            bodies = [
                ("position", {"spec": spec, "position": position, "by": "rollouts"}),
                ("game", {"spec": spec, "first": "you", "position": position}),
                ("game", {"spec": spec, "first": "you", "second": second}),
                ("game", {"spec": spec, "first": first, "second": "you"}),
                ("review", {"transcript": position}),
            ]
            answers = [posted(client, f"/api/{route}", body) for route, body in bodies]
            games = [each.json()["id"] for each in answers[1:4] if each.status_code == 201]
            for id in games:
                moves = [posted(client, f"/api/game/{id}/move", {"move": each}) for each in words]
                asked = [client.post(f"/api/game/{id}/{each}") for each in ("hint", "undo")]
                answers += [*moves, *asked, client.get(f"/api/game/{id}/transcript")]
            for answer in (link, *answers):
                assert answer.status_code < 500, answer.text
                assert answer.status_code < 400 or len(answer.json()["error"].splitlines()) == 1

        asked()


def encodable(**texts: str) -> dict[str, str]:
    return {name: text.encode("utf-8", "replace").decode() for name, text in texts.items()}


def posted(client: Client, route: str, body: dict[str, Any]) -> Response:
    """JSON as it is, what is no Unicode included."""
    header = {"content-type": "application/json"}
    return client.post(route, content=json.dumps(body), headers=header)

"""The application: the API, the pages, and what stands before them; and the server that runs it."""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import escape
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from backroll._version import __version__
from backroll.errors import BackrollError, IllegalMove, TranscriptError
from backroll.web.answers import Slow
from backroll.web.api import router
from backroll.web.house import House, Settings
from backroll.web.limits import Bodies, Cookies, Hosts
from backroll.web.sessions import Unknown
from backroll.web.workers import Busy

SWITCH = 0.001
"""Seconds that a thread computes before another may: a fifth of what Python takes by itself."""
CODES: dict[type[BackrollError], int] = {
    Unknown: 404,
    IllegalMove: 409,
    TranscriptError: 409,
    Busy: 429,
    Slow: 429,
}
"""What is not here is 400."""


def make(settings: Settings) -> FastAPI:
    """The API alone, as an ASGI application."""
    house = House(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        house.open()
        try:
            yield
        finally:
            await house.close()

    app = FastAPI(
        title="Backroll",
        version=__version__,
        summary="Play, analyse and review games of chance and skill.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # FastAPI's pages load their scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.house = house
    app.include_router(router)
    app.add_exception_handler(BackrollError, _refused)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _refused)
    app.add_api_route("/api/{rest:path}", _nothing, include_in_schema=False)
    app.add_api_route("/docs", lambda: _described(app), include_in_schema=False)
    app.add_middleware(Cookies, signer=house.signer)
    app.add_middleware(Bodies)
    app.add_middleware(Hosts, hosts=settings.hosts)
    return app


def with_pages(settings: Settings) -> FastAPI:
    """The API and the pages; NiceGUI can be mounted once in a process."""
    from nicegui import ui

    from backroll.web.pages import add_pages

    app = make(settings)
    add_pages(app.state.house)
    ui.run_with(app, title="Backroll", dark=None, show_welcome_message=False, tailwind=False)
    return app


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens, so that whoever asks from now on is answered."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BackrollError(
            f"{host}:{port}: expected an address to listen at, found {reason}"
        ) from error


def run(app: FastAPI, listener: socket.socket) -> None:
    """Serve until interrupted."""
    sys.setswitchinterval(SWITCH)
    config = uvicorn.Config(
        app, log_level="warning", server_header=False, timeout_graceful_shutdown=2
    )
    uvicorn.Server(config).run(sockets=[listener])


def _nothing(rest: str) -> None:
    """Answer for what is not under /api, which is no page."""
    raise HTTPException(404, "expected a route of the API, found none; see /docs")


def _refused(request: Request, error: Exception) -> JSONResponse:
    """An error as one line of JSON."""
    if isinstance(error, HTTPException):
        return _said(error.status_code, str(error.detail), error.headers)
    if isinstance(error, RequestValidationError):
        return _said(422, "; ".join(map(_place, error.errors()[:5])))
    found = (code for kind, code in CODES.items() if isinstance(error, kind))
    return _said(next(found, 400), str(error))


def _said(code: int, text: str, headers: Any = None) -> JSONResponse:
    line = " ".join(text.split()).encode("utf-8", "replace").decode()[:500]
    return JSONResponse({"error": line}, code, headers)


def _place(error: Any) -> str:
    return f"{'.'.join(map(str, error['loc']))}: {error['msg']}"


def _described(app: FastAPI) -> HTMLResponse:
    """The API on one page, written from its own schema and without anything from elsewhere."""
    rows = [
        f"<tr><td>{method.upper()}<td><code>{escape(path)}</code><td>{escape(about['summary'])}"
        f"<td>{escape(about.get('description', ''))}"
        for path, methods in app.openapi()["paths"].items()
        for method, about in methods.items()
    ]
    return HTMLResponse(
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>The API of Backroll</title>"
        "<style>body{font:1rem/1.5 system-ui;margin:2rem}td{vertical-align:top;padding:.3rem}"
        "</style><h1>The API of Backroll</h1><p>The whole description is "
        "<a href='/api/openapi.json'>openapi.json</a>, for programs.</p>"
        f"<table>{''.join(rows)}</table></html>"
    )

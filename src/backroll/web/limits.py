"""What stands before every request: its host, the size of its body, and its session.

A page of somewhere else can have its name resolved to the loopback address and then talk to what
listens there; its requests still carry that name as their host, and are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backroll.web.sessions import Signer

LARGEST = 1_000_000
"""Bytes of a body."""
COOKIE = "backroll"
YEAR = 31_536_000
LOCAL = ("127.0.0.1", "localhost", "::1")


class TooLarge(Exception):
    """The body went over the limit while it was read."""


class Hosts:
    """Refuse requests to another host than those this server is known by; `*` is any."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app, self.hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it with 400."""
        if scope["type"] == "lifespan" or "*" in self.hosts or self._known(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await _refuse(send, 400, f"expected a request to {min(self.hosts)}, found another host")
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _known(self, scope: Scope) -> bool:
        host = Headers(scope=scope).get("host", "")
        name = host.partition("]")[0][1:] if host.startswith("[") else host.partition(":")[0]
        return name.lower() in self.hosts


class Bodies:
    """Refuse bodies of more than a number of bytes, whether they say so beforehand or not."""

    def __init__(self, app: ASGIApp, largest: int = LARGEST) -> None:
        self.app, self.largest = app, largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it with 413."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isascii() or not said.isdigit() or int(said[:20]) > self.largest:
            await self._refuse(send)
            return
        read, begun = 0, False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.largest:
                raise TooLarge
            return message

        async def sending(message: Message) -> None:
            nonlocal begun
            if begun or read <= self.largest:  # else it answers a body that it did not get
                begun = True
                await send(message)

        with suppress(TooLarge):
            await self.app(scope, counted, sending)
        if not begun:
            await self._refuse(send)

    async def _refuse(self, send: Send) -> None:
        await _refuse(send, 413, f"expected a body of {self.largest:,} bytes at most")


class Cookies:
    """Give every request a session, by its cookie or a new one: `request.state.session`."""

    def __init__(self, app: ASGIApp, signer: Signer) -> None:
        self.app, self.signer = app, signer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through with a session."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        found = self.signer.read(_cookie(Headers(scope=scope)))
        session = self.signer.new() if found is None else found
        scope.setdefault("state", {})["session"] = session

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and found is None:
                said = f"{COOKIE}={self.signer.sign(session)}; Path=/; Max-Age={YEAR}"
                headers = MutableHeaders(scope=message)
                headers.append("set-cookie", f"{said}; HttpOnly; SameSite=Lax")
            await send(message)

        await self.app(scope, receive, sending)


def _cookie(headers: Headers) -> str:
    try:
        cookies: SimpleCookie = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


async def _refuse(send: Send, status: int, error: str) -> None:
    body: dict[str, Any] = {"error": error}
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})

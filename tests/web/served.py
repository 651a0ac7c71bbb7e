"""A server of the application in a thread, on a port of the loopback address that was free."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import httpx
import uvicorn


@contextmanager
def served(app: Any) -> Iterator[str]:
    """The address of an application while it is served."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", ws="none")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def somebody(address: str) -> httpx.Client:
    """Somebody at a server, with a cookie jar of his own."""
    return httpx.Client(base_url=address, timeout=60, trust_env=False)

"""What a page was asked with: its session, and texts of a bounded length, as the API takes them."""

from __future__ import annotations

from nicegui import context

from backroll.errors import BackrollError

SPEC, POSITION = 200, 500
"""Characters at most."""


def session_here() -> str:
    """The session of the request for this page."""
    request = context.client.request
    assert request is not None
    return str(request.state.session)


def short(text: str, longest: int) -> str:
    """A text, unless it is too long to be what was asked for."""
    if len(text) > longest:
        raise BackrollError(f"expected {longest} characters at most, found {len(text)}")
    return text.strip()

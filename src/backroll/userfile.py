"""Import a user's file of games under a name of its own, and say where in it something failed."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from backroll.errors import SpecError
from backroll.game import Game
from backroll.parameters import unknown


class Source(NamedTuple):
    """A user's file as it was when it was imported."""

    path: str
    """As typed, so that a spec can be typed again, but without needless dots."""
    digest: str
    """The SHA-256 of its bytes."""


_SOURCES: dict[str, Source] = {}
"""By the name of the module that the file became."""


def source_of(game: type[Game[Any]]) -> Source | None:
    """The file a game was loaded from by its spec, if it was."""
    return _SOURCES.get(game.__module__)


def game_in(path: str, name: str | None) -> type[Game[Any]]:
    """The game of that name in a file, or the only one there."""
    module = _module(os.path.normpath(path))
    defined = {
        each.__name__: each
        for each in vars(module).values()
        if inspect.isclass(each) and issubclass(each, Game) and each.__module__ == module.__name__
    }
    if name is None:
        whole = [each for each in defined.values() if not inspect.isabstract(each)]
        candidates = whole or list(defined.values())
        if len(candidates) != 1:
            raise SpecError(_which(path, [each.__name__ for each in candidates]))
        return candidates[0]
    if name not in defined:
        raise SpecError(f"{path}: expected a subclass of Game, {unknown(name, defined)}")
    return defined[name]


def _which(path: str, names: list[str]) -> str:
    if not names:
        return f"{path}: expected a subclass of Game, found none"
    return f"{path}: expected one game, found {', '.join(names)}; write {path}:{names[0]}"


def _module(path: str) -> ModuleType:
    """The file as a module; the same bytes under the same path are imported once."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SpecError(f"expected a file of Python at {path}, found {reason}") from error
    digest = hashlib.sha256(content).hexdigest()
    place = "\0".join((path, os.path.abspath(path), digest))
    name = f"backroll_{Path(path).stem}_{hashlib.sha256(place.encode()).hexdigest()[:16]}"
    if name not in sys.modules:
        _SOURCES[name] = Source(path, digest)
        _execute(name, path, content)
    return sys.modules[name]


def _execute(name: str, path: str, content: bytes) -> None:
    """Run the bytes that were read, not a cached or a later version of them."""
    spec = importlib.util.spec_from_loader(name, loader=None, origin=path)
    assert spec is not None  # spec_from_loader gives None for a finder's miss only
    module = importlib.util.module_from_spec(spec)
    module.__file__ = os.path.abspath(path)
    sys.modules[name] = module  # dataclasses and annotations look their module up here
    try:
        with _beside(path):
            exec(compile(content, module.__file__, "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise SpecError(f"{path}: {told(error, module.__file__)}") from error


@contextmanager
def _beside(path: str) -> Iterator[None]:
    """Let a file import those beside it, only while it is imported itself."""
    folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with suppress(ValueError):  # the file may have taken it out itself
            sys.path.remove(folder)


def told(error: BaseException, file: str | None) -> str:
    """An error in one line: its type, its message and the line of the file it comes from.

    >>> told(ValueError("too many"), None)
    'ValueError: too many'
    """
    text = " ".join((error.msg if isinstance(error, SyntaxError) else str(error)).split())
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    line = _line(error, file)
    return f"{said} (line {line} of {os.path.basename(file or '')})" if line else said


def blamed(error: BaseException) -> str | None:
    """The same for an error that passed through the file of a user's game, and only then."""
    modules = [sys.modules[name] for name in _SOURCES if name in sys.modules]
    files = [str(module.__file__) for module in modules]
    return next((told(error, file) for file in files if _line(error, file)), None)


def _line(error: BaseException, file: str | None) -> int | None:
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == file), None)

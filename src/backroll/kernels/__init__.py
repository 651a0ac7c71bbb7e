"""Kernels: arrays in, arrays out, compiled by Numba and kept between runs.

Compiled code is kept in a folder named by a hash of every kernel source, so a change in one
kernel file can never leave a stale copy of another that calls into it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def _cache_folder() -> str:
    """Where compiled kernels of exactly these sources are kept."""
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for source in [
        here.parent / "arrays.py",
        here.parent / "played.py",
        *sorted(here.glob("*.py")),
    ]:
        digest.update(source.read_bytes())
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    root = os.environ.get("NUMBA_CACHE_DIR") or os.path.join(home, "backroll", "kernels")
    return os.path.join(root, digest.hexdigest()[:16])


def _writable(folder: str) -> bool:
    """Whether compiled code can be kept at all; a read-only home only costs compile time."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def start_without_scipy() -> None:
    """Have Numba start up without SciPy, for a process of our own that is to be quick.

    Numba looks for SciPy's BLAS, which no kernel uses and which takes 0.2 s to import.
    """
    if "scipy.linalg" not in sys.modules:
        sys.modules["scipy.linalg"] = None  # type: ignore[assignment]  # makes importing it fail
        try:
            import_module("numba.np.arraymath")
        finally:
            del sys.modules["scipy.linalg"]


CACHE_FOLDER = _cache_folder()
KEEP = _writable(CACHE_FOLDER)


def kernel(function: Function) -> Function:
    """Compile a function of arrays and scalars on its first call, and keep the result."""
    return _compiled(function)


def bare(function: Function) -> Function:
    """Compile a kernel that makes no arrays, and so need not count who holds them.

    Counting is atomic, twice for each array of each tuple that is handed on: in loops that call
    other kernels it took four fifths of the time.
    """
    return _compiled(function, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile a function that makes no arrays into each kernel that calls it."""
    return _compiled(function, inline="always", _nrt=False)


def _compiled(function: Function, **options: Any) -> Function:
    config: Any = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, CACHE_FOLDER
    try:
        made = numba.njit(cache=KEEP, nogil=True, error_model="numpy", **options)(function)
        return cast(Function, made)
    finally:
        config.CACHE_DIR = before

"""Kernels: arrays in, arrays out, compiled by Numba and kept between runs.

Compiled code is kept in a folder named by a hash of every kernel source, so a change in one
kernel file can never leave a stale copy of another that calls into it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def _cache_folder() -> str:
    """Where compiled kernels of exactly these sources are kept."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    root = os.environ.get("NUMBA_CACHE_DIR") or os.path.join(home, "backroll", "kernels")
    return os.path.join(root, digest.hexdigest()[:16])


CACHE_FOLDER = _cache_folder()


def kernel(function: Function) -> Function:
    """Compile a function of arrays and scalars on its first call, and keep the result."""
    kept, numba.config.CACHE_DIR = numba.config.CACHE_DIR, CACHE_FOLDER
    try:
        compile_later = numba.njit(cache=_writable(), nogil=True, error_model="numpy")
        return cast(Function, compile_later(function))
    finally:
        numba.config.CACHE_DIR = kept


def _writable() -> bool:
    """Whether compiled code can be kept at all; a read-only home only costs compile time."""
    try:
        os.makedirs(CACHE_FOLDER, exist_ok=True)
    except OSError:
        return False
    return os.access(CACHE_FOLDER, os.W_OK)

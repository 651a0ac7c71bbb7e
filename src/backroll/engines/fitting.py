"""Whether a table fits, asked before anything is taken."""

from __future__ import annotations

import shutil
from pathlib import Path

from backroll.errors import BackrollError

NUMBER = 8
"""Bytes."""
ASIDE = 400_000_000
"""Bytes for Python, NumPy, Numba, the kernels and the desks of a few threads."""
MEMORY = Path("/proc/meminfo")


def memory(numbers: int, anchors: int, number: int = NUMBER) -> int:
    """Bytes for the table as it is worked on, the table as it is kept, and everything else."""
    return number * (numbers + anchors) + ASIDE


def available() -> int | None:
    """Bytes of memory that a process could take now; None where the system does not say."""
    try:
        lines = MEMORY.read_text().splitlines()
    except OSError:
        return None
    found = (int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    return next((1024 * each for each in found), None)


def refuse_too_large(
    spec: str,
    numbers: int,
    anchors: int,
    out: str | Path | None,
    reserved: int = 0,
    number: int = NUMBER,
) -> None:
    """Refuse what the memory cannot hold, or what the disk cannot if a table is to be kept.

    Of the disk some bytes may be reserved already, by an earlier run. `number` is how many bytes
    one takes.
    """
    needed, there = memory(numbers, anchors, number), available()
    if there is not None and needed > there:
        raise too_large(spec, needed, there)
    if out is None:
        return
    folder = next(each for each in Path(out).absolute().parents if each.exists())
    needed, there = number * (numbers + anchors) - reserved, shutil.disk_usage(folder).free
    if needed > there:
        raise BackrollError(
            f"{spec}: expected {size(needed)} free on the disk of {folder}, found {size(there)}"
        )


def too_large(spec: str, needed: int, there: int) -> BackrollError:
    """What to say of a game that the memory cannot hold."""
    return BackrollError(
        f"{spec}: expected a game that fits, found one that needs {size(needed)} of memory "
        f"where {size(there)} are free"
    )


def size(count: float) -> str:
    """Bytes for a person.

    >>> size(9_990), size(5_729_727_936), size(2.4e22)
    ('9,990 bytes', '5.73 GB', '24,000,000,000 TB')
    """
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if count >= factor:
            scaled = count / factor
            return f"{scaled:,.0f} {unit}" if scaled >= 100 else f"{scaled:.3g} {unit}"
    return f"{count:,.0f} bytes"

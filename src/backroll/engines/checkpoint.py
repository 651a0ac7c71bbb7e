"""Work that can be interrupted: the engine's table on disk, and a journal of how far it is.

The folder beside the place of the final table has the numbers, which threads write as they go,
and `journal.json`, replaced whole once a level is done and its numbers are on the disk. Whatever
happens at whatever moment, a run that is taken up again starts behind the last level the journal
names and writes everything after it anew.

One process at a time works in the folder. The lock is the kernel's, so that it goes with the
process that has it, however that ends.
"""

from __future__ import annotations

import errno
import json
import mmap
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self

import google_crc32c
import numpy as np
from numpy.typing import NDArray

from backroll._version import __version__
from backroll.errors import TableError, WrongTable
from backroll.replacing import unfinished

try:
    import fcntl
except ImportError:  # a system without such locks: nobody is refused
    fcntl = None  # type: ignore[assignment]

JOURNAL, NUMBERS, LOCK = "journal.json", "numbers", "lock"
NEW = f"{JOURNAL}.new"
FORMAT, VERSION = "backroll checkpoint", 1
EVERY = 10.0
"""Seconds between checkpoints, at the least."""
SHARE = 20
"""A checkpoint is made when this many times as long has passed as the last one took."""
CHUNK = 1 << 24
"""Bytes written at once."""


def reserved(path: str | Path) -> int:
    """Bytes of the disk that a checkpoint of an earlier run has already."""
    numbers = unfinished(path) / NUMBERS
    return numbers.stat().st_size if numbers.exists() else 0


class Checkpoint:
    """A table on disk that is being filled, by this process alone.

    As a context it lets go of everything when something fails, and tells whoever hears of the
    failure where to find what was kept.
    """

    def __init__(
        self,
        path: str | Path,
        about: dict[str, Any],
        size: int,
        counts: Any,
        dtype: Any = np.float64,
    ) -> None:
        """Begin, or go on, with a table of so many numbers; `counts` is a dataclass of what is
        counted, as it is in the beginning."""
        self.folder = unfinished(path)
        self._about = {"format": FORMAT, "version": VERSION, "backroll": __version__, **about}
        self._saved, self._took = monotonic(), 0.0
        self.level: int | None = None
        """The last level that is done."""
        self.counts = counts
        self.seconds = 0.0
        self._lock = self._locked()
        with self:
            try:
                self._take_up()
                self._map = self._mapped(np.dtype(dtype).itemsize * size)
            except OSError as error:
                raise self._failed(error) from error
            self.table: NDArray[Any] = np.frombuffer(self._map, dtype)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            return
        if (self.folder / JOURNAL).exists():
            if not isinstance(error, WrongTable):
                error.add_note(
                    f"what is solved so far is kept in {self.folder}, "
                    "and the same command goes on from there"
                )
            os.close(self._lock)
        else:
            self.discard()

    def _failed(self, error: OSError) -> TableError:
        return TableError(f"cannot keep a checkpoint in {self.folder}: {error.strerror or error}")

    def _locked(self) -> int:
        """The lock file, open and locked; anew if its last owner has just removed it."""
        lock = self.folder / LOCK
        while True:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                raise self._failed(error) from error
            if not _lock(descriptor):
                os.close(descriptor)
                raise TableError(
                    f"{self.folder}: expected nobody at work there, found another process; "
                    "wait for it or choose another place"
                )
            if lock.exists() and os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
            os.close(descriptor)

    def _take_up(self) -> None:
        """Read the journal of an earlier run, if there is one."""
        journal = self.folder / JOURNAL
        if not journal.exists():
            return
        found = _sealed(journal)
        about = {name: found.get(name) for name in self._about}
        if about != self._about:
            name = next(name for name in self._about if about[name] != self._about[name])
            raise WrongTable(
                f"{self.folder}: expected a checkpoint with {name} {self._about[name]}, "
                f"found {about[name]}; remove the folder to start anew"
            )
        try:
            self.level, self.seconds = found["level"], found["seconds"]
            self.counts = type(self.counts)(**found["counts"])
        except (KeyError, TypeError) as error:
            raise WrongTable(
                f"{journal}: expected a level, seconds and counts, found something else ({error}); "
                f"remove {self.folder} to start anew"
            ) from error

    def _mapped(self, size: int) -> mmap.mmap:
        """The numbers, all of their place on the disk taken from the start."""
        numbers = self.folder / NUMBERS
        if self.level is not None and (not numbers.exists() or numbers.stat().st_size != size):
            found = f"{numbers.stat().st_size:,}" if numbers.exists() else "no file"
            raise WrongTable(
                f"{numbers}: expected {size:,} bytes, found {found}; "
                f"remove {self.folder} to start anew"
            )
        descriptor = os.open(numbers, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _reserve(descriptor, size)
            os.ftruncate(descriptor, size)
            return mmap.mmap(descriptor, size)
        finally:
            os.close(descriptor)

    def done(self, level: int, counts: Any, seconds: float) -> None:
        """Say that a level is done; it is kept if the last checkpoint is some time ago."""
        self.level, self.counts, self.seconds = level, counts, seconds
        if monotonic() - self._saved >= max(EVERY, SHARE * self._took):
            self.keep()

    def keep(self) -> None:
        """Put the numbers on the disk, and then the journal that says so."""
        if self.level is None:
            return
        plain = {
            **self._about,
            "level": self.level,
            "seconds": self.seconds,
            "counts": asdict(self.counts),
        }
        began, new = monotonic(), self.folder / NEW
        try:
            self._map.flush()
            with new.open("wb") as file:
                file.write(_seal(plain))
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self.folder / JOURNAL)
        except OSError as error:
            raise self._failed(error) from error
        self._saved = monotonic()
        self._took = self._saved - began

    def release(self) -> None:
        """Give back the memory of the numbers, which stay on the disk."""
        self.table = np.empty(0)
        del self._map

    def discard(self) -> None:
        """Remove what was kept: the table is whole, or nothing was solved."""
        for name in (JOURNAL, NEW, NUMBERS, LOCK):
            (self.folder / name).unlink(missing_ok=True)
        os.close(self._lock)
        with suppress(OSError):  # something of somebody else's is in it
            self.folder.rmdir()


def _lock(descriptor: int) -> bool:
    """Lock an open file; False if another process has it. A disk without locks refuses nobody."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _reserve(descriptor: int, size: int) -> None:
    """Take a file's place on the disk: a write through a map to a full disk kills the process."""
    try:
        os.posix_fallocate(descriptor, 0, size)
    except AttributeError:
        _write_out(descriptor, size)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.ENODEV):
            raise
        _write_out(descriptor, size)


def _write_out(descriptor: int, size: int) -> None:
    """Fill a file up with noughts, where places cannot be taken otherwise."""
    while (written := os.fstat(descriptor).st_size) < size:
        os.pwrite(descriptor, bytes(min(CHUNK, size - written)), written)
    os.fsync(descriptor)


def _seal(plain: dict[str, Any]) -> bytes:
    body = json.dumps(plain, indent=2).encode()
    return body + b"\n" + f"{google_crc32c.value(body):08x}\n".encode()


def _sealed(journal: Path) -> dict[str, Any]:
    body, _, seal = journal.read_bytes().rstrip(b"\n").rpartition(b"\n")
    try:
        found = json.loads(body) if f"{google_crc32c.value(body):08x}".encode() == seal else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise WrongTable(
            f"{journal}: the journal is not as it was written; "
            f"remove {journal.parent} to start anew"
        )
    return found

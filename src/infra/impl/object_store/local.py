"""Objects as files below one directory, for a single machine."""

import asyncio
import errno
import hashlib
import math
import os
import secrets
import stat
import threading
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from domain.shared.error import RequestTooLarge, Unavailable
from infra.contract.adapter import AdapterSettings, ManagedObjectStore, Place
from infra.contract.storage.object_store import (
    ObjectKey,
    ObjectNotFound,
    ObjectStoreFull,
    StoredObject,
)
from infra.contract.storage.transfer import ListedObject
from infra.impl.object_store import OBJECT_STORES
from infra.impl.shared_thread import SharedThread

_BATCH_BYTES: Final = 1024 * 1024
"""Collected before a thread writes and hashes them: a thread hop costs as much as 100 KiB."""

_READ_BYTES: Final = 256 * 1024
_LISTED_AT_ONCE: Final = 500
_STALE_S: Final = 24 * 3600
"""Age at which a temporary file belongs to a process that died; no upload lasts that long."""

_TEMPORARY: Final = ".incoming"
"""No key can name it: keys have no dots."""

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_BELOW: Final = _DIRECTORY | os.O_NOFOLLOW
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# Not blocking, or a pipe that somebody planted would hold its reader for ever.
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class LocalObjectStore:
    """Keeps objects in files that appear complete and flushed, or not at all.

    Every path is walked from the root's descriptor without following a link, so that nothing
    outside the root can be reached, whatever is planted below it.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._probing = SharedThread(self._probe)

    async def start(self) -> None:
        """Create the root and remove what processes that died left half written."""
        await asyncio.to_thread(self._prepare)

    async def aclose(self) -> None:
        """Nothing stays open between calls."""

    async def put(
        self, key: ObjectKey, chunks: AsyncIterable[bytes], *, limit_bytes: int
    ) -> StoredObject:
        writer = _Writer(self._root, key)
        try:
            rest = await _fill(writer, chunks, limit_bytes=limit_bytes)
            return await asyncio.to_thread(writer.commit, rest)
        except BaseException:
            await _finish(writer.abort)
            raise

    async def read(
        self, key: ObjectKey, *, start: int = 0, end: int | None = None
    ) -> AsyncGenerator[bytes, None]:
        reader = _Reader(self._root, key)
        try:
            position = start
            while end is None or position < end:
                wanted = _READ_BYTES if end is None else min(_READ_BYTES, end - position)
                chunk = await asyncio.to_thread(reader.read, position, wanted)
                position += len(chunk)
                if chunk:
                    yield chunk
                if reader.is_done:
                    break
        finally:
            if not reader.is_done:
                await _finish(reader.close)

    def address(
        self, key: ObjectKey, *, now: datetime, ttl_s: int, media_type: str, disposition: str
    ) -> str:
        """Return nothing: files of this machine go through the server."""
        return ""

    async def delete(self, key: ObjectKey) -> None:
        await asyncio.to_thread(self._delete, key)

    async def probe(self) -> None:
        await self._probing()

    async def listed(self, *, after: str = "") -> AsyncGenerator[ListedObject, None]:
        """Yield all objects with a greater key, by key."""
        found = walk(self._root, after=after)
        while batch := await asyncio.to_thread(lambda: list(islice(found, _LISTED_AT_ONCE))):
            for item in batch:
                yield item

    def _prepare(self) -> None:
        with _translated():
            self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
            with _temporary_directory(self._root) as directory:
                oldest = _touch(directory) - _STALE_S  # by the clock of the file system
                with os.scandir(directory) as entries:
                    stale = [e.name for e in entries if _written_at(e) < oldest]
                for name in stale:
                    with suppress(FileNotFoundError):  # another process cleans up too
                        os.unlink(name, dir_fd=directory)

    def _delete(self, key: ObjectKey) -> None:
        *directories, name = key.value.split("/")
        with (
            _translated(),
            suppress(FileNotFoundError),
            _root(self._root) as root,
            _descend(root, directories) as directory,
        ):
            os.unlink(name, dir_fd=directory)
            os.fsync(directory)

    def _probe(self) -> None:
        with _translated(), _temporary_directory(self._root) as directory:
            _touch(directory)


class _Writer:
    """One object being written; safe against an abort while a thread still writes."""

    def __init__(self, root: Path, key: ObjectKey) -> None:
        self._root = root
        *self._directories, self._name = key.value.split("/")
        self._temporary = secrets.token_hex(16)
        self._lock = threading.Lock()
        self._descriptor = -1
        self._is_aborted = False
        self._is_committed = False
        self._hash = hashlib.sha256()
        self._size = 0

    def write(self, batch: list[bytes]) -> None:
        with self._lock, _translated():
            if not self._is_aborted:
                self._write(batch)

    def _write(self, batch: list[bytes]) -> None:
        if self._descriptor < 0:
            with _temporary_directory(self._root) as directory:
                self._descriptor = os.open(self._temporary, _CREATE, 0o600, dir_fd=directory)
        for chunk in batch:
            self._hash.update(chunk)
            self._size += len(chunk)
            rest = memoryview(chunk)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]

    def commit(self, batch: list[bytes]) -> StoredObject:
        """Write the rest and flush, then move the file to its place and flush that too."""
        with self._lock, _translated():
            if self._is_aborted:
                raise Unavailable("The write was given up.")
            self._write(batch)
            os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1
            with (
                _temporary_directory(self._root) as source,
                _root(self._root) as root,
                _descend(root, self._directories, create=True) as target,
            ):
                os.rename(self._temporary, self._name, src_dir_fd=source, dst_dir_fd=target)
                self._is_committed = True
                os.fsync(target)
            return StoredObject(size=self._size, sha256=self._hash.hexdigest())

    def abort(self) -> None:
        """Remove every trace, also of an object that was committed a moment ago."""
        with self._lock, suppress(OSError):
            self._is_aborted = True
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1
            if self._is_committed:
                with _root(self._root) as root, _descend(root, self._directories) as directory:
                    os.unlink(self._name, dir_fd=directory)
            else:
                with _temporary_directory(self._root) as directory:
                    os.unlink(self._temporary, dir_fd=directory)


class _Reader:
    """One object being read; safe against a close while a thread still reads."""

    def __init__(self, root: Path, key: ObjectKey) -> None:
        self._root = root
        self._key = key
        self._lock = threading.Lock()
        self._descriptor = -1
        self._size = 0
        self.is_done = False
        """Nothing is open, or will be."""

    def read(self, position: int, size: int) -> bytes:
        """Return a part; with the end of the object the file is closed in the same hop."""
        with self._lock, _translated():
            if self.is_done:
                return b""
            if self._descriptor < 0:
                self._descriptor = self._open()
                self._size = os.fstat(self._descriptor).st_size
            chunk = os.pread(self._descriptor, size, position)
            if not chunk or position + len(chunk) >= self._size:
                self._close()
            return chunk

    def close(self) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        self.is_done = True
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _open(self) -> int:
        *directories, name = self._key.value.split("/")
        with _root(self._root) as root:
            try:
                with _descend(root, directories) as directory:
                    descriptor = os.open(name, _READ, dir_fd=directory)
            except OSError as exc:
                if exc.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
                    raise ObjectNotFound("No object under this key.") from exc
                raise
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise ObjectNotFound("No object under this key.")
        return descriptor


async def _fill(writer: _Writer, chunks: AsyncIterable[bytes], *, limit_bytes: int) -> list[bytes]:
    """Write all but the last batch, which is returned."""
    batch: list[bytes] = []
    size = pending = 0
    async for chunk in chunks:
        size += len(chunk)
        if size > limit_bytes:
            raise RequestTooLarge(f"The object has more than {limit_bytes} bytes.")
        batch.append(chunk)
        pending += len(chunk)
        if pending >= _BATCH_BYTES:
            await asyncio.to_thread(writer.write, batch)
            batch, pending = [], 0
    return batch


def _touch(directory: int) -> float:
    """Write a file and remove it again; return when that was."""
    name = f"probe-{secrets.token_hex(8)}"
    descriptor = os.open(name, _CREATE, 0o600, dir_fd=directory)
    try:
        os.write(descriptor, b"probe")
        return os.fstat(descriptor).st_mtime
    finally:
        os.close(descriptor)
        os.unlink(name, dir_fd=directory)


def _written_at(entry: os.DirEntry[str]) -> float:
    with suppress(FileNotFoundError):
        return entry.stat(follow_symlinks=False).st_mtime
    return math.inf


@contextmanager
def _root(path: Path) -> Iterator[int]:
    descriptor = os.open(path, _DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _temporary_directory(path: Path) -> Iterator[int]:
    with _root(path) as root, _descend(root, [_TEMPORARY], create=True) as directory:
        yield directory


@contextmanager
def _descend(root: int, names: list[str], *, create: bool = False) -> Iterator[int]:
    """Open a directory below ``root``, one name at a time and never through a link."""
    current = os.dup(root)
    try:
        for name in names:
            below = _enter(current, name, create=create)
            os.close(current)
            current = below
        yield current
    finally:
        os.close(current)


def _enter(parent: int, name: str, *, create: bool) -> int:
    try:
        return os.open(name, _BELOW, dir_fd=parent)
    except FileNotFoundError:
        if not create:
            raise
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=parent)
        # A folder that is not on disk when power fails takes along what was flushed inside it.
        os.fsync(parent)
    return os.open(name, _BELOW, dir_fd=parent)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        if exc.errno in _FULL:
            raise ObjectStoreFull("The object store has no room left.") from exc
        raise Unavailable("The object store is unavailable; try again.") from exc


async def _finish(cleanup: Callable[[], None]) -> None:
    """Run ``cleanup`` to its end in a thread, even if the caller is cancelled meanwhile."""
    await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, cleanup))


def walk(folder: Path, *, after: str, prefix: str = "") -> Iterator[ListedObject]:
    """Yield objects with a greater key; a folder sorts where its name with a slash does."""
    try:
        with os.scandir(folder) as entries:
            # No key has dots: what has one is no object.
            found = [(_name(entry, prefix), entry) for entry in entries if "." not in entry.name]
    except FileNotFoundError:
        return
    for name, entry in sorted(found, key=lambda pair: pair[0]):
        if entry.is_dir(follow_symlinks=False):
            if name > after or after.startswith(name):
                yield from walk(Path(entry.path), after=after, prefix=name)
        elif name > after and entry.is_file(follow_symlinks=False):
            yield ListedObject(ObjectKey(name), entry.stat(follow_symlinks=False).st_size)


def _name(entry: os.DirEntry[str], prefix: str) -> str:
    return f"{prefix}{entry.name}{'/' if entry.is_dir(follow_symlinks=False) else ''}"


class LocalObjects(AdapterSettings, frozen=True, kw_only=True):
    """Files under the data directory."""

    def build(self, place: Place) -> ManagedObjectStore:
        return LocalObjectStore(place.data / "objects")


OBJECT_STORES.register("local")(LocalObjects)

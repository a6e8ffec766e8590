"""Collections as SQLite files of one directory: opened on first use, closed when too many are."""

import asyncio
import functools
import json
import os
import re
import secrets
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

from domain.shared.error import Unavailable
from infra.contract.storage import search_index as port

P = ParamSpec("P")
T = TypeVar("T")

_NAME: Final = re.compile("[a-z0-9_]{1,64}")
_OPEN_FILES: Final = 64
_BUSY_S: Final = 10.0
_PAGE_BYTES: Final = 8192
_COMPANIONS: Final = ("", "-wal", "-shm", "-journal")

ENTRY_COLUMNS: Final = (
    "id INTEGER PRIMARY KEY, document_id INTEGER NOT NULL, slice_id INTEGER NOT NULL,"
    " generation INTEGER NOT NULL, creator_id INTEGER NOT NULL"
)


class SqliteFile:
    """One open collection: a connection for the writer, one per concurrent reader."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._inode = path.stat().st_ino
        self._writer_lock = threading.Lock()
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self._idle: list[sqlite3.Connection] = []
        self._users = 0
        self._is_closed = False
        self.known_properties: Mapping[str, object] | None = None
        """What the collection was created with, as soon as somebody read it."""

    @property
    def is_current(self) -> bool:
        """Whether the file is still the one at its path; another process may have dropped it."""
        try:
            return self._path.stat().st_ino == self._inode
        except FileNotFoundError:
            return False

    @property
    def properties(self) -> Mapping[str, object]:
        """What the collection was created with; read once, as it never changes."""
        if self.known_properties is None:
            with self.reading() as connection:
                self.known_properties = properties(connection)
        return self.known_properties

    @property
    def is_idle(self) -> bool:
        return self._users == 0

    def hold(self) -> None:
        """Keep the connections open until ``release``."""
        with self._lock:
            self._users += 1

    def release(self) -> None:
        """End a ``hold``."""
        with self._lock:
            self._users -= 1
            if self._is_closed and self._users == 0:
                self._close_all()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read one state of the file."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or connect(self._path)
        try:
            connection.execute("BEGIN")
            yield connection
            connection.execute("ROLLBACK")
        except BaseException:
            connection.close()
            raise
        with self._lock:
            self._idle.append(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Write all or nothing; a connection that met an error is not used again."""
        with self._writer_lock:
            connection, self._writer = self._writer or connect(self._path), None
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            self._writer = connection

    def close(self) -> None:
        """Close now, or when the last user is done."""
        with self._lock:
            self._is_closed = True
            if self._users == 0:
                self._close_all()

    def _close_all(self) -> None:
        connections = [*self._idle, *([self._writer] if self._writer else [])]
        self._idle, self._writer = [], None
        for connection in connections:
            connection.close()


class SqliteFiles:
    """The collections of one kind in a directory; what is done with them is done in threads.

    In those of the process: workspaces have turns there, and one that uses much has one thread.
    """

    def __init__(self, root: Path, *, kind: str, schema: Sequence[str]) -> None:
        self._root = root
        self._kind = kind
        self._schema = schema
        self._files: OrderedDict[str, SqliteFile] = OrderedDict()
        self._lock = threading.Lock()
        self._is_quiet = threading.Condition()
        self._working = 0

    async def start(self) -> None:
        """Create the directory."""
        await self.run(functools.partial(self._root.mkdir, parents=True, exist_ok=True))

    async def aclose(self) -> None:
        """Wait for running work and close every file."""
        await asyncio.to_thread(self._rest)
        with self._lock:
            for file in self._files.values():
                file.close()
            self._files.clear()

    async def run(self, work: Callable[[], T]) -> T:
        """Do blocking work in a thread; name its failures."""
        try:
            return await asyncio.get_running_loop().run_in_executor(None, self._counted, work)
        except (sqlite3.Error, OSError) as exc:
            raise Unavailable(f"The {self._kind} index cannot be used.") from exc

    def _counted(self, work: Callable[[], T]) -> T:
        with self._is_quiet:
            self._working += 1
        try:
            return work()
        finally:
            with self._is_quiet:
                self._working -= 1
                self._is_quiet.notify_all()

    def _rest(self) -> None:
        """Wait for what goes on though nobody awaits it any more."""
        with self._is_quiet:
            self._is_quiet.wait_for(lambda: not self._working)

    async def on(
        self,
        name: str,
        work: Callable[Concatenate[SqliteFile, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do blocking work with a collection's file. Raises ``CollectionNotFound``."""

        def call() -> T:
            with self._opened(name) as file:
                return work(file, *args, **kwargs)

        return await self.run(call)

    async def open(self, name: str) -> None:
        """Make sure that there is a collection. Raises ``CollectionNotFound``."""
        if self._known(name) is None:
            await self.on(name, lambda _: None)

    async def ensure(self, name: str, properties: dict[str, str | int]) -> None:
        """Make a collection with these properties unless there is one."""
        file = self._known(name)
        if file is None or file.known_properties != properties:
            await self.run(functools.partial(self.create, name, properties))

    def _known(self, name: str) -> SqliteFile | None:
        """Return a collection that is open, and there.

        That needs no thread: the system knows an open file, and says so at once.
        """
        file = self._files.get(name)
        return file if file is not None and file.is_current else None

    def create(self, name: str, properties: dict[str, str | int]) -> None:
        """Make a file with these properties, complete or not at all, unless there is one."""
        path = self._path(name)
        if path.exists() and self._is_same(name, properties):
            return
        # By chance, not by thread: forked processes number their threads alike.
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}.new")
        connection = connect(temporary)
        try:
            connection.execute("BEGIN")
            for statement in (
                *self._schema,
                "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
            ):
                connection.execute(statement)
            set_meta(connection, "properties", json.dumps(properties, sort_keys=True))
            set_meta(connection, "identity", secrets.token_hex(8))
            connection.execute("COMMIT")
            # All of it into the file itself: the log beside it is not taken along to its place.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.close()
        try:
            # A link and no rename, which would replace what another process has made meanwhile.
            path.hardlink_to(temporary)
        except FileExistsError:  # somebody was faster
            self._is_same(name, properties)
        finally:
            remove(temporary)

    def _is_same(self, name: str, wanted: Mapping[str, str | int]) -> bool:
        """Tell whether the file is there; raise ``CollectionDiffers`` if it is another one."""
        try:
            with self._opened(name) as file:
                if file.properties != wanted:
                    raise port.CollectionDiffers(
                        f"The collection {name} exists with other properties.", name=name
                    )
        except port.CollectionNotFound:  # dropped just now
            return False
        return True

    def drop(self, name: str) -> None:
        """Remove the file; who still reads it finishes on the old one."""
        path = self._path(name)
        with self._lock:
            file = self._files.pop(name, None)
        if file is not None:
            file.close()
        remove(path)
        for unfinished in path.parent.glob(f"{path.name}.*.new"):  # of processes that were killed
            remove(unfinished)

    def check(self) -> None:
        """Raise ``OSError`` if files cannot be made and read."""
        if not os.access(self._root, os.R_OK | os.W_OK | os.X_OK):
            raise PermissionError(f"{self._root} cannot be written.")

    def names(self, prefix: str) -> list[str]:
        """Return the collections that exist, sorted."""
        ending = f".{self._kind}.db"
        found = (path.name.removesuffix(ending) for path in self._root.glob(f"*{ending}"))
        return sorted(name for name in found if name.startswith(prefix))

    @contextmanager
    def _opened(self, name: str) -> Iterator[SqliteFile]:
        with self._lock:
            file = self._files.get(name)
            if file is not None and not file.is_current:
                del self._files[name]
                file.close()
                file = None
            if file is None:
                path = self._path(name)
                if not path.exists():
                    raise port.CollectionNotFound(f"There is no collection {name}.", name=name)
                file = self._files[name] = SqliteFile(path)
            self._files.move_to_end(name)
            file.hold()  # under the lock, so that nobody closes it in between
            self._close_surplus()
        try:
            yield file
        finally:
            file.release()

    def _close_surplus(self) -> None:
        idle = [name for name, file in self._files.items() if file.is_idle]
        for name in idle[: max(0, len(self._files) - _OPEN_FILES)]:
            self._files.pop(name).close()

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise port.UnfitEntry("Collection names match [a-z0-9_]{1,64}.", name=name)
        return self._root / f"{name}.{self._kind}.db"


def connect(path: Path) -> sqlite3.Connection:
    """Open a file for any thread, one at a time; commits are on disk when they return."""
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, timeout=_BUSY_S
    )
    for statement in (
        f"PRAGMA page_size = {_PAGE_BYTES}",
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA cache_size = -16000",
        "PRAGMA temp_store = MEMORY",
    ):
        connection.execute(statement)
    return connection


def remove(path: Path) -> None:
    """Delete a file with what SQLite keeps beside it."""
    for ending in _COMPANIONS:
        path.with_name(path.name + ending).unlink(missing_ok=True)


def meta(connection: sqlite3.Connection, name: str) -> str | int | None:
    """Return a property of the file."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    value: str | int | None = row[0] if row else None
    return value


def meta_of(connection: sqlite3.Connection, names: Sequence[str]) -> tuple[str | int | None, ...]:
    """Return several properties of the file, at once."""
    rows: dict[str, str | int] = dict(
        connection.execute(
            "SELECT name, value FROM meta WHERE name IN (SELECT value FROM json_each(?))",
            (as_json(names),),
        ).fetchall()
    )
    return tuple(map(rows.get, names))


def properties(connection: sqlite3.Connection) -> Mapping[str, object]:
    """Return what the collection was created with."""
    found: Mapping[str, object] = json.loads(str(meta(connection, "properties")))
    return found


def set_meta(connection: sqlite3.Connection, name: str, value: str | int) -> None:
    """Change a property of the file."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))


def counter(connection: sqlite3.Connection, name: str) -> int:
    """Return a number of the file, 0 if it was never set."""
    value = meta(connection, name)
    return value if isinstance(value, int) else 0


def add_to(connection: sqlite3.Connection, name: str, amount: int) -> int:
    """Change a number of the file and return it."""
    [(value,)] = connection.execute(
        "INSERT INTO meta VALUES (?, ?)"
        " ON CONFLICT DO UPDATE SET value = value + excluded.value RETURNING value",
        (name, amount),
    ).fetchall()
    return int(value)


def scan_entries(file: SqliteFile, after: int, limit: int) -> list[port.EntryKey]:
    """Return entries by id."""
    with file.reading() as connection:
        rows = connection.execute(
            "SELECT id, document_id, slice_id, generation, creator_id FROM entry"
            " WHERE id > ? ORDER BY id LIMIT ?",
            (after, limit),
        ).fetchall()
    return [
        port.EntryKey(id=i, document_id=d, slice_id=s, generation=g, creator_id=c)
        for i, d, s, g, c in rows
    ]


def count_entries(file: SqliteFile) -> int:
    """Return how many entries there are."""
    with file.reading() as connection:
        (count,) = connection.execute("SELECT count(*) FROM entry").fetchone()
    return int(count)


def ids_to_delete(
    connection: sqlite3.Connection, ids: Sequence[int], document_ids: Sequence[int]
) -> list[int]:
    """Return which entries exist of those named by id or document."""
    rows = connection.execute(
        "SELECT id FROM entry WHERE id IN (SELECT value FROM json_each(?))"
        " OR document_id IN (SELECT value FROM json_each(?))",
        (as_json(ids), as_json(document_ids)),
    )
    return [row[0] for row in rows]


def as_json(values: Iterable[int | str]) -> str:
    """Write values for ``json_each``: any count of them, one parameter."""
    return json.dumps(list(values))


def restriction(where: port.Where) -> dict[str, str | int | None]:
    """Return a search's restriction as parameters ``documents``, ``without`` and ``creator``."""
    return {
        "documents": None if where.documents is None else as_json(where.documents),
        "without": as_json(where.without_documents),
        "creator": where.creator_id,
    }

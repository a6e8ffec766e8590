"""A whole deployment in this process: the real container behind its gate, called without a socket.

Requests are given as bytes and tuples, so that hostile ones need no client that would refuse them.
"""

import asyncio
import base64
import json
import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import unquote

from litestar.types import ASGIApp

from bootstrap.compose.container import Container
from bootstrap.configuration import load
from bootstrap.server.app import create_asgi
from bootstrap.server.lifecycle import opened
from bootstrap.server.process import ensure_ready
from infra.impl.password_hasher.argon2id import Argon2idHasher, Cost
from tests.support.process.declared import undeclared

MASTER_KEY: Final = base64.b64encode(bytes(range(100, 132))).decode()
ADMIN: Final = "pat_canaryAdministrator7Zk2mV9xT4bN8rLw3Ys6Hd1Fg5"
TIMEOUT_S: Final = 180.0
Headers = Sequence[tuple[str, str]]
Rows = Mapping[str, Counter[tuple[Any, ...]]]

_BUSY: Final = frozenset(
    {
        "audit_chain",
        "audit_log",
        "budget_period",
        "budget_portion",
        "duty",
        "inbox",
        "model_call",
        "outbox",
        "trace_text_due",
        "process_log",
        "process_report",
        "process_sample",
        "run_event",
        "usage_rollup",
    }
)
"""Tables that the background moves; whatever enters them changes another table too."""

_BUSY_COLUMNS: Final = frozenset({"last_call", "last_used_at"})
_WORK: Final = (
    "SELECT count(*) FROM run WHERE status IN ('created', 'in_progress')",
    "SELECT count(*) FROM outbox WHERE published_at IS NULL AND topic LIKE 'knowledge.%'",
    "SELECT count(*) FROM knowledge_job WHERE state IN ('waiting', 'running')",
    "SELECT count(*) FROM knowledge_preview WHERE state = 0",
    "SELECT count(*) FROM knowledge_rebuild WHERE state = 'building'",
    "SELECT count(*) FROM knowledge_copy WHERE status = 2",
    "SELECT count(*) FROM workflow_run WHERE phase IN ('created', 'running')",
    "SELECT count(*) FROM data_request WHERE state IN ('pending', 'running')",
    "SELECT count(*) FROM memory_import WHERE status IN ('waiting', 'running')",
)
"""What moves rows in the background until it is done."""


@dataclass
class Answer:
    """A response in one piece."""

    status: int
    headers: dict[str, str]
    body: bytes
    header_lines: list[tuple[bytes, bytes]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> int:
        """Code of the envelope; -1 for another body."""
        try:
            found = self.json
        except ValueError:
            return -1
        return found.get("code", 0) if isinstance(found, dict) else 0

    def __str__(self) -> str:
        return f"{self.status} {self.body[:600]!r}"


CHEAP: Final = Cost(memory_kib=64, passes=1, lanes=1)
"""Tests sign in hundreds of times; what a guess costs is the hasher's own test."""


class Deployment:
    """A running deployment and how to call it."""

    def __init__(
        self, container: Container, app: ASGIApp, data: Path, watch: sqlite3.Connection
    ) -> None:
        self.container = container
        self.data = data
        self._app: Any = app
        self._peers = 0
        self._watch = watch
        self._seen: tuple[int, Rows] = (0, {})

    async def send(
        self,
        method: str,
        target: str,
        *,
        token: str | None = None,
        body: bytes = b"",
        document: object = None,
        headers: Headers = (),
        peer: str = "192.0.2.1",
    ) -> Answer:
        """Send one request; ``document`` is sent as JSON. A failure must be a described one."""
        lines = [(name.lower().encode("latin-1"), v.encode("latin-1")) for name, v in headers]
        names = {name for name, _ in lines}
        if b"host" not in names:
            lines.append((b"host", b"coterie.example"))
        if token is not None:
            lines.append((b"authorization", f"Bearer {token}".encode()))
        if document is not None:
            body = json.dumps(document).encode()
            if b"content-type" not in names:
                lines.append((b"content-type", b"application/json"))
        if body and b"content-length" not in names and b"transfer-encoding" not in names:
            lines.append((b"content-length", str(len(body)).encode()))
        async with asyncio.timeout(TIMEOUT_S):
            answer = await _call(self._app, method, target, lines, body, peer)
        wrong = answer.status >= 400 and undeclared(method, target, answer.status, answer.body)
        assert not wrong, f"{wrong} {answer}"
        return answer

    async def call(
        self, method: str, target: str, *, token: str, document: object = None, status: int = 200
    ) -> Any:
        """Send a request that must succeed; return what its JSON says."""
        answer = await self.send(method, target, token=token, document=document)
        assert answer.status == status, f"{method} {target}: {answer}"
        return answer.json if answer.body else None

    async def upload(self, token: str, data: bytes, *, name: str = "a.txt") -> str:
        """Upload a file and return its id."""
        answer = await self.send(
            "POST",
            "/v1/files/upload",
            token=token,
            body=multipart(data, name=name),
            headers=[("content-type", "multipart/form-data; boundary=b")],
        )
        assert answer.status == 200, str(answer)
        file_id: str = answer.json["data"]["id"]
        return file_id

    def new_peer(self) -> str:
        """An address that has not failed to authenticate yet."""
        self._peers += 1
        return f"198.18.{self._peers // 250}.{self._peers % 250 + 1}"

    def rows(self) -> Rows:
        """Every stored row, by table; without what merely moves in the background."""
        (version,) = self._watch.execute("PRAGMA data_version").fetchone()
        if version != self._seen[0]:  # by others, since it was asked last
            tables = [each for each in _tables(self._watch) if each not in _BUSY]
            self._seen = version, {table: _rows_of(self._watch, table) for table in tables}
        return self._seen[1]

    def dump(self) -> bytes:
        """Everything stored in the database, as bytes to search in."""
        with closing(sqlite3.connect(self.data / "coterie.db")) as connection:
            rows = [_rows_of(connection, table) for table in _tables(connection)]
        return b"\n".join(
            value if isinstance(value, bytes) else str(value).encode()
            for table in rows
            for row in table
            for value in row
        )

    async def idle(self) -> None:
        """Wait until no run, no import and no indexing is going on."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                with closing(sqlite3.connect(self.data / "coterie.db")) as connection:
                    count = sum(connection.execute(query).fetchone()[0] for query in _WORK)
                if not count:
                    return
                await asyncio.sleep(0.01)


@asynccontextmanager
async def running(data: Path, environ: Mapping[str, str]) -> AsyncGenerator[Deployment, None]:
    """Start a deployment on ``data`` as the process would, but without a listener."""
    configuration = data / "coterie.toml"
    configuration.touch()
    settings = load(
        {
            "COTERIE_DATA_DIR": str(data),
            "COTERIE_MASTER_KEY": MASTER_KEY,
            "COTERIE_BOOTSTRAP_TOKEN": ADMIN,
            "COTERIE_CONFIG": str(configuration),
            "COTERIE_SERVE__HOSTS": "coterie.example",
            "COTERIE_CODE__PREPARE": "false",  # costs a minute of processor time each time
            "COTERIE_LIMITS__AGENT_SHORTCUTS": "1000",  # the same call is made again and again
            **environ,
        }
    )
    container = Container(settings=settings)
    container.hasher.override(Argon2idHasher(CHEAP))
    async with opened(container, serving=True):
        await ensure_ready(container)
        with closing(sqlite3.connect(data / "coterie.db")) as watch:
            yield Deployment(container, create_asgi(container), data, watch)


def multipart(
    data: bytes,
    *,
    name: str = "a.txt",
    boundary: str = "b",
    fields: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """A form with one file, and fields after it."""
    disposition = "content-disposition: form-data; name="
    after = "".join(
        f'\r\n--{boundary}\r\n{disposition}"{key}"\r\n\r\n{value}' for key, value in fields.items()
    )
    head = (
        f"--{boundary}\r\ncontent-disposition: form-data; "
        f'name="file"; filename="{name}"\r\ncontent-type: text/plain\r\n\r\n'
    )
    return head.encode() + data + after.encode() + f"\r\n--{boundary}--\r\n".encode()


def _tables(connection: sqlite3.Connection) -> list[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    return [name for (name,) in connection.execute(query) if not name.startswith("sqlite_")]


def _rows_of(connection: sqlite3.Connection, table: str) -> Counter[tuple[Any, ...]]:
    cursor = connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - a name from the catalog
    kept = [
        index for index, column in enumerate(cursor.description) if column[0] not in _BUSY_COLUMNS
    ]
    return Counter(tuple(row[index] for index in kept) for row in cursor)


async def _call(  # noqa: PLR0917 - an ASGI request has these parts
    app: Any,
    method: str,
    target: str,
    headers: list[tuple[bytes, bytes]],
    body: bytes,
    peer: str,
) -> Answer:
    raw, _, query = target.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(raw),
        "raw_path": raw.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "root_path": "",
        "headers": headers,
        "client": (peer, 40_000),
        "server": ("127.0.0.1", 80),
        "state": {},
        "extensions": {},
    }
    sent: list[dict[str, Any]] = []
    pending = [body]
    done = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        await done.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)
        if message["type"] == "http.response.body":
            # The live channel goes on for an hour: who has read of it hangs up.
            is_read = target.startswith("/admin/v1/live") and message.get("body", b"") != b""
            if is_read or not message.get("more_body", False):
                done.set()

    await app(scope, receive, send)
    start = next(message for message in sent if message["type"] == "http.response.start")
    lines = list(start.get("headers", ()))
    return Answer(
        status=start["status"],
        headers={name.decode().lower(): value.decode("latin-1") for name, value in lines},
        body=b"".join(m.get("body", b"") for m in sent if m["type"] == "http.response.body"),
        header_lines=lines,
    )

"""A whole deployment in this process: the real container behind its gate, called without a socket.

Requests are given as bytes and tuples, so that hostile ones need no client that would refuse them.
"""

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import unquote

from bootstrap.compose.container import Container
from bootstrap.configuration import load
from bootstrap.server.app import create_asgi
from bootstrap.server.lifecycle import opened
from bootstrap.server.process import ensure_ready
from infra.impl.password_hasher.argon2id import Argon2idHasher, Cost
from tests.support.process.declared import undeclared
from tests.support.process.stored import Rows, Stored, opened_store

MASTER_KEY: Final = base64.b64encode(bytes(range(100, 132))).decode()
ADMIN: Final = "pat_canaryAdministrator7Zk2mV9xT4bN8rLw3Ys6Hd1Fg5"
TIMEOUT_S: Final = 180.0
Headers = Sequence[tuple[str, str]]


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
    """A running deployment and how to call it; several processes have requests in turn."""

    def __init__(self, containers: Sequence[Container], data: Path, stored: Stored) -> None:
        self.containers = containers
        self.data = data
        self.stored = stored
        self._turns = cycle([create_asgi(each) for each in containers])
        self._peers = 0

    @property
    def container(self) -> Container:
        """What the first process consists of."""
        return self.containers[0]

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
        leaves: asyncio.Event | None = None,
    ) -> Answer:
        """Send one request; ``document`` is sent as JSON. A failure must be a described one.

        With ``leaves`` the client hangs up as soon as that is set.
        """
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
            app = next(self._turns)
            answer = await _call(app, method, target, lines, body, peer, leaves or asyncio.Event())
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
        return self.stored.rows()

    def dump(self) -> bytes:
        """Everything stored in the database, as bytes to search in."""
        return self.stored.dump()

    async def idle(self) -> None:
        """Wait until no run, no import and no indexing is going on."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                if not self.stored.is_busy():
                    return
                await asyncio.sleep(0.01)


@asynccontextmanager
async def running(
    data: Path, environ: Mapping[str, str], *, processes: int = 1
) -> AsyncGenerator[Deployment, None]:
    """Start a deployment on ``data`` as so many processes would, but without a listener."""
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
    containers = [Container(settings=settings) for _ in range(processes)]
    async with AsyncExitStack() as stack:
        for container in containers:
            container.hasher.override(Argon2idHasher(CHEAP))
            await stack.enter_async_context(opened(container, serving=True))
            await ensure_ready(container)
        stored = stack.enter_context(opened_store(containers[0].database().url))
        yield Deployment(containers, data, stored)


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


async def _call(  # noqa: PLR0917 - an ASGI request has these parts
    app: Any,
    method: str,
    target: str,
    headers: list[tuple[bytes, bytes]],
    body: bytes,
    peer: str,
    done: asyncio.Event,
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

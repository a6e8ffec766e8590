"""Empty workflows over HTTP: entry to exit, each stored, on one process with SQLite."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, cast
from urllib.parse import urlsplit

from rich.console import Console

from bench.server import Product, product

_RUNS: Final = 4000
_WARM_UP: Final = 400
_CONNECTIONS: Final = (1, 16, 64)
CANVAS: Final = {
    "nodes": [
        {
            "id": "100001",
            "type": "1",
            "data": {
                "nodeMeta": {"title": "Start"},
                "outputs": [{"name": "text", "type": "string", "required": True}],
            },
        },
        {
            "id": "900001",
            "type": "2",
            "data": {
                "nodeMeta": {"title": "End"},
                "inputs": {
                    "terminatePlan": "returnVariables",
                    "inputParameters": [
                        {
                            "name": "text",
                            "input": {
                                "type": "string",
                                "value": {
                                    "type": "ref",
                                    "content": {
                                        "source": "block-output",
                                        "blockID": "100001",
                                        "name": "text",
                                    },
                                },
                            },
                        }
                    ],
                },
            },
        },
    ],
    "edges": [{"sourceNodeID": "100001", "targetNodeID": "900001"}],
    "versions": {"loop": "v2"},
}


@dataclass(frozen=True)
class Row:
    """Synchronous runs of one load; the baseline asks the same server for its version."""

    asked: str
    connections: int
    per_second: float
    p50_ms: float
    p99_ms: float
    errors: int


class _Caller(asyncio.Protocol):
    """Sends the same request on one connection again and again."""

    def __init__(self, request: bytes, remaining: list[int], done: asyncio.Future[None]) -> None:
        self._request = request
        self._remaining = remaining
        self._done = done
        self._data = b""
        self.times: list[float] = []
        self.errors = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._send()

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, found, body = self._data.partition(b"\r\n\r\n")
        if not found:
            return
        marker = b"content-length: "
        start = head.lower().index(marker) + len(marker)
        length = int(head[start:].split(b"\r\n", 1)[0])
        if len(body) < length:
            return
        self.times.append(time.perf_counter() - self._started)
        self.errors += not head.startswith(b"HTTP/1.1 200")
        self._data = b""
        self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._done.done():
            self.errors += 1
            self._done.set_result(None)

    def _send(self) -> None:
        if not self._remaining[0]:
            if not self._done.done():
                self._done.set_result(None)
            self._transport.close()
            return
        self._remaining[0] -= 1
        self._started = time.perf_counter()
        self._transport.write(self._request)


def publish(server: Product, canvas: Mapping[str, Any] = CANVAS) -> str:
    """Make a workflow, the empty one unless told otherwise, and return its id."""
    space = server.call("GET", "/v1/workspaces")["data"]["workspaces"][0]["id"]
    body: dict[str, Any] = {
        "name": f"nodes-{len(canvas['nodes'])}",
        "description": "Returns its input.",
        "mode": 0,
    }
    made = server.call("POST", f"/admin/v1/workspaces/{space}/workflows", body)
    path = f"/admin/v1/workflows/{made['id']}"
    server.call("PUT", f"{path}/canvas", {"schema": json.dumps(canvas)})
    body = {"version": "v0.0.1", "description": "", "force": True}
    server.call("POST", f"{path}/publish", body)
    return str(made["id"])


def request_of(server: Product, method: str, path: str, body: dict[str, Any] | None) -> bytes:
    """Spell a request."""
    payload = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", f"host: {urlsplit(server.url).netloc}"]
    lines += [f"{name}: {value}" for name, value in server.headers.items()]
    lines += ["content-type: application/json", f"content-length: {len(payload)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + payload


async def load(url: str, request: bytes, *, connections: int, count: int) -> Row:
    """Send ``count`` requests over so many connections."""
    parts = urlsplit(url)
    loop = asyncio.get_running_loop()
    remaining = [count]
    started = time.perf_counter()

    async def one() -> _Caller:
        done: asyncio.Future[None] = loop.create_future()
        _, caller = await loop.create_connection(
            lambda: _Caller(request, remaining, done), parts.hostname or "", parts.port or 80
        )
        await done
        return caller

    callers = await asyncio.gather(*(one() for _ in range(connections)))
    wall = time.perf_counter() - started
    times = sorted(each for caller in callers for each in caller.times)
    return Row(
        asked="",
        connections=connections,
        per_second=len(times) / wall,
        p50_ms=times[len(times) // 2] * 1000,
        p99_ms=times[int(len(times) * 0.99)] * 1000,
        errors=sum(caller.errors for caller in callers),
    )


def measure(server: Product) -> list[Row]:
    """Both requests at every width."""
    workflow_id = publish(server)
    body = {"workflow_id": workflow_id, "parameters": {"text": "hello"}}
    requests = {
        "version (baseline)": request_of(server, "GET", "/version", None),
        "empty workflow": request_of(server, "POST", "/v1/workflow/run", body),
    }
    rows = []
    for name, request in requests.items():
        asyncio.run(load(server.url, request, connections=16, count=_WARM_UP))
        for connections in _CONNECTIONS:
            row = asyncio.run(load(server.url, request, connections=connections, count=_RUNS))
            rows.append(Row(**{**asdict(row), "asked": name}))
    return rows


def run(console: Console) -> Sequence[dict[str, Any]]:
    """Measure and return the rows."""
    with product(COTERIE_LOG__ACCESS="false") as server:
        console.print("Running empty workflows …")
        return [asdict(row) for row in measure(server)]

"""Body benchmark: how long hostile bodies keep a server from answering others.

One connection asks ``/livez`` without pause while another one sends a body; the longest wait is
shown beside the longest one of the same time without a body, which is the noise of the machine.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

from rich.console import Console

from bench.server import Product, product

MIB: Final = 1024 * 1024
QUIET_S: Final = 0.5
ROUNDS: Final = 2

_NAMES: Final = b"".join(b'"%07d":1,' % n for n in range(80_000))

SHAPES: Final[Mapping[str, Callable[[int], bytes]]] = {
    "empty lists": lambda size: b"[" + b"[]," * (size // 3 - 2) + b"[]]",
    "objects": lambda size: b"[" + b'{"a":1},' * (size // 8 - 2) + b"{}]",
    "nesting": lambda size: b"[" * (size // 2) + b"]" * (size // 2),
    "names": lambda size: b"{" + (_NAMES * (size // len(_NAMES) + 1))[: size // 12 * 12 - 1] + b"}",
    "short texts": lambda size: b"[" + b'"",' * (size // 3 - 2) + b'""]',
    "backslashes": lambda size: b'"' + b"\\" * (size // 2 * 2 - 2) + b'"',
    "zero characters": lambda size: b'"' + rb"\u0000" * (size // 6 - 1) + b'"',
    "escaped surrogates": lambda size: b'"' + rb"\ud83d\ude00" * (size // 12 - 1) + b'"',
    "one long text": lambda size: b'"' + b"a" * (size - 2) + b'"',
    "one wide character": lambda size: b'"' + b"a" * (size - 6) + "😀".encode() + b'"',
    "no utf-8": lambda size: b'"' + b"a" * (size - 3) + b'\xff"',
    "exact fractions": lambda size: (
        b"[" + (b"0." + b"1" * 26 + b"e-300,") * (size // 34 - 1) + b"1]"
    ),
    "digits": lambda size: b"1" * size,
    "one name many times": lambda size: b"{" + b'"a":[1],' * (size // 8 - 2) + b'"a":1}',
}
"""Values of about so many bytes, each of which is expensive to somebody."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The longest wait of others while a route gets a body of one shape."""

    route: str
    shape: str
    mib: float
    status: int
    waited_ms: float
    noise_ms: float


@dataclass(frozen=True, slots=True)
class Target:
    """A route, and where in its body a hostile value goes."""

    name: str
    method: str
    path: str
    size: int
    before: str
    after: str = "}"

    def body(self, value: bytes) -> bytes:
        return self.before.encode() + value + self.after.encode()


def targets(server: Product) -> Sequence[Target]:
    """One route of each class of limits, and those that read JSON in a text."""
    space = server.call("GET", "/v1/workspaces")["data"]["workspaces"][0]["id"]
    agent = server.call("GET", f"/admin/v1/workspaces/{space}/agents")["items"][0]["id"]
    made = server.call(
        "POST", f"/admin/v1/workspaces/{space}/workflows", {"name": "w", "description": "w"}
    )
    flow = f"/admin/v1/workflows/{made['id']}"
    chat = f'{{"bot_id":"{agent}","user_id":"u","additional_messages":['
    document = '{"dataset_id":"1","document_bases":[{"name":"a.txt","source_info":{'
    return [
        Target("chat", "POST", "/v3/chat", 20 * MIB, f'{chat}],"parameters":'),
        Target("chat, unknown field", "POST", "/v3/chat", 20 * MIB, f'{chat}],"x":'),
        Target(
            "chat, message of parts",
            "POST",
            "/v3/chat",
            MIB,
            f'{chat}{{"role":"user","content_type":"object_string","content":',
            "}]}",
        ),
        Target("completion", "POST", "/v1/chat/completions", 20 * MIB, '{"model":"m","messages":'),
        Target(
            "workflow run",
            "POST",
            "/v1/workflow/run",
            20 * MIB,
            f'{{"workflow_id":"{made["id"]}","parameters":',
        ),
        Target("canvas", "PUT", f"{flow}/canvas", 20 * MIB, '{"schema":{"nodes":', "}}"),
        Target("canvas check", "POST", f"{flow}/validate", 20 * MIB, '{"schema":'),
        Target("agent", "PATCH", f"/admin/v1/agents/{agent}", MIB, '{"name":'),
        Target("editor state", "PUT", f"/admin/v1/agents/{agent}/display", MIB, '{"x":'),
        Target("variables", "PUT", "/v1/variables", MIB, '{"data":'),
        Target(
            "MCP",
            "POST",
            f"/mcp/{space}",
            4 * MIB,
            '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":',
            "}}",
        ),
        Target(
            "document",
            "POST",
            "/open_api/knowledge/document/create",
            100 * MIB,
            f'{document}"document_source":0,"file_type":"txt","file_base64":',
            "}}]}",
        ),
        Target(
            "document, text",
            "POST",
            "/open_api/knowledge/document/create",
            20 * MIB,
            f'{document}"document_source":2,"custom_content":',
            "}}]}",
        ),
    ]


class Probe:
    """Somebody else, who asks and asks."""

    def __init__(self, server: Product) -> None:
        self._place = urlsplit(server.url).netloc
        self._is_over = threading.Event()
        self._longest = 0.0
        self._asking = threading.Thread(target=self._ask)

    def __enter__(self) -> "Probe":
        self._asking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._asking.join()

    def longest_ms(self) -> float:
        """Return the longest wait since the last time."""
        found, self._longest = self._longest, 0.0
        return found * 1000

    def _ask(self) -> None:
        connection = HTTPConnection(self._place, timeout=60)
        while not self._is_over.is_set():
            started = time.perf_counter()
            connection.request("GET", "/livez")
            connection.getresponse().read()
            self._longest = max(self._longest, time.perf_counter() - started)
        connection.close()


def run(console: Console) -> Sequence[Mapping[str, Any]]:
    """Send every shape to every class of route, a few times; the best round counts."""
    rows: list[Wait] = []
    with TemporaryDirectory() as data, product(Path(data)) as server, Probe(server) as probe:
        for target in targets(server):
            console.log(target.name)
            for shape, value in SHAPES.items():
                made = value(target.size - 1000)
                forms = {shape: made}
                if not made.startswith(b'"') and shape != "no utf-8":
                    text = value(target.size // 2 - 1000).decode()
                    forms[f"{shape} in a text"] = json.dumps(text).encode()
                rows += [
                    measure(server, probe, target, name, target.body(form))
                    for name, form in forms.items()
                ]
    return [asdict(row) for row in sorted(rows, key=lambda row: -row.waited_ms)]


def measure(server: Product, probe: Probe, target: Target, shape: str, body: bytes) -> Wait:
    """Send one body and return the longest wait of the others, of the best of a few rounds."""
    found = [_once(server, probe, target, body) for _ in range(ROUNDS)]
    status, waited_ms, noise_ms = min(found, key=lambda each: each[1])
    return Wait(
        route=target.name,
        shape=shape,
        mib=len(body) / MIB,
        status=status,
        waited_ms=waited_ms,
        noise_ms=noise_ms,
    )


def _once(server: Product, probe: Probe, target: Target, body: bytes) -> tuple[int, float, float]:
    probe.longest_ms()
    started = time.perf_counter()
    status = _send(server, target, body)
    lasted_s = time.perf_counter() - started
    waited_ms = probe.longest_ms()
    time.sleep(max(lasted_s, QUIET_S / ROUNDS))
    return status, waited_ms, probe.longest_ms()


def _send(server: Product, target: Target, body: bytes) -> int:
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    headers = {**server.headers, "content-type": "application/json"}
    try:
        connection.request(target.method, target.path, body, headers)
        return connection.getresponse().status
    except ConnectionError:  # refused by its length, before it was sent
        return 413
    except TimeoutError:  # a machine that is busy otherwise; the others count all the same
        return 408
    finally:
        connection.close()

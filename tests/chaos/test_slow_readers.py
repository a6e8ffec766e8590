"""Clients that take nothing, or a byte a second: they cost little, and nobody else notices."""

import asyncio
import json
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests.chaos.invariants import NO_SANDBOX
from tests.support.client.chat import Talk
from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer, running_server
from tests.support.wait import until_so
from tests.upstream.fixture import RunningUpstream

LONG = "long"
PIECES, PIECE = 300, "x" * 2000
"""What that model says: more than any socket takes unread."""

OWN_BUFFER = 4096
STALL_S = 2.0


def talkative(upstream: RunningUpstream) -> None:
    """Teach a model the long answer."""
    chunks = [{"delta": {"content": PIECE}}] * PIECES + [{"delta": {}, "finish_reason": "stop"}]
    steps: list[dict[str, Any]] = []
    for chunk in chunks:
        event = {"choices": [{"index": 0, **chunk}]}
        steps += [{"send": f"data: {json.dumps(event)}\n\n"}, {"wait_ms": 5}]
    upstream.script(LONG, [*steps, {"send": "data: [DONE]\n\n"}])


@pytest.fixture
def server(tmp_path: Path, upstream: RunningUpstream) -> Iterator[RunningServer]:
    talkative(upstream)
    environ = {
        **NO_SANDBOX,
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_MODEL": LONG,
        "COTERIE_LIMITS__STREAM_WRITE_STALL_S": str(STALL_S),
    }
    with running_server(tmp_path, environ) as server:
        yield server


@dataclass
class Readers:
    """Clients that follow one run on sockets of their own."""

    server: RunningServer
    run_id: str
    sockets: list[socket.socket] = field(default_factory=list)

    async def open(self, count: int) -> None:
        """Ask for the events and read nothing but the status."""
        url = httpx.URL(self.server.url)
        request = [
            f"GET /v1/runs/{self.run_id}/events HTTP/1.1",
            f"host: {url.host}:{url.port}",
            *(f"{name}: {value}" for name, value in self.server.headers.items()),
        ]
        loop = asyncio.get_running_loop()
        for _ in range(count):
            each = socket.socket()
            each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, OWN_BUFFER)
            each.setblocking(False)
            await loop.sock_connect(each, (url.host, url.port))
            await loop.sock_sendall(each, ("\r\n".join(request) + "\r\n\r\n").encode())
            assert b" 200 " in await loop.sock_recv(each, 15)
            self.sockets.append(each)

    async def sip(self, count: int) -> None:
        """Read one byte a second on some of them, until they are closed."""
        loop = asyncio.get_running_loop()

        async def one(each: socket.socket) -> None:
            with suppress(OSError):
                while await loop.sock_recv(each, 1):  # noqa: ASYNC110 - nothing tells of a second
                    await asyncio.sleep(1)

        async with asyncio.TaskGroup() as group:
            for each in self.sockets[:count]:
                group.create_task(one(each))

    def close(self) -> None:
        for each in self.sockets:
            each.close()


def metric(server: RunningServer, line: str) -> float:
    text = httpx.get(f"{server.url}/metrics", timeout=60).text
    found = re.search(rf"^coterie_{re.escape(line)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def started(server: RunningServer) -> dict[str, Any]:
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        return Talk(http).start(server.agent_id, "go")


def events_of(http: httpx.Client, run_id: str, *, after: int) -> str:
    return http.get(f"/v1/runs/{run_id}/events", params={"after": after}).text


async def all_given_up(server: RunningServer, count: int) -> None:
    async def are_gone() -> bool:
        return (
            metric(server, 'sse_dropped_total{reason="stalled"}') >= count
            and metric(server, "sse_subscribers") == 0
        )

    await until_so(are_gone, f"{count} readers that are given up", pause_s=0.1)


async def test_who_does_not_read_is_given_up_and_can_read_on_later(server: RunningServer) -> None:
    chat = started(server)
    process = psutil.Process(server.process.pid)
    files = process.num_fds()
    readers = Readers(server, chat["id"])
    try:
        await readers.open(25)
        memory = process.memory_info().rss
        sipping = asyncio.create_task(readers.sip(5))
        await all_given_up(server, 25)
        grown = process.memory_info().rss - memory
        with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
            assert Talk(http).wait(chat)["status"] == "completed"
            rest = events_of(http, chat["id"], after=50)
    finally:
        readers.close()
    await sipping

    numbers = [int(number) for number in re.findall(r"^id: (\d+)$", rest, re.MULTILINE)]
    assert numbers[0] > 50
    assert numbers == sorted(set(numbers))
    assert "event: run.completed" in rest
    assert grown < 60 << 20, grown
    await until_so(lambda: process.num_fds() <= files + 12, "closed connections")


@pytest.mark.long
async def test_two_hundred_who_do_not_read_disturb_nobody(
    tmp_path: Path, upstream: RunningUpstream
) -> None:
    talkative(upstream)
    environ = {
        **NO_SANDBOX,
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_MODEL": LONG,
        "COTERIE_LIMITS__STREAM_WRITE_STALL_S": "3600",
    }
    with running_server(tmp_path, environ) as server:
        seed = Seed(server, upstream)
        paced = seed.agent("tokens-100-20")
        seed.close()
        process = psutil.Process(server.process.pid)
        await whole_chats(server, paced)
        readers = Readers(server, started(server)["id"])
        memory = process.memory_info().rss
        try:
            await readers.open(250)
            sipping = asyncio.create_task(readers.sip(50))
            await whole_chats(server, paced)
            grown = process.memory_info().rss - memory
            still_there = metric(server, "sse_subscribers")
        finally:
            readers.close()
        await sipping
    assert grown <= 60 << 20, grown
    assert still_there >= 250, "the others had their answers while nobody was given up"


async def whole_chats(server: RunningServer, agent_id: str) -> None:
    """Stream twenty paced chats; each gets all of its answer."""
    body = {
        "bot_id": agent_id,
        "user_id": "u",
        "stream": True,
        "additional_messages": [{"role": "user", "content": "go", "content_type": "text"}],
    }

    async def one(http: httpx.AsyncClient) -> None:
        answer = await http.post("/v3/chat", json=body)
        assert all(f"t{number} " in answer.text for number in range(100)), answer.text[-500:]
        assert "conversation.chat.completed" in answer.text

    async with (
        httpx.AsyncClient(base_url=server.url, headers=server.headers, timeout=120) as http,
        asyncio.TaskGroup() as group,
    ):
        for _ in range(20):
            group.create_task(one(http))

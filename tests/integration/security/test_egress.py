"""T05: no message makes the server call an address of its own network, on either chat surface."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest

from tests.integration.security.tenants import Tenant
from tests.support.process.in_process import ADMIN, Answer, Deployment
from tests.upstream.fixture import RunningUpstream

_HOSTS: Final = """
127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 017700000001 0 localhost localhost. LOCALHOST
[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe]
[fe80::1] [fe80::1%25eth0] [fd00:ec2::254] [fec0::1] [2002:7f00:1::] [2001:0:7f00:1::]
[::ffff:0:127.0.0.1] 169.254.169.254 100.100.100.200 192.0.0.192 168.63.129.16 10.0.0.1
172.31.255.255 192.168.1.1 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 198.18.0.1 user@127.0.0.1
good@127.0.0.1 127.0.0.1%00.good \u2460\u2461\u2466.0.0.1 127\u30020\u30020\u30021
\uff11\uff12\uff17.0.0.1 metadata.google.internal x.local x.internal x.svc x.cluster.local
"""
HOSTS: Final = _HOSTS.split()
"""Spellings of addresses that only the server itself or its neighbours answer (NET-01)."""

FORMS: Final = [
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/",
    "dict://127.0.0.1:{port}/",
    "http://good\\@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}#@good.example/",
    "http:///127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "http:127.0.0.1:{port}/",
    "http://127.0.0.1:22/",
    "http://127.0.0.1:5432/",
    "http://[::1]:{port}/",
    "http://127.0.0.1:{port}/a b",
    "http://127.0.0.1:{port}/\r\nhost: x",
    "\thttp://127.0.0.1:{port}/",
    "javascript:alert(1)",
    "unix:///var/run/docker.sock",
    "http://" + "a" * 9000 + "/",
]


class Trap:
    """A local server that must never be called."""

    def __init__(self) -> None:
        self.port = 0
        self.calls = 0

    async def _answer(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls += 1
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 1\r\n\r\nx")
        await writer.drain()
        writer.close()

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator["Trap", None]:
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()


@pytest.fixture(scope="module")
async def trap() -> AsyncGenerator[Trap, None]:
    async with Trap().listening() as trap:
        yield trap


@pytest.fixture(scope="module")
async def seeing(deployment: Deployment, alice: Tenant, upstream: RunningUpstream) -> str:
    """An agent whose model can look at images."""
    model = await deployment.call(
        "POST",
        "/admin/v1/models",
        token=ADMIN,
        document={
            "display": {"name": "seeing"},
            "connection": {"base_url": upstream.base_url, "model": "echo", "api_key": "sk-eyes"},
            "capabilities": {"vision": True},
        },
        status=201,
    )
    agent = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{alice.ids['space']}/agents",
        token=alice.token,
        document={"name": "Seeing", "model": {"model_id": model["id"]}},
        status=201,
    )
    await deployment.call(
        "POST", f"/admin/v1/agents/{agent['id']}/publish", token=alice.token, document={}
    )
    agent_id: str = agent["id"]
    return agent_id


async def _coze(deployment: Deployment, token: str, agent_id: str, url: str, kind: str) -> Answer:
    content = [{"type": "text", "text": "Look"}, {"type": kind, "file_url": url}]
    return await deployment.send(
        "POST",
        "/v3/chat",
        token=token,
        document={
            "bot_id": agent_id,
            "user_id": "u",
            "stream": True,
            "additional_messages": [
                {
                    "role": "user",
                    "content": json.dumps(content),
                    "content_type": "object_string",
                }
            ],
        },
    )


async def _openai(deployment: Deployment, token: str, agent_id: str, url: str, kind: str) -> Answer:
    parts: dict[str, Any] = {
        "image": {"type": "image_url", "image_url": {"url": url}},
        "file": {"type": "file_url", "url": url, "name": "a.txt"},
    }
    return await deployment.send(
        "POST",
        "/v1/chat/completions",
        token=token,
        document={
            "model": agent_id,
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "Look"}, parts[kind]]}
            ],
        },
    )


WAYS: Final = [(surface, kind) for surface in (_coze, _openai) for kind in ("image", "file")]


@pytest.mark.parametrize(
    "turn", [0, *(pytest.param(turn, marks=pytest.mark.long) for turn in range(1, len(WAYS)))]
)
@pytest.mark.parametrize(
    "way", range(len(WAYS)), ids=["coze-image", "coze-file", "openai-image", "openai-file"]
)
async def test_nothing_inside_is_called(  # noqa: PLR0917 - fixtures
    way: int,
    turn: int,
    deployment: Deployment,
    alice: Tenant,
    seeing: str,
    trap: Trap,
    upstream: RunningUpstream,
) -> None:
    """Each address goes one way at a time, and all of them in the end."""
    surface, kind = WAYS[way]
    urls = [f"http://{host}:{trap.port}/x.png" for host in HOSTS]
    urls += [f"http://{host}/x.png" for host in HOSTS]
    urls += [form.replace("{port}", str(trap.port)) for form in FORMS]
    wrong: list[str] = []
    for url in urls[(way + turn) % len(WAYS) :: len(WAYS)]:
        answer = await surface(deployment, alice.token, seeing, url, kind)
        if answer.status >= 500 and answer.status != 502:
            wrong.append(f"{url}: {answer}")
        if b"root:" in answer.body:
            wrong.append(f"{url}: {answer}")
    assert not wrong, "\n".join(wrong[:20])
    assert trap.calls == 0
    shown = [part for each in upstream.requests(model="echo") for part in _images(each.body)]
    assert all(part["image_url"]["url"].startswith("data:") for part in shown)


async def test_icons_and_links_are_not_fetched(
    deployment: Deployment, alice: Tenant, trap: Trap
) -> None:
    url = f"http://127.0.0.1:{trap.port}/"
    await deployment.send(
        "POST",
        "/admin/v1/workspaces",
        token=alice.token,
        document={"name": "Icons", "icon_url": url},
    )
    for field in ("icon_url", "url", "callback_url", "webhook"):
        await deployment.send(
            "POST",
            "/v1/bot/create",
            token=alice.token,
            document={"space_id": alice.ids["space"], "name": "x", field: url},
        )

    assert trap.calls == 0


def _images(body: Any) -> list[Any]:
    """Addresses that a request asks the provider to look at."""
    found: list[Any] = []
    for message in body.get("messages", []):
        content = message.get("content")
        if isinstance(content, list):
            found += [part for part in content if part.get("type") == "image_url"]
    return found

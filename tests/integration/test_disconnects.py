"""Disconnects in a whole deployment: each kind of place that a request waits for, or works in.

Somebody who leaves the line never begins; somebody who leaves a place hands it to the next one.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from api.error import CLIENT_GONE
from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.support.wait import until_so
from tests.support.web.service import Asked, Service

_ENDLESS: Final = (
    "SELECT count(*) AS n FROM t a JOIN t b ON a.a >= b.a JOIN t c ON b.a >= c.a "
    "JOIN t d ON c.a >= d.a JOIN t e ON d.a >= e.a"
)
_ROWS: Final = 100
_VECTOR: Final = b'{"data":[{"index":0,"embedding":[1.0,0.0]}],"usage":{"total_tokens":1}}'


@dataclass
class Slow:
    """A server whose answers wait until ``may_answer``, whatever it is asked."""

    may_answer: threading.Event = field(default_factory=threading.Event)
    service: Service = field(init=False)

    def __post_init__(self) -> None:
        self.service = Service(self._answer)

    def _answer(self, _: Asked) -> tuple[int, str, bytes]:
        self.may_answer.wait(60)
        return 200, "application/json", _VECTOR


@dataclass
class Kind:
    """How places of a kind are taken: what asks for one, how many there are, who tells of them."""

    resource: str
    path: str
    document: Any
    places: int


@pytest.fixture(scope="module")
def slow() -> Iterator[Slow]:
    slow = Slow()
    with slow.service.listening():
        yield slow
        slow.may_answer.set()


@pytest.fixture(scope="module")
async def deployment(
    tmp_path_factory: pytest.TempPathFactory, slow: Slow
) -> AsyncGenerator[Deployment, None]:
    environ = {
        "COTERIE_EGRESS__ALLOW_PRIVATE": slow.service.host,
        "COTERIE_LIMITS__EGRESS_CONNECTIONS": "1",
        "COTERIE_LIMITS__TABLE_QUERY_S": "600",  # what ends sooner leaves its place by itself
    }
    data: Path = tmp_path_factory.mktemp("data")
    async with running(data, environ) as deployment:
        yield deployment


@pytest.fixture(scope="module")
async def space(deployment: Deployment) -> str:
    listed = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
    return str(listed["data"]["workspaces"][0]["id"])


async def make_statements(deployment: Deployment, space: str, _: Slow) -> Kind:
    table = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{space}/databases",
        token=ADMIN,
        document={"table_name": "t", "fields": [{"name": "a", "type": 1, "desc": "A"}]},
        status=201,
    )
    path = f"/admin/v1/databases/{table['id']}"
    rows = {"records": [{"a": "a"} for _ in range(_ROWS)]}
    await deployment.call("POST", f"{path}/records:insert", token=ADMIN, document=rows, status=201)
    return Kind("table queries", f"{path}/sql", {"sql": _ENDLESS}, places=2)


async def make_model(deployment: Deployment, _: str, slow: Slow) -> Kind:
    document = {
        "type": "embedding",
        "provider": "openai",
        "display": {"name": "slow"},
        "connection": {"base_url": f"{slow.service.url}/v1", "api_key": "sk-1", "model": "e"},
        "concurrency": 1,
    }
    await deployment.call("POST", "/admin/v1/models", token=ADMIN, document=document, status=201)
    return Kind("model slow", "/v1/embeddings", {"model": "slow", "input": ["a"]}, places=1)


async def make_plugin(deployment: Deployment, space: str, slow: Slow) -> Kind:
    tool = {"operationId": "x", "summary": "X"}
    document = {
        "openapi": {
            "openapi": "3.0.3",
            "info": {"title": "slow", "description": "slow"},
            "servers": [{"url": slow.service.url}],
            "paths": {"/x": {"get": tool}},
        }
    }
    path = f"/admin/v1/workspaces/{space}/plugins:import"
    made = await deployment.call("POST", path, token=ADMIN, document=document, status=201)
    plugin, tool_id = made["plugin"]["id"], made["tools"][0]["id"]
    path = f"/admin/v1/plugins/{plugin}/tools/{tool_id}/debug"
    return Kind("egress", path, {"arguments": {}}, places=1)


@pytest.fixture(scope="module", params=[make_statements, make_model, make_plugin])
async def kind(
    request: pytest.FixtureRequest, deployment: Deployment, space: str, slow: Slow
) -> Kind:
    made: Kind = await request.param(deployment, space, slow)
    return made


class Visit:
    """A request that somebody has sent and may leave."""

    def __init__(self, tasks: asyncio.TaskGroup, deployment: Deployment, kind: Kind) -> None:
        self.leaves = asyncio.Event()
        work = deployment.send(
            "POST", kind.path, token=ADMIN, document=kind.document, leaves=self.leaves
        )
        self.answer: asyncio.Task[Answer] = tasks.create_task(work)

    async def leave(self) -> int:
        self.leaves.set()
        return (await self.answer).status


async def waiting(deployment: Deployment, kind: Kind) -> int:
    """Return how many wait, as is told; a model is told of when it was called first."""
    shown = (await deployment.send("GET", "/metrics")).text
    name = f'coterie_share_waiting{{resource="{kind.resource}"}} '
    lines = [line for line in shown.splitlines() if line.startswith(name)]
    return sum(int(float(line.removeprefix(name))) for line in lines)


async def test_who_leaves_gives_room_to_others(deployment: Deployment, kind: Kind) -> None:
    async def is_waiting(count: int) -> bool:
        return await waiting(deployment, kind) == count

    async with asyncio.TaskGroup() as tasks:
        working = [Visit(tasks, deployment, kind) for _ in range(kind.places)]
        first = Visit(tasks, deployment, kind)
        await until_so(lambda: is_waiting(1))
        # Of all who came the last one waits, whoever that is.
        statuses = [await first.leave()]
        await until_so(lambda: is_waiting(0))
        assert not any(each.answer.done() for each in working)

        second = Visit(tasks, deployment, kind)
        await until_so(lambda: is_waiting(1))
        statuses.append(await working[0].leave())
        await until_so(lambda: is_waiting(0))
        assert not second.answer.done()

        statuses += [await each.leave() for each in (*working[1:], second)]

    assert statuses == [CLIENT_GONE] * (kind.places + 2)


@pytest.mark.parametrize("kind", [make_statements], indirect=True)
async def test_the_audit_log_tells_of_what_was_cut_short(
    deployment: Deployment, kind: Kind, space: str
) -> None:
    path = f"/admin/v1/audit-log?workspace_id={space}&limit=1"

    async def newest() -> dict[str, Any]:
        listed = await deployment.call("GET", path, token=ADMIN)
        found: dict[str, Any] = listed["items"][0]
        return found

    before = await newest()
    async with asyncio.TaskGroup() as tasks:
        visit = Visit(tasks, deployment, kind)
        await asyncio.sleep(0)
        assert await visit.leave() == CLIENT_GONE

    after = await newest()
    assert after["id"] != before["id"]
    assert after["action"] == "admin.databases.run_sql"

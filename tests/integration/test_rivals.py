"""Requests that want the same at the same time, on PostgreSQL, which has no single writer."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

import pytest

from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.support.service.postgres import PostgresServer

RIVALS: Final = 6
SPACES: Final = 3
TOOLS: Final = 3
Fire = Callable[[int], Awaitable[Answer]]


@dataclass
class World:
    """A deployment and its first workspace."""

    deployment: Deployment
    space: str

    async def made(self, path: str, **fields: Any) -> Any:
        """Make something of the workspace for rivals to quarrel about; return it."""
        return await self.deployment.call(
            "POST",
            f"/admin/v1/workspaces/{self.space}/{path}",
            token=ADMIN,
            document={"name": uuid4().hex[:12], **fields},
            status=201,
        )

    async def id_of(self, path: str, **fields: Any) -> str:
        return str((await self.made(path, **fields))["id"])

    def post(self, path: str, document: object, *, method: str = "POST") -> Awaitable[Answer]:
        return self.deployment.send(method, path, token=ADMIN, document=document)

    async def get(self, path: str) -> Any:
        return await self.deployment.call("GET", path, token=ADMIN)


@pytest.fixture(scope="module")
async def world(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer
) -> AsyncGenerator[World, None]:
    environ = {
        "COTERIE_DATABASE__URL": postgres_server.create_database("rivals"),
        "COTERIE_LIMITS__SPACES_PER_USER": str(SPACES),
        "COTERIE_LIMITS__PLUGIN_TOOLS": str(TOOLS),
    }
    async with running(tmp_path_factory.mktemp("rivals"), environ) as deployment:
        spaces = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
        yield World(deployment, spaces["data"]["workspaces"][0]["id"])
    postgres_server.drop_database("rivals")


async def together(fire: Fire) -> list[Answer]:
    """Send all rivals at once; nobody may be told that the server failed."""
    answers = await asyncio.gather(*map(fire, range(RIVALS)))
    assert all(each.status < 500 for each in answers), list(map(str, answers))
    assert all(each.status < 300 or each.status in {400, 404, 409} for each in answers)
    return answers


def won(answers: list[Answer]) -> list[Answer]:
    return [each for each in answers if each.status < 300 and each.code == 0]


async def one_database(world: World) -> Fire:
    path = f"/admin/v1/workspaces/{world.space}/databases"
    return lambda _: world.post(path, {"table_name": "rivals", "fields": [{"name": "title"}]})


async def one_base(world: World) -> Fire:
    body = {"space_id": world.space, "name": "rivals", "format_type": 0}
    return lambda _: world.post("/v1/datasets", body)


async def one_account(world: World) -> Fire:
    return lambda _: world.post("/admin/v1/users", {"name": "rival"})


async def one_model(world: World) -> Fire:
    body = {"display": {"name": "rival"}, "connection": {"base_url": "http://127.0.0.1:9/v1"}}
    return lambda _: world.post("/admin/v1/models", body)


async def one_alias(world: World) -> Fire:
    agents = [await world.id_of("agents") for _ in range(RIVALS)]
    return lambda number: world.post(
        f"/admin/v1/agents/{agents[number]}", {"alias": "rival"}, method="PATCH"
    )


async def one_tool_name(world: World) -> Fire:
    path = f"/admin/v1/plugins/{await world.id_of('plugins')}/tools"
    return lambda _: world.post(path, {"name": "rival"})


async def one_named_conversation(world: World) -> Fire:
    path = f"/admin/v1/apps/{await world.id_of('apps')}/conversation-defs"
    return lambda _: world.post(path, {"name": "rival"})


@pytest.mark.parametrize(
    "prepare",
    [
        one_database,
        one_base,
        one_account,
        one_model,
        one_alias,
        one_tool_name,
        one_named_conversation,
    ],
)
async def test_a_name_goes_to_one(
    world: World, prepare: Callable[[World], Awaitable[Fire]]
) -> None:
    assert len(won(await together(await prepare(world)))) == 1


@pytest.mark.parametrize("kind", ["agents", "apps", "plugins", "workflows"])
async def test_versions_are_published_one_by_one(world: World, kind: str) -> None:
    more = {"server_url": "https://api.example"} if kind == "plugins" else {}
    path = f"/admin/v1/{kind}/{await world.id_of(kind, **more)}"
    if kind == "plugins":
        await world.post(f"{path}/tools", {"name": "tool", "path": "/x"})

    body = {"force": True} if kind in {"plugins", "workflows"} else {}
    answers = await together(lambda _: world.post(f"{path}/publish", body))

    assert won(answers), list(map(str, answers))
    listed = await world.get(f"{path}/publish-records" if kind == "apps" else f"{path}/versions")
    found = next(each for each in listed.values() if isinstance(each, list))
    assert len(found) == len(won(answers))


async def test_an_account_opens_as_many_spaces_as_it_may(world: World) -> None:
    await together(lambda number: world.post("/admin/v1/workspaces", {"name": f"s{number}"}))

    spaces = await world.get("/v1/workspaces")
    assert spaces["data"]["total_count"] == SPACES


async def test_a_plugin_gets_as_many_tools_as_it_may(world: World) -> None:
    path = f"/admin/v1/plugins/{await world.id_of('plugins')}/tools"
    await together(lambda number: world.post(path, {"name": f"tool_{number}"}))

    assert (await world.get(path))["total"] <= TOOLS


async def test_no_document_outlives_its_base(world: World) -> None:
    base = (
        await world.post(
            "/v1/datasets", {"space_id": world.space, "name": "going", "format_type": 0}
        )
    ).json["data"]["dataset_id"]

    def fire(number: int) -> Awaitable[Answer]:
        if number == RIVALS // 2:
            return world.deployment.send("DELETE", f"/v1/datasets/{base}", token=ADMIN)
        return world.post(
            "/open_api/knowledge/document/create",
            {
                "dataset_id": base,
                "document_bases": [
                    {
                        "name": f"{number}.txt",
                        "source_info": {"file_base64": "aGVsbG8=", "file_type": "txt"},
                    }
                ],
            },
        )

    await together(fire)

    async with world.deployment.container.database().read() as connection:
        left = await connection.exec_driver_sql(
            "SELECT count(*) FROM knowledge_document AS d JOIN knowledge_dataset AS s "
            "ON s.id = d.dataset_id WHERE s.deleted_at IS NOT NULL AND d.deleted_at IS NULL"
        )
    assert left.scalar_one() == 0


async def test_one_administrator_stays(world: World) -> None:
    """Comes last: nobody knows which of them stays."""
    body = {"name": "second", "is_admin": True}
    second = (await world.post("/admin/v1/users", body)).json
    (first,) = [
        each for each in (await world.get("/admin/v1/users"))["items"] if each["name"] == "admin"
    ]
    ids = [first["id"], second["user"]["id"]]

    answers = await asyncio.gather(
        *(
            world.post(f"/admin/v1/users/{each}", {"is_disabled": True}, method="PATCH")
            for each in ids
        )
    )

    assert sorted(each.status for each in answers) == [200, 409], list(map(str, answers))

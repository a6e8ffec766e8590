"""The start of a workspace and finding anything in it, over HTTP, in process."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.process.in_process import Deployment, running

ADMIN_PATH = "/admin/v1"


@pytest.fixture(scope="module")
async def deployment(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Deployment, None]:
    async with running(tmp_path_factory.mktemp("directory"), {}) as made:
        yield made


@pytest.fixture(scope="module")
async def owner(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "directory-owner")


@pytest.fixture(scope="module")
async def stranger(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "directory-stranger")


async def found(deployment: Deployment, who: Tenant, **query: str) -> list[dict[str, Any]]:
    words = "&".join(f"{name}={value}" for name, value in query.items())
    body = await deployment.call(
        "GET", f"{ADMIN_PATH}/workspaces/{who.ids['space']}/find?{words}", token=who.token
    )
    items: list[dict[str, Any]] = body["items"]
    return items


async def home(deployment: Deployment, who: Tenant) -> dict[str, Any]:
    path = f"{ADMIN_PATH}/workspaces/{who.ids['space']}/home"
    body: dict[str, Any] = await deployment.call("GET", path, token=who.token)
    return body


async def test_a_part_of_a_name_finds_everything_of_the_workspace_that_has_it(
    deployment: Deployment, owner: Tenant, stranger: Tenant
) -> None:
    items = await found(deployment, owner, q="canary-DIRECTORY", limit="50")

    by_type = {each["type"]: each for each in items}
    assert by_type.keys() == {*("agent", "workflow", "dataset", "document", "plugin", "prompt")}
    assert by_type["document"]["parent_id"] == owner.ids["dataset"]
    assert {each["workspace_id"] for each in items} == {owner.ids["space"]}
    narrowed = await found(deployment, owner, q="canary", types="prompt")
    assert [each["id"] for each in narrowed] == [owner.ids["prompt"]]
    assert await found(deployment, stranger, q="directory-owner") == []


@pytest.mark.parametrize(
    ("kind", "type_"),
    [
        ("agent", "agent"),
        ("workflow", "workflow"),
        ("document", "document"),
        ("run", "run"),
        ("conversation", "conversation"),
        ("workflow_run", "run"),
    ],
)
async def test_an_id_leads_to_what_has_it_and_only_its_own_people(
    deployment: Deployment, owner: Tenant, stranger: Tenant, kind: str, type_: str
) -> None:
    await deployment.idle()

    (entry,) = await found(deployment, owner, q=owner.ids[kind])

    assert (entry["type"], entry["id"]) == (type_, owner.ids[kind])
    assert await found(deployment, stranger, q=owner.ids[kind]) == []


async def test_home_shows_what_was_opened_last_before_what_was_made(
    deployment: Deployment, owner: Tenant, stranger: Tenant
) -> None:
    for kind in ("prompt", "dataset", "prompt"):
        await deployment.call(
            "PUT",
            f"{ADMIN_PATH}/presence",
            token=owner.token,
            document={"type": kind, "id": owner.ids[kind], "is_open": True},
        )
    foreign = await deployment.send(
        "PUT",
        f"{ADMIN_PATH}/presence",
        token=stranger.token,
        document={"type": "prompt", "id": owner.ids["prompt"]},
    )

    shown = await home(deployment, owner)

    assert [each["type"] for each in shown["recent"][:2]] == ["prompt", "dataset"]
    assert len(shown["recent"]) == 8
    assert len({(each["type"], each["id"]) for each in shown["recent"]}) == 8
    assert shown["counts"]["documents"] == 1
    assert shown["counts"]["runs"] == 1
    assert foreign.status == 404


async def test_what_ends_or_failed_waits_at_home(deployment: Deployment, owner: Tenant) -> None:
    ending = await deployment.call(
        "POST",
        f"{ADMIN_PATH}/tokens",
        token=owner.token,
        document={"name": "Ends soon", "duration_days": 1, "permissions": ["chat"]},
        status=201,
    )

    waiting = (await home(deployment, owner))["waiting"]

    assert [each["name"] for each in waiting if each["type"] == "token"] == ["Ends soon"]
    (mine,) = await found(deployment, owner, q=ending["token"][-4:])
    assert (mine["type"], mine["id"]) == ("token", ending["id"])

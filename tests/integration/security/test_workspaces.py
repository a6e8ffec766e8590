"""Workspaces that are closed for a while, deleted and restored, and administrators who come in."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from tests.support.process.in_process import ADMIN, Deployment, multipart, running


@pytest.fixture(scope="module")
async def deployment(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Deployment, None]:
    async with running(tmp_path_factory.mktemp("workspaces"), {}) as made:
        yield made


class Team:
    """A workspace of somebody who does not administer the deployment."""

    def __init__(self, deployment: Deployment, token: str, space_id: str) -> None:
        self.deployment = deployment
        self.token = token
        self.path = f"/admin/v1/workspaces/{space_id}"

    async def status(self, method: str, path: str = "", *, token: str = "", **more: Any) -> int:
        answer = await self.deployment.send(
            method, self.path + path, token=token or self.token, **more
        )
        return answer.status

    async def suspend(self, *, suspended: bool, token: str = ADMIN) -> int:
        document = {"suspended": suspended}
        return await self.status("PATCH", token=token, document=document)


@pytest.fixture
async def team(deployment: Deployment, request: pytest.FixtureRequest) -> Team:
    name = f"owner-{abs(hash(request.node.name)) % 10**8}"
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": name}, status=201
    )
    space = await deployment.call(
        "POST", "/admin/v1/workspaces", token=made["token"], document={"name": "T"}, status=201
    )
    return Team(deployment, made["token"], space["id"])


async def test_a_suspended_workspace_is_closed_for_everyone_until_it_is_opened(team: Team) -> None:
    served = await team.deployment.call(
        "POST",
        f"{team.path}/service-tokens",
        token=team.token,
        document={"name": "s", "permissions": ["workspace.read"]},
        status=201,
    )
    assert await team.status("GET", "/members", token=served["token"]) == 200
    assert await team.suspend(suspended=True, token=team.token) == 403

    assert await team.suspend(suspended=True) == 200

    assert await team.status("GET") == 404
    assert await team.status("GET", "/members", token=served["token"]) in {401, 404}
    assert await team.suspend(suspended=False) == 200
    assert await team.status("GET") == 200
    assert await team.status("GET", "/members", token=served["token"]) == 200


async def test_a_deletion_is_taken_back_by_its_owner_or_an_administrator(team: Team) -> None:
    stranger = await team.deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": "passer-by"}, status=201
    )
    assert await team.status("POST", "/restore") == 404
    for token in (team.token, ADMIN):
        assert await team.status("DELETE") == 204
        assert await team.status("GET") == 404
        assert await team.status("POST", "/restore", token=stranger["token"]) == 404
        assert await team.status("POST", "/restore", token=token) == 200
        assert await team.status("GET") == 200


async def test_an_administrator_comes_in_and_the_owners_see_it(team: Team) -> None:
    me = (await team.deployment.call("GET", "/admin/v1/auth/me", token=ADMIN))["id"]
    add = {"user_id": me, "role": "admin"}
    assert await team.status("GET", token=ADMIN) == 404
    assert (
        await team.status("POST", "/members", token=ADMIN, document={**add, "role": "owner"}) == 403
    )

    assert await team.status("POST", "/members", token=ADMIN, document=add) == 201

    assert await team.status("GET", token=ADMIN) == 200
    space_id = team.path.rpartition("/")[2]
    log = await team.deployment.call(
        "GET", f"/admin/v1/audit-log?workspace_id={space_id}&actor={me}", token=team.token
    )
    assert "membership.added" in {each["detail"].get("event") for each in log["items"]}


async def test_a_workspace_may_have_other_limits_than_the_rest(team: Team) -> None:
    space_id = team.path.rpartition("/")[2]
    own = {"files": 1, "runs_per_min": 5}
    assert await team.status("PATCH", document={"limits": own}) == 403
    assert await team.status("PATCH", token=ADMIN, document={"limits": {"files": -1}}) == 400
    assert await team.status("PATCH", token=ADMIN, document={"limits": {"fils": 1}}) == 400

    assert await team.status("PATCH", token=ADMIN, document={"limits": own}) == 200

    seen = await team.deployment.call("GET", team.path, token=team.token)
    assert seen["limits"] == {
        **dict.fromkeys(("bytes", "files", "documents", "rows", "runs", "runs_per_min")),
        **own,
    }
    log = await team.deployment.call(
        "GET", f"/admin/v1/audit-log?workspace_id={space_id}", token=team.token
    )
    (told,) = [each for each in log["items"] if each["detail"].get("event") == "space.limited"]
    assert told["actor_id"] != "0"

    assert await _upload(team, space_id) == 200
    assert await _upload(team, space_id) == 409
    assert await team.status("PATCH", token=ADMIN, document={"limits": {}}) == 200
    assert await _upload(team, space_id) == 200


async def _upload(team: Team, space_id: str) -> int:
    answer = await team.deployment.send(
        "POST",
        f"/v1/files/upload?space_id={space_id}",
        token=team.token,
        body=multipart(b"text"),
        headers=[("content-type", "multipart/form-data; boundary=b")],
    )
    return answer.status


async def test_all_workspaces_are_listed_for_administrators_alone(team: Team) -> None:
    space_id, path = team.path.rpartition("/")[2], "/admin/v1/workspaces:all"
    assert (await team.deployment.send("GET", path, token=team.token)).status == 403
    await team.suspend(suspended=True)

    found, cursor = [], ""
    while True:
        query = f"?limit=1&cursor={cursor}" if cursor else "?limit=1"
        page = await team.deployment.call("GET", path + query, token=ADMIN)
        found += page["items"]
        cursor = page["next_cursor"]
        if not cursor:
            break
    named = await team.deployment.call("GET", f"{path}?q=nobody-calls-it-so", token=ADMIN)

    (mine,) = [each for each in found if each["id"] == space_id]
    assert (mine["name"], mine["type"], mine["member_count"]) == ("T", "team", 1)
    assert mine["suspended_at"]
    assert named["items"] == []

"""Tokens of workspaces over HTTP: what they show, what they reach, and when they stop to."""

from typing import Any

from tests.integration.security.operations import CALLS, filled, perform
from tests.integration.security.tenants import Tenant
from tests.support.process.in_process import ADMIN, Deployment
from tests.support.wait import until_so


async def _make(deployment: Deployment, tenant: Tenant, *permissions: str, **more: Any) -> Any:
    return await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{tenant.ids['space']}/service-tokens",
        token=tenant.token,
        document={"name": "Nightly", "permissions": list(permissions), **more},
        status=201,
    )


async def test_a_service_token_is_shown_once_and_then_by_its_end(
    deployment: Deployment, alice: Tenant
) -> None:
    made = await _make(deployment, alice, "chat", networks=["192.0.2.7/24"], expires_at=None)
    path = f"/admin/v1/service-tokens/{made['id']}"

    shown = await deployment.call("GET", path, token=alice.token)

    assert made["token"].startswith("czs_")
    assert made["token"].endswith(shown["last4"])
    assert {**shown, "token": made["token"]} == made
    assert shown["networks"] == ["192.0.2.0/24"]
    assert (shown["expires_at"], shown["bot_ids"]) == (None, None)
    rotated = await deployment.call(
        "POST", f"{path}/rotate", token=alice.token, document={"overlap_s": 60}
    )
    assert rotated["token"] != made["token"]
    assert rotated["former_until"] > made["created_at"]
    changed = await deployment.call(
        "PATCH", path, token=alice.token, document={"networks": None, "permissions": ["file"]}
    )
    assert (changed["networks"], changed["permissions"]) == (None, ["file"])
    await deployment.call("DELETE", path, token=alice.token, status=204)
    assert (await deployment.send("GET", path, token=alice.token)).status == 404


async def test_a_service_token_sees_its_workspace_and_no_other(
    deployment: Deployment, alice: Tenant, mallory: Tenant
) -> None:
    every = [
        "bot.read", "bot.write", "bot.publish", "chat", "conversation.read", "conversation.write",
        "message.read", "message.write", "file", "workflow.read", "workflow.run", "workflow.write",
        "dataset.read", "dataset.write", "variable", "plugin.read", "plugin.write",
        "workspace.read", "workspace.write",
    ]  # fmt: skip
    token = (await _make(deployment, mallory, *every))["token"]
    for name, calls in CALLS.items():
        for call in calls:
            answer = await perform(deployment, filled(call, alice.ids), token=token)
            assert answer.status != 500, f"{name}: {answer}"
            assert alice.canary.encode() not in answer.body, f"{name}: {answer}"
    own = await deployment.call("GET", f"/v1/bots/{mallory.ids['agent']}", token=token)
    assert own["data"]["bot_id"] == mallory.ids["agent"]
    me = await deployment.call("GET", "/v1/users/me", token=token)
    assert me["data"]["user_name"] == "Nightly"


async def test_what_a_service_makes_shows_who_made_it(
    deployment: Deployment, alice: Tenant
) -> None:
    made = await _make(deployment, alice, "bot.read", "bot.write", "workspace.read")
    agent = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{alice.ids['space']}/agents",
        token=made["token"],
        document={"name": "Of a service"},
        status=201,
    )
    assert agent["creator_id"] == made["id"]
    expected = {
        ("admin.agents.create", made["id"]),
        ("admin.service_tokens.create", alice.ids["user"]),
    }

    async def logged() -> bool:
        path = "/admin/v1/audit-log?limit=100"
        log = await deployment.call("GET", path, token=alice.token)
        assert made["token"] not in str(log)
        return expected <= {(each["action"], each["actor_id"]) for each in log["items"]}

    await until_so(logged, "the lines of the audit log")


async def test_a_service_token_administers_nothing_of_the_deployment(
    deployment: Deployment, alice: Tenant
) -> None:
    answer = await deployment.send(
        "POST",
        f"/admin/v1/workspaces/{alice.ids['space']}/service-tokens",
        token=alice.token,
        document={"name": "x", "permissions": ["admin"]},
    )
    assert (answer.status, answer.code) == (400, 4000)
    foreign = await deployment.send(
        "POST",
        f"/admin/v1/workspaces/{alice.ids['space']}/service-tokens",
        token=ADMIN,
        document={"name": "x", "permissions": ["chat"]},
    )
    assert foreign.status == 404, "not even an administrator of it makes one here"

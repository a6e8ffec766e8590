"""Links that ask somebody else who visitors are: a hook of the owner's, or the sign-in here."""

import json
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from tests.integration.security.tenants import Tenant, make_tenant
from tests.integration.security.test_share_links import ask, change, enter, events_of, make, visit
from tests.support.client.browser import Browser
from tests.support.process.in_process import ADMIN, Deployment, running
from tests.support.wait import until_so
from tests.support.web.service import Asked, Service
from tests.upstream.fixture import RunningUpstream

FOREIGN: Final = "This is not for you."


@dataclass
class Hook:
    """A server that knows its users by their tokens, and forbids one question."""

    service: Service
    refused_ends: int = 0
    bodies: dict[str, list[Any]] = field(default_factory=dict)

    def ends(self, token: str) -> list[Any]:
        """Return what it was told about somebody's answers."""
        return [each for each in self.bodies.get("finish", []) if each["token"] == token]

    def answer(self, asked: Asked) -> tuple[int, str, bytes]:
        step, body = asked.target.rpartition("/")[2], json.loads(asked.body)
        self.bodies.setdefault(step, []).append(body)
        if step == "finish" and len(self.ends(body["token"])) <= self.refused_ends:
            return 500, "text/plain", b"later"
        is_known = body["token"].startswith("user of ")
        if not is_known or body.get("question") == "forbidden":
            return 200, "application/json", json.dumps({"success": False, "msg": FOREIGN}).encode()
        data = {"uid": body["token"].removeprefix("user of ")}
        return 200, "application/json", json.dumps({"success": True, "data": data}).encode()


@pytest.fixture(scope="module")
def hook() -> Iterator[Hook]:
    service = Service(lambda _: (500, "", b""))
    made = Hook(service)
    service.answer = made.answer
    with service.listening():
        yield made


@pytest.fixture(scope="module")
async def deployment(
    tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream, hook: Hook
) -> AsyncGenerator[Deployment, None]:
    environ = {
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_API_KEY": "sk-none",
        "OPENAI_MODEL": "echo",
        "COTERIE_EGRESS__ALLOW_PRIVATE": hook.service.host,
    }
    async with running(tmp_path_factory.mktemp("hooks"), environ) as made:
        yield made


@pytest.fixture(scope="module")
async def owner(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "hook-owner")


async def hooked(deployment: Deployment, owner: Tenant, hook: Hook) -> Any:
    return await make(deployment, owner, auth="hook", hook_url=f"{hook.service.url}/h/")


async def test_a_hook_says_who_comes_in_and_what_is_asked(
    deployment: Deployment, owner: Tenant, hook: Hook
) -> None:
    code = (await hooked(deployment, owner, hook))["code"]
    nobody, stranger = await enter(deployment, code), await enter(deployment, code, user_token="x")
    assert (nobody.status, stranger.status) == (401, 403)
    assert stranger.json["msg"] == FOREIGN
    odd = await enter(deployment, code, user_token="user of visitor-1")
    assert odd.status == 403, "a name that only this server gives"

    token = await visit(deployment, code, user_token="user of ada")
    refused = await deployment.send(
        "POST", f"/s/{code}/api/chats", token=token, document={"content": "forbidden"}
    )
    assert (refused.status, refused.json["msg"]) == (403, FOREIGN)
    run = await ask(deployment, code, token, "Where is it?")
    await events_of(deployment, code, token, run["run_id"])

    again = await visit(deployment, code, user_token="user of ada")
    listed = await deployment.call("GET", f"/s/{code}/api/conversations", token=again)
    assert [each["id"] for each in listed["items"]] == [run["conversation_id"]]
    other = await visit(deployment, code, user_token="user of bob")
    assert not (await deployment.call("GET", f"/s/{code}/api/conversations", token=other))["items"]


async def test_a_hook_is_told_once_of_the_end_and_again_if_it_was_away(
    deployment: Deployment, owner: Tenant, hook: Hook
) -> None:
    code = (await hooked(deployment, owner, hook))["code"]
    token = await visit(deployment, code, user_token="user of eve")
    hook.refused_ends = 1
    run = await ask(deployment, code, token, "How much?")
    await events_of(deployment, code, token, run["run_id"])

    await until_so(lambda: len(hook.ends("user of eve")) >= 2, pause_s=0.05)

    told = hook.ends("user of eve")[-1]
    assert (told["token"], told["status"]) == ("user of eve", "completed")
    (row,) = told["responseData"]
    assert (row["id"], row["tokens"]) == (
        run["run_id"],
        row["inputTokens"] + row["outputTokens"],
    )
    assert row["outputTokens"] > 0
    assert row["model"] == "echo"
    assert "totalPoints" not in row, "nobody priced it"


async def test_a_hook_reads_the_points_of_each_model(
    deployment: Deployment, owner: Tenant, hook: Hook, upstream: RunningUpstream
) -> None:
    model = {
        "type": "llm",
        "provider": "openai",
        "display": {"name": "dear"},
        "connection": {"base_url": upstream.base_url, "model": "echo"},
        "prices": {"unit": 1000, "tiers": [{"input": "1", "output": "2"}]},
    }
    made = await deployment.call(
        "POST", "/admin/v1/models", token=ADMIN, document=model, status=201
    )
    path = f"/admin/v1/workspaces/{owner.ids['space']}/agents"
    draft = {"name": "dear one", "model": {"model_id": made["id"]}}
    agent = await deployment.call("POST", path, token=owner.token, document=draft, status=201)
    publication = {"connector_ids": ["1024"], "description": "test"}
    path = f"/admin/v1/agents/{agent['id']}/publish"
    await deployment.call("POST", path, token=owner.token, document=publication)
    link = {"auth": "hook", "hook_url": f"{hook.service.url}/h/", "target_id": agent["id"]}
    code = (await make(deployment, owner, **link))["code"]
    token = await visit(deployment, code, user_token="user of ida")
    key = [("idempotency-key", "once")]
    sent = {"content": "How dear?"}
    asked = [
        await deployment.send(
            "POST", f"/s/{code}/api/chats", token=token, document=sent, headers=key
        )
        for _ in range(2)
    ]
    assert asked[0].json["run_id"] == asked[1].json["run_id"], "the same question once more"
    await events_of(deployment, code, token, asked[0].json["run_id"])

    await until_so(lambda: bool(hook.ends("user of ida")), pause_s=0.05)

    (told,) = hook.ends("user of ida")
    (row,) = told["responseData"]
    assert row["id"] == asked[0].json["run_id"]
    assert row["totalPoints"] == pytest.approx(
        (row["inputTokens"] + 2 * row["outputTokens"]) / 1000
    )


async def test_another_hook_asks_everybody_anew_and_a_silent_one_refuses(
    deployment: Deployment, owner: Tenant, hook: Hook
) -> None:
    link = await hooked(deployment, owner, hook)
    token = await visit(deployment, link["code"], user_token="user of ada")

    await change(deployment, owner, link, hook_url="http://127.0.0.1:9")

    path = f"/s/{link['code']}/api/conversations"
    assert (await deployment.send("GET", path, token=token)).status == 401
    assert (await enter(deployment, link["code"], user_token="user of ada")).status == 403


@pytest.mark.parametrize("url", ["", "ftp://h.example", "https://a:b@h.example", "https://h/?q=1"])
async def test_a_hook_has_an_address_without_secrets(
    deployment: Deployment, owner: Tenant, url: str
) -> None:
    path = f"/admin/v1/workspaces/{owner.ids['space']}/share-links"
    document = {
        "target_type": "agent",
        "target_id": owner.ids["agent"],
        "settings": {"name": "Help"},
        "auth": "hook",
        "hook_url": url,
    }
    answer = await deployment.send("POST", path, token=owner.token, document=document)
    assert answer.status == 400, str(answer)
    assert answer.json["msg"].startswith("hook_url: ")


async def test_members_come_in_while_they_are_signed_in(
    deployment: Deployment, owner: Tenant
) -> None:
    code = (await make(deployment, owner, auth="sign_in"))["code"]
    browser = Browser(deployment)
    refused = await browser.send("POST", f"/s/{code}/api/session", {})
    assert refused.status == 401
    await browser.exchange(owner.token)

    token = (await browser.call("POST", f"/s/{code}/api/session", {}))["token"]
    path = f"/s/{code}/api/conversations"
    assert (await browser.send("GET", path, token=token)).status == 200
    assert (await deployment.send("GET", path, token=token)).status == 401, "without the session"

    await browser.call("POST", "/admin/v1/auth/logout", status=204)
    assert (await browser.send("GET", path, token=token)).status == 401

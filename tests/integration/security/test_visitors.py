"""What strangers with a token for browsers see, and what they do not share with each other."""

import re
from typing import Any, Final

import pytest

from domain.shared.access import Role
from tests.integration.security.interface import operations
from tests.integration.security.operations import CALLS, filled, perform
from tests.integration.security.rights import OF_BROWSERS
from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.process.in_process import ADMIN, Answer, Deployment, multipart

SECRET: Final = "SECRET-of-judy"
SHOWN: Final = {
    "bot_id",
    "name",
    "icon_url",
    "onboarding_info",
    "shortcut_commands",
    "default_user_input_type",
    "suggest_reply_info",
}
"""Fields of a bot that visitors find filled; the last two with what everybody gets."""
OF_RUNS: Final = re.compile(r"admin\.workflow_runs\.|workflows\.(.*run|get_node_output)")


@pytest.fixture(scope="module")
async def judy(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "judy")


async def visitor(deployment: Deployment, tenant: Tenant, name: str, agent_id: str = "") -> str:
    made = await deployment.call(
        "POST",
        "/admin/v1/tokens:issue",
        token=tenant.token,
        document={"bot_ids": [agent_id or tenant.ids["agent"]], "user_id": name},
        status=201,
    )
    token: str = made["token"]
    return token


@pytest.fixture(scope="module")
async def furnished(deployment: Deployment, judy: Tenant) -> str:
    """An agent with everything that visitors must not see, published, and changed since."""
    ids, token = judy.ids, judy.token
    icon = await deployment.upload(token, b"\x89PNG\r\n\x1a\n" + b"0" * 64, name="icon.png")
    tool = {"plugin_id": ids["plugin"], "tool_id": ids["plugin_tool"], "defaults": {"q": SECRET}}
    made = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{ids['space']}/agents",
        token=token,
        document={
            "name": "Shown",
            "description": SECRET,
            "icon_file_id": icon,
            "prompt": {"text": SECRET},
            "onboarding": {"prologue": "Welcome", "suggested_questions": ["Why?"]},
            "plugins": [tool],
            "workflows": [{"workflow_id": ids["workflow"]}],
            "knowledge": {"datasets": [ids["dataset"]]},
            "egress_hosts": ["secret.example"],
            "suggest_reply": {"mode": 2, "customized_prompt": SECRET},
        },
        status=201,
    )
    path = f"/admin/v1/agents/{made['id']}"
    await deployment.call(
        "PUT",
        f"{path}/variables",
        token=token,
        document={"items": [{"key": "city", "default_value": SECRET}]},
    )
    await deployment.call(
        "POST",
        f"{path}/shortcuts",
        token=token,
        document={
            "name": "Ask",
            "template_query": "About {{topic}}",
            "components": [
                {"name": "topic", "default_value": "birds"},
                {"name": "hidden", "default_value": SECRET, "hide": True},
            ],
            "tool": {
                "type": "plugin",
                "plugin_id": ids["plugin"],
                "plugin_tool_id": ids["plugin_tool"],
                "params": [{"name": "q", "default_value": SECRET}],
            },
        },
        status=201,
    )
    await deployment.call("POST", f"{path}/publish", token=token, document={"description": SECRET})
    await deployment.call("PATCH", path, token=token, document={"name": "Draft"})
    return str(made["id"])


@pytest.mark.parametrize("path", ["/v1/bots/{id}", "/v1/bot/get_online_info?bot_id={id}"])
async def test_a_visitor_sees_the_public_view(
    path: str, deployment: Deployment, judy: Tenant, furnished: str
) -> None:
    token = await visitor(deployment, judy, "a", furnished)
    target = path.replace("{id}", furnished)

    answer = await deployment.send("GET", target, token=token)
    own = await deployment.send("GET", target, token=judy.token)

    assert (answer.status, own.status) == (200, 200)
    bot = answer.json["data"]
    assert (bot["name"], bot["onboarding_info"]["prologue"]) == ("Shown", "Welcome")
    assert bot["onboarding_info"]["suggested_questions"] == ["Why?"]
    assert bot["icon_url"][:50] == own.json["data"]["icon_url"][:50] != ""  # signed by the second
    (shortcut,) = bot["shortcut_commands"]
    assert [each["name"] for each in shortcut["components"]] == ["topic"]
    assert "tool" not in shortcut
    assert SECRET.encode() in own.body, "or the next line proves nothing"
    for hidden in (SECRET, "secret.example", judy.canary, *_ids_of(judy)):
        assert hidden.encode() not in answer.body, hidden
    filled_in = {name for name, value in bot.items() if not _is_empty(value)}
    assert filled_in <= SHOWN


@pytest.mark.parametrize(
    "target",
    [
        "/v1/bots/{id}?is_published=false",
        "/v1/bots/{id}/versions",
        "/v1/bot/get_online_info?bot_id={id}&version={version}",
        "/admin/v1/agents/{id}",
        "/admin/v1/agents/{id}/versions",
        "/v1/space/published_bots_list?space_id={space}",
        "/v1/models",
    ],
)
async def test_a_visitor_sees_neither_drafts_nor_versions_nor_lists(
    target: str, deployment: Deployment, judy: Tenant, furnished: str
) -> None:
    token = await visitor(deployment, judy, "a", furnished)
    versions = await deployment.call(
        "GET", f"/admin/v1/agents/{furnished}/versions", token=judy.token
    )
    values = {"id": furnished, "space": judy.ids["space"]}
    values["version"] = versions["items"][0]["version"]

    answer = await deployment.send("GET", target.format(**values), token=token)

    assert answer.status == 403, str(answer)
    assert SECRET.encode() not in answer.body


async def test_a_visitor_is_told_of_itself_and_not_of_the_account(
    deployment: Deployment, judy: Tenant
) -> None:
    token = await visitor(deployment, judy, "somebody")

    me = await deployment.call("GET", "/v1/users/me", token=token)

    assert me["data"] == {
        "user_id": "somebody",
        "user_name": "somebody",
        "nick_name": "somebody",
        "avatar_url": "",
    }


async def test_one_visitor_of_two_agents_keeps_them_apart(
    deployment: Deployment, judy: Tenant, furnished: str
) -> None:
    first = await visitor(deployment, judy, "same")
    second = await visitor(deployment, judy, "same", furnished)
    body = {"bot_id": judy.ids["agent"], "name": "mine"}
    made = await deployment.call("POST", "/v1/conversation/create", token=first, document=body)
    target = f"/v1/conversation/retrieve?conversation_id={made['data']['id']}"

    assert (await deployment.send("GET", target, token=first)).status == 200
    assert (await deployment.send("GET", target, token=second)).status == 404
    refused = await deployment.send("POST", "/v1/conversation/create", token=second, document=body)
    assert refused.status == 404


KEYED: Final = {"chats.create", "conversations.create", "messages.create"} | {
    "files.upload",
    "openai.chat_completions.create",
}


async def test_visitors_share_no_idempotency_keys(deployment: Deployment, judy: Tenant) -> None:
    described = operations(deployment.container)
    takes_key = {name for name in OF_BROWSERS if "header.Idempotency-Key" in described[name].fields}
    assert takes_key <= KEYED, "Say below what it makes."
    tokens = [await visitor(deployment, judy, name) for name in ("one", "two")]
    hello = {"role": "user", "content": "Hello", "content_type": "text"}
    agent = judy.ids["agent"]

    async def ask(token: str, path: str, document: Any, key: str = "key") -> Answer:
        headers = [("idempotency-key", key)]
        return await deployment.send("POST", path, token=token, document=document, headers=headers)

    async def upload(token: str) -> str:
        answer = await deployment.send(
            "POST",
            "/v1/files/upload",
            token=token,
            body=multipart(b"data"),
            headers=[
                ("content-type", "multipart/form-data; boundary=b"),
                ("idempotency-key", "key"),
            ],
        )
        assert answer.status == 200, str(answer)
        return str(answer.json["data"]["id"])

    async def made(token: str) -> dict[str, str]:
        conversation = await ask(token, "/v1/conversation/create", {"bot_id": agent})
        found = {"conversation": conversation.json["data"]["id"]}
        path = f"/v1/conversation/message/create?conversation_id={found['conversation']}"
        found["message"] = (await ask(token, path, hello)).json["data"]["id"]
        chat = {"bot_id": agent, "user_id": "u", "additional_messages": [hello]}
        found["chat"] = (await ask(token, "/v3/chat", chat)).json["data"]["id"]
        await deployment.idle()
        completion = {"model": agent, "messages": [{"role": "user", "content": "Hello"}]}
        answer = await ask(token, "/v1/chat/completions", completion, key="other")
        found["completion"] = answer.headers["x-chat-id"]
        return {**found, "file": await upload(token)}

    one, two = [await made(token) for token in tokens]

    assert not set(one.values()) & set(two.values())
    for token, before in zip(tokens, (one, two), strict=True):
        assert await made(token) == before, "the same visitor gets the same again"


async def test_only_who_may_debug_looks_into_the_runs_of_others(deployment: Deployment) -> None:
    owner = await make_tenant(deployment, "mike")
    space = owner.ids["space"]
    seen: dict[str, dict[Role, bool]] = {}
    names = [name for name in CALLS if OF_RUNS.match(name)]
    reads = {
        name: [call for call in CALLS[name] if call.method == "GET" and not call.fails_with]
        for name in names
    }
    for role in Role:
        made = await deployment.call(
            "POST", "/admin/v1/users", token=ADMIN, document={"name": f"mike.{role}"}, status=201
        )
        await deployment.call(
            "POST",
            f"/admin/v1/workspaces/{space}/members",
            token=owner.token,
            document={"user_id": made["user"]["id"], "role": role.value},
            status=201,
        )
        run = owner.ids["workflow_run"].encode()
        for name, calls in reads.items():
            for call in calls:
                answer = await perform(deployment, filled(call, owner.ids), token=made["token"])
                is_shown = answer.status == 200 and (
                    owner.canary.encode() in answer.body or run in answer.body
                )
                seen.setdefault(name, {})[role] = is_shown

    assert {
        "admin.workflow_runs.get",
        "admin.workflow_runs.follow",
        "admin.workflow_runs.list",
    } <= seen.keys()
    for name, by_role in seen.items():
        assert not by_role[Role.VIEWER], name
        others = {shown for role, shown in by_role.items() if role is not Role.VIEWER}
        assert len(others) == 1, f"{name}: {by_role}"
    assert sum(by_role[Role.OPERATOR] for by_role in seen.values()) >= len(seen) - 1


def _ids_of(tenant: Tenant) -> list[str]:
    kinds = ("dataset", "workflow", "plugin", "plugin_tool", "space", "user")
    return [tenant.ids[kind] for kind in kinds]


def _is_empty(value: object) -> bool:
    if isinstance(value, dict):
        return all(_is_empty(each) for each in value.values())
    return not value

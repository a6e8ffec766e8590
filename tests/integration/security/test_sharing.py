"""Grants over HTTP: each opens its resource, as far as its level goes, and nothing around it."""

from dataclasses import dataclass
from typing import Final

import pytest

from api.entry.route import ROUTES, Row, table
from bootstrap.server.app import create_app
from domain.shared.access import GrantLevel, ResourceKind, permissions_of
from tests.integration.security.operations import CALLS, Call, Ref, filled, perform, places
from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.process.in_process import ADMIN, Answer, Deployment

LISTS: Final = {
    "admin.agents.list": ResourceKind.AGENT,
    "admin.apps.list": ResourceKind.APP,
    "admin.databases.list": ResourceKind.DATABASE,
    "admin.datasets.list": ResourceKind.DATASET,
    "admin.plugins.list": ResourceKind.PLUGIN,
    "admin.prompts.list": ResourceKind.PROMPT,
    "admin.workflows.list": ResourceKind.WORKFLOW,
    "apps.list": ResourceKind.APP,
    "bots.list": ResourceKind.AGENT,
    "bots.list_published": ResourceKind.AGENT,
    "datasets.list": ResourceKind.DATASET,
    "workflows.list": ResourceKind.WORKFLOW,
}
BY_SERVICES: Final = {
    ResourceKind.AGENT: {
        "admin.conversations.create",
        "chats.create",
        "conversations.create",
        "openai.chat_completions.create",
        "openai.models.get",
        "openai.models.list",
        "openai.responses.create",
    },
    ResourceKind.DATASET: {"documents.create", "documents.list", "documents.list_by_get"},
    ResourceKind.WORKFLOW: {"workflows.chat", "workflows.run", "workflows.stream_run"},
}
"""What names the resource in its body."""

GRANTS: Final = {"admin.grants.set", "admin.grants.list", "admin.grants.delete"}
OF_ANY_KIND: Final = {"admin.presence.set"}
"""What names a resource of whatever kind in its body."""


@dataclass
class Guest:
    """An account that is a member of nothing, and was granted one thing."""

    token: str
    user_id: str


async def make_guest(deployment: Deployment, name: str) -> Guest:
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": name}, status=201
    )
    return Guest(made["token"], str(made["user"]["id"]))


async def give(
    deployment: Deployment, host: Tenant, guest: Guest, kind: ResourceKind, level: GrantLevel
) -> str:
    granted = await deployment.call(
        "PUT",
        "/admin/v1/grants",
        token=host.token,
        document={
            "resource_type": kind,
            "resource_id": host.ids[kind],
            "subject_type": "user",
            "subject_id": guest.user_id,
            "level": level,
        },
    )
    return str(granted["id"])


@pytest.fixture(scope="module")
async def host(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "sharing-host")


@pytest.fixture(scope="module")
def rows(deployment: Deployment) -> dict[str, Row]:
    return {row.operation: row for row in table(create_app(deployment.container))}


def opened(call: Call, row: Row, kind: ResourceKind, host: Tenant) -> bool:
    """Tell whether a grant on the host's resource of a kind is what a call asks for."""
    sharing = row.sharing
    if sharing is None or sharing.kind is not kind:
        return False
    return any(
        place.route[-1] == sharing.parameter and place.kind == kind for place in places(call)
    )


def is_refused(answer: Answer, canary: str) -> bool:
    if answer.status in {400, 403, 404, 409}:
        return canary.encode() not in answer.body
    return answer.status in {200, 204} and canary.encode() not in answer.body


@pytest.mark.parametrize("kind", ResourceKind)
async def test_a_grant_shows_nothing_around_its_resource(
    kind: ResourceKind, deployment: Deployment, host: Tenant, rows: dict[str, Row]
) -> None:
    guest = await make_guest(deployment, f"around.{kind}")
    await give(deployment, host, guest, kind, GrantLevel.MANAGE)
    own = (
        BY_SERVICES.get(kind, set())
        | GRANTS
        | OF_ANY_KIND
        | {op for op, k in LISTS.items() if k is kind}
    )
    before = deployment.rows()
    for operation, calls in CALLS.items():
        if operation in own or operation == "admin.tokens.create":
            continue
        for call in calls:
            if opened(call, rows[operation], kind, host) or not list(places(call)):
                continue
            answer = await perform(deployment, filled(call, host.ids), token=guest.token)
            assert is_refused(answer, host.canary), f"{operation}: {answer}"
    await deployment.idle()
    assert deployment.rows() == before


@pytest.mark.parametrize("kind", ResourceKind)
async def test_a_level_does_what_the_table_of_routes_says(
    kind: ResourceKind, deployment: Deployment, host: Tenant, rows: dict[str, Row]
) -> None:
    guest = await make_guest(deployment, f"level.{kind}")
    tried = 0
    for level in GrantLevel:
        await give(deployment, host, guest, kind, level)
        for operation, calls in CALLS.items():
            sharing = rows[operation].sharing
            for call in calls:
                if sharing is None or not opened(call, rows[operation], kind, host):
                    continue
                is_enough = level.holds(sharing.level)
                all_of_it = rows[operation].access.sometimes <= permissions_of(kind, level)
                if is_enough and not all_of_it:
                    continue
                if is_enough and call.method != "GET":
                    continue  # they would change what the next ones need
                before = deployment.rows()
                answer = await perform(deployment, filled(call, host.ids), token=guest.token)
                where = f"{operation} with {level}, which needs {sharing.level}: {answer}"
                tried += 1
                is_of_others = any(place.kind == "workflow_run" for place in places(call))
                if is_enough and not is_of_others:
                    assert answer.status == (call.fails_with or 200), where
                else:
                    assert is_refused(answer, host.canary), where
                    assert deployment.rows() == before, where
    assert tried


@pytest.mark.parametrize("operation", sorted(LISTS))
async def test_lists_show_what_was_granted_and_no_more(
    operation: str, deployment: Deployment, host: Tenant
) -> None:
    kind = LISTS[operation]
    guest = await make_guest(deployment, f"l.{operation}"[:20].replace("_", "-"))
    (call, *_) = CALLS[operation]

    async def listed() -> Answer:
        return await perform(deployment, filled(call, host.ids), token=guest.token)

    assert (await listed()).status == 404
    grant_id = await give(deployment, host, guest, kind, GrantLevel.VIEW)
    shown = await listed()
    assert shown.status == 200
    assert host.ids[kind].encode() in shown.body, str(shown)
    others = {"colleague", "spare_workflow"} - {kind}
    assert not [each for each in others if host.ids[each].encode() in shown.body]
    await deployment.call("DELETE", f"/admin/v1/grants/{grant_id}", token=host.token, status=204)
    assert (await listed()).status == 404


async def test_a_guest_chats_comes_back_and_is_sent_away(
    deployment: Deployment, host: Tenant
) -> None:
    guest = await make_guest(deployment, "chatting.guest")
    group = f"/admin/v1/groups/{host.ids['group']}"
    question = {
        "bot_id": host.ids["agent"],
        "user_id": "me",
        "additional_messages": [{"role": "user", "content": "Hello", "content_type": "text"}],
    }

    async def ask(path: str = "/v3/chat", **options: object) -> Answer:
        return await deployment.send("POST", path, token=guest.token, document=question)

    assert (await ask()).status == 404
    await deployment.call(
        "PUT",
        "/admin/v1/grants",
        token=host.token,
        document={
            "resource_type": "agent",
            "resource_id": host.ids["agent"],
            "subject_type": "group",
            "subject_id": host.ids["group"],
            "level": "use",
        },
    )
    member = f"{group}/members/{guest.user_id}"
    await deployment.call("PUT", member, token=host.token, status=204)

    chat = (await deployment.call("POST", "/v3/chat", token=guest.token, document=question))["data"]
    await deployment.idle()
    asked = f"conversation_id={chat['conversation_id']}&chat_id={chat['id']}"
    found = await deployment.call("GET", f"/v3/chat/retrieve?{asked}", token=guest.token)
    assert found["data"]["status"] == "completed"
    listed = await deployment.call(
        "GET", f"/v1/conversations?bot_id={host.ids['agent']}", token=guest.token
    )
    assert [each["id"] for each in listed["data"]["conversations"]] == [chat["conversation_id"]]
    models = await deployment.call("GET", "/v1/models", token=guest.token)
    assert host.ids["agent"] in str(models)
    assert host.ids["colleague"] not in str(models)
    received = await deployment.call("GET", "/admin/v1/grants", token=guest.token)
    assert {each["resource_type"]: each["level"] for each in received["items"]} == {
        "agent": "use",
        "app": "view",
    }
    other = question | {"bot_id": host.ids["colleague"]}
    refused = await deployment.send("POST", "/v3/chat", token=guest.token, document=other)
    assert refused.status == 404

    await deployment.call("DELETE", member, token=host.token, status=204)
    assert (await ask()).status == 404
    gone = await deployment.send("GET", f"/v3/chat/retrieve?{asked}", token=guest.token)
    assert gone.status == 404


async def test_nobody_shares_more_than_they_hold(deployment: Deployment, host: Tenant) -> None:
    manager = await make_guest(deployment, "managing.guest")
    editor = await make_guest(deployment, "editing.guest")
    await give(deployment, host, manager, ResourceKind.AGENT, GrantLevel.MANAGE)
    await give(deployment, host, editor, ResourceKind.AGENT, GrantLevel.PUBLISH)
    gift = {
        "resource_type": "agent",
        "resource_id": host.ids["agent"],
        "subject_type": "user",
        "subject_id": editor.user_id,
        "level": "manage",
    }
    reader = await deployment.call(
        "POST",
        "/admin/v1/tokens",
        token=manager.token,
        document={"name": "reads", "permissions": ["bot.read"]},
        status=201,
    )

    async def put(token: str, **changes: object) -> int:
        answer = await deployment.send(
            "PUT", "/admin/v1/grants", token=token, document=gift | changes
        )
        return answer.status

    assert await put(editor.token) == 403
    assert await put(reader["token"]) == 403
    assert await put(reader["token"], level="view") == 403  # it would take more away
    assert await put(manager.token, resource_id=host.ids["colleague"]) == 404
    assert await put(manager.token, subject_id="7000000000000000007") == 404
    assert await put(manager.token) == 200
    assert await put(editor.token, level="view") == 200


def test_operations_of_the_lists_are_those_of_the_table() -> None:
    known = {*LISTS, *GRANTS, *(each for more in BY_SERVICES.values() for each in more)}
    assert known <= ROUTES.keys()
    assert Ref("agent").kind in set(ResourceKind)

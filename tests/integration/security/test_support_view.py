"""Conversations for those who look after them: one's own, and by right those of others."""

from typing import Any, Final

import pytest

from tests.integration.security.tenants import Tenant, make_tenant
from tests.integration.security.test_audit import told_by
from tests.support.process.in_process import ADMIN, Deployment

WHO: Final = "customer-12"


@pytest.fixture(scope="module")
async def owner(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "support")


async def member(deployment: Deployment, owner: Tenant, role: str) -> str:
    """Make an account with this role in the tenant's workspace; return its token."""
    user = await deployment.call(
        "POST",
        "/admin/v1/users",
        token=ADMIN,
        document={"name": f"{role}-{owner.ids['space'][-8:]}"},
        status=201,
    )
    await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{owner.ids['space']}/members",
        token=owner.token,
        document={"user_id": user["user"]["id"], "role": role},
        status=201,
    )
    token: str = user["token"]
    return token


async def talk(deployment: Deployment, token: str, agent: str, who: str = WHO) -> str:
    chat = await deployment.call(
        "POST",
        "/v3/chat",
        token=token,
        document={
            "bot_id": agent,
            "user_id": who,
            "additional_messages": [
                {"role": "user", "content": f"Where is {who}?", "content_type": "text"}
            ],
        },
    )
    await deployment.idle()
    found: str = chat["data"]["conversation_id"]
    return found


async def listed(deployment: Deployment, owner: Tenant, token: str, more: str = "") -> list[Any]:
    path = f"/admin/v1/workspaces/{owner.ids['space']}/conversations?{more}"
    page = await deployment.call("GET", path, token=token)
    items: list[Any] = page["items"]
    return items


async def test_a_viewer_finds_only_his_own(deployment: Deployment, owner: Tenant) -> None:
    viewer = await member(deployment, owner, "viewer")
    mine = await talk(deployment, viewer, owner.ids["agent"], "viewer-1")
    foreign = await talk(deployment, owner.token, owner.ids["agent"])

    found = await listed(deployment, owner, viewer)
    refused = await deployment.send(
        "GET", f"/admin/v1/conversations/{foreign}/transcript", token=viewer
    )
    opened = await deployment.call(
        "GET", f"/admin/v1/conversations/{mine}/transcript", token=viewer
    )

    assert [each["id"] for each in found] == [mine]
    assert found[0]["is_own"]
    assert refused.status == 403
    assert opened["is_own"]
    assert [each["role"] for each in opened["items"]] == ["assistant", "user"]


async def test_whoever_may_read_traces_opens_those_of_others_and_the_log_says_so(
    deployment: Deployment, owner: Tenant
) -> None:
    operator = await member(deployment, owner, "operator")
    foreign = await talk(deployment, owner.token, owner.ids["agent"], "customer-13")

    (found,) = await listed(deployment, owner, operator, "end_user_id=customer-13")
    opened = await deployment.send(
        "GET", f"/admin/v1/conversations/{foreign}/transcript", token=operator
    )

    assert (found["id"], found["is_own"], found["source"]) == (foreign, False, "api")
    assert not opened.json["is_own"]
    (told,) = told_by(deployment, opened.headers["x-tt-logid"])
    assert told["action"] == "admin.support_conversations.get_transcript"
    assert told["resource"] == f"conversation:{foreign}"
    assert await listed(deployment, owner, operator, "own=true") == []


async def test_the_newest_run_comes_first_and_pages_go_on_behind_it(
    deployment: Deployment, owner: Tenant
) -> None:
    asked = [await talk(deployment, owner.token, owner.ids["agent"], f"p-{i}") for i in range(3)]
    path = f"/admin/v1/workspaces/{owner.ids['space']}/conversations?limit=2"

    first = await deployment.call("GET", path, token=owner.token)
    second = await deployment.call(
        "GET", f"{path}&cursor={first['next_cursor']}", token=owner.token
    )

    seen = [each["id"] for each in (*first["items"], *second["items"])]
    assert seen[:3] == asked[::-1]
    assert len(seen) == len(set(seen))


async def test_verdicts_are_listed_counted_and_filtered_by(
    deployment: Deployment, owner: Tenant
) -> None:
    asked = await talk(deployment, owner.token, owner.ids["agent"], "rater")
    path = f"/admin/v1/conversations/{asked}"
    opened = await deployment.call("GET", f"{path}/transcript", token=owner.token)
    answer = next(each for each in opened["items"] if each["role"] == "assistant")
    await deployment.send(
        "PUT",
        f"{path}/messages/{answer['id']}/feedback",
        token=owner.token,
        document={"feedback_type": "unlike", "comment": "Wrong town"},
    )

    (found,) = await listed(deployment, owner, owner.token, "feedback=down")
    opened = await deployment.call("GET", f"{path}/transcript", token=owner.token)

    assert (found["id"], found["likes"], found["dislikes"]) == (asked, 0, 1)
    (verdict,) = opened["feedback"]
    assert (verdict["message_id"], verdict["feedback_type"]) == (answer["id"], "unlike")
    assert verdict["comment"] == "Wrong town"
    assert await listed(deployment, owner, owner.token, "feedback=up") == []
    assert await listed(deployment, owner, owner.token, "waits=true") == []


async def test_end_users_with_data_are_found_by_a_part_of_their_name(
    deployment: Deployment, owner: Tenant
) -> None:
    await talk(deployment, owner.token, owner.ids["agent"], "Ümit_7")
    await deployment.call(
        "PUT",
        "/v1/variables",
        token=owner.token,
        document={
            "bot_id": owner.ids["agent"],
            "connector_uid": "Ümit_7",
            "data": [{"keyword": "city", "value": "Oslo"}],
        },
    )
    path = f"/admin/v1/agents/{owner.ids['agent']}/users"

    found = await deployment.call("GET", f"{path}?q=mit_", token=owner.token)
    nobody = await deployment.call("GET", f"{path}?q=mit%25", token=owner.token)
    drafts = await deployment.call("GET", f"{path}?env=draft&q=mit_", token=owner.token)

    (user,) = found["items"]
    assert user["end_user_id"] == "Ümit_7"
    assert (user["variables"], user["conversations"]) == (1, 1)
    assert nobody["items"] == drafts["items"] == []


async def test_end_users_of_an_app_are_found_with_what_it_keeps_of_them(
    deployment: Deployment, owner: Tenant
) -> None:
    path = f"/admin/v1/apps/{owner.ids['app']}/users"
    values = f"{path}/Ümit_7/variables"
    written = {"items": [{"keyword": "city", "value": "Oslo"}]}

    kept = await deployment.call("PUT", values, token=owner.token, document=written)
    found = await deployment.call("GET", f"{path}?q=mit_", token=owner.token)
    drafts = await deployment.call("GET", f"{path}?env=draft&q=mit_", token=owner.token)
    await deployment.call("DELETE", values, token=owner.token, status=204)
    forgotten = await deployment.call("GET", f"{path}?q=mit_", token=owner.token)

    assert [(each["keyword"], each["value"]) for each in kept["items"]] == [("city", "Oslo")]
    (user,) = found["items"]
    assert (user["end_user_id"], user["variables"], user["conversations"]) == ("Ümit_7", 1, 0)
    assert drafts["items"] == forgotten["items"] == []

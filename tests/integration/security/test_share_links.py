"""Share links over HTTP: whom they let in, what visitors reach, and when they stop."""

import hmac
import json
import time
from base64 import urlsafe_b64encode
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from tests.integration.security.operations import CALLS, VISITS, filled, perform
from tests.integration.security.tenants import Tenant
from tests.support.process.in_process import ADMIN, Answer, Deployment
from tests.support.wait import until_so


async def make(deployment: Deployment, tenant: Tenant, **more: Any) -> Any:
    """Make a link to the tenant's agent."""
    document = {
        "target_type": "agent",
        "target_id": tenant.ids["agent"],
        **more,
        "settings": {"name": "Help", **more.get("settings", {})},
    }
    path = f"/admin/v1/workspaces/{tenant.ids['space']}/share-links"
    return await deployment.call("POST", path, token=tenant.token, document=document, status=201)


async def enter(deployment: Deployment, code: str, **shown: Any) -> Answer:
    """Ask to be let in, from an address of one's own."""
    return await deployment.send(
        "POST", f"/s/{code}/api/session", document=shown, peer=deployment.new_peer()
    )


async def visit(deployment: Deployment, code: str, **shown: Any) -> str:
    answer = await enter(deployment, code, **shown)
    assert answer.status == 200, str(answer)
    token: str = answer.json["token"]
    return token


async def change(deployment: Deployment, tenant: Tenant, link: Any, **changes: Any) -> Any:
    path = f"/admin/v1/share-links/{link['id']}"
    return await deployment.call("PATCH", path, token=tenant.token, document=changes)


async def ask(
    deployment: Deployment, code: str, token: str, text: str = "Hello", **more: Any
) -> Any:
    path = f"/s/{code}/api/chats"
    return await deployment.call(
        "POST", path, token=token, document={"content": text, **more}, status=202
    )


async def events_of(deployment: Deployment, code: str, token: str, run_id: str) -> list[Any]:
    answer = await deployment.send("GET", f"/s/{code}/api/runs/{run_id}/events", token=token)
    assert answer.status == 200, str(answer)
    return [
        {"seq": int(frame.split("\n")[0].removeprefix("id: ")), **json.loads(line)}
        for frame in answer.text.split("\n\n")
        if frame.startswith("id: ")
        for line in [frame.split("\ndata: ", 1)[1]]
    ]


def signed(claims: dict[str, Any], key: str, algorithm: str = "HS256") -> str:
    """Sign a token as the site around does, without any library."""

    def part(data: bytes) -> str:
        return urlsafe_b64encode(data).decode().rstrip("=")

    head = part(json.dumps({"alg": algorithm, "typ": "JWT"}).encode())
    text = f"{head}.{part(json.dumps(claims).encode())}"
    return f"{text}.{part(hmac.digest(key.encode(), text.encode(), sha256))}"


async def test_a_visitor_asks_reloads_and_finds_everything_again(
    deployment: Deployment, alice: Tenant
) -> None:
    code = (await make(deployment, alice))["code"]
    card = (await deployment.send("GET", f"/s/{code}/api/link")).json
    assert (card["name"], card["auth"]) == ("Help", "none")
    assert (card["welcome"], card["suggestions"]) == (alice.canary, [alice.canary])
    first = (await enter(deployment, code)).json

    run = await ask(deployment, code, first["token"], "Where is it?")
    events = await events_of(deployment, code, first["token"], run["run_id"])

    assert events[0]["type"] == "run.started"
    assert events[-1]["type"] == "run.completed"
    assert [e["seq"] for e in events] == sorted({e["seq"] for e in events})
    (answer,) = [e["message"] for e in events if e["type"] == "message.completed"]
    assert answer["type"] == "answer"
    again = (await enter(deployment, code, key=first["key"])).json
    listed = await deployment.call("GET", f"/s/{code}/api/conversations", token=again["token"])
    assert [each["id"] for each in listed["items"]] == [run["conversation_id"]]
    path = f"/s/{code}/api/conversations/{run['conversation_id']}/messages"
    said = (await deployment.call("GET", path, token=again["token"]))["items"]
    assert [each["type"] for each in said[:2]] == ["question", "answer"]
    assert (said[0]["text"], said[1]["text"]) == ("Where is it?", answer["text"])
    await deployment.call(
        "PUT",
        f"/s/{code}/api/messages/{answer['id']}/feedback",
        token=again["token"],
        document={
            "conversation_id": run["conversation_id"],
            "verdict": "unlike",
            "reason_types": ["incomplete"],
            "comment": "Which pier?",
        },
    )
    said = (await deployment.call("GET", path, token=again["token"]))["items"]
    assert [each["verdict"] for each in said[:2]] == [None, "unlike"]
    transcript = f"/admin/v1/conversations/{run['conversation_id']}/transcript"
    (verdict,) = (await deployment.call("GET", transcript, token=alice.token))["feedback"]
    assert (verdict["reason_types"], verdict["comment"]) == (["incomplete"], "Which pier?")
    rest = await deployment.send(
        "GET", f"/s/{code}/api/runs/{run['run_id']}/events?after={events[-2]['seq']}",
        token=again["token"],
    )  # fmt: skip
    assert [line for line in rest.text.split("\n") if line.startswith("event: ")] == [
        "event: run.completed"
    ]


async def test_visitors_of_one_link_do_not_see_each_other(
    deployment: Deployment, alice: Tenant
) -> None:
    code = (await make(deployment, alice))["code"]
    one, other = await visit(deployment, code), await visit(deployment, code)
    run = await ask(deployment, code, one)
    await events_of(deployment, code, one, run["run_id"])

    listed = await deployment.call("GET", f"/s/{code}/api/conversations", token=other)

    assert listed["items"] == []
    for path in (
        f"/runs/{run['run_id']}/events",
        f"/conversations/{run['conversation_id']}/messages",
    ):
        answer = await deployment.send("GET", f"/s/{code}/api{path}", token=other)
        assert answer.status == 404, str(answer)
    stolen = await deployment.send(
        "POST",
        f"/s/{code}/api/chats",
        token=other,
        document={"content": "Hello", "conversation_id": run["conversation_id"]},
    )
    assert stolen.status == 404


async def test_the_token_of_a_link_opens_this_link_and_nothing_else(
    deployment: Deployment, alice: Tenant
) -> None:
    link, other = await make(deployment, alice), await make(deployment, alice)
    token = await visit(deployment, link["code"])
    run = await ask(deployment, link["code"], token)
    await deployment.idle()
    own = {**alice.ids, "run": run["run_id"], "conversation": run["conversation_id"]}
    for name, calls in {**CALLS, **VISITS}.items():
        for call in calls:
            request = filled(call, own)
            path = request.path.replace(alice.ids["share_code"], other["code"])
            answer = await perform(deployment, replace(request, path=path), token=token)
            # 429: nobody may guess so often
            assert answer.status in {401, 403, 429}, f"{name}: {answer}"


async def test_a_session_of_a_browser_is_no_visitor(deployment: Deployment, alice: Tenant) -> None:
    code = (await make(deployment, alice))["code"]
    for token in (alice.token, ADMIN):
        answer = await deployment.send("GET", f"/s/{code}/api/conversations", token=token)
        assert answer.status == 401


async def test_a_password_is_asked_for_once_and_anew_after_it_changed(
    deployment: Deployment, alice: Tenant
) -> None:
    link = await make(deployment, alice, auth="password", password="open sesame")
    assert "open sesame" not in str(link)
    code = link["code"]
    for wrong in ({}, {"password": "closed"}, {"key": "bm8"}):
        refused = await enter(deployment, code, **wrong)
        assert (refused.status, refused.json["msg"].split(":")[0]) == (401, "password")
    opened = (await enter(deployment, code, password="open sesame")).json
    again = (await enter(deployment, code, key=opened["key"])).json
    await ask(deployment, code, again["token"])

    await change(deployment, alice, link, password="another one")

    listed = await deployment.send("GET", f"/s/{code}/api/conversations", token=again["token"])
    assert listed.status == 401
    assert (await enter(deployment, code, key=opened["key"])).status == 401
    assert (await enter(deployment, code, password="another one")).status == 200


async def test_guessing_passwords_ends_after_ten(deployment: Deployment, alice: Tenant) -> None:
    code = (await make(deployment, alice, auth="password", password="open sesame"))["code"]
    peer = deployment.new_peer()
    path = f"/s/{code}/api/session"
    statuses = [
        (await deployment.send("POST", path, document={"password": f"no {n}"}, peer=peer)).status
        for n in range(11)
    ]
    assert statuses == [401] * 10 + [429]
    assert (await enter(deployment, code, password="open sesame")).status == 200


async def test_a_site_says_who_its_users_are(deployment: Deployment, alice: Tenant) -> None:
    link = await make(deployment, alice, auth="user_token")
    path = f"/admin/v1/share-links/{link['id']}/key"
    key = (await deployment.call("POST", path, token=alice.token))["key"]
    code, now = link["code"], int(time.time())
    good = {"sub": "user-7", "exp": now + 600, "aud": code}
    token = await visit(deployment, code, user_token=signed(good, key))
    run = await ask(deployment, code, token)
    bad = {
        "no token": "",
        "no JWT": "abc",
        "another key": signed(good, "another key of some length"),
        "no algorithm": signed(good, key, "none"),
        "RS256 without a key": signed(good, key, "RS256"),
        "expired": signed({**good, "exp": now - 600}, key),
        "endless": signed({"sub": "user-7"}, key),
        "a year": signed({**good, "exp": now + 365 * 86400}, key),
        "not yet": signed({**good, "nbf": now + 600}, key),
        "for another link": signed({**good, "aud": "elsewhere"}, key),
        "nobody": signed({**good, "sub": ""}, key),
        "a stranger's name": signed({**good, "sub": "visitor-1"}, key),
        "a path": signed({**good, "sub": "a/b"}, key),
        "no name": signed({**good, "sub": 7}, key),
    }
    for what, each in bad.items():
        answer = await enter(deployment, code, user_token=each)
        assert answer.status == 401, f"{what}: {answer}"
    again = await visit(deployment, code, user_token=signed({**good, "exp": now + 900}, key))
    listed = await deployment.call("GET", f"/s/{code}/api/conversations", token=again)
    assert [each["id"] for each in listed["items"]] == [run["conversation_id"]]


async def test_a_link_that_is_closed_says_so(deployment: Deployment, alice: Tenant) -> None:
    link = await make(deployment, alice)
    code, token = link["code"], await visit(deployment, link["code"])
    await change(
        deployment, alice, link, expires_at=1, settings={"closed_text": "See you next year."}
    )
    for answer in (
        await deployment.send("GET", f"/s/{code}/api/link"),
        await enter(deployment, code),
        await deployment.send(
            "POST", f"/s/{code}/api/chats", token=token, document={"content": "Hello"}
        ),
    ):
        assert (answer.status, answer.json["msg"]) == (403, "See you next year.")
    await change(deployment, alice, link, expires_at=None)
    await ask(deployment, code, token)

    await deployment.call(
        "DELETE", f"/admin/v1/share-links/{link['id']}", token=alice.token, status=204
    )

    assert (await deployment.send("GET", f"/s/{code}/api/link")).status == 404
    assert (await enter(deployment, code)).status == 404
    listed = await deployment.send("GET", f"/s/{code}/api/conversations", token=token)
    assert listed.status == 404


async def test_a_link_ends_with_the_publication_of_its_agent(
    deployment: Deployment, alice: Tenant
) -> None:
    made = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{alice.ids['space']}/agents",
        token=alice.token,
        document={"name": "Shared"},
        status=201,
    )
    link_body = {"target_id": made["id"]}
    with pytest.raises(AssertionError, match="404"):
        await make(deployment, alice, **link_body)
    agent = f"/admin/v1/agents/{made['id']}"
    await deployment.call("POST", f"{agent}/publish", token=alice.token, document={})
    link = await make(deployment, alice, **link_body)
    token = await visit(deployment, link["code"])
    await deployment.call("DELETE", f"{agent}/connectors/1024", token=alice.token, status=204)
    refused = await deployment.send(
        "POST", f"/s/{link['code']}/api/chats", token=token, document={"content": "Hello"}
    )
    assert refused.status == 403


async def test_pages_of_other_sites_do_not_ask_in_its_place(
    deployment: Deployment, alice: Tenant
) -> None:
    code = (await make(deployment, alice, settings={"allowed_origins": ["https://a.example"]}))[
        "code"
    ]
    for origin, status in (
        ("https://a.example", 403),
        ("https://evil.example", 403),
        ("null", 403),
        ("http://coterie.example", 200),
    ):
        answer = await deployment.send(
            "POST", f"/s/{code}/api/session", document={}, headers=[("origin", origin)],
            peer=deployment.new_peer(),
        )  # fmt: skip
        assert answer.status == status, origin


async def test_a_link_has_a_limit_of_its_own(deployment: Deployment, alice: Tenant) -> None:
    code = (await make(deployment, alice, settings={"runs_per_min": 2}))["code"]
    token = await visit(deployment, code)
    statuses = [
        (
            await deployment.send(
                "POST", f"/s/{code}/api/chats", token=token, document={"content": "Hello"}
            )
        ).status
        for _ in range(3)
    ]
    assert statuses == [202, 202, 429]
    await ask(deployment, code, await visit(deployment, code))


async def test_files_feedback_and_history_are_off_where_the_link_says_so(
    deployment: Deployment, alice: Tenant
) -> None:
    off = {"allows_files": False, "takes_feedback": False, "keeps_history": False}
    code = (await make(deployment, alice, settings=off))["code"]
    token = await visit(deployment, code)
    run = await ask(deployment, code, token)
    events = await events_of(deployment, code, token, run["run_id"])
    answer = next(e["message"] for e in events if e["type"] == "message.completed")
    listed = await deployment.call("GET", f"/s/{code}/api/conversations", token=token)
    assert listed["items"] == []
    for method, path, document in (
        ("POST", "/chats", {"content": "Hello", "file_ids": [alice.ids["file"]]}),
        (
            "PUT",
            f"/messages/{answer['id']}/feedback",
            {"conversation_id": run["conversation_id"], "verdict": "like"},
        ),
    ):
        refused = await deployment.send(
            method, f"/s/{code}/api{path}", token=token, document=document
        )
        assert refused.status == 403, path


async def test_the_ledger_knows_the_link(deployment: Deployment, alice: Tenant) -> None:
    link = await make(deployment, alice)
    token = await visit(deployment, link["code"], source="embed")
    run = await ask(deployment, link["code"], token)
    await events_of(deployment, link["code"], token, run["run_id"])

    async def counted() -> bool:
        path = f"/admin/v1/usage/entries?workspace_id={alice.ids['space']}&source=embed"
        found = await deployment.call("GET", path, token=alice.token)
        return any(each["share_link_id"] == link["id"] for each in found["items"])

    await until_so(counted)


async def test_a_budget_limits_one_link_alone(deployment: Deployment, alice: Tenant) -> None:
    link, other = await make(deployment, alice), await make(deployment, alice)
    token = await visit(deployment, link["code"])
    run = await ask(deployment, link["code"], token)
    await events_of(deployment, link["code"], token, run["run_id"])
    limit = {"unit": "tokens", "amount": 1, "period": "month"}
    budget = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{alice.ids['space']}/budgets",
        token=alice.token,
        document={"subject_type": "share_link", "subject_id": link["id"], **limit},
        status=201,
    )

    async def asked(code: str) -> Answer:
        token = await visit(deployment, code)
        path = f"/s/{code}/api/chats"
        return await deployment.send("POST", path, token=token, document={"content": "Hello"})

    refused = await asked(link["code"])
    assert (refused.status, refused.json["code"]) == (402, 4028), str(refused)
    assert refused.json["error"]["reason"] == "share_link"
    assert refused.json["error"]["resets_at"]
    assert (await asked(other["code"])).status == 202
    path = f"/admin/v1/budgets/{budget['id']}"
    await deployment.call("DELETE", path, token=alice.token, status=204)
    assert (await asked(link["code"])).status == 202


async def test_a_budget_is_for_a_link_of_its_own_workspace(
    deployment: Deployment, alice: Tenant, mallory: Tenant
) -> None:
    link = await make(deployment, mallory)
    limit = {"unit": "tokens", "amount": 1, "period": "day"}
    await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{alice.ids['space']}/budgets",
        token=alice.token,
        document={"subject_type": "share_link", "subject_id": link["id"], **limit},
        status=404,
    )


async def test_a_chat_flow_answers_behind_a_link(deployment: Deployment, alice: Tenant) -> None:
    link = await make(deployment, alice, target_type="workflow", target_id=alice.ids["workflow"])
    token = await visit(deployment, link["code"])
    run = await ask(deployment, link["code"], token)
    events = await events_of(deployment, link["code"], token, run["run_id"])
    assert events[-1]["type"] in {"run.completed", "run.failed"}
    listed = await deployment.call("GET", f"/s/{link['code']}/api/conversations", token=token)
    assert [each["id"] for each in listed["items"]] == [run["conversation_id"]]

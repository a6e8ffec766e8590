"""Budgets of a whole deployment: each subject, period and surface, from limit to refusal."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

import pytest

from application.directory.live import LiveBegan, LiveEvent
from domain.directory.value import Notice, NoticeType
from domain.shared.access import Principal, Role
from domain.shared.ids import SpaceId, TokenId, UserId
from tests.support.process.in_process import ADMIN, Answer
from tests.support.usage.shop import Shop, opened_shop
from tests.support.workflow.canvas import canvas, model

QUESTION: Final = {"role": "user", "content": "go"}


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncGenerator[Shop, None]:
    async with opened_shop(tmp_path) as shop:
        yield shop


async def _chat(shop: Shop, *, stream: bool) -> Answer:
    return await shop.deployment.send(
        "POST",
        "/v3/chat",
        token=ADMIN,
        document={
            "bot_id": shop.agent,
            "user_id": "ada",
            "stream": stream,
            "additional_messages": [QUESTION | {"content_type": "text"}],
        },
    )


def _openai(path: str, **body: object) -> "Ask":
    async def ask(shop: Shop) -> Answer:
        named = {"model": shop.agent, "user": "ada"} | body
        return await shop.deployment.send("POST", path, token=ADMIN, document=named)

    return ask


async def _tool(shop: Shop) -> Answer:
    listed = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    found = await shop.deployment.send("POST", f"/mcp/{shop.space}", token=ADMIN, document=listed)
    (name,) = [each["name"] for each in found.json["result"]["tools"] if shop.agent in each["name"]]
    params = {"name": name, "arguments": {"question": "go"}}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    headers = [("accept", "application/json, text/event-stream")]
    return await shop.deployment.send(
        "POST", f"/mcp/{shop.space}", token=ADMIN, document=call, headers=headers
    )


Ask = Callable[[Shop], Awaitable[Answer]]
OF_AGENT: Final[dict[str, Ask]] = {
    "chat": lambda shop: _chat(shop, stream=False),
    "streamed chat": lambda shop: _chat(shop, stream=True),
    "completion": _openai("/v1/chat/completions", messages=[QUESTION]),
    "streamed completion": _openai("/v1/chat/completions", messages=[QUESTION], stream=True),
    "response": _openai("/v1/responses", input="go"),
}
OF_MODEL: Final[dict[str, Ask]] = {
    "raw completion": _openai("/v1/chat/completions", messages=[QUESTION], model="llm/priced"),
    "embedding": _openai("/v1/embeddings", input=["a", "b"], model="embed-8"),
}


def _require_refusal(answer: Answer, *, reason: str, resets: bool) -> None:
    assert answer.status == 402, str(answer)
    assert "retry-after" not in answer.headers
    body = answer.json
    if "code" in body:
        assert body["code"] == 4028
        assert body["msg"]
    else:
        assert body["error"]["type"] == "insufficient_quota"
        assert body["error"]["code"] == "budget_exceeded"
    assert body["error"]["reason"] == reason
    assert (body["error"]["resets_at"] is not None) is resets


async def _limit(shop: Shop, subject: str, subject_id: str, period: str, **body: object) -> str:
    made = await shop.call(
        "POST",
        f"/admin/v1/workspaces/{shop.space}/budgets",
        {"subject_type": subject, "subject_id": subject_id, "unit": "tokens", "amount": 1}
        | {"period": period}
        | body,
        201,
    )
    return str(made["id"])


async def test_each_subject_and_period_is_refused_on_each_surface(shop: Shop) -> None:
    answered = await _chat(shop, stream=True)
    assert "conversation.chat.completed" in answered.text
    (entry,) = shop.entries()
    subjects = {
        "workspace": "",
        "agent": shop.agent,
        "token": str(entry["token_id"]),
        "member": str(entry["member_id"]),
        "end_user": "ada",
    }
    for subject, subject_id in subjects.items():
        for period in ("day", "week", "month"):
            budget = await _limit(shop, subject, subject_id, period)
            asks = OF_AGENT if subject in {"agent", "end_user"} else OF_AGENT | OF_MODEL
            for ask in asks.values():
                _require_refusal(await ask(shop), reason=subject, resets=True)
            assert not shop.entries(), "no model was called"
            seen = await shop.call("GET", f"/admin/v1/budgets/{budget}")
            assert (seen["state"], seen["left"]) == ("used_up", "0")
            await shop.call("DELETE", f"/admin/v1/budgets/{budget}", status=204)
    for ask in (OF_AGENT | OF_MODEL).values():
        assert (await ask(shop)).status == 200


async def test_what_a_budget_is_not_for_goes_on(shop: Shop) -> None:
    space = f"/admin/v1/workspaces/{shop.space}"
    other = await shop.call("POST", f"{space}/agents", {"name": "other"}, 201)
    app = await shop.call("POST", f"{space}/apps", {"name": "other"}, 201)
    token = await shop.call("POST", "/admin/v1/tokens", {"name": "other", "duration_days": 1}, 201)
    await _limit(shop, "agent", str(other["id"]), "day")
    await _limit(shop, "app", str(app["id"]), "day")
    await _limit(shop, "token", str(token["id"]), "day")
    await _limit(shop, "end_user", "eve", "day")
    await _limit(shop, "workspace", "", "day", is_hard=False)
    for _ in range(2):
        for ask in (OF_AGENT | OF_MODEL).values():
            assert (await ask(shop)).status == 200


async def test_who_manages_a_workspace_is_told_once_what_a_budget_has_reached(shop: Shop) -> None:
    budget = await _limit(shop, "workspace", "", "day", is_hard=False)
    space = SpaceId(int(shop.space))
    person = Principal(
        user_id=UserId(7), token_id=TokenId(7), roles={space: Role.ADMIN}, personal_space_id=space
    )
    gate = shop.deployment.container.usage().gate
    service = shop.deployment.container.directory().live
    told: list[LiveEvent] = []
    async with aclosing(service.follow(person, for_s=60)) as channel:
        assert [each.event for each in await anext(channel)] == [LiveBegan()]
        for _ in range(2):
            assert (await OF_AGENT["completion"](shop)).status == 200
            await gate.tend()
        await shop.call("PATCH", f"/admin/v1/agents/{shop.agent}", {"description": "the end"})
        while not any(getattr(each, "resource_id", 0) == int(shop.agent) for each in told):
            told += [each.event for each in await anext(channel)]

    assert [each for each in told if isinstance(each, Notice)] == [
        Notice(
            workspace_id=space,
            what=NoticeType.BUDGET_REACHED,
            resource_id=int(budget),
            percent=100,
        )
    ]


async def test_a_budget_for_good_counts_from_now_on(shop: Shop) -> None:
    ask = OF_AGENT["completion"]
    assert (await ask(shop)).status == 200
    shop.entries()
    budget = await _limit(shop, "agent", shop.agent, "forever", unit="money", amount="0.000001")
    assert (await shop.call("GET", f"/admin/v1/budgets/{budget}"))["spent"] == "0"
    assert (await ask(shop)).status == 200
    (entry,) = shop.entries()
    seen = await shop.call("GET", f"/admin/v1/budgets/{budget}")
    assert float(seen["spent"]) == pytest.approx(float(entry["money"]))
    assert seen["resets_at"] is None
    _require_refusal(await ask(shop), reason="agent", resets=False)
    await shop.call("PATCH", f"/admin/v1/budgets/{budget}", {"amount": "1"})
    assert (await ask(shop)).status == 200


async def test_a_tool_says_that_its_budget_is_used_up(shop: Shop) -> None:
    await _tool(shop)
    await _limit(shop, "agent", shop.agent, "month")
    answer = await _tool(shop)
    assert answer.status == 200
    assert '"isError":true' in answer.text.replace(" ", "")
    assert "used up" in answer.text


async def test_workflows_and_documents_heed_budgets(shop: Shop) -> None:
    asking = json.dumps(canvas(model("10"), entry=[])).replace('"m"', '"priced"')
    path = f"/admin/v1/workspaces/{shop.space}/workflows"
    flow = await shop.call("POST", path, {"name": "f", "description": "f", "mode": 0}, 201)
    await shop.call("PUT", f"/admin/v1/workflows/{flow['id']}/canvas", {"schema": asking})
    trial: dict[str, Any] = {"inputs": {}}
    tested = f"/admin/v1/workflows/{flow['id']}/test-runs"
    await shop.call("POST", tested, trial, 202)
    await shop.deployment.idle()
    assert shop.entries()
    await _limit(shop, "workspace", "", "month")
    refused = await shop.deployment.send("POST", tested, token=ADMIN, document=trial)
    _require_refusal(refused, reason="workspace", resets=True)
    made = await shop.call(
        "POST", "/v1/datasets", {"name": "b", "space_id": shop.space, "format_type": 0}
    )
    base = made["data"]["dataset_id"]
    await shop.call(
        "POST",
        "/open_api/knowledge/document/create",
        {
            "dataset_id": base,
            "document_bases": [{"name": "a", "source_info": {"custom_content": "Hello world."}}],
        },
    )
    await shop.deployment.idle()
    assert not shop.entries()


async def test_a_repeated_request_gets_the_run_of_the_first(shop: Shop) -> None:
    headers = [("idempotency-key", "once")]
    body = {
        "bot_id": shop.agent,
        "user_id": "ada",
        "additional_messages": [QUESTION | {"content_type": "text"}],
    }

    async def ask() -> Answer:
        return await shop.deployment.send(
            "POST", "/v3/chat", token=ADMIN, document=body, headers=headers
        )

    first = await ask()
    await shop.deployment.idle()
    await _limit(shop, "workspace", "", "month")
    assert (await ask()).json["data"]["id"] == first.json["data"]["id"]


@pytest.mark.parametrize("subject", ["agent", "app", "token", "share_link", "member"])
async def test_what_is_not_there_cannot_be_limited(shop: Shop, subject: str) -> None:
    answer = await shop.deployment.send(
        "POST",
        f"/admin/v1/workspaces/{shop.space}/budgets",
        token=ADMIN,
        document={"subject_type": subject, "subject_id": "7", "unit": "tokens", "amount": 1}
        | {"period": "day"},
    )
    assert answer.status == 404
    assert "subject_id" in answer.text

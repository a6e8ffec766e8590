"""Ledger of a whole deployment: every call is there, under the account of what occasioned it."""

import json
from collections.abc import AsyncGenerator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.support.process.in_process import ADMIN
from tests.support.usage.shop import Shop, opened_shop
from tests.support.workflow.canvas import canvas, model


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncGenerator[Shop, None]:
    async with opened_shop(tmp_path) as shop:
        yield shop


async def test_each_surface_has_its_source_and_each_call_its_account(shop: Shop) -> None:
    question = {"role": "user", "content": "go"}
    coze = {
        "bot_id": shop.agent,
        "user_id": "ada",
        "stream": True,
        "additional_messages": [question | {"content_type": "text"}],
    }
    await shop.deployment.send("POST", "/v3/chat", token=ADMIN, document=coze)
    (of_coze,) = shop.entries()
    openai = {"model": shop.agent, "messages": [question], "user": "bob"}
    await shop.call("POST", "/v1/chat/completions", openai)
    (of_openai,) = shop.entries()
    raw = {"model": "llm/priced", "messages": [question]}
    await shop.call("POST", "/v1/chat/completions", raw)
    (of_raw,) = shop.entries()
    await shop.call("POST", "/v1/embeddings", {"model": "embed-8", "input": ["a", "b"]})
    (of_embedding,) = shop.entries()

    common = {"space_id": int(shop.space), "outcome": "ok", "is_estimated": 0}
    agent = {"agent_id": int(shop.agent), "model": "priced", "purpose": "chat"}
    assert (common | agent | {"source": "api", "end_user_id": "ada"}).items() <= of_coze.items()
    assert (common | agent | {"source": "openai", "end_user_id": "bob"}).items() <= (
        of_openai.items()
    )
    assert (common | {"source": "openai", "agent_id": 0, "model": "priced"}).items() <= (
        of_raw.items()
    )
    assert (common | {"source": "openai", "purpose": "embedding"}).items() <= of_embedding.items()
    every = (of_coze, of_openai, of_raw, of_embedding)
    assert all(each["token_id"] and each["member_id"] and each["slot"] for each in every)
    assert of_coze["version"]
    assert of_coze["version"] == of_openai["version"]
    for each in (of_coze, of_openai, of_raw):
        points = (each["input_tokens"] + 2 * each["output_tokens"]) / 1000
        assert float(each["cost"]) == pytest.approx(points)
        assert float(each["money"]) == pytest.approx(points / 2)
        assert (each["currency"], each["has_points"]) == ("CHF", 1)
        assert each["price_version"]
    assert of_embedding["money"] is None
    assert not of_embedding["price_version"]


async def test_nodes_of_workflows_and_documents_are_counted_for_them(shop: Shop) -> None:
    asking = json.dumps(canvas(model("10"), entry=[])).replace('"m"', '"priced"')
    path = f"/admin/v1/workspaces/{shop.space}/workflows"
    flow = await shop.call("POST", path, {"name": "f", "description": "f", "mode": 0}, 201)
    await shop.call("PUT", f"/admin/v1/workflows/{flow['id']}/canvas", {"schema": asking})
    trial: dict[str, Any] = {"inputs": {}}
    await shop.call("POST", f"/admin/v1/workflows/{flow['id']}/test-runs", trial, 202)
    await shop.deployment.idle()
    (of_draft,) = shop.entries(workflow_id=int(flow["id"]))
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
    of_document = shop.entries(dataset_id=int(base))

    assert {"source": "playground", "version": "", "purpose": "chat"}.items() <= of_draft.items()
    assert {(each["source"], each["purpose"]) for each in of_document} == {("ingest", "embedding")}
    assert sum(each["input_tokens"] for each in of_document)


async def test_reports_and_files_tell_the_same_as_the_ledger(shop: Shop) -> None:
    question = {"role": "user", "content": "go"}
    for user in ("ada", "bob", "bob"):
        await shop.call(
            "POST",
            "/v1/chat/completions",
            {"model": shop.agent, "messages": [question], "user": user},
        )
    path = f"/admin/v1/models/{shop.model}/prices"
    dearer = {"unit": 1000, "money": [{"input": "5", "output": "10"}]}
    made = await shop.call("POST", path, dearer, 201)
    await shop.call("POST", "/v1/chat/completions", {"model": "llm/priced", "messages": [question]})
    await shop.call("POST", "/v1/embeddings", {"model": "embed-8", "input": ["a"]})
    entries = shop.entries()

    query = "/admin/v1/usage?interval=day&zone=Asia/Tokyo&group_by=model,end_user"
    before = await shop.call("GET", query)
    assert await shop.deployment.container.usage().rolling.roll() == len(entries)
    report = await shop.call("GET", query)
    assert before["total"] == report["total"]
    assert report["groups"] == before["groups"]

    money = sum(Decimal(each["money"] or 0) for each in entries)
    assert Decimal(report["total"]["cost"]) == money
    assert report["currency"] == "CHF"
    assert report["total"]["calls_without_cost"] == 1
    assert report["total"]["input_tokens"] == sum(each["input_tokens"] for each in entries)
    assert sum(Decimal(each["total"]["cost"] or 0) for each in report["series"]) == money
    by_user = {each["values"]["end_user"]: each["total"]["calls"] for each in report["groups"]}
    assert (by_user["ada"], by_user["bob"]) == (1, 2)
    assert (await shop.call("GET", f"{query}&limit=1"))["rest"]["calls"] == len(entries) - 1

    listed: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = await shop.call("GET", f"/admin/v1/usage/entries?limit=2&cursor={cursor}")
        listed += page["items"]
        cursor = page["next_cursor"]
    assert len(listed) == len(entries)
    assert len({(each["run_id"], each["number"]) for each in listed}) == len(entries)
    (dear,) = [each for each in listed if each["price_version"] == made["version"]]
    assert (
        Decimal(dear["cost"])
        == Decimal(5 * dear["input_tokens"] + 10 * dear["output_tokens"]) / 1000
    )
    file = await shop.deployment.send("GET", "/admin/v1/usage/entries?format=jsonl", token=ADMIN)
    rows = [json.loads(line) for line in file.text.splitlines()]
    assert [each | {"at": 0} for each in rows[::-1]] == [each | {"at": 0} for each in listed]
    for format_name in ("csv", "xlsx"):
        whole = await shop.deployment.send(
            "GET", f"/admin/v1/usage/entries?format={format_name}", token=ADMIN
        )
        assert whole.status == 200
        assert len(whole.body) > 100

    versions = await shop.call("GET", path)
    assert [each["number"] for each in versions["items"]] == [2, 1]
    assert versions["items"][0] == made
    assert versions["items"][1]["tiers"][0]["input"] == "1"


SENSELESS = [
    ("since=1&until=1", "since"),
    ("zone=Mars/Olympus", "zone"),
    ("interval=week", "interval"),
    ("interval=hour&since=1500000000&until=1780000000", "interval"),
    ("group_by=agent,agent", "group_by"),
    ("group_by=colour", "group_by"),
    ("until=99999999999999", "until"),
    ("agent_id=x", "agent_id"),
]


async def test_senseless_questions_are_refused(shop: Shop) -> None:
    for query, name in SENSELESS:
        answer = await shop.deployment.send("GET", f"/admin/v1/usage?{query}", token=ADMIN)

        assert answer.status == 400, query
        assert name in answer.text, query

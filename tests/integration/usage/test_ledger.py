"""Ledger of a whole deployment: every call is there, under the account of what occasioned it."""

import json
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.support.process.in_process import ADMIN, Deployment, running
from tests.support.workflow.canvas import canvas, model
from tests.upstream.fixture import running_upstream

PRICES = {
    "unit": 1000,
    "tiers": [{"input": "1", "output": "2"}],
    "money": [{"input": "0.5", "output": "1"}],
}


@dataclass
class Shop:
    """A deployment with a priced model and an agent that uses it."""

    deployment: Deployment
    space: str
    model: str
    agent: str
    used: list[tuple[int, int]] = field(default_factory=list)

    async def call(self, method: str, path: str, document: object = None, status: int = 200) -> Any:
        return await self.deployment.call(
            method, path, token=ADMIN, document=document, status=status
        )

    def entries(self, **where: object) -> list[dict[str, Any]]:
        """Return the rows of the ledger that nobody asked for before."""
        with closing(sqlite3.connect(self.deployment.data / "coterie.db")) as database:
            database.row_factory = sqlite3.Row
            rows = [dict(each) for each in database.execute("SELECT * FROM model_call")]
        rows = [each for each in rows if (each["run_id"], each["call_no"]) not in self.used]
        self.used += [(each["run_id"], each["call_no"]) for each in rows]
        return [each for each in rows if where.items() <= each.items()]


@pytest.fixture
async def shop(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Shop, None]:
    with running_upstream() as upstream:
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_API_KEY": "sk-x",
            "OPENAI_EMBEDDING_MODEL": "embed-8",
            "COTERIE_USAGE__CURRENCY": "CHF",
        }
        async with running(tmp_path_factory.mktemp("usage"), environ) as deployment:
            listed = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
            space = listed["data"]["workspaces"][0]["id"]
            model = await deployment.call(
                "POST",
                "/admin/v1/models",
                token=ADMIN,
                status=201,
                document={
                    "display": {"name": "priced"},
                    "connection": {"base_url": upstream.base_url, "model": "tokens-3-0"},
                    "prices": PRICES,
                },
            )
            agent = await deployment.call(
                "POST",
                f"/admin/v1/workspaces/{space}/agents",
                token=ADMIN,
                status=201,
                document={"name": "sold", "model": {"model_id": model["id"]}},
            )
            await deployment.call(
                "POST",
                f"/admin/v1/agents/{agent['id']}/publish",
                token=ADMIN,
                document={"connector_ids": ["1024"], "description": "x"},
            )
            yield Shop(deployment, space, model["id"], agent["id"])


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

"""Shop: a deployment with a priced model and an agent that uses it."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.process.in_process import ADMIN, Deployment, running
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
    """Entries that were seen."""

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


@asynccontextmanager
async def opened_shop(data: Path) -> AsyncGenerator[Shop, None]:
    """Open a shop whose data is here."""
    with running_upstream() as upstream:
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_API_KEY": "sk-x",
            "OPENAI_EMBEDDING_MODEL": "embed-8",
            "COTERIE_USAGE__CURRENCY": "CHF",
        }
        async with running(data, environ) as deployment:
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

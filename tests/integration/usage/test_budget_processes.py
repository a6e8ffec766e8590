"""Budget of a workspace in four real processes on PostgreSQL: how far they pass its limit."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.support.process.in_process import MASTER_KEY
from tests.support.process.server import TOKEN, RunningServer, running_server
from tests.support.service.postgres import PostgresServer
from tests.support.usage.provider import Provider
from tests.support.wait import until
from tests.support.web.service import Service

PROCESSES: Final = 4
CLIENTS: Final = 8
"""Of each process, without a pause."""
LIMIT: Final = 60_000
PORTION: Final = LIMIT // 20
MOST: Final = 400
"""Tokens of an answer, which the agent asks for and the provider keeps to."""
DATABASE: Final = "budget_processes"
HEADERS: Final = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def provider() -> Provider:
    chance = random.Random(7)  # noqa: S311 - no secret
    return Provider(chance, refuses=0.0, most_input=40, most_output=MOST)


@pytest.fixture
def servers(tmp_path: Path, postgres_server: PostgresServer) -> Iterator[list[RunningServer]]:
    with ExitStack() as stack:
        url = postgres_server.create_database(DATABASE)
        stack.callback(postgres_server.drop_database, DATABASE)
        started = []
        for number in range(PROCESSES):
            data = tmp_path / str(number)
            data.mkdir(mode=0o700)
            environ = {"COTERIE_DATABASE__URL": url, "COTERIE_NODE": str(number)}
            environ["COTERIE_MASTER_KEY"] = MASTER_KEY
            started.append(stack.enter_context(running_server(data, environ)))
        yield started


def _said(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


@pytest.mark.long
def test_four_processes_pass_a_limit_by_a_portion_each_at_most(
    servers: list[RunningServer],
    provider: Provider,
    record_property: Callable[[str, object], None],
) -> None:
    with (
        Service(provider.answer).listening() as service,
        httpx.Client(base_url=servers[0].url, headers=HEADERS, timeout=60) as http,
    ):
        space = _said(http.get("/admin/v1/workspaces"))["items"][0]["id"]
        connection = {"base_url": f"{service.url}/v1", "model": "m", "api_key": "sk-1"}
        named = {"display": {"name": "counted"}, "connection": connection}
        made = _said(http.post("/admin/v1/models", json=named))
        agent = _said(
            http.post(
                f"/admin/v1/workspaces/{space}/agents",
                json={"name": "a", "model": {"model_id": made["id"], "max_tokens": MOST}},
            )
        )["id"]
        published = {"connector_ids": ["1024"], "description": "x"}
        _said(http.post(f"/admin/v1/agents/{agent}/publish", json=published))
        wanted = {"subject_type": "workspace", "unit": "tokens", "amount": str(LIMIT)}
        budget = _said(
            http.post(f"/admin/v1/workspaces/{space}/budgets", json=wanted | {"period": "month"})
        )["id"]

        def chat_until_refused(server: RunningServer) -> int:
            """Chat until the budget is used up; return how many were answered."""
            count = 0
            message = {"role": "user", "content": "go"}
            with httpx.Client(base_url=server.url, headers=HEADERS, timeout=60) as mine:
                while True:
                    asked = {"model": agent, "messages": [message]}
                    answer = mine.post("/v1/chat/completions", json=asked)
                    if answer.status_code == 402:
                        return count
                    _said(answer)
                    count += 1

        with ThreadPoolExecutor(PROCESSES * CLIENTS) as pool:
            answered = sum(pool.map(chat_until_refused, servers * CLIENTS))

        taken = provider.counted["input_tokens"] + provider.counted["output_tokens"]

        def settled() -> bool:
            return float(_said(http.get(f"/admin/v1/budgets/{budget}"))["spent"]) >= taken

        until(settled, "the ledger")
        spent = int(_said(http.get(f"/admin/v1/budgets/{budget}"))["spent"])
        total = _said(http.get("/admin/v1/usage"))["total"]

    assert spent == taken == total["input_tokens"] + total["output_tokens"]
    assert answered <= provider.counted["calls"]
    record_property("passed_by", spent - LIMIT)
    assert LIMIT - PROCESSES * (PORTION + MOST) <= spent <= LIMIT + PROCESSES * PORTION

"""Limits in several real processes on PostgreSQL: how far they pass them together."""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
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

CLIENTS: Final = 8
"""Of each process, without a pause."""
LIMIT: Final = 60_000
PORTION: Final = LIMIT // 20
MOST: Final = 400
"""Tokens of an answer, which the agent asks for and the provider keeps to."""
DATABASE: Final = "limit_processes"
HEADERS: Final = {"Authorization": f"Bearer {TOKEN}"}
VISITS: Final = 6
"""Requests of an end user a minute, in each process."""
RUNS: Final = 5
"""Runs of the workspace that may begin in a minute, in all processes."""
TRIES: Final = 30


@pytest.fixture
def provider() -> Provider:
    chance = random.Random(7)  # noqa: S311 - no secret
    return Provider(chance, refuses=0.0, most_input=40, most_output=MOST)


def _said(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


@dataclass(frozen=True)
class Company:
    """Processes with one agent in one workspace."""

    servers: list[RunningServer]
    http: httpx.Client
    agent: str
    budget: str


@contextmanager
def company(
    tmp_path: Path,
    postgres: PostgresServer,
    provider: Provider,
    *,
    processes: int,
    limits: dict[str, int] | None = None,
    tokens: int | None = None,
) -> Iterator[Company]:
    """Start processes one after the other; the first one is told everything alone."""
    with ExitStack() as stack:
        service = stack.enter_context(Service(provider.answer).listening())
        url = postgres.create_database(DATABASE)
        stack.callback(postgres.drop_database, DATABASE)

        def started(number: int) -> RunningServer:
            data = tmp_path / str(number)
            data.mkdir(mode=0o700)
            environ = {
                "COTERIE_DATABASE__URL": url,
                "COTERIE_NODE": str(number),
                "COTERIE_MASTER_KEY": MASTER_KEY,
                "COTERIE_LIMITS__REQUESTS_PER_VISITOR_PER_MIN": str(VISITS),
            }
            return stack.enter_context(running_server(data, environ))

        first = started(0)
        http = stack.enter_context(httpx.Client(base_url=first.url, headers=HEADERS, timeout=60))
        space = _said(http.get("/admin/v1/workspaces"))["items"][0]["id"]
        connection = {"base_url": f"{service.url}/v1", "model": "m", "api_key": "sk-1"}
        named = {"display": {"name": "counted"}, "connection": connection}
        made = _said(http.post("/admin/v1/models", json=named))
        body = {"name": "a", "model": {"model_id": made["id"], "max_tokens": MOST}}
        agent = _said(http.post(f"/admin/v1/workspaces/{space}/agents", json=body))["id"]
        published = {"connector_ids": ["1024"], "description": "x"}
        _said(http.post(f"/admin/v1/agents/{agent}/publish", json=published))
        if limits is not None:
            _said(http.patch(f"/admin/v1/workspaces/{space}", json={"limits": limits}))
        budget = ""
        if tokens is not None:
            wanted = {"subject_type": "workspace", "unit": "tokens", "amount": str(tokens)}
            path = f"/admin/v1/workspaces/{space}/budgets"
            budget = _said(http.post(path, json=wanted | {"period": "month"}))["id"]
        yield Company([first, *map(started, range(1, processes))], http, agent, budget)


def _admitted(
    servers: list[RunningServer], ask: Callable[[httpx.Client], httpx.Response], token: str
) -> tuple[list[int], float]:
    """Ask all processes at once; return how often each let one in, and how long that took."""

    def count(server: RunningServer) -> int:
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=server.url, headers=headers, timeout=60) as http:
            answers = [ask(http) for _ in range(TRIES)]
        refused = [each for each in answers if each.status_code == 429]
        assert all(int(each.headers["retry-after"]) >= 1 for each in refused)
        assert all(each.is_success for each in answers if each not in refused)
        return len(answers) - len(refused)

    began = time.monotonic()
    with ThreadPoolExecutor(len(servers)) as pool:
        found = list(pool.map(count, servers))
    return found, time.monotonic() - began


def test_rates_of_an_end_user_hold_in_each_of_two_processes(
    tmp_path: Path, postgres_server: PostgresServer, provider: Provider
) -> None:
    with company(tmp_path, postgres_server, provider, processes=2) as made:
        body = {"bot_ids": [made.agent], "user_id": "ada"}
        token = _said(made.http.post("/admin/v1/tokens:issue", json=body))["token"]
        counts, took_s = _admitted(made.servers, lambda http: http.get("/v1/users/me"), token)

    again = int(took_s * VISITS / 60) + 1
    """What the buckets were filled up with meanwhile."""
    assert all(VISITS <= count <= VISITS + again for count in counts), (counts, took_s)


def test_rates_of_a_workspace_hold_in_two_processes_together(
    tmp_path: Path, postgres_server: PostgresServer, provider: Provider
) -> None:
    limits = {"runs_per_min": RUNS}
    with company(tmp_path, postgres_server, provider, processes=2, limits=limits) as made:
        message = {"role": "user", "content": "go", "content_type": "text"}
        body = {"bot_id": made.agent, "user_id": "ada", "additional_messages": [message]}
        counts, took_s = _admitted(
            made.servers, lambda http: http.post("/v3/chat", json=body), TOKEN
        )

    again = int(took_s * RUNS / 60) + 1
    assert RUNS <= sum(counts) <= RUNS + again, (counts, took_s)


@pytest.mark.parametrize("processes", [2, pytest.param(4, marks=pytest.mark.long)])
def test_processes_pass_a_budget_by_a_portion_each_at_most(
    tmp_path: Path,
    postgres_server: PostgresServer,
    provider: Provider,
    processes: int,
) -> None:
    with company(tmp_path, postgres_server, provider, processes=processes, tokens=LIMIT) as made:
        http, budget = made.http, made.budget

        def chat_until_refused(server: RunningServer) -> int:
            """Chat until the budget is used up; return how many were answered."""
            count = 0
            message = {"role": "user", "content": "go"}
            with httpx.Client(base_url=server.url, headers=HEADERS, timeout=60) as mine:
                while True:
                    asked = {"model": made.agent, "messages": [message]}
                    answer = mine.post("/v1/chat/completions", json=asked)
                    if answer.status_code == 402:
                        return count
                    _said(answer)
                    count += 1

        with ThreadPoolExecutor(processes * CLIENTS) as pool:
            answered = sum(pool.map(chat_until_refused, made.servers * CLIENTS))

        taken = provider.counted["input_tokens"] + provider.counted["output_tokens"]

        def settled() -> bool:
            return float(_said(http.get(f"/admin/v1/budgets/{budget}"))["spent"]) >= taken

        until(settled, "the ledger")
        spent = int(_said(http.get(f"/admin/v1/budgets/{budget}"))["spent"])
        total = _said(http.get("/admin/v1/usage"))["total"]

    assert spent == taken == total["input_tokens"] + total["output_tokens"]
    assert answered <= provider.counted["calls"]
    assert LIMIT - processes * (PORTION + MOST) <= spent <= LIMIT + processes * PORTION, spent

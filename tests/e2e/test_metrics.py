"""What a server counts while it is used: every subject has numbers, and they fit what was done."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from cozepy import Coze, Message

from tests.e2e.test_knowledge_chat import new_dataset
from tests.support.client.plugin import ask, is_completed
from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer
from tests.support.wait import until
from tests.support.workflow.canvas import canvas

LINE = re.compile(r"^coterie_(\w+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)
RUNS = 3
PRICES = {"unit": 1, "tiers": [{"input": "0.5", "output": "1"}]}


class Scrape:
    """Numbers at one moment."""

    def __init__(self, page: str) -> None:
        self._lines = [(found[1], found[2] or "", float(found[3])) for found in LINE.finditer(page)]

    def total(self, name: str, *labels: str) -> float:
        """Sum of the series that have all these labels."""
        return sum(
            value
            for known, shown, value in self._lines
            if known == name and all(label in shown for label in labels)
        )


@pytest.fixture
def scrape(server: RunningServer) -> Callable[[], Scrape]:
    return lambda: Scrape(httpx.get(f"{server.url}/metrics", timeout=60).text)


@contextmanager
def streaming(coze: Coze, agent_id: str) -> Iterator[None]:
    """Follow a slow chat inside the block, and let it go on to its end afterwards."""
    question = Message.build_user_question_text("one two three")
    events = coze.chat.stream(bot_id=agent_id, user_id="ada", additional_messages=[question])
    next(iter(events))
    yield
    assert list(events)


def test_everything_that_is_done_is_counted(
    server: RunningServer,
    seed: Seed,
    coze: Coze,
    client: httpx.Client,
    scrape: Callable[[], Scrape],
) -> None:
    before = scrape()
    dataset_id = new_dataset(coze, seed.workspace_id, "counted")
    searching = seed.new_agent(
        "counted",
        model={"model_id": seed.model("recalls", prices=PRICES)},
        knowledge={"datasets": [dataset_id], "search_strategy": 1, "auto": False},
    )
    question = "How often is the oil of the pump counted?"  # others' are remembered
    assert is_completed(ask(coze, searching, question)[1])
    assert is_completed(ask(coze, seed.agent("flaky-1"), "one two three four")[1])
    flows = Flows(client)
    flow_id = flows.publish("counted_flow", canvas(entry=[]))
    body = {"workflow_id": flow_id, "parameters": {}}
    assert flows.call("POST", "/v1/workflow/run", body)["code"] == 0
    with streaming(coze, seed.agent("slow-300ms")):
        meanwhile = scrape()

    def so_far(name: str, *labels: str) -> float:
        return scrape().total(name, *labels) - before.total(name, *labels)

    # A client has its answer a moment before that is counted.
    until(lambda: so_far("run_total", 'surface="coze"', 'status="completed"') >= RUNS)
    until(lambda: so_far("http_requests_total", 'route="/v3/chat"', 'status="200"') >= RUNS)
    until(lambda: so_far("workflow_run_total", 'mode="sync"', 'status="success"') >= 1)
    after = scrape()

    def grown(name: str, *labels: str) -> float:
        return after.total(name, *labels) - before.total(name, *labels)

    assert meanwhile.total("run_active") >= 1
    assert meanwhile.total("sse_subscribers") >= 1
    assert grown("run_duration_seconds_count") >= RUNS
    assert grown("run_first_token_seconds_count") >= RUNS
    assert 0 < grown("run_phase_seconds_sum") <= 1 + 1.1 * grown("run_duration_seconds_sum")
    assert grown("run_phase_seconds_count", 'phase="tools"') >= 1
    assert grown("run_steps_sum") >= 4
    assert grown("prepare_seconds_count", 'branch="persona"', 'outcome="ok"') >= RUNS
    assert grown("tool_calls_total", 'kind="knowledge"', 'outcome="ok"') >= 1
    assert grown("tool_seconds_count", 'kind="knowledge"') >= 1
    assert grown("model_requests_total", 'purpose="chat"', 'outcome="ok"') >= 4
    assert grown("model_requests_total", 'purpose="embedding"', 'outcome="ok"') >= 1
    assert grown("model_retries_total") >= 1
    assert grown("gen_ai_client_operation_duration_seconds_sum") > 0
    assert grown("gen_ai_client_token_usage_sum", 'direction="output"') > 0
    assert grown("model_first_token_seconds_count") >= RUNS
    assert grown("model_chunk_seconds_sum") > 0
    assert grown("usage_points_total") > 0
    assert grown("share_wait_seconds_count") >= 6
    assert grown("workflow_run_duration_seconds_count") >= 1
    assert grown("workflow_nodes_total") >= 2
    assert grown("retrieval_total", 'outcome="ok"') >= 1
    assert grown("retrieval_seconds_count") >= 1
    assert grown("retrieval_step_seconds_count", 'step="vector"') >= 1
    assert grown("ingest_jobs_total", 'outcome="done"') >= 1
    assert grown("ingest_step_seconds_count", 'stage="parse"') >= 1
    assert grown("event_loop_lag_seconds_count") >= 1
    assert after.total("db_pool_in_use") >= 0

"""Traces in the store and at a collector, of two processes, of which one is killed."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.support.client.chat import PATIENCE_S
from tests.support.client.trace import shape_of
from tests.support.process.server import RunningServer, running_server
from tests.support.service.postgres import PostgresServer
from tests.support.telemetry import Collector, ReceivedSpan, running_collector, tree_of
from tests.support.workflow.canvas import ENTRY, canvas, exit_, node, ref, text
from tests.upstream.fixture import RunningUpstream

DATABASE: Final = "trace_export"
CARD: Final = "4111 1111 1111 1111"
KEY: Final = "AKIA" + "ABCDEFGHIJKLMNOP"
GUIDE: Final = "Pumps run on oil. Change the oil of the pump every 500 hours."
HELP: Final = {"name": "help", "arguments": {"task": "Do it."}}
SEARCH: Final = {"name": "recallKnowledge", "arguments": {"query": "oil of the pump"}}
CALLER: Final = "00-{trace}-00f067aa0ba902b7-01"
ABOVE: Final = "00f067aa0ba902b7"

GOLDEN: Final = """
agent Lead
  prepare prepare
    prepare variables
      memory read
    prepare tools_knowledge
    prepare tools_variables
    prepare tools_databases
    prepare tools_agents
  step step 1
    model planned-once-busy (error)
    model planned-once-busy
    tool recallKnowledge
      retrieval retrieval
        embedding embed-8
        channel vector
        fusion fusion
        rerank ranks
    tool help
      agent Helper
        prepare prepare
          prepare tools_databases
        step step 1
          model planned
  step step 2
    model planned-once-busy
"""
EXPORTED: Final = """
invoke_agent Lead
  prepare prepare
    prepare variables
      search_memory
    prepare tools_knowledge
    prepare tools_variables
    prepare tools_databases
    prepare tools_agents
  step step 1
    chat planned-once-busy (error)
    chat planned-once-busy
    execute_tool recallKnowledge
      retrieval guides
        embeddings embed-8
        channel vector
        fusion fusion
        rerank ranks
    execute_tool help
      invoke_agent Helper
        prepare prepare
          prepare tools_databases
        step step 1
          chat planned
  step step 2
    chat planned-once-busy
"""
LOST: Final = """
agent Lead (lost)
  step step 1
    model planned-once-busy
    tool recallKnowledge
      retrieval retrieval
    tool help
      agent Helper
        step step 1
          model planned
  step step 2 (lost)
    model planned-once-busy (lost)
"""


def until(is_so: Callable[[], object]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@dataclass
class World:
    """Two processes on one database, the second of which begins when the first is dead."""

    collector: Collector
    upstream: RunningUpstream
    stack: ExitStack
    data: list[Path]
    environ: dict[str, str]
    http: httpx.Client
    server: RunningServer
    postgres: PostgresServer | None = None
    space_id: str = ""
    ids: dict[str, str] = field(default_factory=dict)

    def call(self, method: str, path: str, document: Any = None, **headers: str) -> Any:
        answer = self.http.request(method, path, json=document, headers=headers)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def admin(self, method: str, path: str, document: Any = None) -> Any:
        return self.call(method, f"/admin/v1{path}", document)

    def model(self, name: str, **more: Any) -> str:
        connection = {"base_url": self.upstream.base_url, "model": name}
        document = {"display": {"name": name}, "connection": connection, **more}
        return str(self.admin("POST", "/models", document)["id"])

    def agent(self, name: str, plan: list[dict[str, Any]], **more: Any) -> str:
        document = {"name": name, "prompt": {"text": f"<plan>{json.dumps(plan)}</plan>"}, **more}
        made = self.admin("POST", f"/workspaces/{self.space_id}/agents", document)
        publish = {"connector_ids": ["1024"], "description": "test"}
        self.admin("POST", f"/agents/{made['id']}/publish", publish)
        return str(made["id"])

    def base(self) -> str:
        made = self.admin("POST", f"/workspaces/{self.space_id}/datasets", {"name": "guides"})
        document = {"name": "guide.txt", "source_info": {"custom_content": GUIDE}}
        body = {"document_bases": [document], "chunk_strategy": {"chunk_type": 0}}
        self.admin("POST", f"/datasets/{made['id']}/documents", body)
        ready = f"/datasets/{made['id']}/documents?state=ready"
        until(lambda: self.admin("GET", ready)["items"])
        return str(made["id"])

    def chat(self, agent: str, question: str, *, trace: str) -> str:
        body = {"model": self.ids[agent], "messages": [{"role": "user", "content": question}]}
        answer = self.http.post(
            "/v1/chat/completions", json=body, headers={"traceparent": CALLER.format(trace=trace)}
        )
        assert answer.is_success, answer.text
        return answer.headers["x-chat-id"]

    def trace(self, run_id: str) -> Any:
        return self.admin("GET", f"/traces/{run_id}")

    def received(self, trace_id: str, count: int) -> list[ReceivedSpan]:
        self.collector.wait(lambda: len(self.collector.of(trace_id)) >= count)
        return self.collector.of(trace_id)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def world(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    upstream: RunningUpstream,
) -> Iterator[World]:
    upstream.forget()
    with running_collector() as collector, ExitStack() as stack:
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "planned",
            "OPENAI_EMBEDDING_MODEL": "embed-8",
            "COTERIE_TRACE__CAPTURE": "content",
            "COTERIE_TRACE__EXPORT_LOGS": "true",
            "COTERIE_LIMITS__RUN_LEASE_S": "3",
            **collector.environ(
                OTEL_EXPORTER_OTLP_HEADERS="x-api-key=of-the-collector",
                OTEL_RESOURCE_ATTRIBUTES="deployment.environment.name=test",
                OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT="true",
            ),
        }
        data = [tmp_path_factory.mktemp(f"trace-{request.param}")] * 2
        postgres: PostgresServer | None = None
        if request.param == "postgres":
            postgres = request.getfixturevalue("postgres_server")
            environ["COTERIE_DATABASE__URL"] = postgres.create_database(DATABASE)
            stack.callback(postgres.drop_database, DATABASE)
            data = [tmp_path_factory.mktemp(name) for name in ("one", "two")]
        first = stack.enter_context(running_server(data[0], environ))
        http = stack.enter_context(
            httpx.Client(base_url=first.url, headers=first.headers, timeout=60)
        )
        world = World(collector, upstream, stack, data, environ, http, first, postgres)
        world.space_id = world.call("GET", "/v1/workspaces")["data"]["workspaces"][0]["id"]
        helper = world.agent("Helper", [{"say": "From the helper."}])
        world.model("ranks", type="rerank", provider="jina", is_default=True)
        base = world.ids["guides"] = world.base()
        busy = world.model("planned-once-busy")
        plan: list[dict[str, Any]] = [{"say": "Looking.", "calls": [SEARCH, HELP]}]
        more: dict[str, Any] = {
            "model": {"model_id": busy},
            "agents": [{"agent_id": helper, "name": "help", "kind": "delegate"}],
            "variables": [{"key": "mood", "description": "How the user feels"}],
            "knowledge": {"datasets": [base], "auto": False, "use_rerank": True},
        }
        world.ids["lead"] = world.agent("Lead", [*plan, {"say": "All done."}], **more)
        world.ids["stalled"] = world.agent("Lead", [*plan, {"stalls": True}], **more)
        yield world


TRACE: Final = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.fixture(scope="module")
def run_id(world: World) -> str:
    world.upstream.forget()
    return world.chat("lead", f"My card is {CARD}, my key {KEY}.", trace=TRACE)


def test_a_chat_is_in_the_store_step_by_step(world: World, run_id: str) -> None:
    trace = world.trace(run_id)

    assert shape_of(trace["spans"]) == GOLDEN.strip().split("\n")
    assert trace["trace"]["trace_id"] == TRACE
    prompts = [each["input"] for each in trace["spans"] if each["kind"] == "model"]
    sent = [each for each in world.upstream.requests() if each.path.endswith("/completions")]
    masked = [each.raw.decode().replace(CARD, "******").replace(KEY, "******") for each in sent]
    assert sorted(prompts) == sorted(masked)


def test_the_collector_has_the_same_tree_below_its_caller(world: World, run_id: str) -> None:
    trace = world.trace(run_id)
    spans = world.received(TRACE, len(trace["spans"]))

    lines = [line.replace(world.ids["guides"], "guides") for line in tree_of(spans, top=ABOVE)]
    assert lines == EXPORTED.strip().split("\n")
    exported = world.admin("GET", f"/traces/{run_id}/export")
    stored = exported["resourceSpans"][0]["scopeSpans"][0]["spans"]
    told = {each.span_id: each for each in spans}
    for each in stored:
        span = told[each["spanId"]]
        assert (span.name, span.kind, span.start_ns, span.end_ns) == (
            each["name"],
            each["kind"],
            int(each["startTimeUnixNano"]),
            int(each["endTimeUnixNano"]),
        )
        assert span.parent_id == each.get("parentSpanId", ABOVE)
    assert spans[0].service["service.name"] == "coterie"
    assert spans[0].service["deployment.environment.name"] == "test"
    assert world.collector.headers[0]["x-api-key"] == "of-the-collector"


def test_steps_have_the_names_that_collectors_look_for(world: World, run_id: str) -> None:
    spans = world.received(TRACE, len(world.trace(run_id)["spans"]))
    by_operation: dict[str, dict[str, Any]] = {}
    for each in spans:
        by_operation[str(each.attributes.get("gen_ai.operation.name"))] = each.attributes

    model = by_operation["chat"]
    assert model["gen_ai.provider.name"] == "openai"
    assert model["gen_ai.request.model"] == "planned-once-busy"
    assert model["gen_ai.response.finish_reasons"] == ["stop"]
    assert model["gen_ai.usage.input_tokens"] > 0
    assert model["server.address"] == "127.0.0.1"
    assert model["server.port"] == world.upstream.port
    messages = json.loads(model["gen_ai.input.messages"])
    assert [each["role"] for each in messages] == ["user", "assistant", "tool", "tool"]
    assert messages[0]["parts"][0]["content"] == "My card is ******, my key ******."
    assert messages[1]["parts"][-1]["name"] == "help"
    assert json.loads(model["gen_ai.output.messages"]) == [
        {
            "role": "assistant",
            "parts": [{"type": "text", "content": "All done."}],
            "finish_reason": "stop",
        }
    ]
    assert json.loads(model["gen_ai.system_instructions"])[0]["type"] == "text"
    assert {each["name"] for each in json.loads(model["gen_ai.tool.definitions"])} >= {"help"}
    tool = by_operation["execute_tool"]
    assert tool["gen_ai.tool.name"] in {"help", "recallKnowledge"}
    assert json.loads(tool["gen_ai.tool.call.arguments"])
    assert by_operation["embeddings"]["gen_ai.request.model"] == "embed-8"
    assert by_operation["retrieval"]["gen_ai.data_source.id"]
    assert by_operation["invoke_agent"]["gen_ai.agent.id"]


def test_who_is_called_is_told_of_the_step(world: World, run_id: str) -> None:
    spans = world.received(TRACE, len(world.trace(run_id)["spans"]))
    named = {
        f"00-{TRACE}-{each.span_id}-01"
        for each in spans
        if each.attributes["coterie.kind"] in {"model", "embedding", "rerank"}
    }
    sent = [each.headers.get("traceparent", "") for each in world.upstream.requests()]
    assert {each for each in sent if TRACE in each} == named


def test_calls_are_counted_and_lines_are_told(world: World, run_id: str) -> None:
    assert run_id
    wanted = (
        "gen_ai.client.operation.duration",
        "gen_ai.client.token.usage",
        "gen_ai.client.operation.time_to_first_chunk",
        "coterie_http_requests_total",
        "process.uptime",
    )
    collector = world.collector
    collector.wait(lambda: all(name in collector.metrics for name in wanted))
    read = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "planned",
        "gen_ai.token.type": "input",
    }
    collector.wait(lambda: read in collector.metrics["gen_ai.client.token.usage"])
    collector.wait(lambda: any("/v1/chat/completions" in text for _, _, text in collector.logs))


WAITING: Final = canvas(
    text("first", "{{q}}", q=ref(ENTRY, "q")),
    node(
        "ask",
        "30",
        outputSchema=json.dumps([{"name": "age", "type": "string", "required": True}]),
        outputs=[{"name": "age", "type": "string"}],
    ),
    text("last", "{{age}}", age=ref("ask", "age")),
    exit_(said=ref("last", "output")),
)
FLOW_TRACE: Final = "5bf92f3577b34da6a3ce929d0e0e4736"
RESUMED: Final = """
invoke_workflow waits
  node 100001
  node Node first
  node Node ask
invoke_workflow waits
  node Node ask
  node Node last
  node Node 900001
"""
LOST_TRACE: Final = "6bf92f3577b34da6a3ce929d0e0e4736"


@pytest.fixture(scope="module")
def killed(world: World, run_id: str) -> tuple[str, str]:
    """Kill the process in the middle of a chat, and while a workflow waits; another one goes on."""
    assert run_id
    made = world.admin(
        "POST",
        f"/workspaces/{world.space_id}/workflows",
        {"name": "waits", "description": "A flow.", "mode": 0},
    )
    path = f"/workflows/{made['id']}"
    world.admin("PUT", f"{path}/canvas", {"schema": json.dumps(WAITING)})
    began = world.call(
        "POST",
        f"/admin/v1{path}/test-runs",
        {"inputs": {"q": "Ann"}},
        traceparent=CALLER.format(trace=FLOW_TRACE),
    )
    flow = f"/workflow-runs/{began['execute_id']}"
    until(lambda: world.admin("GET", flow)["interrupts"])
    body = {
        "bot_id": world.ids["stalled"],
        "user_id": "u",
        "additional_messages": [{"role": "user", "content": "Stall.", "content_type": "text"}],
    }
    chat = world.call("POST", "/v3/chat", body, traceparent=CALLER.format(trace=LOST_TRACE))
    chat_id = chat["data"]["id"]
    until(lambda: _stored(world, chat_id).count(b"step.started") >= 3)
    world.server.process.kill()
    world.server.process.wait(60)

    second = world.stack.enter_context(running_server(world.data[1], world.environ))
    world.server = second
    world.http = world.stack.enter_context(
        httpx.Client(base_url=second.url, headers=second.headers, timeout=60)
    )
    event = world.admin("GET", flow)["interrupts"][0]["id"]
    world.admin("POST", f"{flow}/resume", {"event_id": event, "data": '{"age": "7"}'})
    until(lambda: world.admin("GET", flow)["status"] == 2)
    asked = f"/v3/chat/retrieve?conversation_id={chat['data']['conversation_id']}&chat_id={chat_id}"
    until(lambda: world.call("GET", asked)["data"]["status"] == "failed")
    return chat_id, began["execute_id"]


def _stored(world: World, chat_id: str) -> bytes:
    """Return the events of a run that are stored: those of two agents and of a second step."""
    if world.postgres is not None:
        query = f"SELECT encode(payload, 'escape') FROM run_event WHERE run_id = {int(chat_id)}"  # noqa: S608
        return world.postgres.execute(query, database=DATABASE).encode()
    query = "SELECT payload FROM run_event WHERE run_id = ?"
    with closing(sqlite3.connect(world.data[0] / "coterie.db")) as connection:
        return b"".join(bytes(row[0]) for row in connection.execute(query, [int(chat_id)]))


def test_a_chat_that_was_killed_is_told_as_far_as_it_came(
    world: World, killed: tuple[str, str]
) -> None:
    trace = world.trace(killed[0])

    assert trace["trace"]["is_rebuilt"]
    lines = [line.replace(world.ids["stalled"], "Lead") for line in shape_of(trace["spans"])]
    assert lines == LOST.strip().split("\n")
    spans = world.received(LOST_TRACE, len(trace["spans"]))
    assert len(tree_of(spans, top=ABOVE)) == len(trace["spans"]) == len(spans)


def test_two_processes_tell_one_trace(world: World, killed: tuple[str, str]) -> None:
    spans = world.received(FLOW_TRACE, 8)

    assert tree_of(spans, top=ABOVE) == RESUMED.strip().split("\n")
    assert len({each.service["service.instance.id"] for each in spans}) == 2


def test_no_packet_has_a_secret(world: World, killed: tuple[str, str]) -> None:
    assert killed
    for secret in (CARD, KEY, world.server.token, "of-the-collector"):
        assert not any(secret.encode() in packet for packet in world.collector.packets)
    assert any(b"My card is ******" in packet for packet in world.collector.packets)

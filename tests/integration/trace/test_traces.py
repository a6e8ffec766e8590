"""Traces of chats and workflow runs, as they are stored and shown."""

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

import pytest

from application.trace.body import TraceBodies
from application.trace.text_index import TraceTextIndex
from bootstrap.compose import adapters
from bootstrap.compose.archive import archive_of
from domain.shared.ids import SpaceId
from infra.impl.repository.sql.trace.repository import SqlTraceStore
from tests.support.client.trace import shape_of
from tests.support.clock import ShiftedClock
from tests.support.process.in_process import ADMIN, MASTER_KEY, Answer, Deployment, running
from tests.support.process.server import run_command
from tests.support.workflow.canvas import ENTRY, canvas, exit_, lit, loop, node, ref, text
from tests.upstream.fixture import RunningUpstream, running_upstream

CARD: Final = "4111 1111 1111 1111"
KEY: Final = "AKIA" + "ABCDEFGHIJKLMNOP"
NOTE: Final = {
    "name": "setKeywordMemory",
    "arguments": {"data": [{"keyword": "mood", "value": "good"}]},
}


@pytest.fixture(scope="module")
def upstream() -> Any:
    with running_upstream() as found:
        yield found


@dataclass
class World:
    """A deployment with a lead agent that calls another one and notes something."""

    process: Deployment
    upstream: RunningUpstream
    space_id: str
    model_id: str
    lead: str = ""

    async def call(self, method: str, target: str, document: Any = None, status: int = 200) -> Any:
        return await self.process.call(
            method, f"/admin/v1{target}", token=ADMIN, document=document, status=status
        )

    async def model(self, name: str) -> str:
        made = await self.call(
            "POST",
            "/models",
            {
                "display": {"name": name},
                "connection": {"base_url": self.upstream.base_url, "model": name},
            },
            status=201,
        )
        model_id: str = made["id"]
        return model_id

    async def agent(self, name: str, plan: list[dict[str, Any]], **more: Any) -> str:
        made = await self.call(
            "POST",
            f"/workspaces/{self.space_id}/agents",
            {
                "name": name,
                "prompt": {"text": f"<plan>{json.dumps(plan)}</plan>"},
                "model": {"model_id": self.model_id},
                **more,
            },
            status=201,
        )
        await self.call(
            "POST",
            f"/agents/{made['id']}/publish",
            {"connector_ids": ["1024"], "description": "test"},
        )
        agent_id: str = made["id"]
        return agent_id

    async def flow(self, name: str, drawn: dict[str, Any]) -> str:
        made = await self.call(
            "POST",
            f"/workspaces/{self.space_id}/workflows",
            {"name": name, "description": "A flow.", "mode": 0},
            status=201,
        )
        path = f"/workflows/{made['id']}"
        await self.call("PUT", f"{path}/canvas", {"schema": json.dumps(drawn)})
        await self.call(
            "POST", f"{path}/publish", {"version": "v0.0.1", "description": "x", "force": True}
        )
        flow_id: str = made["id"]
        return flow_id

    async def sweep(self, monkeypatch: pytest.MonkeyPatch, *, in_days: int = 0) -> None:
        """Remove what has had its time, as if the server had gone on until then."""
        sweeper = archive_of(self.process.container).sweeper
        with monkeypatch.context() as patch:
            patch.setattr(sweeper, "_clock", ShiftedClock(timedelta(days=in_days)))
            await sweeper.sweep()

    async def chat(self, agent_id: str, text: str, **headers: str) -> str:
        """Ask, and return the run once it ended."""
        answer: Answer = await self.process.send(
            "POST",
            "/v1/chat/completions",
            token=ADMIN,
            document={"model": agent_id, "messages": [{"role": "user", "content": text}]},
            headers=tuple(headers.items()),
        )
        assert answer.status == 200, str(answer)
        return answer.headers["x-chat-id"]

    async def settled(self, execute_id: str) -> Any:
        """Return a workflow run once it ended, or waits."""
        await self.process.idle()
        return await self.call("GET", f"/workflow-runs/{execute_id}")

    async def limited(self, permissions: list[str]) -> str:
        """Make a token that may do no more than this."""
        made = await self.call(
            "POST", "/tokens", {"name": "t", "duration_days": 1, "permissions": permissions}, 201
        )
        token: str = made["token"]
        return token

    async def rated(self, agent_id: str, verdict: str) -> str:
        """Ask in a conversation, rate the answer, and return the run."""
        chat = await self.process.call(
            "POST",
            "/v3/chat",
            token=ADMIN,
            document={
                "bot_id": agent_id,
                "user_id": "u",
                "additional_messages": [
                    {"role": "user", "content": "Rate this.", "content_type": "text"}
                ],
            },
        )
        await self.process.idle()
        thread, run_id = chat["data"]["conversation_id"], chat["data"]["id"]
        path = f"conversation_id={thread}&chat_id={run_id}"
        said = await self.process.call("GET", f"/v3/chat/message/list?{path}", token=ADMIN)
        answer = next(each["id"] for each in said["data"] if each["type"] == "answer")
        path = f"/conversations/{thread}/messages/{answer}/feedback"
        await self.call("PUT", path, {"feedback_type": verdict}, 204)
        return str(run_id)

    async def trace(self, run_id: str) -> Any:
        return await self.call("GET", f"/traces/{run_id}")


@pytest.fixture(scope="module")
async def world(
    tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream
) -> AsyncGenerator[World, None]:
    settings: Mapping[str, str] = {"COTERIE_TRACE__CAPTURE": "content"}
    async with running(tmp_path_factory.mktemp("traces"), settings) as process:
        spaces = await process.call("GET", "/v1/workspaces", token=ADMIN)
        world = World(process, upstream, spaces["data"]["workspaces"][0]["id"], "")
        world.model_id = await world.model("planned")
        helper = await world.agent("Helper", [{"say": "From the helper."}])
        world.lead = await world.agent(
            "Lead",
            [
                {
                    "say": "Looking.",
                    "calls": [{"name": "help", "arguments": {"task": "Do."}}, NOTE],
                },
                {"say": "All done."},
            ],
            agents=[{"agent_id": helper, "name": "help", "kind": "delegate"}],
            variables=[{"key": "mood", "description": "How the user feels"}],
            model={"model_id": await world.model("planned-once-busy")},
        )
        yield world


GOLDEN: Final = """
agent Lead
  prepare prepare
    prepare variables
      memory read
    prepare tools_variables
    prepare tools_databases
    prepare tools_agents
  step step 1
    model planned-once-busy (error)
    model planned-once-busy
    tool help
      agent Helper
        prepare prepare
          prepare tools_databases
        step step 1
          model planned
    tool setKeywordMemory
      memory write
  step step 2
    model planned-once-busy
"""


async def test_a_chat_shows_every_step(world: World) -> None:
    world.upstream.forget()
    run_id = await world.chat(world.lead, "What now?")

    trace = await world.trace(run_id)

    assert shape_of(trace["spans"]) == GOLDEN.strip().split("\n")
    sent = world.upstream.requests()
    prompts = [s["input"] for s in trace["spans"] if s["kind"] == "model"]
    assert prompts == [each.raw.decode() for each in sent]


async def test_a_list_finds_runs_by_what_they_did(world: World) -> None:
    run_id = await world.chat(world.lead, "Once more?")

    def ids(found: Any) -> list[str]:
        return [each["run_id"] for each in found["items"]]

    assert run_id in ids(await world.call("GET", f"/traces?agent_id={world.lead}&tool=help"))
    assert ids(await world.call("GET", "/traces?tool=unheard_of")) == []
    assert ids(await world.call("GET", f"/traces?agent_id={world.lead}&status=failed")) == []
    first = await world.call("GET", "/traces?limit=1")
    second = await world.call("GET", f"/traces?limit=1&cursor={first['next_cursor']}")
    assert ids(first) == [run_id]
    assert ids(second) != ids(first)
    summary = first["items"][0]
    assert summary["tools"] == ["help", "setKeywordMemory"]
    assert summary["source"] == "openai"
    assert summary["first_token_ms"] is not None
    assert summary["input_tokens"] > 0


async def test_a_request_only_lowers_what_is_kept(world: World) -> None:
    bare = await world.chat(world.lead, "Quietly?", **{"coterie-trace": "metadata"})
    silent = await world.chat(world.lead, "Silently?", **{"coterie-trace": "off"})

    told = await world.trace(bare)

    assert told["trace"]["capture"] == "metadata"
    assert {each["input"] for each in told["spans"]} == {None}
    await world.call("GET", f"/traces/{silent}", status=404)
    raised = await world.process.send(
        "POST",
        "/v1/chat/completions",
        token=ADMIN,
        document={"model": world.lead, "messages": [{"role": "user", "content": "Loud?"}]},
        headers=(("coterie-trace", "content"),),
    )
    assert raised.status == 400, str(raised)


async def test_what_looks_like_a_secret_is_never_stored(world: World) -> None:
    run_id = await world.chat(world.lead, f"My card is {CARD}, my key {KEY}, mine {ADMIN}.")

    shown = json.dumps(await world.trace(run_id))
    exported = await world.process.send(
        "GET", f"/admin/v1/traces/{run_id}/export?format=jsonl", token=ADMIN
    )

    assert "My card is ******" in shown
    for secret in (CARD, KEY, ADMIN):
        assert secret not in shown
        assert secret not in exported.text


async def test_two_runs_are_compared_step_by_step(world: World) -> None:
    one, other = await world.chat(world.lead, "One"), await world.chat(world.lead, "Two")

    told = await world.call("GET", f"/traces/{one}/diff/{other}")

    assert all(each["left"] and each["right"] for each in told["pairs"])
    agent = told["pairs"][0]
    assert (agent["left"]["input"], agent["right"]["input"]) == ("One", "Two")
    assert "input" in agent["changed"]
    assert "output" not in agent["changed"]


async def test_the_command_line_shows_what_the_api_shows(world: World) -> None:
    one, other = await world.chat(world.lead, "Left"), await world.chat(world.lead, "Right")
    told = await world.trace(one)

    async def said(*arguments: str) -> str:
        key = {"COTERIE_MASTER_KEY": MASTER_KEY}
        done = await asyncio.to_thread(
            run_command, world.process.data, "trace", *arguments, environ=key
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    listed = json.loads(await said("list", "--agent", world.lead, "--limit", "2", "--json"))
    assert [each["run_id"] for each in listed] == [other, one]
    shown = json.loads(await said("show", one, "--json"))
    assert shown["trace"]["run_id"] == one
    assert shape_of([{**each, "parent_id": each["parent"] or None} for each in shown["spans"]]) == (
        shape_of(told["spans"])
    )
    drawn = (await said("show", one)).splitlines()
    steps = [line for line in drawn if "█" in line]
    assert len(steps) == len(told["spans"])
    assert [line.split()[0] for line in steps] == [each["kind"] for each in told["spans"]]
    pairs = json.loads(await said("diff", one, other, "--json"))
    compared = await world.call("GET", f"/traces/{one}/diff/{other}")
    assert [each["changed"].split() for each in pairs] == [
        each["changed"] for each in compared["pairs"]
    ]
    assert "input" in pairs[0]["changed"]


async def test_an_export_for_collectors_has_the_same_tree(world: World) -> None:
    run_id = await world.chat(world.lead, "Export?")
    told = await world.trace(run_id)

    document = await world.call("GET", f"/traces/{run_id}/export")

    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert len({each["traceId"] for each in spans}) == 1
    assert len({each["spanId"] for each in spans}) == len(told["spans"]) == len(spans)
    known = {each["spanId"] for each in spans}
    roots = [each for each in spans if "parentSpanId" not in each]
    assert [each["name"] for each in roots] == ["invoke_agent Lead"]
    assert all(each["parentSpanId"] in known for each in spans if each not in roots)
    model = next(each for each in spans if each["name"].startswith("chat "))
    attributes = {each["key"]: each["value"] for each in model["attributes"]}
    assert attributes["gen_ai.operation.name"] == {"stringValue": "chat"}


async def test_a_pinned_trace_says_who_keeps_it(world: World) -> None:
    run_id = await world.chat(world.lead, "Keep this.")

    kept = await world.call("PUT", f"/traces/{run_id}/pin")
    assert kept["pinned_at"]
    assert kept["pinned_by"]
    await world.call("DELETE", f"/traces/{run_id}/pin", status=204)
    assert (await world.trace(run_id))["trace"]["pinned_at"] is None


SUBTREE: Final = """
agent Planner
  prepare prepare
    prepare tools_workflows
    prepare tools_databases
  step step 1
    model planned
    tool season
      workflow season
        node 100001
        node Node l
          node Node t
          node Node t
        node Node 900001
  step step 2
    model planned
"""


async def test_a_workflow_that_an_agent_calls_is_a_part_of_its_run(world: World) -> None:
    flow = await world.flow("season", canvas(loop("l", text("t"), loopCount=lit("2", "integer"))))
    planner = await world.agent(
        "Planner",
        [{"calls": [{"name": "season", "arguments": {"q": "now"}}]}, {"say": "Done."}],
        workflows=[{"workflow_id": flow, "tool_name": "season"}],
    )

    run_id = await world.chat(planner, "Which season?")

    trace = await world.trace(run_id)
    assert shape_of(trace["spans"]) == SUBTREE.strip().split("\n")
    tool = next(each for each in trace["spans"] if each["kind"] == "tool")
    child = next(each for each in trace["spans"] if each["kind"] == "workflow")
    assert tool["links"] == [child["run_id"]]
    listed = await world.call("GET", "/traces?limit=100")
    assert child["run_id"] not in [each["run_id"] for each in listed["items"]]
    assert (await world.trace(child["run_id"]))["trace"]["parent_run_id"] == run_id


async def test_a_large_trace_is_kept_in_the_object_store(world: World) -> None:
    flow = await world.flow("large", canvas(text("t", "{{v}}", v=ref(ENTRY, "q"))))
    noise = "".join(sha256(str(at).encode()).hexdigest() for at in range(2_800))

    ran = await world.call("POST", f"/workflows/{flow}/test-runs", {"inputs": {"q": noise}}, 202)
    await world.process.idle()

    trace = await world.trace(ran["execute_id"])
    given = next(each["input"] for each in trace["spans"] if each["kind"] == "workflow")
    assert "bytes left out]" in given
    assert len(given) < 33_000
    with closing(sqlite3.connect(world.process.data / "coterie.db")) as connection:
        query = "SELECT object_key, length(sealed) FROM trace_body WHERE run_id = ?"
        key, size = connection.execute(query, [int(ran["execute_id"])]).fetchone()
    assert key.startswith("traces/")
    assert size == 0


async def test_what_was_said_goes_before_the_rest(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, kept = await world.chat(world.lead, "Old"), await world.chat(world.lead, "Kept")
    await world.call("PUT", f"/traces/{kept}/pin")

    await world.sweep(monkeypatch)
    assert (await world.trace(old))["trace"]["capture"] == "content"
    await world.sweep(monkeypatch, in_days=8)

    bare = await world.trace(old)
    assert bare["trace"]["capture"] == "metadata"
    assert {(each["input"], each["output"]) for each in bare["spans"]} == {(None, None)}
    assert (await world.trace(kept))["trace"]["capture"] == "content"
    await world.sweep(monkeypatch, in_days=91)
    await world.call("GET", f"/traces/{old}", status=404)
    await world.trace(kept)


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
RESUMED: Final = """
workflow waits (interrupted)
  node 100001
  node Node first
  node Node ask (interrupted)
workflow waits
  node Node ask
  node Node last
  node Node 900001
"""


async def test_a_workflow_that_waited_goes_on_in_one_trace(world: World) -> None:
    flow = await world.flow("waits", WAITING)
    path = f"/workflows/{flow}/test-runs"
    execute_id = (await world.call("POST", path, {"inputs": {"q": "Ann"}}, 202))["execute_id"]
    run = f"/workflow-runs/{execute_id}"
    waiting = await world.settled(execute_id)
    parked = await world.trace(execute_id)

    answer = {"event_id": waiting["interrupts"][0]["id"], "data": '{"age": "7"}'}
    await world.call("POST", f"{run}/resume", answer, 202)
    ended = await world.settled(execute_id)
    trace = await world.trace(execute_id)
    token = await world.limited(["workflow.read"])
    bare = await world.process.call("GET", f"/admin/v1{run}/trace", token=token)

    assert parked["trace"]["status"] == "interrupted"
    assert shape_of(parked["spans"]) == RESUMED.strip().split("\n")[:4]
    assert ended["status"] == 2, ended
    assert shape_of(trace["spans"]) == RESUMED.strip().split("\n")
    assert trace["trace"]["status"] == "completed"
    assert [each["id"] for each in trace["spans"][:4]] == [each["id"] for each in parked["spans"]]
    assert bare["spans"][0]["name"] == "workflow.run"
    assert {each["parent_span_id"] for each in bare["spans"][1:]} == {execute_id}
    nodes = [each["attributes"]["node.id"] for each in bare["spans"][1:]]
    assert nodes == [ENTRY, "first", "ask", "ask", "last", "900001"]
    assert "Ann" not in json.dumps(bare)
    refused = await world.process.send("GET", f"/admin/v1/traces/{execute_id}", token=token)
    assert refused.status == 404  # of a run that is not the token's to look into


async def test_a_run_without_a_trace_shows_what_its_events_tell(world: World) -> None:
    flow = await world.flow("untold", canvas(text("t")))
    ran = await world.process.send(
        "POST",
        "/v1/workflow/run",
        token=ADMIN,
        document={"workflow_id": flow, "parameters": {"q": "x"}},
        headers=(("coterie-trace", "off"),),
    )
    execute_id = ran.json["execute_id"]

    await world.call("GET", f"/traces/{execute_id}", status=404)
    told = await world.call("GET", f"/workflow-runs/{execute_id}/trace")

    assert [each["kind"] for each in told["spans"]] == ["run", "node", "node", "node"]


async def test_runs_are_found_by_text_and_by_feedback(world: World) -> None:
    asked = await world.chat(world.lead, "Where do WOMBATS sleep?")
    bare = await world.chat(world.lead, "And wombats?", **{"coterie-trace": "metadata"})

    async def found(query: str, status: int = 200) -> Any:
        answer = await world.call("GET", f"/traces?{query}", status=status)
        return [each["run_id"] for each in answer["items"]] if status == 200 else answer

    assert await found("q=wombats%20SLEEP") == [asked]
    assert await found("q=wombats") == [asked]
    assert bare in await found(f"agent_id={world.lead}")
    assert asked in await found("q=all%20done&limit=100")  # an answer
    assert await found("q=unheard%20of") == []
    pages = [await world.call("GET", "/traces?q=all%20done&limit=1")]
    while after := pages[-1]["next_cursor"]:
        pages.append(await world.call("GET", f"/traces?q=all%20done&limit=1&cursor={after}"))
    one_by_one = [each["run_id"] for page in pages for each in page["items"]]
    assert one_by_one == await found("q=all%20done&limit=100")
    assert (await found(f"q={'x' * 201}", status=400))["code"] == 4000

    before = {
        q: await found(f"q={q}&limit=100") for q in ("wombats", "all%20done", "combat", "OMBAT")
    }
    await archive_of(world.process.container).text_index.learn()
    assert {q: await found(f"q={q}&limit=100") for q in before} == before  # by the index now
    again = await world.chat(world.lead, "Wombats once more, please.")
    assert await found("q=wombats") == [again, asked]  # the index does not know it yet

    rated = await world.rated(world.lead, "like")
    assert await found("feedback=up") == [rated]
    assert await found("feedback=down") == []
    assert await found("feedback=up&status=failed") == []
    await found("feedback=sideways", status=400)

    listed = await world.call("GET", "/traces?questions=true&limit=100")
    of = {each["run_id"]: each for each in listed["items"]}
    assert of[asked]["question"] == "Where do WOMBATS sleep?"
    assert of[bare]["question"] is None  # it was not kept
    assert of[rated]["feedback"] == {"up": 1, "down": 0}
    assert of[asked]["feedback"] == {"up": 0, "down": 0}
    plain = await world.call("GET", "/traces?limit=100")
    assert {each["question"] for each in plain["items"]} == {None}


async def test_the_text_index_has_what_is_kept_and_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = archive_of(world.process.container).text_index
    spaces = [SpaceId(int(world.space_id))]
    one = int(await world.chat(world.lead, "Do quokkas swim?"))
    other = int(await world.chat(world.lead, "\u888b\u9f20\u4f1a\u6e38\u6cf3\u5417, quokkas?"))

    await index.learn()
    assert await index.find(spaces, "quokkas") == frozenset({one, other})
    assert await index.find(spaces, "\u888b\u9f20") == frozenset({other})
    assert await index.find([SpaceId(1)], "quokkas") == frozenset()  # of another workspace
    assert await index.find(spaces, "unheardof") is None
    assert await index.find(spaces, "?!") is None

    await world.call("PUT", f"/traces/{other}/pin")
    await world.sweep(monkeypatch, in_days=8)
    assert await index.find(spaces, "quokkas") == frozenset({other})

    texts = world.process.container.texts()
    for name in await texts.names("trace_"):
        await texts.drop(name)
    assert await index.find(spaces, "quokkas") is None  # the store was moved: it is filled again
    container = world.process.container
    fresh = TraceTextIndex(
        store=SqlTraceStore(container.database()),
        bodies=TraceBodies(
            objects=container.objects(),
            box=adapters.content_box(container.master_keys()),
            clock=container.clock(),
        ),
        texts=texts,
        analyse=lambda text: re.findall("[a-z]+", text.lower()),
        analyzer="other-2",
    )
    await world.chat(world.lead, "One more.")
    await fresh.learn()
    assert await fresh.find(spaces, "swim?") is None
    assert other in (await fresh.find(spaces, "quokkas?") or ())
    assert await texts.names("trace_") == ["trace_other_2"]


async def test_runs_are_found_by_their_tags(world: World) -> None:
    tagged = await world.chat(world.lead, "Tagged?", **{"coterie-tags": "beta, check out,beta"})
    await world.chat(world.lead, "Not tagged?")

    [found] = (await world.call("GET", "/traces?tag=check%20out"))["items"]
    assert (found["run_id"], found["tags"]) == (tagged, ["beta", "check out"])
    assert (await world.call("GET", "/traces?tag=check"))["items"] == []
    [group] = (await world.call("GET", "/trace-stats?tag=beta"))["items"]
    assert group["total"]["runs"] == 1


async def test_a_workflow_run_has_tags_and_wrong_ones_are_refused(world: World) -> None:
    flow = await world.flow("tagged", canvas(text("t")))

    async def run(tags: str) -> Answer:
        return await world.process.send(
            "POST",
            "/v1/workflow/run",
            token=ADMIN,
            document={"workflow_id": flow, "parameters": {"q": "x"}},
            headers=(("coterie-tags", tags),),
        )

    ran = (await run("nightly")).json["execute_id"]
    [found] = (await world.call("GET", "/traces?tag=nightly"))["items"]
    assert found["run_id"] == ran
    for wrong in ("x" * 41, ",".join(map(str, range(11))), "a|b", "a\x07"):
        refused = await run(wrong)
        assert (refused.status, refused.json["code"]) == (400, 4000)
        assert "Coterie-Tags" in refused.json["msg"]


WAITED: Final = """
agent Asking (interrupted)
  prepare prepare
    prepare tools_client
    prepare tools_databases
  step step 1
    model tool-call
    tool get_weather (interrupted)
agent Asking
  prepare prepare
    prepare tools_client
    prepare tools_databases
  tool get_weather
  step step 1
    model tool-call
"""


async def test_a_chat_that_waited_goes_on_in_one_trace(world: World) -> None:
    asking = await world.agent(
        "Asking",
        [],
        model={"model_id": await world.model("tool-call")},
        client_tools=[{"name": "get_weather", "description": "Tells the weather."}],
    )
    begun = await world.process.call(
        "POST",
        "/v3/chat",
        token=ADMIN,
        document={
            "bot_id": asking,
            "user_id": "u",
            "additional_messages": [{"role": "user", "content": "Rain?", "content_type": "text"}],
        },
    )
    thread, run_id = begun["data"]["conversation_id"], begun["data"]["id"]
    path = f"conversation_id={thread}&chat_id={run_id}"
    async with asyncio.timeout(60):
        while True:
            waiting = await world.process.call("GET", f"/v3/chat/retrieve?{path}", token=ADMIN)
            if waiting["data"]["status"] == "requires_action":
                break
            await asyncio.sleep(0.01)
    action = waiting["data"]["required_action"]["submit_tool_outputs"]["tool_calls"]
    parked = await world.trace(run_id)

    await world.process.call(
        "POST",
        f"/v3/chat/submit_tool_outputs?{path}",
        token=ADMIN,
        document={
            "tool_outputs": [{"tool_call_id": each["id"], "output": "dry"} for each in action]
        },
    )
    await world.process.idle()
    trace = await world.trace(run_id)

    assert parked["trace"]["status"] == "interrupted"
    assert trace["trace"]["status"] == "completed"
    assert shape_of(trace["spans"]) == WAITED.strip().split("\n")
    assert trace["trace"]["waited_ms"] < 60_000
    assert trace["trace"]["first_token_ms"] * 1000 <= trace["trace"]["duration_us"]

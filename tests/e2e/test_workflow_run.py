"""Workflows run by unmodified Coze client code, and looked into on the admin surface."""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from cozepy import Coze, CozeAPIError, WorkflowEvent
from cozepy.workflows.runs.run_histories import WorkflowExecuteStatus

from tests.support.client.seed import Seed
from tests.support.client.workflow import WAIT_S, Flows, example
from tests.support.process.server import RunningServer
from tests.support.workflow.canvas import canvas, exit_, lit, model, node, param, ref, text

SUCCESS, FAILED, CANCELLED, WAITING = 2, 3, 4, 5


@pytest.fixture
def flows(client: httpx.Client) -> Flows:
    return Flows(client)


@pytest.fixture(scope="module")
def published(server: RunningServer, seed: Seed) -> Iterator[dict[str, str]]:
    """Ids of workflows that several tests run."""
    tokens = seed.model("tokens-20-5")
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        flows = Flows(http)
        yield {
            "plain": flows.publish("plain", example("ex01_entry_exit")),
            "asking": flows.publish("asking", example("ex05_question_form")),
            "speaking": flows.publish("speaking", SPEAKING),
            "answering": flows.publish("answering", on_model(ANSWERING, tokens)),
            "slow": flows.publish("slow", SLOW),
        }


SPEAKING = canvas(
    node(
        "m",
        "13",
        content=lit("Hi {{q}}!"),
        inputParameters=[param("q", ref("100001", "q"))],
        streamingOutput=False,
    ),
    exit_(q=ref("100001", "q")),
)
ANSWERING = canvas(
    model("m", "say {{q}}", inputs={"q": ref("100001", "q")}),
    node(
        "900001",
        "2",
        terminatePlan="useAnswerContent",
        streamingOutput=True,
        content=lit("<{{said}}>"),
        inputParameters=[param("said", ref("m", "output"))],
    ),
)
SLOW = canvas(
    text("first", "{{q}}", q=ref("100001", "q")),
    node(
        "ask",
        "30",
        outputSchema=json.dumps([{"name": "age", "type": "string", "required": True}]),
        outputs=[{"name": "age", "type": "string"}],
    ),
    text("last", "{{first}} is {{age}}", first=ref("first", "output"), age=ref("ask", "age")),
    exit_(said=ref("last", "output")),
)


def on_model(made: dict[str, Any], name: str) -> str:
    """Let the model nodes of a canvas use this model."""
    return json.dumps(made).replace('"content": "100"', json.dumps({"content": name})[1:-1])


def messages(events: list[WorkflowEvent]) -> list[Any]:
    return [each.message for each in events if each.message is not None]


def messages_of(raw: str) -> list[dict[str, Any]]:
    """Read the messages of a stream as its bytes tell them."""
    frames = [frame.splitlines() for frame in raw.split("\n\n") if frame.strip()]
    return [json.loads(lines[2][6:]) for lines in frames if lines[1] == "event: Message"]


def test_a_run_returns_its_output_and_where_people_see_it(
    coze: Coze, client: httpx.Client, server: RunningServer, published: dict[str, str]
) -> None:
    workflow_id = published["plain"]
    run = coze.workflows.runs.create(workflow_id=workflow_id, parameters={"first": "Mia"})
    streamed = client.post(
        "/v1/workflow/stream_run", json={"workflow_id": workflow_id, "parameters": {"first": "Bo"}}
    ).text
    space_id = client.get(f"/admin/v1/workflows/{workflow_id}").json()["workspace_id"]
    page = f"{server.url}/console/w/{space_id}/runs/"
    done = json.loads(streamed.rstrip().rpartition("data: ")[2])
    _, _, streamed_id = done["debug_url"].rpartition("/")
    history = coze.workflows.runs.run_histories.retrieve(
        workflow_id=workflow_id, execute_id=streamed_id
    )

    assert json.loads(run.data or "") == {"name": "Mia", "age_text": "30"}
    assert run.execute_id
    assert run.debug_url == page + run.execute_id
    assert done["debug_url"] == history.debug_url == page + streamed_id
    assert client.get(f"/admin/v1/traces/{streamed_id}").status_code == 200


def test_a_missing_parameter_and_a_draft_are_refused(
    coze: Coze, published: dict[str, str], flows: Flows
) -> None:
    with pytest.raises(CozeAPIError) as missing:
        coze.workflows.runs.create(workflow_id=published["plain"], parameters={})
    with pytest.raises(CozeAPIError) as unattended:
        coze.workflows.runs.create(workflow_id=published["plain"], parameters={}, is_async=True)
    with pytest.raises(CozeAPIError) as unpublished:
        coze.workflows.runs.create(workflow_id=flows.draft("d", example("ex01_entry_exit")))
    with pytest.raises(CozeAPIError) as asking:
        coze.workflows.runs.create(workflow_id=published["asking"], parameters={"pet": "cat"})

    assert missing.value.code == 4000
    assert unattended.value.code == 4000
    assert "first" in str(missing.value)
    assert "first" in str(unattended.value)
    assert unpublished.value.code == 4200
    assert asking.value.code == 6039


def test_a_failure_inside_a_run_is_not_the_callers(
    client: httpx.Client, flows: Flows, published: dict[str, str]
) -> None:
    broken = node(
        "j",
        "59",
        outputs=[{"name": "output", "type": "object"}],
        inputParameters=[param("input", lit("{"))],
    )
    inner = flows.publish("inner", canvas(broken, entry=[]))
    call = node("c", "9", workflowId=inner, workflowVersion="v0.0.1", type=0)
    outer = flows.publish("outer", canvas(call, entry=[]))

    failed = client.post("/v1/workflow/run", json={"workflow_id": outer, "parameters": {}})
    body = failed.json()
    (listed,) = flows.call("GET", f"/admin/v1/workflows/{outer}/runs")["items"]
    streamed = client.post("/v1/workflow/stream_run", json={"workflow_id": outer}).text

    told = "node Node j (j) in outer \u203a inner: "
    assert (failed.status_code, body["code"]) == (500, 5000)
    assert body["error"]["subcode"] == 720702001
    assert body["msg"].startswith(told)
    assert listed["error"]["message"].startswith(told)
    assert told in json.loads(streamed.split("data: ")[1].split("\n")[0])["error_message"]


def test_a_stream_tells_messages_and_the_output(coze: Coze, published: dict[str, str]) -> None:
    stream = coze.workflows.runs.stream(workflow_id=published["speaking"], parameters={"q": "Bo"})
    events = list(stream)

    said = messages(events)
    assert [(each.content, each.node_is_finish) for each in said] == [
        ("Hi Bo!", True),
        ('{"q":"Bo"}', True),
    ]
    assert [each.id for each in events] == list(range(len(events)))


def test_an_answer_is_streamed_and_framed(published: dict[str, str], client: httpx.Client) -> None:
    wanted = {"workflow_id": published["answering"], "parameters": {"q": "one two three"}}
    raw = client.post("/v1/workflow/stream_run", json=wanted).text
    said = messages_of(raw)
    run = client.post("/v1/workflow/run", json=wanted).json()

    whole = "".join(each["content"] for each in said)
    assert whole.startswith("<")
    assert whole.endswith(">")
    assert len(said) > 2
    assert [each["node_seq_id"] for each in said] == [str(number) for number in range(len(said))]
    assert said[-1]["usage"] == run["usage"]
    assert raw.rstrip().splitlines()[-3:-1] == [f"id: {len(said)}", "event: Done"]
    assert json.loads(run["data"]) == {"content_type": 1, "data": whole, "type_for_model": 2}
    assert run["usage"]["token_count"] == run["token"] > 0


def test_questions_are_answered_in_turn(coze: Coze, published: dict[str, str]) -> None:
    workflow_id = published["asking"]
    runs = coze.workflows.runs
    first = list(runs.stream(workflow_id=workflow_id, parameters={"pet": "cat"}))
    question = first[-1].interrupt
    assert question is not None
    asked = question.interrupt_data

    with pytest.raises(CozeAPIError) as wrong_type:
        list(_resume(coze, workflow_id, asked.event_id, "Tom", kind=5))
    with pytest.raises(CozeAPIError) as unknown:
        list(_resume(coze, workflow_id, f"{asked.event_id}1", "Tom", kind=asked.type))
    second = list(_resume(coze, workflow_id, asked.event_id, "Tom", kind=asked.type))
    form = second[-1].interrupt
    assert form is not None
    with pytest.raises(CozeAPIError) as used:
        list(_resume(coze, workflow_id, asked.event_id, "Tom", kind=asked.type))
    data = form.interrupt_data
    last = list(_resume(coze, workflow_id, data.event_id, '{"age":"4"}', kind=data.type))

    shown = json.loads(messages(second)[-1].content)
    assert messages(first)[-1].content == "Name of your cat?"
    assert shown["content_type"] == "form_schema"
    assert json.loads(shown["content"])[0]["name"] == "age"
    assert (asked.type, data.type) == (2, 5)
    assert (wrong_type.value.code, unknown.value.code, used.value.code) == (4000, 4200, 4200)
    assert json.loads(messages(last)[-1].content) == {"name": "Tom", "age": 4}
    assert last[0].id == 0


def test_an_asynchronous_run_is_polled(
    coze: Coze, client: httpx.Client, published: dict[str, str]
) -> None:
    workflow_id = published["plain"]
    run = coze.workflows.runs.create(
        workflow_id=workflow_id, parameters={"first": "Mia"}, is_async=True
    )
    assert run.execute_id
    histories = coze.workflows.runs.run_histories
    history = histories.retrieve(workflow_id=workflow_id, execute_id=run.execute_id)
    deadline = time.monotonic() + WAIT_S
    while history.execute_status == WorkflowExecuteStatus.RUNNING and time.monotonic() < deadline:
        time.sleep(0.02)
        history = histories.retrieve(workflow_id=workflow_id, execute_id=run.execute_id)
    statuses = history.node_execute_status
    assert statuses is not None
    output = histories.execute_nodes.retrieve(
        workflow_id=workflow_id,
        execute_id=run.execute_id,
        node_execute_uuid=statuses["900001"].node_execute_uuid,
    )

    path = f"/v1/workflows/{workflow_id}/run_histories/{run.execute_id}"
    (as_sent,) = client.get(path).json()["data"]

    assert history.execute_status == WorkflowExecuteStatus.SUCCESS
    assert as_sent["error_code"] == "0"  # some SDKs declare a text
    assert json.loads(history.output) == {"name": "Mia", "age_text": "30"}
    assert output.is_finish
    assert json.loads(output.node_output or "") == {"name": "Mia", "age_text": "30"}
    with pytest.raises(CozeAPIError) as foreign:
        histories.retrieve(workflow_id="1", execute_id=run.execute_id)
    assert foreign.value.code == 4200


def test_one_key_gives_one_run(client: httpx.Client, published: dict[str, str]) -> None:
    body = {"workflow_id": published["plain"], "parameters": {"first": "Mia"}, "is_async": True}
    headers = {"Idempotency-Key": "once"}
    replies = [client.post("/v1/workflow/run", json=body, headers=headers) for _ in range(2)]
    other = {**body, "parameters": {"first": "Bo"}}
    refused = client.post("/v1/workflow/run", json=other, headers=headers)

    assert replies[0].json()["execute_id"] == replies[1].json()["execute_id"]
    assert refused.status_code == 400


def test_a_waiting_run_can_be_cancelled(flows: Flows, published: dict[str, str]) -> None:
    body = {"workflow_id": published["slow"], "parameters": {"q": "Ann"}, "is_async": True}
    execute_id = flows.call("POST", "/v1/workflow/run", body)["execute_id"]
    waiting = flows.settled(execute_id)
    cancelled = flows.call("POST", f"/admin/v1/workflow-runs/{execute_id}/cancel")
    again = flows.call("POST", f"/admin/v1/workflow-runs/{execute_id}/cancel")
    answer = {"event_id": waiting["interrupts"][0]["id"], "data": "7"}
    late = flows.http.post(f"/admin/v1/workflow-runs/{execute_id}/resume", json=answer)

    assert waiting["status"] == WAITING
    assert cancelled["status"] == again["status"] == CANCELLED
    assert late.status_code == 404


def test_nodes_of_a_draft_may_be_replaced_by_their_outputs(flows: Flows) -> None:
    workflow_id = flows.draft("mocked", SLOW)
    path = f"/admin/v1/workflows/{workflow_id}"
    mocks = {"last": {"output": "nobody"}}
    started = flows.call("POST", f"{path}/test-runs", {"inputs": {"q": "Ann"}, "mocks": mocks})
    waiting = flows.settled(started["execute_id"])
    answer = {"event_id": waiting["interrupts"][0]["id"], "data": '{"age":"7"}'}
    flows.call("POST", f"/admin/v1/workflow-runs/{started['execute_id']}/resume", answer)
    ended = flows.settled(started["execute_id"])
    misspelt = flows.http.post(f"{path}/test-runs", json={"mocks": {"lats": {}}})

    assert json.loads(ended["output"]) == {"said": "nobody"}
    last = next(each for each in ended["nodes"] if each["node_id"] == "last")
    assert last["extra"] == {"mocked": True}
    assert flows.call("GET", f"{path}/canvas")["test_run_passed"] is False
    assert (misspelt.status_code, misspelt.json()["code"]) == (400, 4000)
    assert "there is no node lats" in misspelt.json()["msg"]


def test_a_draft_is_tried_and_looked_into(flows: Flows) -> None:
    workflow_id = flows.draft("tried", SLOW)
    path = f"/admin/v1/workflows/{workflow_id}"
    started = flows.call("POST", f"{path}/test-runs", {"inputs": {"q": "Ann"}})
    execute_id = started["execute_id"]
    waiting = flows.settled(execute_id)
    answer = {"event_id": waiting["interrupts"][0]["id"], "data": '{"age":"7"}'}
    flows.call("POST", f"/admin/v1/workflow-runs/{execute_id}/resume", answer)
    ended = flows.settled(execute_id)
    outputs = {each["node_id"]: each["output"] for each in ended["nodes"]}
    repeat = {"node_id": "last", "inputs": {"first": "Zoe", "age": "9"}}
    repeated = flows.call("POST", f"/admin/v1/workflow-runs/{execute_id}/repeats", repeat)
    again = flows.settled(repeated["execute_id"])
    alone = flows.call("POST", f"{path}/nodes/last/test-runs", {"input": {"first": "x", "age": 1}})
    single = flows.settled(alone["execute_id"])
    misspelt = flows.http.post(f"{path}/nodes/last/test-runs", json={"input": {"frist": "x"}})
    events = flows.http.get(f"/admin/v1/workflow-runs/{execute_id}/events").text
    trace = flows.call("GET", f"/admin/v1/workflow-runs/{execute_id}/trace")
    listed = flows.call("GET", f"{path}/runs?status=success")
    history = flows.call("GET", f"/admin/v1/workflow-runs/{execute_id}/nodes/last")

    assert ended["status"] == again["status"] == single["status"] == SUCCESS
    assert json.loads(ended["output"]) == {"said": "Ann is 7"}
    assert outputs["last"] == {"output": "Ann is 7"}
    assert json.loads(again["output"]) == {"said": "Zoe is 9"}
    assert json.loads(single["output"]) == {"output": "x is 1"}
    assert (misspelt.status_code, misspelt.json()["code"]) == (400, 4000)
    assert "frist; it reads first, age" in misspelt.json()["msg"]
    assert {each["node_id"] for each in again["nodes"]} == {"last", "900001"}
    assert events.count("event: run_began") == 2
    assert events.rstrip().splitlines()[-2] == "event: run_ended"
    assert {each["name"] for each in trace["spans"]} >= {"workflow.run", "Node last"}
    assert len(listed["items"]) == 3
    assert history["items"][0]["input"] == {"first": "Ann", "age": "7"}
    canvas_now = flows.call("GET", f"{path}/canvas")
    assert canvas_now["test_run_passed"] is True


def _resume(
    coze: Coze, workflow_id: str, event_id: str, data: str, *, kind: int
) -> Iterator[WorkflowEvent]:
    return iter(
        coze.workflows.runs.resume(
            workflow_id=workflow_id, event_id=event_id, resume_data=data, interrupt_type=kind
        )
    )

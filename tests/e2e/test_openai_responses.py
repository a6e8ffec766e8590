"""Responses through OpenAI's own client, and their events against what the document demands."""

import base64
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import httpx
import pytest
from openai import BadRequestError, InternalServerError, NotFoundError, OpenAI
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import BaseModel, TypeAdapter

from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows
from tests.support.document.picture import picture
from tests.support.process.server import RunningServer
from tests.support.workflow.canvas import ENTRY, canvas, exit_, ref
from tests.support.workflow.canvas import field as variable
from tests.upstream.fixture import RunningUpstream

KEYS: Final = {
    *("id", "object", "created_at", "completed_at", "status", "background", "conversation"),
    *("error", "incomplete_details", "instructions", "max_output_tokens", "max_tool_calls"),
    *("metadata", "model", "output", "parallel_tool_calls", "presence_penalty"),
    *("frequency_penalty", "previous_response_id", "prompt_cache_key", "reasoning"),
    *("safety_identifier", "service_tier", "store", "temperature", "text", "tool_choice"),
    *("tools", "top_logprobs", "top_p", "truncation", "usage", "user"),
}
PLACE: Final = frozenset({"item_id", "output_index", "content_index"})
THOUGHT: Final = frozenset({"item_id", "output_index", "summary_index"})
FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "response.created": frozenset({"response"}),
    "response.queued": frozenset({"response"}),
    "response.in_progress": frozenset({"response"}),
    "response.completed": frozenset({"response"}),
    "response.incomplete": frozenset({"response"}),
    "response.failed": frozenset({"response"}),
    "response.output_item.added": frozenset({"output_index", "item"}),
    "response.output_item.done": frozenset({"output_index", "item"}),
    "response.content_part.added": PLACE | {"part"},
    "response.content_part.done": PLACE | {"part"},
    "response.output_text.delta": PLACE | {"delta", "logprobs"},
    "response.output_text.done": PLACE | {"text", "logprobs"},
    "response.output_text.annotation.added": PLACE | {"annotation_index", "annotation"},
    "response.refusal.delta": PLACE | {"delta"},
    "response.refusal.done": PLACE | {"refusal"},
    "response.reasoning_summary_part.added": THOUGHT | {"part"},
    "response.reasoning_summary_part.done": THOUGHT | {"part"},
    "response.reasoning_summary_text.delta": THOUGHT | {"delta"},
    "response.reasoning_summary_text.done": THOUGHT | {"text"},
    "response.function_call_arguments.delta": frozenset({"item_id", "output_index", "delta"}),
    "response.function_call_arguments.done": frozenset(
        {"item_id", "output_index", "name", "arguments"}
    ),
    "error": frozenset({"error", "code", "message", "param"}),
}
ENDS: Final = frozenset({"response.completed", "response.incomplete", "response.failed"})
NUMBERED: Final[TypeAdapter[Any]] = TypeAdapter(ResponseStreamEvent)


@pytest.fixture
def raw(server: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{server.url}/v1", headers=server.headers, timeout=60) as client:
        yield client


def events_of(body: str) -> list[dict[str, Any]]:
    """Read a stream and check each event: name, fields, number, and the end mark."""
    frames = [frame for frame in body.split("\n\n") if frame and not frame.startswith(":")]
    assert frames.pop() == "data: [DONE]"
    events = []
    for frame in frames:
        name, data = frame.split("\n")
        event = json.loads(data.removeprefix("data: "))
        assert name == f"event: {event['type']}"
        assert set(event) == FIELDS[event["type"]] | {"type", "sequence_number"}, event
        if "response" in event:
            assert set(event["response"]) == KEYS
        if event["type"] != "response.failed":  # the client's types know other codes of errors
            NUMBERED.validate_python(event)
        events.append(event)
    numbers = [event["sequence_number"] for event in events]
    assert numbers == sorted(set(numbers))
    check_order(events)
    return events


def check_order(events: Sequence[dict[str, Any]]) -> None:
    """Items come one after the other, each opened and closed, and are what the end tells."""
    done: list[dict[str, Any]] = []
    opened: dict[str, Any] | None = None
    for event in events:
        match event["type"]:
            case "response.output_item.added":
                assert opened is None
                assert event["output_index"] == len(done)
                assert event["item"]["status"] == "in_progress"
                opened = event["item"]
            case "response.output_item.done":
                assert opened is not None
                assert opened["id"] == event["item"]["id"]
                assert event["output_index"] == len(done)
                done.append(event["item"])
                opened = None
            case _ if "item_id" in event:
                assert opened is not None
                assert event["item_id"] == opened["id"]
            case _:
                pass
    assert opened is None
    assert events[-1]["type"] in ENDS
    if events[0]["type"] == "response.created":
        assert events[-1]["response"]["output"] == done


def text_of(events: Sequence[Mapping[str, Any]]) -> str:
    return "".join(
        event["delta"] for event in events if event["type"] == "response.output_text.delta"
    )


def stream(raw: httpx.Client, **body: Any) -> list[dict[str, Any]]:
    answer = raw.post("/responses", json={"stream": True, **body})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return events_of(answer.text)


def until_over(openai: OpenAI, response_id: str) -> Response:
    deadline = time.monotonic() + 60
    while (found := openai.responses.retrieve(response_id)).status in {"queued", "in_progress"}:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def test_a_response_in_one_piece_has_all_keys(raw: httpx.Client, seed: Seed) -> None:
    answer = raw.post(
        "/responses",
        json={
            "model": seed.agent(),
            "input": "Hello there",
            "instructions": "Be kind.",
            "metadata": {"ticket": "7"},
            "temperature": 0.5,
        },
    )
    found = answer.json()

    assert set(found) == KEYS
    assert found["id"] == f"resp_{answer.headers['x-chat-id']}"
    assert found["conversation"] == {"id": f"conv_{answer.headers['x-conversation-id']}"}
    assert (found["status"], found["error"], found["incomplete_details"]) == (
        "completed",
        None,
        None,
    )
    assert (found["metadata"], found["temperature"], found["top_p"]) == ({"ticket": "7"}, 0.5, 1.0)
    (item,) = found["output"]
    (part,) = item["content"]
    assert (item["type"], item["status"], item["role"]) == ("message", "completed", "assistant")
    assert part == {
        "type": "output_text",
        "text": "Hello there",
        "annotations": [],
        "logprobs": [],
    }
    assert found["usage"]["total_tokens"] > 0
    assert found["completed_at"] >= found["created_at"]
    assert raw.get(f"/responses/{found['id']}").json() == found


def test_a_flat_form_is_taken(raw: httpx.Client, seed: Seed) -> None:
    form = {"model": seed.agent(), "input": "Hello form"}

    found = raw.post("/responses", data=form).json()
    streamed = raw.post("/responses", data={**form, "stream": "true"})
    refused = raw.post("/responses", data={**form, "store": "false"})

    assert found["output"][0]["content"][0]["text"] == "Hello form"
    assert text_of(events_of(streamed.text)) == "Hello form"
    assert refused.status_code == 400


def test_each_event_of_a_stream_is_as_the_document_says(raw: httpx.Client, seed: Seed) -> None:
    events = stream(raw, model=seed.agent("reasoning"), input="Why?", reasoning={"summary": "auto"})

    kinds = [event["type"] for event in events]
    assert kinds[:2] == ["response.created", "response.in_progress"]
    assert list(dict.fromkeys(kinds)) == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.reasoning_summary_part.added",
        "response.reasoning_summary_text.delta",
        "response.reasoning_summary_text.done",
        "response.reasoning_summary_part.done",
        "response.output_item.done",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.completed",
    ]
    thought, said = events[-1]["response"]["output"]
    assert thought["summary"] == [{"type": "summary_text", "text": "Let me see."}]
    assert said["content"][0]["text"] == text_of(events) == "The answer."
    assert events[0]["response"]["output"] == []


def test_reasoning_is_sent_only_if_it_is_asked_for(raw: httpx.Client, seed: Seed) -> None:
    events = stream(raw, model=seed.agent("reasoning"), input="Why?")

    assert [item["type"] for item in events[-1]["response"]["output"]] == ["message"]


def test_the_client_streams_and_parses(openai: OpenAI, seed: Seed) -> None:
    with openai.responses.stream(model=seed.agent(), input="Hello my friend") as events:
        pieces = [event.delta for event in events if event.type == "response.output_text.delta"]
        final = events.get_final_response()

    assert "".join(pieces) == final.output_text == "Hello my friend"
    assert final.status == "completed"


def test_history_system_and_instructions_reach_the_model(
    openai: OpenAI, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "echo-of-response"
    openai.responses.create(
        model=seed.agent(behaviour),
        instructions="Be brief.",
        input=[
            {"role": "developer", "content": "Be kind."},
            {"role": "user", "content": "One"},
            {"role": "assistant", "content": "Two"},
            {"role": "user", "content": [{"type": "input_text", "text": "Three"}]},
        ],
        max_output_tokens=77,
        store=False,
    )

    sent = upstream.requests(model=behaviour)[-1].body
    assert "Be brief." in sent["messages"][0]["content"]
    assert "Be kind." in sent["messages"][0]["content"]
    assert [m["content"] for m in sent["messages"][-3:]] == ["One", "Two", "Three"]
    assert 77 in (sent.get("max_tokens"), sent.get("max_completion_tokens"))


def test_a_response_goes_on_from_the_one_before(
    openai: OpenAI, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "echo-of-chain"
    agent_id = seed.agent(behaviour)
    first = openai.responses.create(model=agent_id, input="One", instructions="Only now.")
    second = openai.responses.create(model=agent_id, input="Two", previous_response_id=first.id)
    branch = openai.responses.create(model=agent_id, input="Three", previous_response_id=first.id)

    requests = [r.body["messages"] for r in upstream.requests(model=behaviour)]
    said = [[m["content"] for m in r if m["role"] != "system"] for r in requests]
    assert said[-2] == ["One", "One", "Two"]
    assert said[-1] == ["One", "One", "Three"]
    assert "Only now." not in str(requests[-2:])
    assert second.conversation == first.conversation != branch.conversation
    assert second.previous_response_id == first.id


def test_a_conversation_goes_on_by_its_id(openai: OpenAI, seed: Seed) -> None:
    first = openai.responses.create(model=seed.agent(), input="One")
    assert first.conversation is not None

    second = openai.responses.create(
        model=seed.agent(), input="Two", conversation=first.conversation.id
    )

    assert second.conversation == first.conversation


@pytest.mark.parametrize("gone", ["never", "deleted", "unstored", "resp_1"])
def test_what_is_not_kept_cannot_be_gone_on_from(openai: OpenAI, seed: Seed, gone: str) -> None:
    previous = gone
    if gone in {"deleted", "unstored"}:
        made = openai.responses.create(model=seed.agent(), input="One", store=gone == "deleted")
        previous = made.id
        if gone == "deleted":
            openai.responses.delete(made.id)

    with pytest.raises(NotFoundError) as refused:
        openai.responses.create(model=seed.agent(), input="Two", previous_response_id=previous)
    with pytest.raises(NotFoundError) as missing:
        openai.responses.retrieve(previous)

    assert refused.value.code == "previous_response_not_found"
    assert missing.value.code == "response_not_found"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"previous_response_id": "resp_1", "conversation": "1"}, "conflicting_parameters"),
        ({"background": True, "store": False}, "conflicting_parameters"),
        ({"max_output_tokens": 15}, "invalid_value"),
        ({"max_tool_calls": 0}, "invalid_value"),
        ({"prompt": {"id": "p"}}, "unsupported_parameter"),
        ({"tools": [{"type": "image_generation"}]}, "unsupported_tool_type"),
        ({"truncation": "sometimes"}, "invalid_value"),
        ({"input": [{"type": "riddle"}]}, "invalid_value"),
        ({"input": [{"role": "oracle", "content": "x"}]}, "invalid_value"),
        ({"input": []}, "invalid_value"),
    ],
    ids=str,
)
def test_what_cannot_be_meant_is_refused_by_name(
    raw: httpx.Client, seed: Seed, body: dict[str, Any], code: str
) -> None:
    answer = raw.post("/responses", json={"model": seed.agent(), "input": "Hello", **body})

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code), answer.text


def test_input_items_are_listed_in_pages(openai: OpenAI, seed: Seed) -> None:
    made = openai.responses.create(
        model=seed.agent(),
        input=[
            {"role": "assistant" if n == 1 else "user", "content": f"Text {n}"} for n in range(5)
        ],
    )

    newest = list(openai.responses.input_items.list(made.id, limit=2))
    oldest = list(openai.responses.input_items.list(made.id, order="asc"))

    assert [item.id for item in newest] == [item.id for item in reversed(oldest)]
    told = [[(part.type, part.text) for part in item.content] for item in oldest]  # type: ignore[union-attr]
    kinds = ["output_text" if n == 1 else "input_text" for n in range(5)]
    assert told == [[(kind, f"Text {n}")] for n, kind in enumerate(kinds)]


@pytest.mark.parametrize("kind", ["agent", "model"])
def test_nothing_is_left_out_where_the_caller_says_so(
    raw: httpx.Client, seed: Seed, kind: str
) -> None:
    window = {"display": {"name": f"small-{kind}", "max_tokens": 4000}}
    small = seed.model("echo", **window)
    agent = seed.new_agent("small", model={"model_id": small})
    model = agent if kind == "agent" else f"llm/small-{kind}"
    asked = {"model": model, "truncation": "disabled", "store": False}

    short = raw.post("/responses", json={**asked, "input": "Hello"})
    long = raw.post("/responses", json={**asked, "input": "Hello there. " * 4000})

    assert (short.status_code, "coterie-ignored" in short.headers) == (200, False), short.text
    assert (long.status_code, long.json()["error"]["code"]) == (400, "context_length_exceeded")


def test_a_picture_inline_reaches_the_model(
    openai: OpenAI, seed: Seed, upstream: RunningUpstream
) -> None:
    url = "data:image/png;base64," + base64.b64encode(picture()).decode()
    agent = seed.agent("seeing-response", capabilities={"vision": True})
    parts: Any = [
        {"type": "input_text", "text": "What is this?"},
        {"type": "input_image", "image_url": url, "detail": "auto"},
    ]

    openai.responses.create(
        model=agent,
        input=[{"role": "user", "content": parts}],
        include=["something.else"],  # type: ignore[list-item]
    )

    sent = upstream.requests(model="seeing-response")[-1].body["messages"][-1]["content"]
    assert [part["type"] for part in sent] == ["text", "image_url"]
    assert sent[1]["image_url"]["url"].startswith("data:image/png;base64,")


def test_an_item_of_an_earlier_response_is_named_by_its_id(
    openai: OpenAI, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "echo-of-reference"
    agent_id = seed.agent(behaviour)
    first = openai.responses.create(model=agent_id, input="One")
    openai.responses.create(
        model=agent_id,
        input=[
            {"role": "user", "content": "Zero"},
            {"type": "item_reference", "id": first.output[0].id or ""},
            {"role": "user", "content": "Two"},
        ],
    )

    sent = upstream.requests(model=behaviour)[-1].body["messages"]
    assert [m["content"] for m in sent if m["role"] != "system"] == ["Zero", "One", "Two"]
    with pytest.raises(NotFoundError) as refused:
        openai.responses.create(
            model=agent_id, input=[{"type": "item_reference", "id": "msg_123456789"}]
        )
    assert refused.value.code == "item_not_found"


def test_a_response_in_the_background_is_polled(openai: OpenAI, seed: Seed) -> None:
    made = openai.responses.create(model=seed.agent(), input="Take your time", background=True)

    assert (made.status, made.output) == ("queued", [])
    assert until_over(openai, made.id).output_text == "Take your time"


def test_a_response_in_the_background_is_cancelled_once(openai: OpenAI, seed: Seed) -> None:
    made = openai.responses.create(model=seed.agent("hang"), input="Hello", background=True)

    cancelled = openai.responses.cancel(made.id)
    again = openai.responses.cancel(made.id)

    assert cancelled.status == again.status == "cancelled"
    assert cancelled.incomplete_details is not None
    assert str(cancelled.incomplete_details.reason) == "cancelled"
    direct = openai.responses.create(model=seed.agent(), input="Hello")
    with pytest.raises(BadRequestError) as refused:
        openai.responses.cancel(direct.id)
    assert refused.value.code == "not_background"


def test_a_running_response_is_cancelled_when_it_is_deleted(openai: OpenAI, seed: Seed) -> None:
    made = openai.responses.create(model=seed.agent("hang"), input="Hello", background=True)

    openai.responses.delete(made.id)

    for use in (openai.responses.retrieve, openai.responses.delete, openai.responses.cancel):
        with pytest.raises(NotFoundError):
            use(made.id)


def test_a_model_that_fails_fails_its_response(
    openai: OpenAI, raw: httpx.Client, seed: Seed
) -> None:
    agent_id = seed.agent("error-400")
    with pytest.raises(InternalServerError):
        openai.responses.create(model=agent_id, input="Hello")

    events = stream(raw, model=agent_id, input="Hello")
    made = openai.responses.create(model=agent_id, input="Hello", background=True)
    polled = until_over(openai, made.id)

    assert [event["type"] for event in events[-2:]] == ["error", "response.failed"]
    assert events[-1]["response"]["error"] == events[-2]["error"]
    assert polled.status == "failed"
    assert polled.error is not None
    assert polled.error.code == events[-2]["code"]


def cut_and_resumed(
    raw: httpx.Client, whole: Sequence[Mapping[str, Any]], response_id: str, at: int
) -> None:
    """Come back after an event: the rest is what an uncut stream would have told."""
    number = whole[at]["sequence_number"]
    answer = raw.get(
        f"/responses/{response_id}", params={"stream": "true", "starting_after": number}
    )
    rest = [
        json.loads(line.removeprefix("data: "))
        for line in answer.text.split("\n")
        if line.startswith("data: {")
    ]
    head = list(whole[: at + 1])

    assert [e["sequence_number"] for e in rest] == sorted(e["sequence_number"] for e in rest)
    assert all(event["sequence_number"] > number for event in rest)
    assert text_of([*head, *rest]) == text_of(whole)
    told = [e for e in (*head, *rest) if e["type"] != "response.output_text.delta"]
    assert told == [e for e in whole if e["type"] != "response.output_text.delta"]


def test_a_stream_is_resumed_after_any_event(raw: httpx.Client, seed: Seed) -> None:
    whole = stream(
        raw,
        model=seed.agent("tokens-400-1"),
        input="Hello",
        background=True,
        reasoning={"summary": "auto"},
    )
    response_id = whole[0]["response"]["id"]
    places = {0, 1, 2, 3, 4, len(whole) - 2, len(whole) - 1}
    places |= set(random.Random(7).choices(range(len(whole)), k=20))  # noqa: S311

    for at in sorted(places):
        cut_and_resumed(raw, whole, response_id, at)


@pytest.mark.long
def test_a_stream_is_resumed_after_each_event(raw: httpx.Client, seed: Seed) -> None:
    whole = stream(raw, model=seed.agent("tokens-400-1"), input="Hello", background=True)

    for at in range(len(whole)):
        cut_and_resumed(raw, whole, whole[0]["response"]["id"], at)


@pytest.mark.parametrize("after", [None, 0])
def test_a_stream_is_replayed_from_its_beginning(
    openai: OpenAI, seed: Seed, after: int | None
) -> None:
    made = openai.responses.create(model=seed.agent(), input="Hello once more")

    more = {} if after is None else {"starting_after": after}
    with openai.responses.retrieve(made.id, stream=True, **more) as events:  # type: ignore[call-overload]
        told = list(events)

    assert "".join(e.delta for e in told if e.type == "response.output_text.delta") == (
        "Hello once more"
    )
    assert told[-1].response.output_text == made.output_text


def test_a_reader_that_joins_late_sees_everything(openai: OpenAI, seed: Seed) -> None:
    made = openai.responses.create(model=seed.agent("tokens-50-20"), input="Hello", background=True)

    with openai.responses.retrieve(made.id, stream=True) as events:
        told = list(events)

    final = told[-1].response  # type: ignore[union-attr]
    assert final.status == "completed"
    assert "".join(e.delta for e in told if e.type == "response.output_text.delta") == (
        final.output_text
    )


@pytest.fixture(scope="module")
def model(seed: Seed) -> str:
    """A model without an agent that calls a tool if it is offered one."""
    seed.model("tool-call", display={"name": "responds"})
    return "llm/responds"


TOOL: Final[Any] = {
    "type": "function",
    "name": "get_weather",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    "strict": False,
}


def test_a_model_answers_without_an_agent(openai: OpenAI, raw: httpx.Client, model: str) -> None:
    found = raw.post("/responses", json={"model": model, "input": "Hello"}).json()

    assert set(found) == KEYS
    assert (found["status"], found["conversation"]) == ("completed", None)
    assert raw.get(f"/responses/{found['id']}").json() == found
    assert [i.type for i in openai.responses.input_items.list(found["id"])] == ["message"]
    openai.responses.delete(found["id"])
    with pytest.raises(NotFoundError):
        openai.responses.retrieve(found["id"])


def test_a_model_calls_a_tool_of_the_client(
    openai: OpenAI, raw: httpx.Client, model: str, upstream: RunningUpstream
) -> None:
    events = stream(raw, model=model, input="Weather?", tools=[TOOL])
    *_, call = events[-1]["response"]["output"]
    second = openai.responses.create(
        model=model,
        previous_response_id=events[-1]["response"]["id"],
        tools=[TOOL],
        input=[{"type": "function_call_output", "call_id": call["call_id"], "output": "Rain, 9 C"}],
    )

    assert (call["type"], call["name"]) == ("function_call", "get_weather")
    assert json.loads(call["arguments"])["city"] == "Paris"
    assert second.output_text == "The tool said: Rain, 9 C"
    sent = upstream.requests(model="tool-call")[-1].body["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "tool"]
    assert sent[1]["tool_calls"][0]["id"] == sent[2]["tool_call_id"] == call["call_id"]


def test_a_response_of_a_model_is_replayed_in_one_piece(
    raw: httpx.Client, openai: OpenAI, model: str
) -> None:
    made = openai.responses.create(model=model, input="Hello", tools=[TOOL])

    whole = raw.get(f"/responses/{made.id}", params={"stream": "true"})
    rest = raw.get(f"/responses/{made.id}", params={"stream": "true", "starting_after": 5000})

    assert whole.headers["coterie-stream"] == "compact"
    assert events_of(whole.text)[-1]["response"]["output"] == [
        item.model_dump(exclude_unset=True) for item in made.output
    ]
    assert all(event["sequence_number"] > 5000 for event in events_of(rest.text))


@pytest.mark.parametrize("extra", [{"background": True}, {"conversation": "1"}], ids=str)
def test_what_only_agents_have_is_refused(
    raw: httpx.Client, model: str, extra: dict[str, Any]
) -> None:
    answer = raw.post("/responses", json={"model": model, "input": "Hello", **extra})

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "unsupported_parameter")


def test_a_response_of_a_model_that_is_not_stored_is_not_found(openai: OpenAI, model: str) -> None:
    made = openai.responses.create(model=model, input="Hello", store=False)

    with pytest.raises(NotFoundError):
        openai.responses.retrieve(made.id)
    with pytest.raises(NotFoundError):
        openai.responses.create(model=model, input="More", previous_response_id=made.id)


@pytest.fixture(scope="module")
def planner(seed: Seed) -> str:
    """An agent that says something and asks for a call of its client, then answers."""
    call = {"name": "get_weather", "arguments": {"city": "Paris"}}
    plan = [{"say": "One moment.", "calls": [call]}, {"say": "It rains."}]
    return seed.new_agent(
        "plans",
        model={"model_id": seed.model("planned")},
        prompt={"text": f"<plan>{json.dumps(plan)}</plan>"},
    )


def _again(response: Response) -> list[Any]:
    """Return what was answered, as an input."""
    return [item.model_dump(exclude_unset=True) for item in response.output]


@pytest.mark.parametrize("is_chained", [True, False])
def test_an_agent_calls_a_tool_of_the_client(
    openai: OpenAI, planner: str, is_chained: bool
) -> None:
    question: Any = {"role": "user", "content": "Weather?"}
    first = openai.responses.create(model=planner, input=[question], tools=[TOOL])
    call = next(item for item in first.output if item.type == "function_call")
    output: Any = {"type": "function_call_output", "call_id": call.call_id, "output": "Rain, 9 C"}
    if is_chained:
        second = openai.responses.create(
            model=planner,
            input=[output],
            tools=[TOOL],
            previous_response_id=first.id,
        )
    else:  # as the loops of most clients do: everything again
        second = openai.responses.create(
            model=planner, input=[question, *_again(first), output], tools=[TOOL]
        )

    assert first.output_text == "One moment."
    assert json.loads(call.arguments) == {"city": "Paris"}
    assert second.output_text == "It rains."
    assert second.id == f"{first.id}_1"
    assert openai.responses.retrieve(first.id).output == first.output
    assert [i.type for i in openai.responses.input_items.list(second.id, order="asc")][-1] == (
        "function_call_output"
    )


def test_calls_and_what_follows_are_streamed(
    openai: OpenAI, raw: httpx.Client, planner: str
) -> None:
    with openai.responses.stream(model=planner, input="Weather?", tools=[TOOL]) as events:
        kinds = [event.type for event in events]
        first = events.get_final_response()
    call = next(item for item in first.output if item.type == "function_call")
    output: Any = {"type": "function_call_output", "call_id": call.call_id, "output": "Rain"}
    with openai.responses.stream(
        model=planner, input=[output], tools=[TOOL], previous_response_id=first.id
    ) as events:
        second = events.get_final_response()
    told = raw.get(f"/responses/{second.id}", params={"stream": "true"})

    assert "response.function_call_arguments.delta" in kinds
    assert "response.function_call_arguments.done" in kinds
    assert json.loads(call.arguments) == {"city": "Paris"}
    assert second.output_text == "It rains."
    assert text_of(events_of(told.text)) == second.output_text


@pytest.fixture(scope="module")
def caller(server: RunningServer, seed: Seed) -> str:
    """An agent that calls a workflow of its own three times, one after the other."""
    shown = canvas(exit_(text=ref(ENTRY, "input", "string")), entry=[variable("input", "string")])
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        flow = Flows(http).publish("echo_for_responses", shown)
    plan: list[dict[str, Any]] = [
        {"calls": [{"name": "echo", "arguments": {"input": str(number)}}]} for number in range(3)
    ]
    return seed.new_agent(
        "calls thrice",
        model={"model_id": seed.model("planned")},
        prompt={"text": f"<plan>{json.dumps([*plan, {'say': 'Done.'}])}</plan>"},
        workflows=[{"workflow_id": flow, "tool_name": "echo"}],
    )


@pytest.mark.parametrize(("most", "made"), [(None, 3), (1, 1), (2, 2), (5, 3)])
def test_calls_are_bounded_by_the_request_and_told_with_their_kind(
    raw: httpx.Client, caller: str, most: int | None, made: int
) -> None:
    wanted = {"model": caller, "input": "Go.", "include": ["coterie:steps"], "max_tool_calls": most}
    answer = raw.post("/responses", json=wanted)
    found = answer.json()

    steps = [item for item in found["output"] if item["type"] == "coterie:tool_call"]
    assert [(item["name"], item["kind"]) for item in steps] == [("echo", "workflow")] * made
    assert (found["status"], found["max_tool_calls"]) == ("completed", most)
    assert found["output"][-1]["type"] == "message"
    assert "coterie-ignored" not in answer.headers


def test_a_part_that_was_gone_on_from_is_deleted_by_itself(openai: OpenAI, planner: str) -> None:
    first = openai.responses.create(model=planner, input="Weather?", tools=[TOOL])
    call = next(item for item in first.output if item.type == "function_call")
    output: Any = {"type": "function_call_output", "call_id": call.call_id, "output": "Rain"}
    second = openai.responses.create(
        model=planner, input=[output], tools=[TOOL], previous_response_id=first.id
    )

    openai.responses.delete(first.id)

    assert openai.responses.retrieve(second.id).output_text == "It rains."
    with pytest.raises(NotFoundError):
        openai.responses.retrieve(first.id)


class Weather(BaseModel):
    """What an agent is to answer with."""

    city: str
    degrees: int


def test_an_answer_is_parsed_after_a_call(openai: OpenAI, seed: Seed) -> None:
    call = {"name": "get_weather", "arguments": {"city": "Paris"}}
    plan = [{"calls": [call]}, {"say": '{"city": "Paris", "degrees": 9}'}]
    agent_id = seed.new_agent(
        "parses",
        model={"model_id": seed.model("planned")},
        prompt={"text": f"<plan>{json.dumps(plan)}</plan>"},
    )
    first = openai.responses.parse(
        model=agent_id, input="Weather?", tools=[TOOL], text_format=Weather
    )
    asked = next(item for item in first.output if item.type == "function_call")
    output: Any = {"type": "function_call_output", "call_id": asked.call_id, "output": "9 C"}
    second = openai.responses.parse(
        model=agent_id,
        input=[output],
        tools=[TOOL],
        text_format=Weather,
        previous_response_id=first.id,
    )

    assert second.output_parsed == Weather(city="Paris", degrees=9)

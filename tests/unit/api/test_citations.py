"""Citations, searches and tool calls on the wires."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.citation import CiteStyle, source_address, whole_text
from api.coze.conversation.shape import WireMessage
from api.openai.shape import Completion
from api.renderer import RENDERERS, RenderContext
from application.conversation.dto import MessageView, RecalledChunk, RunResult
from application.conversation.run.event import (
    KnowledgeRecalled,
    MessageCompleted,
    MessageDelta,
    RunEvent,
    ToolCompleted,
    ToolStarted,
)
from domain.conversation.value import MessageKind
from domain.shared.chat import ToolCall
from domain.shared.text.citation import Card, Citations, Cited, MarkFilter
from tests.unit.api.harness import ANSWER_ID, completed, message_view, records, run_view
from tests.unit.api.sse_parser import Event, parse

SOURCES = [
    Cited(
        slice_id=70 + n,
        document_id=n,
        dataset_id=5,
        document_name=f"{n}.md",
        content=f"Text {n}.",
    )
    for n in (1, 2)
]


def answer(text: str, *, is_listed: bool) -> MessageView:
    marks = MarkFilter(len(SOURCES))
    shown = marks.feed(text) + marks.finish()
    citations = Citations.of(shown, marks, SOURCES, is_listed=is_listed)
    return message_view(shown + (citations.tail if citations else ""), citations=citations)


def recalled() -> KnowledgeRecalled:
    chunks = tuple(
        RecalledChunk(
            n=n,
            slice_id=source.slice_id,
            content=source.content,
            score=0.5,
            scores={"full_text": 0.5},
            dataset_id=5,
            dataset_name="base",
            document_id=source.document_id,
            document_name=source.document_name,
            format_type=0,
            source_type=0,
        )
        for n, source in enumerate(SOURCES, 1)
    )
    return KnowledgeRecalled(query="q", chunks=chunks, duration_ms=12)


def streamed(name: str, message: MessageView, sizes: list[int], **context: Any) -> list[Event]:
    events: list[RunEvent] = [recalled()]
    at = 0
    for size in [*sizes, len(message.text)]:
        if piece := message.text[at : at + size]:
            events.append(MessageDelta(message_id=ANSWER_ID, text=piece))
        at += size
    events += [MessageCompleted(message), completed()]
    renderer = RENDERERS.get(name)(RenderContext(run=run_view(), model="m", **context))
    return parse(b"".join(renderer.render([record]) for record in records(*events)))


def text_of(events: list[Event]) -> str:
    chunks = [
        json.loads(event.data) for event in events if event.data.startswith('{"id":"chatcmpl')
    ]
    return "".join(
        choice["delta"].get("content", "") for chunk in chunks for choice in chunk["choices"]
    )


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("marks", "Oil [1], gas [2].\n\n[1] 1.md\n[2] 2.md"),
        ("fastgpt", "Oil [71](CITE), gas [72](CITE)."),
        ("none", "Oil , gas ."),
    ],
)
def test_marks_take_the_form_a_client_knows_wherever_deltas_end(
    style: CiteStyle, expected: str
) -> None:
    message = answer("Oil [1], gas [2].", is_listed=True)

    for size in range(1, len(message.text) + 1):
        sizes = [size] * len(message.text)
        assert text_of(streamed("fastgpt", message, sizes, cites=style)) == expected


@given(
    text=st.text(alphabet="[]12\n x`", max_size=40),
    sizes=st.lists(st.integers(1, 6), max_size=40),
    is_listed=st.booleans(),
)
def test_a_stream_adds_up_to_the_whole_answer(text: str, sizes: list[int], is_listed: bool) -> None:
    message = answer(text, is_listed=is_listed)

    shown = text_of(streamed("openai", message, sizes, cites="fastgpt"))

    if message.citations is not None:
        assert shown == whole_text(message, "fastgpt")
    assert text_of(streamed("openai", message, sizes)) == message.text


def test_a_whole_answer_without_marks_reads_well() -> None:
    assert whole_text(answer("Oil [1], gas [2].", is_listed=True), "none") == "Oil, gas."


def test_cards_come_beside_the_answer_where_they_are_not_listed() -> None:
    message = answer("Oil [2].", is_listed=False)
    card = {
        "n": 2,
        "slice_id": "72",
        "document_id": "2",
        "document_name": "2.md",
        "url": "",
        "page": None,
        "quote": "Text 2.",
        "dataset_id": "5",
    }

    on_coze = WireMessage.of(message)
    last = [
        json.loads(event.data)
        for event in streamed("openai", message, [])
        if event.data != "[DONE]"
    ][-1]
    run = completed().run
    whole = Completion.of(RunResult(run=run, answers=(message,)), model="m")

    assert on_coze.content == "Oil [2]."
    assert json.loads(on_coze.meta_data["citations"]) == [card]
    assert last["choices"][0]["delta"] == {"citations": [card]}
    assert [each.n for each in whole.choices[0].message.citations or ()] == [2]
    listed = answer("Oil [2].", is_listed=True)
    assert "citations" not in WireMessage.of(listed).meta_data
    assert "citations" in WireMessage.of(listed, shows_listed=True).meta_data


def test_every_tool_call_is_a_message_of_its_own() -> None:
    calls = (
        ToolCall(id="a", name="look", arguments='{"x":1}'),
        ToolCall(id="b", name="look", arguments="{broken"),
    )

    found = WireMessage.all_of(message_view("", MessageKind.TOOL_CALLS, tool_calls=calls))

    assert [message.type for message in found] == ["function_call", "function_call"]
    contents = [json.loads(message.content) for message in found]
    assert [content["id"] for content in contents] == ["a", "b"]
    assert [content["arguments"] for content in contents] == [{"x": 1}, "{broken"]
    assert contents[1]["function"] == {"name": "look", "arguments": "{broken"}


def test_fastgpt_clients_see_what_was_found_and_called() -> None:
    call = ToolStarted(call_id="a", name="look", arguments="{}")
    done = ToolCompleted(call_id="a", name="look", result="It.", is_error=False, duration_ms=3)
    renderer = RENDERERS.get("fastgpt")(RenderContext(run=run_view(), model="m"))

    events = parse(renderer.render(records(recalled(), call, done, completed())))

    shown = {event.name: json.loads(event.data) for event in events if event.data.startswith("{")}
    assert shown["toolCall"]["tool"]["functionName"] == "look"
    assert shown["toolParams"]["tool"] == {"id": "a", "params": "{}"}
    assert shown["toolResponse"]["tool"] == {"id": "a", "response": "It."}
    results = next(json.loads(event.data) for event in events if event.name == "flowResponses")
    node, called = results
    assert (called["moduleType"], called["moduleName"], called["toolRes"]) == (
        "tool",
        "look",
        "It.",
    )
    assert (node["moduleType"], node["query"], node["runningTime"]) == (
        "datasetSearchNode",
        "q",
        0.012,
    )
    assert node["quoteList"][0] == {
        "id": "71",
        "datasetId": "5",
        "collectionId": "1",
        "sourceName": "1.md",
        "q": "Text 1.",
        "a": "",
        "score": [{"type": "fullText", "value": 0.5, "index": 0}],
    }


def test_our_own_wire_tells_searches_and_calls_as_they_are() -> None:
    call = ToolStarted(call_id="a", name="look", arguments="{}")
    renderer = RENDERERS.get("events")(RenderContext(run=run_view()))

    search, started = parse(renderer.render(records(recalled(), call)))

    assert (search.name, started.name) == ("knowledge.recalled", "tool.started")
    chunk = json.loads(search.data)["chunks"][0]
    assert (chunk["n"], chunk["slice_id"], chunk["dataset_id"]) == (1, "71", "5")
    assert json.loads(started.data)["call_id"] == "a"


@pytest.mark.parametrize(
    ("url", "dataset_id", "address"),
    [
        ("https://a.example/x", 5, "https://a.example/x"),
        ("", 5, "coterie://base/5/document/2#slice=72"),
        ("", 0, "coterie://document/2#slice=72"),
    ],
)
def test_a_source_is_named_by_its_address_or_by_its_place(
    url: str, dataset_id: int, address: str
) -> None:
    card = Card(
        n=1, slice_id=72, document_id=2, document_name="2.md", url=url, dataset_id=dataset_id
    )

    assert source_address(card) == address

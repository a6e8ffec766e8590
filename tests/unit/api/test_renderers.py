"""What the renderers promise beyond the examples."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.error import Failure
from api.renderer import RENDERERS, RenderContext, Renderer
from api.renderer.order import DELTA_CHARS, AnswerOrder
from application.conversation.dto import WaitingView
from application.conversation.run.event import (
    MessageCompleted,
    MessageDelta,
    MessageReplaced,
    MessageStarted,
    RunCanceled,
    RunCreated,
    RunEvent,
    RunRequiresAction,
    RunStarted,
    StepEnded,
    StepStarted,
    VariablesUpdated,
    Warned,
)
from domain.conversation.value import MessageKind, RunStatus, WaitingFor
from domain.shared.chat import ToolCall, Usage
from tests.unit.api.harness import (
    ANSWER_ID,
    AgentNotFound,
    answering,
    completed,
    failed,
    message_view,
    records,
    run_view,
)
from tests.unit.api.sse_parser import Event, parse

OTHER_ID = ANSWER_ID + 100

texts = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from('\r\n\t\x00\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\ufeff"\\'),
    ),
    min_size=1,
)


def renderer(name: str, **context: Any) -> Renderer:
    return RENDERERS.get(name)(RenderContext(run=run_view(), model="m", **context))


def coze_events(*events: RunEvent) -> list[Event]:
    return parse(renderer("coze").render(records(*events)))


def deltas(events: list[Event]) -> list[tuple[str, str]]:
    return [
        (message["id"], message["content"])
        for event in events
        if event.name == "conversation.message.delta"
        and (message := msgspec.json.decode(event.data, type=dict[str, str]))
    ]


def delta(text: str, message_id: int = ANSWER_ID) -> MessageDelta:
    return MessageDelta(message_id=message_id, text=text)


@given(st.lists(texts, min_size=1), st.integers(1, 4))
def test_any_text_survives_the_coze_wire(pieces: list[str], batch: int) -> None:
    coze = renderer("coze")
    script = answering(*pieces)

    body = b"".join(
        coze.render(script[start : start + batch]) for start in range(0, len(script), batch)
    )

    events = parse(body)
    assert "".join(text for _, text in deltas(events)) == "".join(pieces)
    assert events[-1] == Event("done", '"[DONE]"')


@pytest.mark.parametrize("name", ["openai", "fastgpt"])
@given(pieces=st.lists(texts, min_size=1))
def test_any_text_survives_the_openai_wire(name: str, pieces: list[str]) -> None:
    events = parse(renderer(name).render(answering(*pieces)))

    chunks = [e.json for e in events if e.name in {"", "fastAnswer"} and e.data != "[DONE]"]
    contents = [
        choice["delta"].get("content", "")
        for chunk in chunks
        if isinstance(chunk, dict)
        for choice in chunk["choices"]
    ]
    assert "".join(contents) == "".join(pieces)
    assert events[-1].data == "[DONE]"


@given(text=texts)
def test_any_text_survives_our_own_wire(text: str) -> None:
    events = parse(renderer("events").render(records(delta(text))))

    assert [event.name for event in events] == ["message.delta"]
    assert msgspec.json.decode(events[0].data)["text"] == text


def test_neighbouring_deltas_of_a_batch_become_one() -> None:
    assert deltas(coze_events(delta("a"), delta("b"), delta("c"))) == [(str(ANSWER_ID), "abc")]


def test_text_and_reasoning_are_never_merged_across_each_other() -> None:
    order = AnswerOrder()
    think = MessageDelta(message_id=ANSWER_ID, reasoning="hm")

    events = list(order.arrange(records(think, think, delta("a"), think, delta("b"))))

    assert [(e.reasoning, e.text) for e in events if isinstance(e, MessageDelta)] == [
        ("hmhm", ""),
        ("", "a"),
        ("hm", ""),
        ("", "b"),
    ]


def test_no_frame_exceeds_a_mebibyte() -> None:
    text = "\x01" * (3 * DELTA_CHARS + 7)  # six bytes each once escaped

    body = renderer("coze").render(records(delta(text)))

    assert max(map(len, body.split(b"\n\n"))) <= 1024 * 1024
    assert "".join(piece for _, piece in deltas(parse(body))) == text


def test_answers_do_not_interleave() -> None:
    first, second = str(ANSWER_ID), str(OTHER_ID)

    events = coze_events(
        delta("a"),
        delta("x", OTHER_ID),
        delta("b"),
        MessageCompleted(message_view("xy", id=OTHER_ID)),
        MessageCompleted(message_view("ab")),
        completed(),
    )

    ids = [msgspec.json.decode(e.data)["id"] for e in events if ".message." in e.name]
    assert ids == [first, first, second, second]
    assert deltas(events) == [(first, "ab"), (second, "x")]


def test_an_answer_left_waiting_is_written_before_the_end() -> None:
    events = coze_events(delta("a"), delta("x", OTHER_ID), failed())

    assert deltas(events) == [(str(ANSWER_ID), "a"), (str(OTHER_ID), "x")]
    assert [event.name for event in events[-2:]] == ["conversation.chat.failed", "done"]


def test_what_the_coze_wire_cannot_say_is_left_out() -> None:
    usage = Usage()
    assert not renderer("coze").render(
        records(
            MessageStarted(message_id=ANSWER_ID),
            MessageReplaced(message_id=ANSWER_ID, text="", reasoning="x"),
            MessageCompleted(message_view("hi", MessageKind.QUESTION)),
            StepStarted(step=1, model="m"),
            StepEnded(step=1, model="m", finish_reason="stop", usage=usage, duration_ms=1),
            Warned(warning="persona_syntax", text="x"),
            VariablesUpdated(values={}),
        )
    )


def test_a_canceled_chat_ends_with_its_own_event_and_done() -> None:
    events = coze_events(RunCreated(run_view()), RunCanceled(run_view(RunStatus.CANCELED)))

    assert [event.name for event in events] == [
        "conversation.chat.created",
        "conversation.chat.canceled",
        "done",
    ]


def test_a_broken_subscription_is_a_failed_chat_once_it_is_created() -> None:
    failure = Failure.of(AgentNotFound("Gone."))
    coze = renderer("coze")
    before = parse(coze.fail(failure))
    coze.render(records(RunCreated(run_view()), RunStarted(run_view())))
    after = parse(coze.fail(failure))

    assert [event.name for event in before] == ["error", "done"]
    assert [event.name for event in after] == ["conversation.chat.failed", "done"]
    assert msgspec.json.decode(after[0].data)["last_error"] == {"code": 4200, "msg": "Gone."}


def test_several_answers_are_set_off_by_a_blank_line() -> None:
    events = parse(
        renderer("openai").render(
            records(
                delta("one"),
                MessageCompleted(message_view("one")),
                delta("two", OTHER_ID),
                MessageCompleted(message_view("two", id=OTHER_ID)),
                completed(),
            )
        )
    )

    contents = [
        msgspec.json.decode(e.data)["choices"][0]["delta"].get("content", "") for e in events[:-1]
    ]
    assert "".join(contents) == "one\n\ntwo"


def test_an_answer_without_deltas_is_written_whole() -> None:
    body = renderer("openai").render(records(MessageCompleted(message_view("all")), completed()))

    assert b'"content":"all"' in body


def test_usage_is_told_only_where_asked_for() -> None:
    plain = renderer("openai").render(answering("hi"))
    detailed = renderer("openai", include_usage=True).render(answering("hi"))

    assert b"usage" not in plain
    *_, usage, end = parse(detailed)
    assert msgspec.json.decode(usage.data)["choices"] == []
    assert end.data == "[DONE]"


def test_fastgpt_clients_see_steps_variables_and_results_before_the_end() -> None:
    usage = Usage(input_tokens=3, output_tokens=4)
    step = StepEnded(step=1, model="m", finish_reason="stop", usage=usage, duration_ms=1500)
    events = parse(
        renderer("fastgpt").render(
            records(
                StepStarted(step=1, model="m"),
                delta("hi"),
                MessageCompleted(message_view("hi")),
                step,
                VariablesUpdated(values={"city": "Oslo"}),
                completed(),
            )
        )
    )

    assert [event.name for event in events] == [
        "flowNodeStatus",
        "answer",
        "answer",
        "flowNodeResponse",
        "updateVariables",
        "answer",
        "workflowDuration",
        "flowResponses",
        "answer",
    ]
    assert msgspec.json.decode(events[-2].data) == [
        {
            "nodeId": "1",
            "moduleName": "AI Chat",
            "moduleType": "chatNode",
            "runningTime": 1.5,
            "model": "m",
            "inputTokens": 3,
            "outputTokens": 4,
        }
    ]
    assert msgspec.json.decode(events[-3].data) == {"durationSeconds": 5.0}


def test_a_fastgpt_client_is_told_of_a_failure() -> None:
    (event,) = parse(renderer("fastgpt").render(records(failed())))

    assert event == Event("error", '{"message":"model provider returned 503","code":5001}')


def test_ids_and_times_of_our_own_wire_are_spelled_for_javascript() -> None:
    (event,) = parse(renderer("events").render(records(completed())))

    run = msgspec.json.decode(event.data)["run"]
    assert run["id"] == str(run_view().id)
    assert run["created_at"] == 1767608100


def test_fastgpt_tells_a_models_words_from_those_of_a_workflow() -> None:
    fastgpt = renderer("fastgpt")
    step = StepStarted(step=1, model="m")
    ended = StepEnded(step=1, model="m", finish_reason="stop", usage=Usage(), duration_ms=1)
    body = fastgpt.render(records(step, delta("model"), ended, delta("flow", OTHER_ID)))

    said = [
        (event.name, msgspec.json.decode(event.data)["choices"][0]["delta"].get("content"))
        for event in parse(body)
        if event.name in {"answer", "fastAnswer"}
    ]
    assert said == [("answer", ""), ("answer", "model")]
    rest = parse(fastgpt.render(records(completed())))
    assert [event.name for event in rest][:2] == ["fastAnswer", "answer"]


def test_fastgpt_asks_for_what_a_run_waits_for() -> None:
    call = ToolCall(id="c", name="send", arguments="{}")
    waits_for = WaitingView(workflow_run_id=0, question_id="consent", calls=(call,))
    run = msgspec.structs.replace(run_view(), waits_for=waits_for)

    events = parse(renderer("fastgpt").render(records(RunRequiresAction(run))))

    asked = msgspec.json.decode(events[0].data)["interactive"]
    assert (events[0].name, asked["type"]) == ("interactive", "userInput")
    assert asked["params"]["inputForm"][0]["key"] == "c"


@pytest.mark.parametrize("name", ["coze", "events", "playground", "fastgpt", "openai", "tags"])
def test_no_wire_shows_what_only_the_agent_goes_on_with(name: str) -> None:
    call = ToolCall(id="c", name="send", arguments="{}")
    stored = WaitingFor(workflow_run_id=0, question_id="q", state="INNER TALK", calls=(call,))
    run = msgspec.structs.replace(run_view(), waits_for=WaitingView.of(stored))

    body = renderer(name).render(records(RunCreated(run), RunRequiresAction(run)))

    assert body
    assert b"INNER TALK" not in body
    assert not {"state", "last_event", "model_calls"} & set(WaitingView.__struct_fields__)


def test_our_own_wires_name_the_calls_that_wait() -> None:
    call = ToolCall(id="c", name="send", arguments="{}")
    waits_for = WaitingView(workflow_run_id=0, question_id="q", calls=(call,), output_ids=("c",))
    run = msgspec.structs.replace(run_view(), waits_for=waits_for)

    (event,) = parse(renderer("events").render(records(RunRequiresAction(run))))

    shown = msgspec.json.decode(event.data)["run"]["waits_for"]
    assert [each["name"] for each in shown["calls"]] == ["send"]
    assert shown["output_ids"] == ["c"]

"""Conversations that workflows answer, with unmodified Coze client code and on other surfaces."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from cozepy import (
    Chat,
    ChatEvent,
    ChatEventType,
    ChatStatus,
    Coze,
    Message,
    MessageObjectString,
    MessageType,
    ToolOutput,
)
from openai import OpenAI

from tests.support.client.chat import Talk, answer_of, skip_to
from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer
from tests.support.workflow.canvas import (
    answering,
    canvas,
    exit_,
    field,
    list_ref,
    lit,
    model,
    node,
    param,
    ref,
)

CANCELLED = 4
ENTRY = [field("USER_INPUT", "string"), field("CONVERSATION_NAME", "string")]
SAID = ref("100001", "USER_INPUT")


def emitter(node_id: str, content: str, **more: object) -> dict[str, object]:
    return node(
        node_id,
        "13",
        content=lit(content),
        inputParameters=[param("said", SAID)],
        streamingOutput=False,
        **more,
    )


def question(node_id: str, text: str) -> dict[str, object]:
    return node(
        node_id,
        "18",
        question=text,
        answer_type="text",
        option_type="static",
        extra_output=False,
        limit=3,
        llmParam={},
        inputParameters=[],
        outputs=[field("USER_RESPONSE", "string")],
    )


ASKING = canvas(
    emitter("hello", "Hello {{said}}."),
    question("ask", "Which city?"),
    answering("It rains in {{city}}.", city=ref("ask", "USER_RESPONSE")),
    entry=ENTRY,
)


def events_of(coze: Coze, workflow_id: str, *texts: str, **more: Any) -> list[ChatEvent]:
    messages = [Message.build_user_question_text(text) for text in texts]
    return list(
        coze.workflows.chat.stream(workflow_id=workflow_id, additional_messages=messages, **more)
    )


def answers(events: list[ChatEvent]) -> list[str]:
    return [
        each.message.content
        for each in events
        if each.event == ChatEventType.CONVERSATION_MESSAGE_COMPLETED
        and each.message is not None
        and each.message.type == MessageType.ANSWER
    ]


def chat_of(events: list[ChatEvent]) -> Chat:
    """The chat as the stream told it last."""
    return [each.chat for each in events if each.chat is not None][-1]


@pytest.fixture(scope="module")
def flows(server: RunningServer) -> Iterator[Flows]:
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        yield Flows(http)


@pytest.fixture(scope="module")
def asking(flows: Flows) -> str:
    return flows.publish("asking chat", ASKING)


def test_a_chat_streams_messages_and_ends_with_its_link(
    client: httpx.Client, server: RunningServer, flows: Flows, coze: Coze
) -> None:
    flow = flows.publish(
        "talker",
        canvas(emitter("hi", "Hi {{said}}!"), answering("Bye {{q}}.", q=SAID), entry=ENTRY),
    )
    body = {
        "workflow_id": flow,
        "additional_messages": [{"role": "user", "content": "Ada", "content_type": "text"}],
    }
    raw = client.post("/v1/workflows/chat", json=body).text
    assert "id:" not in {line[:3] for line in raw.splitlines()}
    frames = [frame.split("\n") for frame in raw.strip().split("\n\n")]
    names = [lines[0].removeprefix("event: conversation.") for lines in frames]
    assert names[:2] == ["chat.created", "chat.in_progress"]
    assert names[-2:] == ["chat.completed", "event: done"]
    created = json.loads(frames[0][1][6:])
    done = json.loads(frames[-1][1][6:])
    assert created["bot_id"] == "0"
    space_id = client.get(f"/admin/v1/workflows/{flow}").json()["workspace_id"]
    assert done == {"debug_url": f"{server.url}/console/w/{space_id}/runs/{created['id']}"}
    assert client.get(f"/admin/v1/traces/{created['id']}").status_code == 200
    events = events_of(coze, flow, "Bob", conversation_id=created["conversation_id"])
    assert answers(events) == ["Hi Bob!", "Bye Bob."]
    listed = client.post(
        "/v1/conversation/message/list", params={"conversation_id": created["conversation_id"]}
    ).json()["data"]
    said = [each["content"] for each in listed]
    assert sorted(said) == sorted(["Ada", "Hi Ada!", "Bye Ada.", "Bob", "Hi Bob!", "Bye Bob."])


def test_the_next_message_answers_a_question(coze: Coze, asking: str) -> None:
    talk = coze.conversations.create()
    first = events_of(coze, asking, "Ada", conversation_id=talk.id)
    assert answers(first) == ["Hello Ada.", "Which city?"]
    waiting = chat_of(first)
    assert waiting.status == ChatStatus.REQUIRES_ACTION
    action = waiting.required_action
    assert action is not None
    assert action.submit_tool_outputs is not None
    assert [call.type.value for call in action.submit_tool_outputs.tool_calls] == ["reply_message"]
    second = events_of(coze, asking, "Oslo", conversation_id=talk.id)
    assert answers(second) == ["It rains in Oslo."]
    assert chat_of(second).status == ChatStatus.COMPLETED
    again = events_of(coze, asking, "Eve", conversation_id=talk.id)
    assert answers(again) == ["Hello Eve.", "Which city?"]


def test_a_submitted_reply_goes_on_with_the_same_chat(coze: Coze, asking: str) -> None:
    talk = coze.conversations.create()
    waiting = chat_of(events_of(coze, asking, "Ada", conversation_id=talk.id))
    action = waiting.required_action
    assert action is not None
    assert action.submit_tool_outputs is not None
    (call,) = action.submit_tool_outputs.tool_calls
    events = list(
        coze.chat.submit_tool_outputs(
            conversation_id=talk.id,
            chat_id=waiting.id,
            tool_outputs=[ToolOutput(tool_call_id=call.id, output="Oslo")],
            stream=True,
        )
    )
    assert answers(events) == ["It rains in Oslo."]
    ended = chat_of(events)
    assert (ended.id, ended.status) == (waiting.id, ChatStatus.COMPLETED)


def test_models_answer_and_nodes_see_the_rounds_before(
    flows: Flows, coze: Coze, seed: Seed
) -> None:
    past = node(
        "past",
        "54",
        inputParameters=[
            param("conversationName", lit("Default")),
            param("rounds", lit(5, "integer")),
        ],
        outputs=[
            field(
                "messageList",
                "list",
                schema={
                    "type": "object",
                    "schema": [field("role", "string"), field("content", "string")],
                },
            )
        ],
    )
    asked = model("m", "{{q}}", inputs={"q": SAID})
    said = answering(
        "{{out}} {{past}}", out=ref("m", "output"), past=list_ref("past", "messageList", "object")
    )
    text = json.dumps(canvas(past, asked, said, entry=ENTRY))
    flow = flows.publish(
        "remembering", text.replace('"content": "100"', f'"content": "{seed.model("tokens-2-1")}"')
    )
    talk = coze.conversations.create()
    first = events_of(coze, flow, "One?", conversation_id=talk.id)
    (earlier,) = answers(first)
    assert earlier.endswith(" []")
    usage = chat_of(first).usage
    assert usage is not None
    assert usage.token_count > 0
    second = events_of(coze, flow, "Two?", conversation_id=talk.id)
    past_rounds = json.loads(answers(second)[0].partition(" [")[2].join(["[", ""]))
    assert past_rounds == [
        {"role": "user", "content": "One?"},
        {"role": "assistant", "content": earlier},
    ]


def test_named_conversations_are_kept_apart(flows: Flows, coze: Coze) -> None:
    """An application's conversations have names; the same name leads to the same one."""
    flow = flows.publish("named", canvas(answering("{{q}}.", q=SAID), entry=ENTRY))
    ids = [
        chat_of(
            events_of(coze, flow, "Hi", app_id="77", parameters={"CONVERSATION_NAME": name})
        ).conversation_id
        for name in ("Trip", "Work", "Trip")
    ]
    assert ids[0] == ids[2] != ids[1]


def test_files_reach_the_workflow_as_links(coze: Coze, flows: Flows, tmp_path: Path) -> None:
    flow = flows.publish("reader", canvas(answering("{{q}}", q=SAID), entry=ENTRY))
    path = tmp_path / "picture.txt"
    path.write_text("words")
    with path.open("rb") as opened:
        file = coze.files.upload(file=opened)
    parts = [
        MessageObjectString.build_text("Look:"),
        MessageObjectString.build_file(file_id=file.id),
    ]
    events = list(
        coze.workflows.chat.stream(
            workflow_id=flow, additional_messages=[Message.build_user_question_objects(parts)]
        )
    )
    (said,) = answers(events)
    assert said.startswith("Look:,http")


def test_an_agent_answers_with_a_workflow(
    asking: str, seed: Seed, talk: Talk, openai: OpenAI
) -> None:
    agent = seed.new_agent("flow", mode="workflow", workflow_agent={"workflow_id": asking})
    chat = talk.ask(agent, "Ada")
    assert chat["status"] == "requires_action"
    assert talk.answers(chat) == ["Hello Ada.", "Which city?"]
    events = talk.stream(agent, "Bergen", conversation_id=chat["conversation_id"])
    assert answer_of(events) == "It rains in Bergen."
    told = openai.chat.completions.create(
        model=agent, messages=[{"role": "user", "content": "Ada"}]
    )
    assert told.choices[0].message.content == "Hello Ada.\n\nWhich city?"


def test_a_model_calls_workflows(flows: Flows, seed: Seed, talk: Talk) -> None:
    city = [field("city", "string", required=True)]
    plain = flows.publish("weather", canvas(exit_(city=ref("100001", "city")), entry=city))
    agent = seed.new_agent(
        "caller",
        model={"model_id": seed.model("tool-call")},
        workflows=[{"workflow_id": plain, "tool_name": "forecast"}],
    )
    chat = talk.ask(agent, "Hello")
    assert talk.answers(chat)[-1] == 'The tool said: {"city":"Paris"}'


def test_a_workflow_of_a_model_asks_in_the_chat(flows: Flows, seed: Seed, talk: Talk) -> None:
    city = [field("city", "string", required=True)]
    asked = flows.publish(
        "asker",
        canvas(question("ask", "Which day?"), exit_(day=ref("ask", "USER_RESPONSE")), entry=city),
    )
    agent = seed.new_agent(
        "asking caller",
        model={"model_id": seed.model("tool-call")},
        workflows=[{"workflow_id": asked, "tool_name": "plan"}],
    )
    chat = talk.ask(agent, "Hello")
    assert chat["status"] == "requires_action"
    assert talk.answers(chat)[-1] == "Which day?"
    done = talk.ask(agent, "Friday", conversation_id=chat["conversation_id"])
    assert done["status"] == "completed"
    assert talk.answers(done)[-1] == 'The tool said: {"day":"Friday"}'


def test_an_answer_of_a_called_workflow_goes_to_the_user(
    flows: Flows, seed: Seed, talk: Talk
) -> None:
    city = [field("city", "string", required=True)]
    direct = flows.publish(
        "direct", canvas(answering("Sun in {{c}}.", c=ref("100001", "city")), entry=city)
    )
    agent = seed.new_agent(
        "direct caller",
        model={"model_id": seed.model("tool-call-split")},
        workflows=[{"workflow_id": direct}],
    )
    assert talk.answers(talk.ask(agent, "Hello"))[-1] == "Sun in Paris."
    events = talk.stream(agent, "Hello")
    told = [body for name, body in events if name.startswith("conversation.message.")]
    kinds = [each["type"] for each in told]
    assert kinds.index("function_call") < kinds.index("tool_response") < kinds.index("answer")
    (result,) = [each["content"] for each in told if each["type"] == "tool_response"]
    assert result == "direct directly streaming reply."
    assert answer_of(events) == "Sun in Paris."


def test_cancelling_a_chat_ends_the_run(flows: Flows, seed: Seed, talk: Talk) -> None:
    made = canvas(
        emitter("hi", "Hi."),
        model("m", "{{q}}", inputs={"q": SAID}),
        answering("{{out}}", out=ref("m", "output")),
        entry=ENTRY,
    )
    text = json.dumps(made).replace('"content": "100"', f'"content": "{seed.model("hang")}"')
    agent = seed.new_agent(
        "slow flow",
        mode="workflow",
        workflow_agent={"workflow_id": flows.publish("slow chat", text)},
    )
    with talk.streaming(agent, "Hello") as events:
        chat = skip_to(events, "conversation.chat.in_progress")
        skip_to(events, "conversation.message.completed")
        assert talk.cancel(chat).json()["data"]["status"] == "canceled"
    assert flows.settled(chat["execute_id"])["status"] == CANCELLED


@pytest.mark.parametrize("stream", [False, True])
def test_a_question_is_answered_by_clients_that_keep_the_history(
    openai: OpenAI, asking: str, *, stream: bool
) -> None:
    def said(*messages: Any) -> str:
        told: Any = openai.chat.completions.create(
            model=f"workflow/{asking}", messages=list(messages), stream=stream
        )
        if not stream:
            return str(told.choices[0].message.content)
        return "".join(chunk.choices[0].delta.content or "" for chunk in told if chunk.choices)

    first = {"role": "user", "content": "Ada"}
    asked = {"role": "assistant", "content": said(first)}
    answer = {"role": "user", "content": "Oslo"}

    assert asked["content"] == "Hello Ada.\n\nWhich city?"
    assert said(first, asked, answer) == "It rains in Oslo."
    assert said(first, asked, answer).endswith("Which city?")  # it waited once
    edited = {**asked, "content": "Which town?"}
    assert said(first, edited, answer).endswith("Which city?")


@pytest.mark.parametrize("store", [False, True])
def test_a_question_is_answered_by_the_next_response(
    openai: OpenAI, asking: str, *, store: bool
) -> None:
    model = f"workflow/{asking}"
    items: list[Any] = [{"role": "user", "content": "Ada"}]
    first = openai.responses.create(model=model, input=items, store=store)
    assert first.status == "completed"
    told: list[Any] = [*first.output]
    assert [each.content[0].text for each in told] == ["Hello Ada.", "Which city?"]
    items += [each.model_dump(exclude_none=True) for each in told]
    items.append({"role": "user", "content": "Oslo"})

    second = openai.responses.create(model=model, input=items, store=store)
    third = openai.responses.create(
        model=model, input=[*items, {"role": "user", "content": "Bergen"}], store=store
    )

    assert second.output_text == "It rains in Oslo."
    assert third.output_text.endswith("Which city?")
    if store:
        assert first.conversation is not None
        assert second.conversation is not None
        assert second.conversation.id == first.conversation.id


def test_a_question_is_nobody_elses(openai: OpenAI, asking: str) -> None:
    history: list[Any] = [{"role": "user", "content": "Ada"}]
    asked = openai.chat.completions.create(model=f"workflow/{asking}", messages=history, user="ada")
    history += [{"role": "assistant", "content": asked.choices[0].message.content}]
    history += [{"role": "user", "content": "Oslo"}]

    other = openai.chat.completions.create(model=f"workflow/{asking}", messages=history, user="bob")
    own = openai.chat.completions.create(model=f"workflow/{asking}", messages=history, user="ada")

    assert str(other.choices[0].message.content).endswith("Which city?")
    assert own.choices[0].message.content == "It rains in Oslo."

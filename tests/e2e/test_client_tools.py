"""Tools that run at the client, with unmodified Coze client code."""

import json
from typing import Any

import httpx
import pytest
from cozepy import (
    ChatEvent,
    ChatEventType,
    ChatStatus,
    ChatToolCallType,
    Coze,
    Message,
    MessageType,
    ToolOutput,
)

from tests.support.client.chat import Talk
from tests.support.client.plugin import Plugins
from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows, example

SCHEDULE = {"name": "get_schedule", "description": "What the user has to do."}
Waiting = dict[str, Any]


@pytest.fixture(scope="module")
def agents(seed: Seed) -> dict[str, str]:
    """Published agents with one client tool, by how their model calls it."""
    return {
        behaviour: seed.new_agent(
            behaviour, model={"model_id": seed.model(behaviour)}, client_tools=[SCHEDULE]
        )
        for behaviour in ("tool-call", "tool-call-parallel")
    }


def asked(coze: Coze, agent_id: str, **more: Any) -> list[ChatEvent]:
    question = Message.build_user_question_text("What next?")
    return list(
        coze.chat.stream(bot_id=agent_id, user_id="ada", additional_messages=[question], **more)
    )


def kinds(events: list[ChatEvent]) -> list[MessageType]:
    return [
        each.message.type
        for each in events
        if each.event == ChatEventType.CONVERSATION_MESSAGE_COMPLETED and each.message
    ]


def waiting_of(talk: Talk, agent_id: str) -> Waiting:
    chat = talk.ask(agent_id, "What next?")
    assert chat["status"] == "requires_action"
    return chat


def submit(http: httpx.Client, chat: Waiting, *outputs: tuple[str, str], **more: Any) -> Any:
    body = {"tool_outputs": [{"tool_call_id": i, "output": text} for i, text in outputs]}
    ids = {"conversation_id": chat["conversation_id"], "chat_id": chat["id"], **more}
    return http.post("/v3/chat/submit_tool_outputs", params=ids, json=body)


def test_a_chat_goes_on_with_the_output(coze: Coze, agents: dict[str, str]) -> None:
    first = asked(coze, agents["tool-call"])
    chat = first[-1].chat or first[-2].chat
    assert chat is not None
    assert chat.status == ChatStatus.REQUIRES_ACTION
    assert kinds(first) == [MessageType.ANSWER, MessageType.FUNCTION_CALL]
    assert chat.required_action
    assert chat.required_action.submit_tool_outputs
    (call,) = chat.required_action.submit_tool_outputs.tool_calls
    assert call.function
    assert chat.usage
    assert (call.type, call.function.name) == (ChatToolCallType.FUNCTION, "get_schedule")
    assert json.loads(call.function.arguments)["note"] == "What next?"

    second = list(
        coze.chat.submit_tool_outputs(
            conversation_id=chat.conversation_id,
            chat_id=chat.id,
            tool_outputs=[ToolOutput(tool_call_id=call.id, output="Two interviews")],
            stream=True,
        )
    )
    assert second[0].event == ChatEventType.CONVERSATION_CHAT_IN_PROGRESS
    assert kinds(second) == [MessageType.TOOL_RESPONSE, MessageType.ANSWER, MessageType.VERBOSE]
    ended = [each.chat for each in second if each.chat is not None][-1]
    assert (ended.id, ended.status) == (chat.id, ChatStatus.COMPLETED)
    assert ended.usage
    assert ended.usage.token_count > chat.usage.token_count
    said = "".join(
        each.message.content
        for each in second
        if each.event == ChatEventType.CONVERSATION_MESSAGE_DELTA and each.message
    )
    assert said == "The tool said: Two interviews"
    listed = coze.chat.messages.list(conversation_id=chat.conversation_id, chat_id=chat.id)
    assert [each.type for each in listed] == [*kinds(first), *kinds(second)]
    later = asked(coze, agents["tool-call"], conversation_id=chat.conversation_id)
    assert kinds(later) == kinds(first)


def test_all_calls_are_answered_at_once_and_once(talk: Talk, agents: dict[str, str]) -> None:
    chat = waiting_of(talk, agents["tool-call-parallel"])
    calls = chat["required_action"]["submit_tool_outputs"]["tool_calls"]
    ids = [call["id"] for call in calls]
    assert len(ids) == 2
    for wrong in ([ids[0]], [*ids, "other"], [ids[0], ids[0]], []):
        refused = submit(talk.http, chat, *((each, "x") for each in wrong))
        assert (refused.status_code, refused.json()["code"]) == (409, 4105)
        assert ids[1] in refused.json()["msg"]
    unknown = submit(talk.http, chat, *((each, "x") for each in ids), conversation_id="1")
    assert unknown.json()["code"] == 4200
    assert submit(talk.http, chat, (ids[0], "x"), chat_id="word").json()["code"] == 4000

    accepted = submit(talk.http, chat, (ids[1], "second"), (ids[0], "first")).json()
    assert (accepted["code"], accepted["data"]["status"]) == (0, "in_progress")
    ended = talk.wait(chat)
    assert ended["status"] == "completed"
    assert "required_action" not in ended
    again = submit(talk.http, chat, *((each, "x") for each in ids))
    assert again.json()["code"] == 4105


def test_what_the_agent_goes_on_with_is_shown_nowhere(talk: Talk, agents: dict[str, str]) -> None:
    chat = waiting_of(talk, agents["tool-call"])
    for name in ("events", "playground", "coze", "tag-events"):
        shown = talk.http.get(f"/v1/runs/{chat['id']}/events", params={"format": name}).text
        assert "state" not in shown.replace("bot_state", "")
        assert "data-" not in shown, "the mark around results of tools"
        assert "get_schedule" in shown


def test_a_new_question_leaves_the_calls_behind(talk: Talk, agents: dict[str, str]) -> None:
    chat = waiting_of(talk, agents["tool-call"])
    talk.ask(agents["tool-call"], "Never mind.", conversation_id=chat["conversation_id"])
    assert talk.get(chat)["status"] == "canceled"
    assert submit(talk.http, chat, ("call_1", "x")).json()["code"] == 4105


def test_a_chat_that_is_not_kept_offers_no_such_tools(talk: Talk, agents: dict[str, str]) -> None:
    raw = talk.post(agents["tool-call"], "What next?", auto_save_history=False, stream=True).text
    assert "requires_action" not in raw
    assert "conversation.chat.completed" in raw


def test_a_chat_brings_tools_and_settings_of_its_own(talk: Talk, seed: Seed) -> None:
    """The agent has another model and no tool; what the request changed lasts to its end."""
    agent = seed.new_agent("No tools", model={"model_id": seed.model("echo")})
    function = {"name": "get_tide", "parameters": {"type": "object"}}
    model = {"model_config": {"model_id": seed.model("tool-call")}}
    chat = talk.ask(
        agent,
        "High or low?",
        tools=[{"type": "function", "function": function}],
        custom_config=model,
    )
    (call,) = chat["required_action"]["submit_tool_outputs"]["tool_calls"]
    assert call["function"]["name"] == "get_tide"

    submit(talk.http, chat, (call["id"], "Low"))

    ended = talk.wait(chat)
    assert ended["status"] == "completed", ended
    assert talk.answers(chat)[-1] == "The tool said: Low", "the model of the request answers"


@pytest.mark.parametrize(
    ("tools", "reason"),
    [
        ([{"type": "retrieval", "function": {"name": "a"}}], "[0].type"),
        ([{"type": "function", "function": {"name": "a b"}}], "[0].function.name"),
        ([{"function": {"name": "a"}}] * 2, "two tools are called a"),
        ([{"function": {"name": "a", "parameters": {"type": "array"}}}], "parameters"),
        (["a"], "tools[0]"),
    ],
)
def test_tools_of_a_request_are_checked(
    talk: Talk, agents: dict[str, str], tools: list[Any], reason: str
) -> None:
    refused = talk.post(agents["tool-call"], "What next?", tools=tools).json()
    assert refused["code"] == 4000
    assert reason in refused["msg"]


def test_tools_need_a_chat_that_is_kept(talk: Talk, agents: dict[str, str]) -> None:
    refused = talk.post(
        agents["tool-call"],
        "What next?",
        tools=[{"function": {"name": "a"}}],
        stream=True,
        auto_save_history=False,
    ).json()
    assert (refused["code"], refused["msg"][:6]) == (4000, "tools:")


def test_a_plugin_can_be_the_client(talk: Talk, seed: Seed) -> None:
    plugins = Plugins(seed)
    plugin = plugins.create(name="Phone", type="local")
    tool = {"name": "get_battery", "parameters": [{"name": "note", "type": 1}]}
    made = seed.call("POST", f"/plugins/{plugin}/tools", tool)
    assert plugins.publish(plugin) == "v1.0.0"
    chat = talk.ask(plugins.agent(plugin, made["id"]), "How full?")

    (call,) = chat["required_action"]["submit_tool_outputs"]["tool_calls"]
    assert call["function"]["name"] == "get_battery"
    submit(talk.http, chat, (call["id"], "80 %"))
    talk.wait(chat)
    assert talk.answers(chat)[-1] == "The tool said: 80 %"
    tried = plugins.debug(plugin, made["id"])
    assert (tried["success"], "only agents can use it" in tried["reason"]) == (False, True)
    with pytest.raises(AssertionError, match="server_url"):
        plugins.create(name="Phone", type="local", server_url="https://phone.example")


def test_a_plugin_can_be_of_workflows(talk: Talk, seed: Seed, client: httpx.Client) -> None:
    flow = Flows(client).publish("tool_of_plugin", example("ex01_entry_exit"))
    plugins = Plugins(seed)
    plugin = plugins.create(name="Flows", type="workflow")
    path = f"/plugins/{plugin}/tools"
    made = seed.call("POST", path, {"name": "greet", "workflow_id": flow})
    with pytest.raises(AssertionError, match="workflow_id"):
        seed.call("POST", path, {"name": "other"})
    plugins.publish(plugin)
    agent = seed.new_agent(
        "With flows",
        model={"model_id": seed.model("tool-call")},
        plugins=[{"plugin_id": plugin, "tool_id": made["id"], "defaults": {"first": "Mia"}}],
    )
    chat = talk.ask(agent, "Greet")
    assert chat["status"] == "completed", chat
    assert '"name":"Mia"' in talk.answers(chat)[-1].replace(" ", "")

"""One conversation with everything an agent can do, through the official client."""

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from cozepy import (
    Chat,
    ChatEvent,
    ChatEventType,
    ChatStatus,
    ChatToolCallType,
    Coze,
    Message,
    MessageType,
    Stream,
    SyncHTTPClient,
    TokenAuth,
    ToolOutput,
)

from tests.e2e.test_knowledge_chat import QUESTION, new_dataset
from tests.e2e.test_workflow_chat import question
from tests.support.client.plugin import Plugins
from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows
from tests.support.process.server import running_server
from tests.support.web.service import Answer, Asked, Service, as_json
from tests.support.workflow.canvas import canvas, exit_, ref
from tests.upstream.fixture import RunningUpstream
from tests.upstream.planned import QUESTIONS

TOGETHER_S = 60.0
PLACE = {"in": "query", "name": "place", "required": True, "schema": {"type": "string"}}
SEA = {
    "openapi": "3.0.3",
    "info": {"title": "Sea", "description": "What the sea does"},
    "paths": {
        f"/{name}": {"get": {"operationId": name, "summary": name, "parameters": [PLACE]}}
        for name in ("tides", "wind")
    },
}
FOUND = {"/tides": {"high": "06:12"}, "/wind": {"knots": 14}}
ENDING = "Every 500 hours [1], in Sylt [9]."
SHOWN = "Every 500 hours [1], in Sylt .\n\n[1] guide.txt"
RECALL = {"name": "recallKnowledge", "arguments": {"query": QUESTION}}


def a_call(name: str, **arguments: object) -> dict[str, object]:
    return {"name": name, "arguments": arguments}


LOOKING = [a_call("tides", place="Sylt"), a_call("wind", place="Sylt")]
NOTING = [
    a_call("trips", sql="INSERT INTO trips (place) VALUES ('Sylt')"),
    a_call("trips", sql="SELECT place FROM trips WHERE place = 'Sylt'"),
    a_call("setKeywordMemory", data=[{"keyword": "home", "value": "Sylt"}]),
]
ASKING = [a_call("harbour", q="the question")]


@dataclass
class Sea:
    """A service whose two operations only answer when both are asked at the same time."""

    both: threading.Barrier

    def answer(self, asked: Asked) -> Answer:
        self.both.wait(TOGETHER_S)
        return as_json(200, FOUND[asked.target.partition("?")[0]])


@dataclass
class World:
    """A server with all that the agents are bound to."""

    seed: Seed
    coze: Coze
    http: httpx.Client
    upstream: RunningUpstream
    dataset_id: str
    table_id: str
    flow_id: str
    tools: list[dict[str, str]]

    def agent(self, model: str, *, on_demand: bool) -> str:
        """Publish an agent whose model plans to use everything."""
        first = [*LOOKING, RECALL] if on_demand else LOOKING
        plan = [
            {"say": "Let me look.", "calls": first},
            {"calls": NOTING},
            {"calls": ASKING},
            {"say": ENDING},
        ]
        agent_id = self.seed.new_agent(
            "whole",
            publish=False,
            model={"model_id": self.seed.model(model)},
            prompt={"text": f"Home: {{{{home}}}}.\n<plan>{json.dumps(plan)}</plan>"},
            knowledge={
                "datasets": [self.dataset_id],
                "auto": not on_demand,
                "search_strategy": 1,
            },
            plugins=self.tools,
            workflows=[{"workflow_id": self.flow_id, "tool_name": "harbour"}],
            suggest_reply={"mode": "enable"},
        )
        declared = {"items": [{"key": "home", "default_value": "unknown"}]}
        self.seed.call("PUT", f"/agents/{agent_id}/variables", declared)
        self.seed.call("POST", f"/databases/{self.table_id}/agents/{agent_id}")
        self.seed.publish(agent_id)
        return agent_id

    def chat(self, agent_id: str, user: str, text: str, conversation_id: str) -> list[ChatEvent]:
        return list(
            self.coze.chat.stream(
                bot_id=agent_id,
                user_id=user,
                conversation_id=conversation_id,
                additional_messages=[Message.build_user_question_text(text)],
            )
        )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream) -> Iterator[World]:
    service = Service(Sea(threading.Barrier(2)).answer)
    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    with service.listening():
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "echo",
            "COTERIE_EGRESS__ALLOW_PRIVATE": service.host,
        }
        with (
            running_server(tmp_path_factory.mktemp("whole"), environ) as server,
            httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http,
        ):
            seed = Seed(server, upstream)
            coze = Coze(auth=TokenAuth(server.token), base_url=server.url, http_client=transport)
            plugins = Plugins(seed)
            plugin_id, tools = plugins.bring(json.dumps(SEA), service.url)
            plugins.publish(plugin_id)
            table = {"table_name": "trips", "fields": [{"name": "place", "must_required": True}]}
            made = seed.call("POST", f"/workspaces/{seed.workspace_id}/databases", table)
            asking = canvas(
                question("ask", "Which harbour?"), exit_(harbour=ref("ask", "USER_RESPONSE"))
            )
            yield World(
                seed,
                coze,
                http,
                upstream,
                new_dataset(coze, seed.workspace_id, "whole guides"),
                str(made["id"]),
                Flows(http).publish("harbour", asking),
                [{"plugin_id": plugin_id, "tool_id": each} for each in tools.values()],
            )
            seed.close()
    transport.close()


def chat_of(events: Sequence[ChatEvent]) -> Chat:
    return [each.chat for each in events if each.chat is not None][-1]


def completed(events: Sequence[ChatEvent], kind: MessageType) -> list[str]:
    return [
        each.message.content
        for each in events
        if each.event == ChatEventType.CONVERSATION_MESSAGE_COMPLETED
        and each.message is not None
        and each.message.type == kind
    ]


def called(events: Sequence[ChatEvent]) -> list[tuple[str, Any]]:
    told = [json.loads(each) for each in completed(events, MessageType.FUNCTION_CALL)]
    return [(each["name"], each["arguments"]) for each in told]


def sets_of(messages: Sequence[dict[str, Any]]) -> list[int]:
    """Sizes of the sets of calls; each must be followed by exactly its results."""
    sizes: list[int] = []
    known: set[str] = set()
    open_ids: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == open_ids.pop(0), "A result without its call"
            continue
        assert not open_ids, f"Calls without results: {open_ids}"
        if calls := message.get("tool_calls"):
            open_ids = [call["id"] for call in calls]
            assert len({*open_ids}) == len(open_ids)
            assert not known.intersection(open_ids), "An id occurs twice"
            known.update(open_ids)
            sizes.append(len(calls))
    assert not open_ids
    return sizes


@pytest.mark.parametrize("by_message", [True, False], ids=["next-message", "outputs"])
@pytest.mark.parametrize("on_demand", [True, False], ids=["on-demand", "auto"])
@pytest.mark.parametrize("model", ["planned", "planned-in-words"])
def test_one_conversation_does_it_all(
    world: World, model: str, *, on_demand: bool, by_message: bool
) -> None:
    user = f"{model}-{on_demand}-{by_message}"
    agent_id = world.agent(model, on_demand=on_demand)
    conversation_id = world.coze.conversations.create(bot_id=agent_id).id

    first = world.chat(agent_id, user, QUESTION, conversation_id)

    waiting = chat_of(first)
    assert waiting.status == ChatStatus.REQUIRES_ACTION, waiting
    assert waiting.required_action
    assert waiting.required_action.submit_tool_outputs
    (asked,) = waiting.required_action.submit_tool_outputs.tool_calls
    assert asked.type == ChatToolCallType.REPLY_MESSAGE
    looking = [*LOOKING, RECALL] if on_demand else LOOKING
    expected = [(each["name"], each["arguments"]) for each in [*looking, *NOTING, *ASKING]]
    assert called(first) == expected
    results = completed(first, MessageType.TOOL_RESPONSE)
    assert len(results) == len(expected) - 1
    assert any("06:12" in each for each in results)
    assert any("| Sylt |" in each for each in results)
    assert completed(first, MessageType.ANSWER) == ["Let me look.", "Which harbour?"]

    if by_message:
        second = world.chat(agent_id, user, "List", conversation_id)
    else:
        stream = world.coze.chat.submit_tool_outputs(
            conversation_id=conversation_id,
            chat_id=waiting.id,
            tool_outputs=[ToolOutput(tool_call_id=asked.id, output="List")],
            stream=True,
        )
        assert isinstance(stream, Stream)
        second = list(stream)

    ended = chat_of(second)
    assert (ended.status, ended.id == waiting.id) == (ChatStatus.COMPLETED, not by_message), ended
    assert [json.loads(each) for each in completed(second, MessageType.TOOL_RESPONSE)] == [
        {"harbour": "List"}
    ]
    assert completed(second, MessageType.ANSWER) == [SHOWN]
    assert completed(second, MessageType.FOLLOW_UP) == [*QUESTIONS]
    values = world.coze.variables.retrieve(bot_id=agent_id, connector_uid=user, keywords=["home"])
    assert [each.value for each in values] == ["Sylt"]
    query = f"/admin/v1/databases/{world.table_id}/records:query"
    rows = world.http.post(query, json={"connector_uid": user}).json()["items"]
    assert [row["place"] for row in rows] == ["Sylt"]
    stored = world.coze.chat.messages.list(conversation_id=conversation_id, chat_id=ended.id)
    shown = [*(() if by_message else completed_all(first)), *completed_all(second)]
    assert [(each.type, each.content) for each in stored] == shown

    after = chat_of(world.chat(agent_id, user, "Thanks", conversation_id))

    assert after.status == ChatStatus.COMPLETED
    sent = [
        request.body["messages"]
        for request in world.upstream.requests(model=model)
        if "<plan>" in str(request.body["messages"])
    ][-1]
    assert "Home: Sylt." in str(sent[0]["content"])
    assert sent[-1] == {"role": "user", "content": "Thanks"}
    if model == "planned":
        again = [len(ASKING)] if by_message else []  # in both chats: asked in one, answered in one
        assert sets_of(sent) == [len(looking), len(NOTING), len(ASKING), *again]
    else:
        assert {each["role"] for each in sent} == {"system", "user", "assistant"}
        assert "06:12" in str(sent)


def completed_all(events: Sequence[ChatEvent]) -> list[tuple[MessageType, str]]:
    return [
        (each.message.type, each.message.content)
        for each in events
        if each.event == ChatEventType.CONVERSATION_MESSAGE_COMPLETED and each.message is not None
    ]

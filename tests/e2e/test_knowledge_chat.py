"""Agents that answer from knowledge: searched for them or by them, cited, on every surface."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from cozepy import (
    BotKnowledge,
    BotPromptInfo,
    ChatEventType,
    Coze,
    CozeAPIError,
    Message,
    MessageType,
    SyncHTTPClient,
    TokenAuth,
)
from cozepy.datasets.documents import (
    DocumentBase,
    DocumentChunkStrategy,
    DocumentFormatType,
    DocumentSourceInfo,
    DocumentStatus,
)
from openai import OpenAI

from tests.support.client.chat import PATIENCE_S, Talk, answer_of
from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer
from tests.upstream.fixture import RunningUpstream

GUIDE = "Pumps run on oil. Change the oil of the pump every 500 hours."
QUESTION = "How often is the oil of the pump changed?"
PERSONA = "You are Ann. Never mention the codeword pineapple oil pump."


@contextmanager
def client_of(server: RunningServer) -> Iterator[Coze]:
    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    yield Coze(auth=TokenAuth(server.token), base_url=server.url, http_client=transport)
    transport.close()


def new_dataset(coze: Coze, workspace_id: str, name: str = "guides", *, text: str = GUIDE) -> str:
    """A base with one document that is ready to be searched."""
    dataset_id = coze.datasets.create(
        name=name, space_id=workspace_id, format_type=DocumentFormatType.DOCUMENT
    ).dataset_id
    source = DocumentSourceInfo.build_local_file(text, "txt")
    made = coze.datasets.documents.create(
        dataset_id=dataset_id,
        document_bases=[DocumentBase(name="guide.txt", source_info=source)],
        chunk_strategy=DocumentChunkStrategy.build_auto(),
    )
    ids = [each.document_id for each in made]
    deadline = time.monotonic() + PATIENCE_S
    while any(
        each.status is not DocumentStatus.COMPLETED
        for each in coze.datasets.process(dataset_id=dataset_id, document_ids=ids)
    ):
        assert time.monotonic() < deadline, "The document was not indexed in time."
        time.sleep(0.05)
    return dataset_id


def new_bot(coze: Coze, workspace_id: str, dataset_id: str) -> str:
    """A published bot that is bound to a base, made by the SDK alone."""
    bot_id = coze.bots.create(
        space_id=workspace_id, name="Ann", prompt_info=BotPromptInfo(prompt=PERSONA)
    ).bot_id
    knowledge = BotKnowledge(dataset_ids=[dataset_id], auto_call=True, search_strategy=1)
    coze.bots.update(bot_id=bot_id, knowledge=knowledge)
    coze.bots.publish(bot_id=bot_id)
    return bot_id


@pytest.fixture(scope="module")
def dataset_id(server: RunningServer, seed: Seed) -> str:
    with client_of(server) as coze:
        return new_dataset(coze, seed.workspace_id)


@pytest.fixture
def bound(seed: Seed, dataset_id: str) -> Callable[..., str]:
    """Makes a published agent of a scripted model that is bound to the base."""

    def make(behaviour: str, **knowledge: Any) -> str:
        return seed.new_agent(
            behaviour,
            model={"model_id": seed.model(behaviour)},
            knowledge={"datasets": [dataset_id], "search_strategy": 1, **knowledge},
        )

    return make


def kinds_of(events: list[tuple[str, Any]]) -> list[str]:
    """Names of a stream's events, messages by type, deltas of one answer as one."""
    found: list[str] = []
    for name, body in events:
        kind = name.rpartition(".")[2]
        if name == "conversation.message.completed":
            kind = body["type"]
            if kind == "verbose":
                kind = json.loads(body["content"])["msg_type"]
        if kind != "delta" or found[-1] != "delta":
            found.append(kind)
    return found


def test_the_offline_model_answers_from_knowledge_and_cites_it(
    offline_server: RunningServer,
) -> None:
    text, completed = "", []
    with client_of(offline_server) as coze:
        workspace_id = coze.workspaces.list().items[0].id
        bot_id = new_bot(coze, workspace_id, new_dataset(coze, workspace_id))
        stream = coze.chat.stream(
            bot_id=bot_id,
            user_id="me",
            additional_messages=[Message.build_user_question_text(QUESTION)],
        )
        for event in stream:
            if event.event == ChatEventType.CONVERSATION_MESSAGE_DELTA:
                text += event.message.content
            elif event.event == ChatEventType.CONVERSATION_MESSAGE_COMPLETED:
                completed.append(event.message)

    assert "> Change the oil of the pump every 500 hours. [1]" in text
    assert text.endswith("\n\n[1] guide.txt")
    assert "offline" in text
    assert "pineapple" not in text
    recall, answer, _ = completed
    assert (recall.type, answer.type) == (MessageType.VERBOSE, MessageType.ANSWER)
    assert answer.content == text
    content = json.loads(recall.content)
    assert content["msg_type"] == "knowledge_recall"
    found = json.loads(content["data"])
    assert (found["ori_req"], found["status_code"]) == ("", 0)
    chunk = found["chunks"][0]
    assert set(chunk) == {"slice", "score", "meta"}
    assert set(chunk["meta"]) == {"dataset", "document", "link", "card"}
    assert chunk["meta"]["dataset"]["name"] == "guides"
    assert chunk["meta"]["document"]["name"] == "guide.txt"


def test_a_cited_answer_is_the_same_streamed_polled_and_listed(
    talk: Talk, upstream: RunningUpstream, bound: Callable[..., str]
) -> None:
    agent_id = bound("cites")

    events = talk.stream(agent_id, QUESTION)

    expected = "Every 500 hours [1], not  100.\n\n[1] guide.txt"
    assert kinds_of(events) == [
        *("created", "in_progress", "knowledge_recall", "delta", "answer"),
        *("generate_answer_finish", "completed", "done"),
    ]
    assert answer_of(events) == expected
    for name, body in events:
        if name == "conversation.message.delta":
            assert body["content"].count("[") == body["content"].count("]")
    chat = events[0][1]
    assert talk.answers(chat) == [expected]
    conversation_id = chat["conversation_id"]
    assert talk.history(conversation_id)[-1] == ("answer", expected)

    talk.ask(
        agent_id, "How often again is the oil of the pump changed?", conversation_id=conversation_id
    )

    sent = upstream.requests(model="cites")[-1].body["messages"]
    assert "recall slice 1 [guide.txt]" in str(sent)
    past = [message["content"] for message in sent if message["role"] == "assistant"]
    assert past == ["Every 500 hours, not  100."]


@pytest.mark.parametrize(("behaviour", "calls"), [("recalls", 1), ("recalls-twice", 2)])
def test_on_demand_the_model_searches_and_the_calls_are_kept(
    *,
    talk: Talk,
    coze: Coze,
    upstream: RunningUpstream,
    bound: Callable[..., str],
    behaviour: str,
    calls: int,
) -> None:
    agent_id = bound(behaviour, auto=False, show_source_mode=1)

    events = talk.stream(agent_id, QUESTION)

    kinds = kinds_of(events)
    assert kinds[:5] == ["created", "in_progress", "delta", "answer", "function_call"]
    assert kinds.count("function_call") == kinds.count("tool_response") == calls
    assert kinds.count("knowledge_recall") == calls
    assert kinds.index("knowledge_recall") < kinds.index("tool_response")
    assert kinds[-5:] == ["delta", "answer", "generate_answer_finish", "completed", "done"]
    bodies = [body for name, body in events if name == "conversation.message.completed"]
    call = json.loads(next(b for b in bodies if b["type"] == "function_call")["content"])
    assert call["function"]["name"] == call["name"] == "recallKnowledge"
    assert call["arguments"] == {"query": QUESTION}
    answer = [body for body in bodies if body["type"] == "answer"][-1]
    assert answer["content"] == "It says so [1]."
    (card,) = json.loads(answer["meta_data"]["citations"])
    assert (card["n"], card["document_name"]) == (1, "guide.txt")

    chat = events[0][1]
    stored = coze.chat.messages.list(conversation_id=chat["conversation_id"], chat_id=chat["id"])
    assert [each.content for each in stored] == [body["content"] for body in bodies]

    talk.ask(agent_id, "Sure?", conversation_id=chat["conversation_id"])

    first = upstream.requests(model=behaviour)[-2].body["messages"]
    roles = [message["role"] for message in first if message["role"] != "system"]
    assert roles == ["user", "assistant", *["tool"] * calls, "assistant", "user"]
    turn = next(message for message in first if message.get("tool_calls"))
    assert turn["content"] == "Let me look. "
    results = [message["tool_call_id"] for message in first if message["role"] == "tool"]
    assert [each["id"] for each in turn["tool_calls"]] == results


def test_models_that_cannot_call_tools_are_given_the_knowledge(
    talk: Talk, seed: Seed, dataset_id: str
) -> None:
    model_id = seed.model("recalls", capabilities={"tools": "none"})
    agent_id = seed.new_agent(
        "no tools",
        model={"model_id": model_id},
        knowledge={"datasets": [dataset_id], "auto": False, "search_strategy": 1},
    )

    events = talk.stream(agent_id, QUESTION)

    assert "knowledge_recall" in kinds_of(events)
    assert "function_call" not in kinds_of(events)
    assert answer_of(events).startswith("It says so [1].")


def test_other_surfaces_cite_in_their_own_way(
    client: httpx.Client, openai: OpenAI, bound: Callable[..., str]
) -> None:
    agent_id = bound("cites")
    messages = [{"role": "user", "content": QUESTION}]

    def ask(**more: Any) -> dict[str, Any]:
        body = {"model": agent_id, "messages": messages, **more}
        return dict(client.post("/api/v1/chat/completions", json=body).json())

    detailed = ask(detail=True)
    search = detailed["responseData"][0]
    slice_id = search["quoteList"][0]["id"]
    assert search["moduleType"] == "datasetSearchNode"
    cited = f"Every 500 hours [{slice_id}](CITE), not  100."
    assert detailed["choices"][0]["message"]["content"] == cited
    plain = ask(retainDatasetCite=False)["choices"][0]["message"]["content"]
    assert plain == "Every 500 hours, not  100."
    completion = openai.chat.completions.create(
        model=agent_id,
        messages=[{"role": "user", "content": QUESTION}],
    )
    expected = "Every 500 hours [1], not  100.\n\n[1] guide.txt"
    assert completion.choices[0].message.content == expected


def test_an_agent_may_have_an_answer_for_nothing_found(
    talk: Talk, upstream: RunningUpstream, bound: Callable[..., str]
) -> None:
    agent_id = bound(
        "echo-nothing",
        search_strategy=20,
        no_recall_reply_mode="direct",
        no_recall_reply_customize_prompt="Please call us.",
    )

    events = talk.stream(agent_id, "Zebra?")

    assert answer_of(events) == "Please call us."
    assert not upstream.requests(model="echo-nothing")


def test_only_datasets_of_the_agents_workspace_can_be_bound(coze: Coze, seed: Seed) -> None:
    elsewhere = new_dataset(coze, seed.workspace("elsewhere"))
    bot_id = coze.bots.create(space_id=seed.workspace_id, name="Ann").bot_id

    for dataset_id in (elsewhere, "1"):
        with pytest.raises(CozeAPIError) as caught:
            coze.bots.update(
                bot_id=bot_id,
                knowledge=BotKnowledge(dataset_ids=[dataset_id], auto_call=True, search_strategy=0),
            )
        assert caught.value.code == 4200


def test_a_deleted_dataset_is_unbound(talk: Talk, coze: Coze, seed: Seed) -> None:
    dataset_id = new_dataset(coze, seed.workspace_id, "gone soon")
    agent_id = seed.new_agent("gone", knowledge={"datasets": [dataset_id]})
    named = coze.bots.retrieve(bot_id=agent_id).knowledge
    assert named is not None
    assert named.dataset_ids == [dataset_id]

    coze.datasets.delete(dataset_id=dataset_id)

    shown = coze.bots.retrieve(bot_id=agent_id).knowledge
    assert shown is not None
    assert shown.dataset_ids == []
    (finding,) = [
        each
        for each in seed.call("POST", f"/agents/{agent_id}/validate")["items"]
        if each["field"] == "knowledge.datasets"
    ]
    assert finding["severity"] == "warning"
    assert talk.ask(agent_id, "Anyone?")["status"] == "completed"

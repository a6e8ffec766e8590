"""The OpenAI client: models, completions, errors."""

import httpx
import pytest
from openai import (
    APIError,
    APIStatusError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    InternalServerError,
    NotFoundError,
    OpenAI,
)
from openai.types.chat import ChatCompletionMessageParam

from tests.support.client.chat import Talk
from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer
from tests.upstream.fixture import RunningUpstream

QUESTION = "Tell me about Coterie"
ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": QUESTION}]


def test_agents_are_models(openai: OpenAI, seed: Seed) -> None:
    agent_id = seed.agent()

    listed = {model.id: model for model in openai.models.list()}
    one = openai.models.retrieve(agent_id)

    assert one == listed[agent_id]
    assert (one.object, one.owned_by) == ("model", seed.workspace_id)
    assert one.created > 0


def test_an_unpublished_agent_is_no_model(openai: OpenAI, seed: Seed) -> None:
    draft = seed.new_agent("only a draft", publish=False)

    assert draft not in {model.id for model in openai.models.list()}
    with pytest.raises(NotFoundError) as refused:
        openai.models.retrieve(draft)
    assert refused.value.code == "model_not_found"


def test_usage_comes_last_and_only_if_asked_for(openai: OpenAI, seed: Seed) -> None:
    def chunks(**more: object) -> list[object]:
        stream = openai.chat.completions.create(  # type: ignore[call-overload]
            model=seed.agent(), messages=ASKED, stream=True, **more
        )
        return [chunk.usage for chunk in stream]

    with_usage = chunks(stream_options={"include_usage": True})

    assert set(chunks()) == {None}
    assert set(with_usage[:-1]) == {None}
    assert with_usage[-1].total_tokens > 0  # type: ignore[attr-defined]


def test_all_chunks_belong_to_one_completion(openai: OpenAI, seed: Seed) -> None:
    with openai.chat.completions.with_streaming_response.create(
        model=seed.agent("reasoning"), messages=ASKED, stream=True
    ) as response:
        chat_id = response.headers["x-chat-id"]
        chunks = list(response.parse())

    assert {chunk.id for chunk in chunks} == {f"chatcmpl-{chat_id}"}
    assert len({(chunk.created, chunk.model, chunk.object) for chunk in chunks}) == 1
    deltas = [chunk.choices[0].delta for chunk in chunks]
    assert deltas[0].role == "assistant"
    assert "".join(delta.content or "" for delta in deltas) == "The answer."
    thoughts = [(delta.model_extra or {}).get("reasoning_content") or "" for delta in deltas]
    assert "".join(thoughts) == "Let me see."
    assert chunks[-1].choices[0].finish_reason == "stop"


def test_a_completion_in_one_piece_tells_where_it_came_from(openai: OpenAI, seed: Seed) -> None:
    raw = openai.chat.completions.with_raw_response.create(
        model=seed.agent("reasoning"), messages=ASKED
    )
    completion = raw.parse()

    assert completion.id == f"chatcmpl-{raw.headers['x-chat-id']}"
    assert raw.headers["x-request-id"] == raw.headers["x-tt-logid"]
    choice = completion.choices[0]
    assert (choice.message.content, choice.finish_reason) == ("The answer.", "stop")
    assert (choice.message.model_extra or {})["reasoning_content"] == "Let me see."


def test_settings_and_history_of_the_request_reach_the_model(
    openai: OpenAI, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "echo-of-request"
    openai.chat.completions.create(
        model=seed.agent(behaviour),
        messages=[
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "One"},
            {"role": "assistant", "content": "Two"},
            {"role": "user", "content": "Three"},
        ],
        temperature=0.25,
        max_tokens=77,
        stop=["END"],
    )

    sent = upstream.requests(model=behaviour)[-1].body
    assert (sent["temperature"], sent["stop"]) == (0.25, ["END"])
    assert 77 in (sent.get("max_tokens"), sent.get("max_completion_tokens"))
    assert "Be kind." in sent["messages"][0]["content"]
    assert [m["content"] for m in sent["messages"][-3:]] == ["One", "Two", "Three"]


def test_a_long_history_is_accepted(openai: OpenAI, seed: Seed) -> None:
    history: list[ChatCompletionMessageParam] = [
        {"role": "user", "content": f"Question {number}"}
        if number % 2 == 0
        else {"role": "assistant", "content": f"Answer {number}"}
        for number in range(300)
    ]

    completion = openai.chat.completions.create(model=seed.agent(), messages=[*history, *ASKED])

    assert completion.choices[0].message.content == QUESTION


def test_calls_without_a_conversation_leave_none(
    openai: OpenAI, seed: Seed, client: httpx.Client
) -> None:
    agent_id = seed.new_agent("stateless")
    openai.chat.completions.create(model=agent_id, messages=ASKED)

    found = client.get("/v1/conversations", params={"bot_id": agent_id}).json()
    assert found["data"]["conversations"] == []


def test_a_named_conversation_is_continued(openai: OpenAI, seed: Seed, talk: Talk) -> None:
    chat = talk.ask(seed.agent(), "Hello")

    openai.chat.completions.create(
        model=seed.agent(),
        messages=[{"role": "user", "content": "And now?"}],
        extra_body={"conversation_id": chat["conversation_id"]},
    )

    assert [text for _, text in talk.history(chat["conversation_id"])] == [
        "Hello",
        "Hello",
        "And now?",
        "And now?",
    ]


@pytest.mark.parametrize("stream", [True, False])
def test_an_unknown_model_is_not_found(openai: OpenAI, stream: bool) -> None:
    with pytest.raises(NotFoundError) as refused:
        openai.chat.completions.create(model="nobody", messages=ASKED, stream=stream)

    assert (refused.value.code, refused.value.param) == ("model_not_found", "model")


def test_a_wrong_key_is_refused(server: RunningServer) -> None:
    with (
        OpenAI(api_key="sk-wrong", base_url=f"{server.url}/v1", max_retries=0) as stranger,
        pytest.raises(AuthenticationError) as refused,
    ):
        stranger.models.list()

    assert refused.value.code == "invalid_api_key"


def test_a_busy_conversation_is_a_conflict_not_worth_a_retry(
    openai: OpenAI, seed: Seed, talk: Talk
) -> None:
    running = talk.start(seed.agent("stall"), "Wait")

    with pytest.raises(ConflictError) as refused:
        openai.chat.completions.create(
            model=seed.agent(),
            messages=ASKED,
            extra_body={"conversation_id": running["conversation_id"]},
        )
    talk.cancel(running)

    assert refused.value.code == "conversation_busy"
    assert refused.value.response.headers["x-should-retry"] == "false"


@pytest.mark.parametrize(
    "body",
    [{"messages": []}, {"n": 2}, {"messages": [{"role": "robot", "content": "x"}]}],
    ids=["no message", "two choices", "unknown role"],
)
def test_what_cannot_be_done_is_a_bad_request(
    openai: OpenAI, seed: Seed, body: dict[str, object]
) -> None:
    with pytest.raises(BadRequestError) as refused:
        openai.chat.completions.create(model=seed.agent(), messages=ASKED, extra_body=body)

    assert refused.value.type == "invalid_request_error"


def test_a_failing_provider_is_a_server_error(openai: OpenAI, seed: Seed) -> None:
    with pytest.raises(InternalServerError) as refused:
        openai.chat.completions.create(model=seed.agent("error-401"), messages=ASKED)

    assert refused.value.status_code == 502
    assert refused.value.code == "provider_error"


def test_a_provider_that_breaks_in_mid_stream_raises_after_the_text(
    openai: OpenAI, seed: Seed
) -> None:
    text: list[str] = []

    def read() -> None:
        for chunk in openai.chat.completions.create(
            model=seed.agent("reset-after-3"), messages=ASKED, stream=True
        ):
            text.extend(choice.delta.content or "" for choice in chunk.choices)

    with pytest.raises(APIError) as broken:
        read()

    assert "".join(text) == "t0 t1 t2 "
    assert not isinstance(broken.value, APIStatusError)

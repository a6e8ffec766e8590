"""The OpenAI client with models instead of agents: completions, embeddings, ranking."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from openai import BadRequestError, NotFoundError, OpenAI, PermissionDeniedError

from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer
from tests.upstream.fixture import RunningUpstream

QUESTION = "Where is the owl?"
ASKED = [{"role": "user", "content": QUESTION}]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "The weather of a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
        },
    }
]
pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(scope="module")
def models(seed: Seed) -> Iterator[dict[str, str]]:
    """Names of models of the scripted provider, by behaviour."""
    names = {}
    for behaviour in ("echo", "tool-call", "tool-call-parallel", "echo-of-request"):
        names[behaviour] = f"raw-{behaviour}"
        seed.model(behaviour, display={"name": names[behaviour]})
    shortened = {"send_dimensions": True, "dimensions": 8}
    names |= {"embed": "raw-embed", "shortened": "raw-short"}
    made = [
        seed.model("embed-8", display={"name": name}, type="embedding", **more)
        for name, more in (("raw-embed", {}), ("raw-short", {"embedding": shortened}))
    ]
    yield names
    for each in made:  # new bases of other tests would have their vectors from them
        seed.call("DELETE", f"/models/{each}")


def test_a_model_answers_without_an_agent(openai: Any, models: dict[str, str]) -> None:
    raw = openai.chat.completions.with_raw_response.create(
        model=f"llm/{models['echo']}", messages=ASKED, reasoning_effort="high"
    )
    completion = raw.parse()

    assert completion.choices[0].message.content == QUESTION
    assert completion.usage.total_tokens > 0
    assert raw.headers["coterie-ignored"] == "reasoning_effort"
    assert "x-conversation-id" not in raw.headers


def test_a_model_streams_without_an_agent(openai: Any, models: dict[str, str]) -> None:
    stream = openai.chat.completions.create(
        model=f"llm/{models['echo']}",
        messages=ASKED,
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)

    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert text == QUESTION
    assert chunks[-1].usage.total_tokens > 0
    assert len({chunk.id for chunk in chunks}) == 1


@pytest.mark.parametrize("behaviour", ["tool-call", "tool-call-parallel"])
def test_calls_are_the_same_in_one_piece_and_streamed(
    openai: Any, models: dict[str, str], behaviour: str
) -> None:
    asked = {"model": f"llm/{models[behaviour]}", "messages": ASKED, "tools": TOOLS}
    whole = openai.chat.completions.create(**asked).choices[0]
    with openai.chat.completions.stream(**asked) as stream:
        final = stream.get_final_completion().choices[0]

    def told(choice: Any) -> list[tuple[str, str, str]]:
        return [(c.id, c.function.name, c.function.arguments) for c in choice.message.tool_calls]

    assert (whole.finish_reason, final.finish_reason) == ("tool_calls", "tool_calls")
    assert told(whole)
    assert told(whole) == told(final)


def test_outputs_of_tools_reach_the_model(
    openai: Any, models: dict[str, str], upstream: RunningUpstream
) -> None:
    call = {"id": "call_7", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    openai.chat.completions.create(
        model=f"llm/{models['echo-of-request']}",
        messages=[
            {"role": "developer", "content": "Be kind."},
            *ASKED,
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_7", "content": "In the barn."},
        ],
        tools=TOOLS,
        tool_choice={"type": "function", "function": {"name": "get_weather"}},
        parallel_tool_calls=False,
    )

    sent = upstream.requests(model="echo-of-request")[-1].body
    assert [message["role"] for message in sent["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
    ]
    assert sent["messages"][2]["tool_calls"][0]["id"] == "call_7"
    assert sent["messages"][3]["tool_call_id"] == "call_7"
    assert sent["tool_choice"]["function"]["name"] == "get_weather"
    assert sent["parallel_tool_calls"] is False


@pytest.mark.parametrize("form", ["float", "base64"])
def test_texts_are_embedded(openai: Any, models: dict[str, str], form: str) -> None:
    found = openai.embeddings.create(
        model=models["embed"], input=["one", "two", "one"], encoding_format=form
    )

    assert [each.index for each in found.data] == [0, 1, 2]
    assert found.usage.total_tokens > 0
    plain = openai.embeddings.create(model=f"embedding/{models['embed']}", input="one").data[0]
    assert len(plain.embedding) == 8
    if form == "float":
        assert found.data[0].embedding == pytest.approx(plain.embedding, abs=1e-6)
        assert found.data[0].embedding == found.data[2].embedding


def test_vectors_are_shortened_where_the_model_can(openai: Any, models: dict[str, str]) -> None:
    short = openai.embeddings.create(model=models["shortened"], input="one", dimensions=4)

    vector = short.data[0].embedding
    assert len(vector) == 4
    assert math.hypot(*vector) == pytest.approx(1, abs=1e-5)
    with pytest.raises(BadRequestError, match="8 dimensions"):
        openai.embeddings.create(model=models["embed"], input="one", dimensions=4)


@pytest.mark.parametrize(
    ("wanted", "code", "param"),
    [
        ({"input": ""}, "invalid_value", "input"),
        ({"input": []}, "invalid_value", "input"),
        ({"input": ["a", " "]}, "invalid_value", "input"),
        ({"input": [1, 2]}, "unsupported_input", "input"),
        ({"input": [[1, 2]]}, "unsupported_input", "input"),
        ({"input": ["a"] * 2049}, "invalid_value", "input"),
        ({"input": "a " * 400_000}, "invalid_value", "input"),
    ],
)
def test_what_cannot_be_embedded_is_refused(
    openai: Any, models: dict[str, str], wanted: dict[str, object], code: str, param: str
) -> None:
    with pytest.raises(BadRequestError) as refused:
        openai.embeddings.create(model=models["embed"], **wanted)

    assert (refused.value.code, refused.value.param) == (code, param)


def test_a_model_that_is_not_there_is_not_found(openai: Any, models: dict[str, str]) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: openai.chat.completions.create(model="llm/none", messages=ASKED),
        lambda: openai.chat.completions.create(model=f"llm/{models['embed']}", messages=ASKED),
        lambda: openai.embeddings.create(model=models["echo"], input="a"),
        lambda: openai.models.retrieve("llm/none"),
    ]
    for call in calls:
        with pytest.raises(NotFoundError) as refused:
            call()
        assert (refused.value.code, refused.value.param) == ("model_not_found", "model")


def test_models_are_listed_for_those_who_may_use_them(
    openai: Any, models: dict[str, str], seed: Seed, server: RunningServer
) -> None:
    listed = {model.id: model for model in openai.models.list()}

    assert listed[f"llm/{models['echo']}"].owned_by == "openai"
    assert listed[f"embedding/{models['embed']}"].model_extra["coterie"]["kind"] == "embedding"
    assert openai.models.retrieve(f"llm/{models['echo']}") == listed[f"llm/{models['echo']}"]


def test_models_are_for_tokens_that_may_use_them(
    models: dict[str, str], seed: Seed, server: RunningServer
) -> None:
    made = seed.call("POST", "/tokens", {"name": "limited", "permissions": ["chat", "bot.read"]})
    with OpenAI(api_key=made["token"], base_url=f"{server.url}/v1", max_retries=0) as other:
        limited: Any = other
        assert not [m for m in limited.models.list() if m.id.startswith(("llm/", "embedding/"))]
        calls: list[Callable[[], Any]] = [
            lambda: limited.chat.completions.create(model="llm/echo", messages=ASKED),
            lambda: limited.embeddings.create(model=models["embed"], input="a"),
            lambda: limited.models.retrieve(f"llm/{models['echo']}"),
        ]
        for call in calls:
            with pytest.raises(PermissionDeniedError, match=r"model\.use"):
                call()


def test_a_browser_reaches_no_model(seed: Seed, server: RunningServer) -> None:
    made = seed.call("POST", "/tokens:issue", {"bot_ids": [seed.agent()]})
    with OpenAI(api_key=made["token"], base_url=f"{server.url}/v1", max_retries=0) as other:
        browser: Any = other
        with pytest.raises(PermissionDeniedError, match=r"model\.use"):
            browser.chat.completions.create(model="llm/echo", messages=ASKED)


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        ({"tools": [{"type": "custom"}]}, "unsupported_tool_type", "tools[0].type"),
        ({"tools": TOOLS * 2}, "invalid_value", "tools"),
        ({"tools": [{"function": {"name": "a b"}}]}, "invalid_value", "tools[0].function.name"),
        ({"tools": TOOLS, "tool_choice": "maybe"}, "invalid_value", "tool_choice"),
        ({"tool_choice": "required"}, "invalid_value", "tool_choice"),
        ({"functions": [{"name": "f"}]}, "unsupported_parameter", "functions"),
        ({"n": 2}, "unsupported_parameter", "n"),
        ({"messages": [{"role": "assistant", "content": "a"}]}, "invalid_value", "messages"),
        (
            {"messages": [{"role": "user", "content": [{"type": "input_audio"}]}]},
            "unsupported_content",
            "messages[0].content[0]",
        ),
        (
            {"messages": [{"role": "tool", "content": "a"}]},
            "invalid_value",
            "messages[0].tool_call_id",
        ),
    ],
)
def test_a_wrong_request_names_its_field(
    client: httpx.Client, models: dict[str, str], body: dict[str, object], code: str, param: str
) -> None:
    asked = {"model": f"llm/{models['echo']}", "messages": ASKED, **body}
    refused = client.post("/v1/chat/completions", json=asked)

    assert refused.status_code == 400, refused.text
    error = refused.json()["error"]
    assert (error["code"], error["param"]) == (code, param)


@pytest.mark.parametrize(
    "path", ["/v1/assistants", "/v1/images/generations", "/v1/none", "/v1/files/none/none"]
)
def test_a_path_that_is_not_there_is_told_in_openais_words(client: httpx.Client, path: str) -> None:
    told = client.post(path, json={}, headers={"x-stainless-lang": "python"})

    assert told.status_code == 404, told.text
    assert told.json()["error"]["code"] == "unknown_url"
    assert told.json()["error"]["type"] == "invalid_request_error"


def test_ranking_needs_a_model(client: httpx.Client) -> None:
    refused = client.post("/v1/rerank", json={"query": "owl", "documents": ["barn", "tree"]})

    assert refused.status_code == 404
    assert refused.json()["error"]["code"] == "model_not_found"
    wrongs: tuple[dict[str, Any], ...] = ({"documents": []}, {"documents": ["a"], "top_n": 0})
    for wrong in wrongs:
        assert client.post("/v1/rerank", json={"query": "owl", **wrong}).status_code == 400


def test_a_strict_tool_is_told_to_be_as_any_other(openai: Any, models: dict[str, str]) -> None:
    strict = [{**TOOLS[0], "function": {"name": "get_weather", "strict": True}}]
    raw = openai.chat.completions.with_raw_response.create(
        model=f"llm/{models['echo']}", messages=ASKED, tools=strict
    )

    assert raw.headers["coterie-ignored"] == "strict"

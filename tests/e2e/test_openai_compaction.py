"""What comes before a response, through OpenAI's own client: counting, and compacting the past."""

from typing import Any

import httpx
import pytest
from openai import BadRequestError, NotFoundError, OpenAI

from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer
from tests.upstream.fixture import RunningUpstream

SAID: Any = [
    {"role": "developer", "content": "Be kind."},
    {"role": "user", "content": "My name is Ann."},
    {"role": "assistant", "content": "Hello Ann."},
    {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city":"Rome"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "Sunny."},
    {
        "role": "user",
        "content": [
            {"type": "input_text", "text": "And tomorrow?"},
            {"type": "input_image", "image_url": "https://example.org/sky.png", "detail": "auto"},
        ],
    },
]


@pytest.fixture(params=["agent", "model"], scope="module")
def answerer(request: pytest.FixtureRequest, seed: Seed) -> str:
    """Whoever answers, by the name that clients know; the provider knows it as ``echo-compact``."""
    if request.param == "agent":
        return seed.agent("echo-compact")
    seed.model("echo-compact", display={"name": "compacts"})
    return "llm/compacts"


def test_a_conversation_goes_on_from_its_compaction(
    openai: OpenAI, answerer: str, upstream: RunningUpstream
) -> None:
    made = openai.responses.compact(model=answerer, input=SAID, instructions="Be brief.")
    asked = upstream.requests(model="echo-compact")[-1].body["messages"]
    kept: list[Any] = [item.model_dump(exclude_none=True, warnings=False) for item in made.output]
    answer = openai.responses.create(
        model=answerer, input=[*kept, {"role": "user", "content": "Go on."}], store=False
    )

    assert (made.object, made.usage.total_tokens > 0) == ("response.compaction", True)
    assert [item["type"] for item in kept] == ["message", "message", "compaction"]
    for said in (
        "user: My name is Ann.",
        "calls weather",
        "tool: Sunny.",
        "And tomorrow?",
        "[image",
    ):
        assert said in asked[-1]["content"]
    assert "Be kind." not in asked[-1]["content"]
    assert "weather" not in kept[-1]["encrypted_content"]
    told = upstream.requests(model="echo-compact")[-1].body["messages"]
    spoken = [(each["role"], each["content"]) for each in told if each["role"] != "system"]
    assert spoken[0] == ("user", "My name is Ann.")
    assert "And tomorrow?" in str(spoken[1])
    assert spoken[2][0] == "assistant"
    assert asked[-1]["content"] in spoken[2][1], "the provider repeats what it is asked"
    assert spoken[-1] == ("user", "Go on.")
    assert answer.output_text == "Go on."


def test_what_led_to_a_response_is_compacted_with_it(
    openai: OpenAI, answerer: str, upstream: RunningUpstream
) -> None:
    first = openai.responses.create(model=answerer, input="I live in Rome.")
    second = openai.responses.create(
        model=answerer, input="And I like rain.", previous_response_id=first.id
    )
    made = openai.responses.compact(model=answerer, previous_response_id=second.id)

    users = [item for item in made.output if item.type == "message"]
    assert [item.content[0].text for item in users] == ["I live in Rome.", "And I like rain."]  # type: ignore[union-attr]
    material = upstream.requests(model="echo-compact")[-1].body["messages"][-1]["content"]
    assert "I live in Rome." in material


def test_a_summary_is_bound_to_its_workspace_and_to_its_bytes(
    openai: OpenAI, seed: Seed, server: RunningServer
) -> None:
    agent = seed.agent("echo-compact")
    sealed = openai.responses.compact(model=agent, input=SAID).output[-1]
    item: dict[str, Any] = {"type": "compaction", **sealed.model_dump(exclude_none=True)}
    blob = item["encrypted_content"]
    _, stranger = seed.user("compaction-stranger")
    other = OpenAI(api_key=stranger, base_url=f"{server.url}/v1", max_retries=0)
    with other, pytest.raises(BadRequestError) as foreign:
        other.responses.input_tokens.count(model="llm/compacts", input=[item])  # type: ignore[list-item]
    assert foreign.value.code == "compaction_unreadable"
    for broken in ("", "x", "1.AAAA", blob[:-8] + "AAAAAAA=", f"{blob}é"):
        with pytest.raises(BadRequestError) as refused:
            openai.responses.create(
                model=agent,
                input=[{**item, "encrypted_content": broken}, {"role": "user", "content": "Hi"}],  # type: ignore[list-item]
            )
        assert refused.value.code == "compaction_unreadable"


def test_tokens_are_counted_with_all_that_would_be_read(openai: OpenAI, answerer: str) -> None:
    def counted(**request: Any) -> int:
        found = openai.responses.input_tokens.count(model=answerer, **request)
        assert found.object == "response.input_tokens"
        return found.input_tokens

    tool = {"type": "function", "name": "weather", "parameters": {"type": "object"}}
    first = openai.responses.create(model=answerer, input="A rather long first question. " * 20)

    short = counted(input="Hello")
    assert 0 < short < counted(input="Hello " * 50)
    assert short < counted(input="Hello", instructions="Be brief.")
    assert short < counted(input="Hello", tools=[tool])
    assert short + 40 < counted(input="Hello", previous_response_id=first.id)


@pytest.mark.parametrize("path", ["compact", "input_tokens"])
def test_what_is_not_there_is_refused(
    openai: OpenAI, seed: Seed, server: RunningServer, path: str
) -> None:
    count = openai.responses.compact if path == "compact" else openai.responses.input_tokens.count
    agent = seed.agent("echo-compact")
    with pytest.raises(NotFoundError):
        count(model="no-such-agent", input="Hello")
    with pytest.raises(NotFoundError) as gone:
        count(model=agent, input="Hello", previous_response_id="resp_17")
    assert gone.value.code == "previous_response_not_found"
    if path == "compact":
        with pytest.raises(BadRequestError):
            count(model=agent, input=[{"role": "system", "content": "Be kind."}])
    fastgpt = httpx.post(
        f"{server.url}/api/v1/responses/{path}",
        headers=server.headers,
        json={"model": agent, "input": "Hello"},
        timeout=60,
    )
    assert fastgpt.status_code == 200

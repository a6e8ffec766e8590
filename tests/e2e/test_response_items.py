"""Items of responses besides answers and calls: sealed reasoning, refusals, searches of bases."""

from collections.abc import Iterator
from itertools import count
from typing import Any, Final

import httpx
import pytest
from cozepy import Coze
from openai import BadRequestError, NotFoundError, OpenAI
from pydantic import BaseModel

from tests.e2e.test_knowledge_chat import new_dataset
from tests.e2e.test_openai_responses import events_of
from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer
from tests.upstream.fixture import RunningUpstream
from tests.upstream.steps import chunk

SEALED: Final[Any] = ["reasoning.encrypted_content"]
NO: Final = "I will not say that."
GUIDE: Final = "Pumps run on oil. Change the oil of the pump every 500 hours."
_NUMBERS: Final = count(1)
QUESTION: Final = "How often is the oil of the pump changed?"


class Place(BaseModel):
    """What is asked for."""

    city: str


@pytest.fixture
def raw(server: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{server.url}/v1", headers=server.headers, timeout=60) as client:
        yield client


def named(seed: Seed, behaviour: str, kind: str) -> str:
    """An agent of a behaviour, or a model without one."""
    if kind == "agent":
        return seed.agent(behaviour)
    name = f"items-{next(_NUMBERS)}"
    seed.model(behaviour, display={"name": name})
    return f"llm/{name}"


@pytest.mark.parametrize("shows", [False, True])
@pytest.mark.parametrize("kind", ["agent", "model"])
def test_reasoning_may_be_kept_by_those_who_cannot_read_it(
    openai: OpenAI, raw: httpx.Client, seed: Seed, kind: str, *, shows: bool
) -> None:
    model = named(seed, "reasoning", kind)
    asked = {"model": model, "input": "Why?", "store": False, "include": SEALED}
    if shows:
        asked["reasoning"] = {"summary": "auto"}
    events = events_of(raw.post("/responses", json={**asked, "stream": True}).text)
    whole = raw.post("/responses", json=asked).json()

    for thought, said in (whole["output"], events[-1]["response"]["output"]):
        assert thought["type"] == "reasoning"
        assert [part["text"] for part in thought["summary"]] == ["Let me see."] * shows
        assert "see" not in thought["encrypted_content"]
        assert said["content"][0]["text"] == "The answer."
    history: list[Any] = [{"role": "user", "content": "Why?"}, *whole["output"]]
    foreign = {**history[1], "encrypted_content": "gAAAAABm-of-somebody-else"}
    for before in (history, [history[0], foreign, history[2]]):
        again = openai.responses.create(
            model=model, input=[*before, {"role": "user", "content": "And?"}], store=False
        )
        assert again.output_text == "The answer."


@pytest.mark.parametrize("kind", ["agent", "model"])
def test_a_refusal_is_none_of_the_form_that_was_asked_for(
    openai: OpenAI, raw: httpx.Client, seed: Seed, upstream: RunningUpstream, kind: str
) -> None:
    pieces = [{"refusal": NO[:7]}, {"refusal": NO[7:]}]
    steps = [{"event": chunk(each, model="refuses")} for each in pieces]
    end = chunk({}, model="refuses", finish="stop")
    upstream.script("refuses", [*steps, {"event": end}, {"send": "data: [DONE]\n\n"}])
    model = named(seed, "refuses", kind)
    messages: Any = [{"role": "user", "content": "Which city?"}]

    parsed = openai.chat.completions.parse(model=model, messages=messages, response_format=Place)
    streamed = openai.chat.completions.create(model=model, messages=messages, stream=True)
    told = "".join(c.choices[0].delta.refusal or "" for c in streamed if c.choices)
    response = openai.responses.parse(model=model, input="Which city?", text_format=Place)
    body = {"model": model, "input": "Which city?", "stream": True}
    events = events_of(raw.post("/responses", json=body).text)

    message = parsed.choices[0].message
    assert (message.refusal, message.content, message.parsed) == (NO, None, None)
    assert parsed.choices[0].finish_reason == "stop"
    assert told == NO
    item: Any = response.output[0]
    assert (item.content[0].type, item.content[0].refusal, response.output_parsed) == (
        "refusal",
        NO,
        None,
    )
    assert [e["delta"] for e in events if e["type"] == "response.refusal.delta"] == [NO]
    assert events[-1]["response"]["status"] == "completed"


@pytest.fixture(scope="module")
def base(server: RunningServer, seed: Seed) -> Iterator[str]:
    from cozepy import SyncHTTPClient, TokenAuth  # noqa: PLC0415

    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    coze = Coze(auth=TokenAuth(server.token), base_url=server.url, http_client=transport)
    yield new_dataset(coze, seed.workspace_id, "searched", text=GUIDE)
    transport.close()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kind", ["agent", "model"])
def test_bases_of_a_request_are_searched(
    raw: httpx.Client, seed: Seed, upstream: RunningUpstream, base: str, kind: str, *, stream: bool
) -> None:
    model = named(seed, "echo", kind)
    tool = {"type": "file_search", "vector_store_ids": [base], "max_num_results": 3}
    asked = {"model": model, "input": QUESTION, "tools": [tool], "store": False}

    def found(**more: Any) -> dict[str, Any]:
        answer = raw.post("/responses", json={**asked, **more, "stream": stream})
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = events_of(answer.text)[-1]["response"] if stream else answer.json()
        return told

    plain, full = found(), found(include=["file_search_call.results"])

    search = next(item for item in plain["output"] if item["type"] == "file_search_call")
    assert (search["queries"], search["results"]) == ([QUESTION], None)
    (result,) = next(i for i in full["output"] if i["type"] == "file_search_call")["results"]
    assert (result["filename"], result["text"]) == ("guide.txt", GUIDE)
    assert plain["tools"] == [tool]
    assert plain["output"][-1]["type"] == "message"
    assert GUIDE in str(upstream.requests(model="echo")[-1].body["messages"])


@pytest.mark.parametrize("kind", ["agent", "model"])
def test_bases_that_may_not_be_read_are_not_there(openai: OpenAI, seed: Seed, kind: str) -> None:
    tool: Any = {"type": "file_search", "vector_store_ids": ["7000000000000000007"]}

    with pytest.raises(NotFoundError):
        openai.responses.create(model=named(seed, "echo", kind), input="Hello", tools=[tool])


@pytest.mark.parametrize(
    ("tool", "code"),
    [
        ({"type": "web_search"}, "unsupported_tool_type"),
        ({"type": "coterie:tool_call"}, "unsupported_tool_type"),
        ({"type": "file_search", "vector_store_ids": []}, "invalid_value"),
        (
            {"type": "file_search", "vector_store_ids": ["1"], "max_num_results": 51},
            "invalid_value",
        ),
    ],
    ids=str,
)
def test_other_hosted_tools_are_refused_by_name(
    openai: OpenAI, seed: Seed, tool: Any, code: str
) -> None:
    with pytest.raises(BadRequestError) as refused:
        openai.responses.create(model=seed.agent(), input="Hello", tools=[tool])

    assert str(refused.value.param).startswith("tools[0]")
    if code == "unsupported_tool_type":
        assert refused.value.code == code

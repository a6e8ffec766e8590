"""Structured answers of agents, with OpenAI's own client."""

import json
from collections.abc import Iterable
from typing import Any, Literal

import httpx
import pytest
from openai import (
    APIError,
    BadRequestError,
    ContentFilterFinishReasonError,
    InternalServerError,
    LengthFinishReasonError,
    OpenAI,
    pydantic_function_tool,
)
from openai.types.chat import ChatCompletionMessageParam
from pydantic import BaseModel

from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows, example
from tests.upstream.fixture import RunningUpstream

ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": "How is it in Oslo?"}]
GOOD = '{"city": "Oslo", "sky": "clear", "days": [{"degrees": -3}]}'
WRONG = '{"city": "Oslo", "sky": "blue", "days": []}'
CLOCK = {"name": "GetTime", "arguments": {"zone": "UTC"}}
NOTE = {"name": "setKeywordMemory", "arguments": {"data": [{"keyword": "mood", "value": "good"}]}}
Plan = list[dict[str, Any]]


class Day(BaseModel):
    degrees: int


class Weather(BaseModel):
    """How it is somewhere."""

    city: str
    sky: Literal["clear", "cloudy"]
    days: list[Day]


class GetTime(BaseModel):
    """Tell the time."""

    zone: str


EXPECTED = Weather(city="Oslo", sky="clear", days=[Day(degrees=-3)])
SCHEMA_FORMAT: Any = {
    "type": "json_schema",
    "json_schema": {"name": "weather", "schema": Weather.model_json_schema()},
}


def as_format(schema: dict[str, Any]) -> Any:
    return {"type": "json_schema", "json_schema": schema}


class Agents:
    """Agents that follow a plan, with a model that knows schemas or does not."""

    def __init__(self, seed: Seed) -> None:
        self._seed = seed
        self._models: dict[str, str] = {}
        self._made: dict[str, str] = {}

    def saying(self, *steps: dict[str, Any], able: bool = False, **config: Any) -> str:
        key = json.dumps([steps, able, config])
        if key not in self._made:
            self._made[key] = self._seed.new_agent(
                "planned",
                prompt={"text": f"<plan>{json.dumps(steps)}</plan>"},
                model={"model_id": self._model(able=able)},
                variables=[{"key": "mood", "description": "How the user feels"}],
                **config,
            )
        return self._made[key]

    def plain(self, step: dict[str, Any], *, able: bool) -> str:
        """Return an agent without tools of its own."""
        key = json.dumps([step, able, "plain"])
        if key not in self._made:
            self._made[key] = self._seed.new_agent(
                "planned",
                prompt={"text": f"<plan>{json.dumps([step])}</plan>"},
                model={"model_id": self._model(able=able)},
            )
        return self._made[key]

    def _model(self, *, able: bool) -> str:
        if str(able) not in self._models:
            traits = {"json_schema": True} if able else {"json_object": False}
            self._models[str(able)] = self._seed.model("planned", capabilities=traits)
        return self._models[str(able)]


@pytest.fixture(scope="module")
def agents(seed: Seed) -> Agents:
    return Agents(seed)


def sent(upstream: RunningUpstream) -> dict[str, Any]:
    """The last request that reached the model."""
    body: dict[str, Any] = upstream.requests(model="planned")[-1].body
    return body


def deltas_of(chunks: Iterable[Any]) -> list[str]:
    return [c.choices[0].delta.content for c in chunks if c.choices and c.choices[0].delta.content]


@pytest.mark.parametrize("able", [True, False])
@pytest.mark.parametrize(
    "step",
    [{"say": GOOD}, {"say": f"Here:\n```json\n{GOOD}\n```"}, {"say": WRONG, "again": GOOD}],
    ids=["right", "fenced", "repaired"],
)
@pytest.mark.parametrize("stream", [False, True])
def test_answers_are_parsed(
    openai: OpenAI,
    agents: Agents,
    upstream: RunningUpstream,
    step: dict[str, Any],
    *,
    able: bool,
    stream: bool,
) -> None:
    agent_id = agents.saying(step, able=able)
    if stream:
        with openai.chat.completions.stream(
            model=agent_id, messages=ASKED, response_format=Weather
        ) as events:
            completion = events.get_final_completion()
    else:
        completion = openai.chat.completions.parse(
            model=agent_id, messages=ASKED, response_format=Weather
        )

    message = completion.choices[0].message
    assert (message.parsed, message.content) == (EXPECTED, GOOD)
    body = sent(upstream)
    told = "\n".join(str(each["content"]) for each in body["messages"])
    assert ('"additionalProperties"' in told) or body["response_format"]["type"] == "json_schema"
    if able:
        asked = body["response_format"]["json_schema"]
        assert (asked["name"], asked["strict"]) == ("Weather", True)
    else:
        assert "response_format" not in body
        assert '"sky"' in told


@pytest.mark.parametrize(
    ("able", "strict", "is_held"),
    [(True, True, False), (True, False, True), (False, True, True), (False, False, True)],
)
def test_a_stream_says_whether_it_holds_the_answer_back(
    openai: OpenAI, agents: Agents, *, able: bool, strict: bool, is_held: bool
) -> None:
    agent_id = agents.plain({"say": GOOD}, able=able)
    names = ["city", "sky", "days"]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: {} for name in names},
        "required": names,
        "additionalProperties": False,
    }

    with openai.chat.completions.with_streaming_response.create(
        model=agent_id,
        messages=ASKED,
        stream=True,
        response_format=as_format({"name": "weather", "schema": schema, "strict": strict}),
    ) as response:
        held = response.headers.get("coterie-stream")
        deltas = deltas_of(response.parse())

    assert "".join(deltas) == GOOD
    assert held == ("buffered" if is_held else None)


@pytest.mark.parametrize("stream", [False, True])
def test_responses_are_parsed_as_well(openai: OpenAI, agents: Agents, *, stream: bool) -> None:
    agent_id = agents.plain({"say": WRONG, "again": GOOD}, able=False)
    asked: dict[str, Any] = {"model": agent_id, "input": "How is it?", "text_format": Weather}
    if stream:
        with openai.responses.stream(**asked) as events:
            response = events.get_final_response()
    else:
        response = openai.responses.parse(**asked)

    assert (response.output_parsed, response.output_text) == (EXPECTED, GOOD)


def test_a_workflow_is_not_asked_for_another_form(openai: OpenAI, client: httpx.Client) -> None:
    workflow_id = Flows(client).publish("fixed_form", example("ex01_entry_exit"))

    with pytest.raises(BadRequestError) as refused:
        openai.chat.completions.create(
            model=f"workflow/{workflow_id}", messages=ASKED, response_format=SCHEMA_FORMAT
        )

    assert (refused.value.code, refused.value.param) == ("unsupported_parameter", "response_format")


def test_plain_answers_are_not_held_back(openai: OpenAI, agents: Agents) -> None:
    with openai.chat.completions.with_streaming_response.create(
        model=agents.saying({"say": GOOD}), messages=ASKED, stream=True
    ) as response:
        assert "coterie-stream" not in response.headers
        assert "".join(deltas_of(response.parse())) == GOOD


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("form", [SCHEMA_FORMAT, {"type": "json_object"}], ids=["schema", "object"])
def test_an_answer_that_stays_wrong_fails(
    openai: OpenAI, agents: Agents, upstream: RunningUpstream, form: Any, *, stream: bool
) -> None:
    agent_id = agents.saying({"say": "It is cold."})
    before = len(upstream.requests(model="planned"))

    with pytest.raises(APIError) as failed:
        list(
            openai.with_options(max_retries=0).chat.completions.create(
                model=agent_id, messages=ASKED, response_format=form, stream=stream
            )
        )

    assert failed.value.code == "response_format_failed"
    assert failed.value.type == "server_error"
    assert isinstance(failed.value, InternalServerError)
    assert failed.value.status_code == 502
    assert len(upstream.requests(model="planned")) == before + 2


def test_what_the_repair_cost_is_counted(openai: OpenAI, agents: Agents) -> None:
    def tokens(step: dict[str, Any]) -> int:
        made = openai.chat.completions.create(
            model=agents.saying(step), messages=ASKED, response_format=SCHEMA_FORMAT
        )
        assert made.usage
        return made.usage.completion_tokens

    assert tokens({"say": WRONG, "again": GOOD}) > tokens({"say": GOOD})


@pytest.mark.parametrize("stream", [False, True])
def test_tools_of_client_and_agent_work_beside_it(
    openai: OpenAI, agents: Agents, *, stream: bool
) -> None:
    agent_id = agents.saying(
        {"say": "I note this.", "calls": [NOTE]},
        {"say": "One moment.", "calls": [CLOCK]},
        {"say": "I note that.", "calls": [NOTE]},
        {"say": f"So: {WRONG}", "again": GOOD},
        {"say": GOOD},
    )
    settings: dict[str, Any] = {
        "model": agent_id,
        "response_format": Weather,
        "tools": [pydantic_function_tool(GetTime)],
        "user": f"tools {stream}",
    }

    def ask(messages: list[Any]) -> Any:
        if not stream:
            return openai.chat.completions.parse(messages=messages, **settings)
        with openai.chat.completions.stream(messages=messages, **settings) as events:
            return events.get_final_completion()

    asked = ask(list(ASKED))
    first, first_id = asked.choices[0], asked.id
    assert not first.message.content
    assert first.finish_reason == "tool_calls"
    (call,) = first.message.tool_calls
    assert call.function.parsed_arguments == GetTime(zone="UTC")
    said = {
        "role": "assistant",
        "content": first.message.content,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.function.name, "arguments": call.function.arguments},
            }
        ],
    }
    output = {"role": "tool", "tool_call_id": call.id, "content": "12:00"}
    last = ask([*ASKED, said, output])

    assert last.choices[0].message.parsed == EXPECTED
    assert last.choices[0].message.content == GOOD
    assert last.id == f"{first_id}-1"


@pytest.mark.parametrize(
    ("finish", "error"),
    [("length", LengthFinishReasonError), ("content_filter", ContentFilterFinishReasonError)],
)
def test_what_is_cut_off_is_told_by_its_reason(
    openai: OpenAI, agents: Agents, finish: str, error: type[Exception]
) -> None:
    agent_id = agents.saying({"say": GOOD[:9], "finish": finish})

    with pytest.raises(error):
        openai.chat.completions.parse(model=agent_id, messages=ASKED, response_format=Weather)


@pytest.mark.parametrize(
    ("form", "param"),
    [
        ({"schema": {}}, "name"),
        ({"name": "no blanks", "schema": {}}, "name"),
        ({"name": "a" * 65, "schema": {}}, "name"),
        ({"name": "a"}, "schema"),
        ({"name": "a", "schema": {"type": "text"}}, "schema"),
        ({"name": "a", "schema": {"$ref": "http://a.test/s"}}, "schema"),
        ({"name": "a", "schema": {"type": "object"}, "strict": True}, "schema"),
    ],
)
def test_schemas_are_checked_before_anything_runs(
    openai: OpenAI, seed: Seed, upstream: RunningUpstream, form: dict[str, Any], param: str
) -> None:
    before = len(upstream.requests())

    with pytest.raises(BadRequestError) as refused:
        openai.chat.completions.create(
            model=seed.agent(),
            messages=ASKED,
            response_format=as_format(form),
        )

    assert refused.value.param == f"response_format.json_schema.{param}"
    is_schema = param == "schema" and "schema" in form
    assert refused.value.code == ("invalid_json_schema" if is_schema else "invalid_value")
    assert len(upstream.requests()) == before


def test_schemas_of_strict_tools_are_checked_too(openai: OpenAI, seed: Seed) -> None:
    function: Any = {"name": "f", "strict": True, "parameters": {"enum": 5}}

    with pytest.raises(BadRequestError) as refused:
        openai.chat.completions.create(
            model=seed.agent(), messages=ASKED, tools=[{"type": "function", "function": function}]
        )

    assert refused.value.code == "invalid_json_schema"


@pytest.mark.parametrize("field", ["reasoning_effort", "verbosity"])
@pytest.mark.parametrize("raw", [False, True])
def test_wishes_reach_models_that_can_be_told(
    openai: OpenAI, seed: Seed, upstream: RunningUpstream, field: str, *, raw: bool
) -> None:
    for able in (True, False):
        model_id = seed.model("echo", capabilities={"reasoning_effort": able, "verbosity": able})
        model = f"llm/{model_id}"
        if not raw:
            model = seed.new_agent("wishes", model={"model_id": model_id})
        answered = openai.chat.completions.with_raw_response.create(
            model=model, messages=ASKED, extra_body={field: "low"}
        )

        assert answered.headers.get("coterie-ignored") == (None if able else field)
        assert upstream.requests(model="echo")[-1].body.get(field) == ("low" if able else None)


def test_what_an_agent_keeps_to_itself_is_named(
    openai: OpenAI, seed: Seed, upstream: RunningUpstream
) -> None:
    agent_id = seed.new_agent(
        "locked", model={"model_id": seed.model("echo"), "lock_model_params": True}
    )

    answered = openai.chat.completions.with_raw_response.create(
        model=agent_id, messages=ASKED, temperature=0.3, seed=5, stop=["x"], reasoning_effort="low"
    )

    names = set(answered.headers["coterie-ignored"].split(", "))
    assert names == {"temperature", "seed", "stop", "reasoning_effort"}
    assert not names & upstream.requests(model="echo")[-1].body.keys()


@pytest.mark.parametrize("field", ["reasoning_effort", "verbosity"])
def test_unknown_levels_are_refused(openai: OpenAI, seed: Seed, field: str) -> None:
    with pytest.raises(BadRequestError) as refused:
        openai.chat.completions.create(
            model=seed.agent(), messages=ASKED, extra_body={field: "enormous"}
        )

    assert refused.value.param == field

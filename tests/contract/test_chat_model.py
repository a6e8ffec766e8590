"""The promises of every chat model, and how the OpenAI wire bends in practice."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

import pytest

from domain.shared.chat import (
    Capabilities,
    ChatMessage,
    ChatRequest,
    FinishReason,
    ImagePart,
    ModelEvent,
    OutputFormat,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    Sampling,
    TextDelta,
    TextPart,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
    UsageReported,
)
from domain.shared.limits import Limits
from domain.shared.registry import UnknownExtension
from domain.shared.secret import Secret
from infra.contract.model.chat_model import (
    ModelCallFailed,
    ModelEndpoint,
    ModelFailure,
    ModelTimeouts,
    ParameterMapping,
)
from infra.impl.chat_model.factory import RegistryChatModelFactory
from infra.impl.http.gateway import HttpGateway
from tests.support.clock import FrozenClock
from tests.upstream.behaviour import CHINESE
from tests.upstream.fixture import RunningUpstream, running_upstream

KEY = "sk-canary-0123456789"
TOOL = ToolSpec(name="get_weather", description="Weather.", parameters={"type": "object"})
COMPLETE = [
    "echo",
    "tokens-20-1",
    "half-utf8",
    "garbage",
    "empty",
    "plain-json",
    "no-done",
    "no-finish",
    "reasoning",
    "tool-call",
    "tool-call-parallel",
    "usage-every-chunk",
    "no-usage",
    "odd",
]


@pytest.fixture(scope="module")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as running:
        yield running


@pytest.fixture
async def factory(clock: FrozenClock) -> AsyncGenerator[RegistryChatModelFactory, None]:
    gateway = HttpGateway(limits=Limits())
    await gateway.start()
    yield RegistryChatModelFactory(gateway=gateway, limits=Limits(), clock=clock)
    await gateway.aclose()


def endpoint(
    upstream: RunningUpstream,
    model: str,
    *,
    timeouts: ModelTimeouts | None = None,
    capabilities: Capabilities | None = None,
    mapping: ParameterMapping | None = None,
    key: str = KEY,
    tenant_address: bool = False,
) -> ModelEndpoint:
    return ModelEndpoint(
        kind="openai",
        model=model,
        base_url=upstream.base_url,
        api_key=Secret(key),
        timeouts=timeouts or ModelTimeouts(),
        capabilities=capabilities or Capabilities(),
        mapping=mapping or ParameterMapping(),
        tenant_address=tenant_address,
    )


def asking(text: str, *, tools: tuple[ToolSpec, ...] = ()) -> ChatRequest:
    return ChatRequest(messages=(ChatMessage.of_text("user", text),), tools=tools)


async def events_of(
    factory: RegistryChatModelFactory, point: ModelEndpoint, request: ChatRequest
) -> list[ModelEvent]:
    async with aclosing(factory.open(point).stream(request)) as stream:
        return [event async for event in stream]


async def failure_of(
    factory: RegistryChatModelFactory, point: ModelEndpoint, request: ChatRequest
) -> ModelCallFailed:
    with pytest.raises(ModelCallFailed) as caught:
        await events_of(factory, point, request)
    return caught.value


def text_of(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def calls_of(events: list[ModelEvent]) -> list[tuple[str, str]]:
    """Names and arguments of the calls, in order of their indexes; each id must be given once."""
    pieces = [event for event in events if isinstance(event, ToolCallDelta)]
    calls = []
    for index in sorted({piece.index for piece in pieces}):
        own = [piece for piece in pieces if piece.index == index]
        assert sum(bool(piece.id) for piece in own) == 1
        assert own[0].id
        calls.append((own[0].name, "".join(piece.arguments for piece in own)))
    return calls


def check_promises(events: list[ModelEvent]) -> None:
    assert isinstance(events[0], ReplyStarted)
    assert isinstance(events[-1], ReplyFinished)
    for kind, most in ((ReplyStarted, 1), (ReplyFinished, 1), (UsageReported, 1)):
        assert sum(isinstance(event, kind) for event in events) <= most
    assert all(event.text for event in events if isinstance(event, TextDelta | ReasoningDelta))
    calls_of(events)


@pytest.mark.parametrize("model", COMPLETE)
async def test_every_reply_keeps_the_promises_of_the_port(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, model: str
) -> None:
    tools = (TOOL,) if model.startswith("tool") else ()

    check_promises(
        await events_of(factory, endpoint(upstream, model), asking("one two", tools=tools))
    )


@pytest.mark.parametrize("question", ["hello", "What is a refund?", "你好", "", "x" * 20_000])
async def test_the_offline_model_keeps_the_promises_of_the_port(
    factory: RegistryChatModelFactory, question: str
) -> None:
    point = ModelEndpoint(kind="offline", model="offline")
    request = asking(question)

    events = await events_of(factory, point, request)

    check_promises(events)
    assert text_of(events)
    assert events == await events_of(factory, point, request)
    usage = next(event.usage for event in events if isinstance(event, UsageReported))
    assert usage.estimated


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("echo", "one two"),
        ("half-utf8", CHINESE),
        ("garbage", "one two"),
        ("plain-json", "one two"),
        ("no-done", "one two"),
        ("open-end", "one two"),
        ("no-finish", "one two"),
        ("no-stream-options", "one two"),
        ("reasoning", "The answer."),
        ("odd", "Hello!"),
        ("empty", ""),
    ],
)
async def test_text_arrives_whole(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, model: str, text: str
) -> None:
    assert text_of(await events_of(factory, endpoint(upstream, model), asking("one two"))) == text


@pytest.mark.parametrize("model", ["reasoning", "reasoning-field", "reasoning-details"])
async def test_reasoning_stays_apart_from_text(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, model: str
) -> None:
    events = await events_of(factory, endpoint(upstream, model), asking("x"))

    thoughts = "".join(event.text for event in events if isinstance(event, ReasoningDelta))
    assert thoughts == "Let me see."
    assert text_of(events) == "The answer."


ONE = [("get_weather", '{"city":"Paris","note":"x"}')]


@pytest.mark.parametrize(
    ("model", "calls"),
    [
        ("tool-call", ONE),
        ("tool-call-split", ONE),
        ("tool-call-object", ONE),
        ("tool-call-repeated", ONE),
        ("tool-call-no-id", ONE),
        ("tool-call-stop", ONE),
        ("tool-call-legacy", ONE),
        ("tool-call-no-index", ONE * 2),
        ("tool-call-parallel", ONE * 2),
        ("tool-call-same-index", ONE * 2),
    ],
)
async def test_tool_calls_are_understood_however_they_are_sent(
    factory: RegistryChatModelFactory,
    upstream: RunningUpstream,
    model: str,
    calls: list[tuple[str, str]],
) -> None:
    events = await events_of(factory, endpoint(upstream, model), asking("x", tools=(TOOL,)))

    assert calls_of(events) == calls
    assert events[-1] == ReplyFinished(FinishReason.TOOL_CALLS)


@pytest.mark.parametrize(
    ("model", "usage"),
    [
        ("echo", Usage(input_tokens=2, output_tokens=2)),
        ("usage-every-chunk", Usage(input_tokens=2, output_tokens=2)),
        ("usage-in-choice", Usage(input_tokens=2, output_tokens=2)),
        ("no-usage", None),
    ],
)
async def test_usage_is_reported_once_wherever_it_comes(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, model: str, usage: Usage | None
) -> None:
    events = await events_of(factory, endpoint(upstream, model), asking("one two"))

    found = [event.usage for event in events if isinstance(event, UsageReported)]
    assert found == ([] if usage is None else [usage])


@pytest.mark.parametrize(
    ("model", "failure", "status"),
    [
        ("error-400", ModelFailure.INVALID_REQUEST, 400),
        ("error-401", ModelFailure.AUTH, 401),
        ("error-403", ModelFailure.AUTH, 403),
        ("error-404", ModelFailure.UNKNOWN_MODEL, 404),
        ("error-408", ModelFailure.TIMEOUT, 408),
        ("error-409", ModelFailure.OVERLOADED, 409),
        ("error-429", ModelFailure.RATE_LIMITED, 429),
        ("error-500", ModelFailure.OVERLOADED, 500),
        ("error-529", ModelFailure.OVERLOADED, 529),
        ("error-html", ModelFailure.OVERLOADED, 502),
        ("error-context", ModelFailure.CONTEXT_OVERFLOW, 400),
        ("error-quota", ModelFailure.QUOTA, 429),
        ("error-balance", ModelFailure.QUOTA, 402),
        ("error-filter", ModelFailure.CONTENT_FILTER, 400),
        ("error-model", ModelFailure.UNKNOWN_MODEL, 404),
        ("error-stream", ModelFailure.OVERLOADED, 503),
        ("error-later", ModelFailure.INTERRUPTED, 503),
        ("only-garbage", ModelFailure.MALFORMED, 0),
        ("html", ModelFailure.MALFORMED, 0),
        ("silent", ModelFailure.EMPTY, 0),
        ("truncated", ModelFailure.INTERRUPTED, 0),
        ("reset", ModelFailure.CONNECT, 0),
        ("reset-after-3", ModelFailure.INTERRUPTED, 0),
    ],
)
async def test_failures_are_named(
    factory: RegistryChatModelFactory,
    upstream: RunningUpstream,
    model: str,
    failure: ModelFailure,
    status: int,
) -> None:
    caught = await failure_of(factory, endpoint(upstream, model), asking("x"))

    assert (caught.failure, caught.status) == (failure, status)
    assert "http" not in caught.message


async def test_what_arrived_before_a_break_was_delivered(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    received: list[ModelEvent] = []

    async def read() -> None:
        model = factory.open(endpoint(upstream, "error-later"))
        async with aclosing(model.stream(asking("x"))) as stream:
            async for event in stream:
                received.append(event)  # noqa: PERF401 - kept when the loop raises

    with pytest.raises(ModelCallFailed):
        await read()
    assert text_of(received) == "Once upon "


async def test_the_key_is_in_no_message_even_if_the_provider_echoes_it(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    caught = await failure_of(factory, endpoint(upstream, "error-key"), asking("x"))

    assert "for user." in caught.message
    assert KEY not in f"{caught.message} {caught.context} {caught.__cause__}"


async def test_retry_after_is_passed_on(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, clock: FrozenClock
) -> None:
    in_seconds = await failure_of(
        factory, endpoint(upstream, "error-429-retry-after-7"), asking("x")
    )
    headers = {"content-type": "application/json", "retry-after": "Wed, 01 May 2030 09:00:30 GMT"}
    upstream.script("dated", [{"send": "{}"}], status=503, headers=headers)
    as_date = await failure_of(factory, endpoint(upstream, "dated"), asking("x"))

    assert in_seconds.retry_after_s == 7
    assert as_date.retry_after_s == 30


@pytest.mark.parametrize(
    ("model", "timeouts", "failure"),
    [
        ("hang", ModelTimeouts(first_token_s=0.1, total_s=3600), ModelFailure.TIMEOUT),
        ("stall", ModelTimeouts(first_token_s=0.1, total_s=3600), ModelFailure.TIMEOUT),
        ("stall-after-2", ModelTimeouts(idle_s=0.1, total_s=3600), ModelFailure.INTERRUPTED),
        ("tokens-1000-5", ModelTimeouts(total_s=1.5), ModelFailure.INTERRUPTED),
    ],
)
async def test_patience_ends(
    factory: RegistryChatModelFactory,
    upstream: RunningUpstream,
    model: str,
    timeouts: ModelTimeouts,
    failure: ModelFailure,
) -> None:
    async with asyncio.timeout(60):
        caught = await failure_of(
            factory, endpoint(upstream, model, timeouts=timeouts), asking("x")
        )

    assert caught.failure is failure


async def test_an_endless_tail_after_the_finish_reason_does_not_spoil_the_reply(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    chunk = {"id": "1", "choices": [{"delta": {"content": "All."}, "finish_reason": "stop"}]}
    upstream.script("tail", [{"event": chunk}, {"wait_ms": 50}, {"reset": True}])

    events = await events_of(factory, endpoint(upstream, "tail"), asking("x"))

    assert text_of(events) == "All."
    assert events[-1] == ReplyFinished(FinishReason.STOP)


async def test_nobody_at_the_address_is_a_connect_failure(
    factory: RegistryChatModelFactory,
) -> None:
    point = ModelEndpoint(kind="openai", model="x", base_url="http://127.0.0.1:1/v1")

    assert (await failure_of(factory, point, asking("x"))).failure is ModelFailure.CONNECT


async def test_closing_the_generator_closes_the_socket(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    """Nothing else would: the model neither goes on nor ends."""
    upstream.forget()
    stream = factory.open(endpoint(upstream, "stall-after-3")).stream(asking("x"))
    async with aclosing(stream):
        async for event in stream:
            if isinstance(event, TextDelta):
                break
    record = upstream.requests(model="stall-after-3")[0]

    await asyncio.to_thread(upstream.wait_closed, record)

    assert record.answered_at is None


@pytest.mark.parametrize("model", ["stall-after-3", "stall", "hang"])
async def test_cancelling_the_reader_closes_the_socket(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, model: str
) -> None:
    async def read() -> None:
        await events_of(factory, endpoint(upstream, model), asking("x"))

    upstream.forget()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(read())
        record = await asyncio.to_thread(upstream.wait_request, model)
        await asyncio.sleep(0.05)  # mostly lets the reader get into the body
        task.cancel()
    await asyncio.to_thread(upstream.wait_closed, record)

    assert record.answered_at is None


async def test_a_complete_reply_gives_its_connection_back(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    upstream.forget()
    for _ in range(8):
        await events_of(factory, endpoint(upstream, "echo"), asking("x"))
        await asyncio.sleep(0.05)  # the end of the body may come after ``[DONE]``, or still later

    assert len({record.connection for record in upstream.requests(model="echo")}) < 4


async def test_usage_is_not_asked_for_again_once_the_server_refused_the_question(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    upstream.forget()
    model = factory.open(endpoint(upstream, "no-stream-options"))
    for _ in range(2):
        async with aclosing(model.stream(asking("x"))) as stream:
            assert [event async for event in stream]

    asked = ["stream_options" in r.body for r in upstream.requests(model="no-stream-options")]
    assert asked == [True, False, False]


async def test_the_request_is_written_for_the_model(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    upstream.forget()
    request = ChatRequest(
        messages=(
            ChatMessage.of_text("system", "Be brief."),
            ChatMessage(
                role="user",
                parts=(
                    TextPart(text="Look:"),
                    ImagePart(data=b"\x89PNG", media_type="image/png", detail="low"),
                    ImagePart(url="https://example.com/a.png"),
                ),
            ),
            ChatMessage(
                role="assistant",
                tool_calls=(ToolCall(id="c1", name="get_weather", arguments="{}"),),
            ),
            ChatMessage(
                role="tool", parts=(TextPart(text="Sunny"),), tool_call_id="c1", reasoning="no"
            ),
        ),
        tools=(TOOL,),
        tool_choice="get_weather",
        parallel_tool_calls=False,
        output=OutputFormat.JSON,
        sampling=Sampling(temperature=1.8, top_p=0.5, seed=3),
        stop=("END",),
        max_output_tokens=9,
        parameters={"top_k": 5, "messages": "no", "enable_thinking": True},
        end_user="abc",
    )
    mapping = ParameterMapping(
        rename={"max_tokens": "max_completion_tokens"},
        drop=("seed",),
        defaults={"top_p": 0.9, "min_p": 0.1},
        force={"top_k": 1},
        temperature_max=1.0,
    )
    await events_of(factory, endpoint(upstream, "echo", mapping=mapping), request)

    record = upstream.requests(model="echo")[0]
    assert record.path == "/v1/chat/completions"
    assert record.headers["authorization"] == f"Bearer {KEY}"
    assert record.headers["accept"] == "text/event-stream"
    function = {"name": "get_weather", "description": "Weather.", "parameters": {"type": "object"}}
    called = {"name": "get_weather", "arguments": "{}"}
    assert record.body == {
        "model": "echo",
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "Look:"},
                    {
                        "type": "image_url",
                        "image_url": {"url": "data:image/png;base64,iVBORw==", "detail": "low"},
                    },
                    {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
                ],
            },
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": called}],
            },
            {"role": "tool", "content": "Sunny", "tool_call_id": "c1"},
        ],
        "tools": [{"type": "function", "function": function}],
        "tool_choice": {"type": "function", "function": {"name": "get_weather"}},
        "parallel_tool_calls": False,
        "response_format": {"type": "json_object"},
        "temperature": 1.0,
        "top_p": 0.5,
        "min_p": 0.1,
        "top_k": 1,
        "stop": ["END"],
        "max_completion_tokens": 9,
        "enable_thinking": True,
        "user": "abc",
    }


@pytest.mark.parametrize("strict", [True, False])
async def test_a_schema_is_passed_on_with_all_that_is_said_of_it(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, *, strict: bool
) -> None:
    upstream.forget()
    schema = {"type": "object", "properties": {}}
    request = ChatRequest(
        messages=(ChatMessage.of_text("user", "Hi"),),
        output=OutputFormat.JSON,
        json_schema=schema,
        json_strict=strict,
        json_name="weather" if strict else "",
        json_description="How it is." if strict else "",
    )
    able = Capabilities(json_schema=True)

    await events_of(factory, endpoint(upstream, "echo", capabilities=able), request)

    told: dict[str, object] = {"name": "answer", "schema": schema}
    if strict:
        told |= {"name": "weather", "description": "How it is.", "strict": True}
    sent = upstream.requests(model="echo")[0].body["response_format"]
    assert sent == {"type": "json_schema", "json_schema": told}


@pytest.mark.parametrize(
    ("system_messages", "roles"),
    [
        ("many", ["system", "user", "system", "user"]),
        ("first", ["system", "user", "user"]),
        ("none", ["user", "user"]),
    ],
)
async def test_system_messages_go_where_the_model_takes_them(
    factory: RegistryChatModelFactory,
    upstream: RunningUpstream,
    system_messages: str,
    roles: list[str],
) -> None:
    upstream.forget()
    said = itertools.cycle(("system", "user"))
    messages = tuple(ChatMessage.of_text(next(said), f"m{n}") for n in range(4))  # type: ignore[arg-type]
    point = endpoint(
        upstream,
        "echo",
        capabilities=Capabilities(system_messages=system_messages),  # type: ignore[arg-type]
    )
    await events_of(factory, point, ChatRequest(messages=messages))

    sent = upstream.requests(model="echo")[0].body["messages"]
    assert [message["role"] for message in sent] == roles
    assert all(f"m{n}" in str(sent) for n in range(4))


async def test_a_tenants_address_may_not_be_private(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    upstream.forget()
    point = endpoint(upstream, "echo", tenant_address=True)

    caught = await failure_of(factory, point, asking("x"))

    assert caught.failure is ModelFailure.UNKNOWN_MODEL
    assert upstream.requests() == []


@pytest.mark.parametrize("key", ["line\r\nbreak", "nul\x00", "multi\nline"])
async def test_a_key_that_is_no_header_value_is_a_credential_failure(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, key: str
) -> None:
    caught = await failure_of(factory, endpoint(upstream, "echo", key=key), asking("x"))

    assert caught.failure is ModelFailure.AUTH
    assert key not in str(caught.context) + caught.message


async def test_unknown_kinds_are_named(factory: RegistryChatModelFactory) -> None:
    assert factory.kinds() == ("anthropic", "ark", "gemini", "offline", "ollama", "openai")
    with pytest.raises(UnknownExtension, match="offline, ollama, openai"):
        factory.open(ModelEndpoint(kind="magic", model="x"))

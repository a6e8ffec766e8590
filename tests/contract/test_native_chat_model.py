"""The promises of the port, kept on the wires of Anthropic, Gemini, Ollama and Ark."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

import msgspec
import pytest

from domain.shared.chat import (
    EFFORTS,
    Capabilities,
    ChatMessage,
    ChatRequest,
    FinishReason,
    ImagePart,
    ModelEvent,
    OutputFormat,
    ReasoningDelta,
    ReplyFinished,
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
from domain.shared.secret import Secret
from infra.contract.model.chat_model import (
    ModelCallFailed,
    ModelEndpoint,
    ModelFailure,
    ModelTimeouts,
)
from infra.impl.chat_model.factory import RegistryChatModelFactory
from infra.impl.http.gateway import HttpGateway
from tests.contract.test_chat_model import calls_of, check_promises, text_of
from tests.support.clock import FrozenClock
from tests.upstream.behaviour import CHINESE
from tests.upstream.fixture import RunningUpstream, running_upstream

KEY = "sk-canary-0123456789"
NATIVE = ["anthropic", "gemini", "ollama"]
KINDS = [*NATIVE, "ark"]
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOL = ToolSpec(name="get_weather", description="Weather.", parameters=SCHEMA)
ONE = [("get_weather", '{"city":"Paris","note":"x"}')]


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


def endpoint(upstream: RunningUpstream, kind: str, model: str, **more: Any) -> ModelEndpoint:
    return ModelEndpoint(
        kind=kind, model=model, base_url=upstream.root_url, api_key=Secret(KEY), **more
    )


def asking(text: str = "x", *, tools: tuple[ToolSpec, ...] = (), **more: Any) -> ChatRequest:
    return ChatRequest(messages=(ChatMessage.of_text("user", text),), tools=tools, **more)


async def events_of(
    factory: RegistryChatModelFactory, point: ModelEndpoint, request: ChatRequest
) -> list[ModelEvent]:
    async with aclosing(factory.open(point).stream(request)) as stream:
        events = [event async for event in stream]
    check_promises(events)
    return events


async def failure_of(
    factory: RegistryChatModelFactory, point: ModelEndpoint, request: ChatRequest
) -> ModelCallFailed:
    with pytest.raises(ModelCallFailed) as caught:
        await events_of(factory, point, request)
    return caught.value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("model", "text"), [("echo", "one two"), ("half-utf8", CHINESE), ("reasoning", "The answer.")]
)
async def test_text_arrives_whole_and_reasoning_apart(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, kind: str, model: str, text: str
) -> None:
    events = await events_of(factory, endpoint(upstream, kind, model), asking("one two"))

    assert text_of(events) == text
    thoughts = "".join(event.text for event in events if isinstance(event, ReasoningDelta))
    assert thoughts == ("Let me see." if model == "reasoning" else "")
    assert events[-1] == ReplyFinished(FinishReason.STOP)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", ["tool-call", "tool-call-parallel"])
async def test_tool_calls_have_ids_and_whole_arguments(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, kind: str, model: str
) -> None:
    events = await events_of(factory, endpoint(upstream, kind, model), asking(tools=(TOOL,)))

    assert calls_of(events) == ONE * (2 if model.endswith("parallel") else 1)
    ids = [event.id for event in events if isinstance(event, ToolCallDelta) and event.id]
    assert len(set(ids)) == len(ids)
    assert events[-1] == ReplyFinished(FinishReason.TOOL_CALLS)


@pytest.mark.parametrize(
    ("kind", "model", "reason"),
    [
        *((kind, "length", FinishReason.LENGTH) for kind in NATIVE),
        ("anthropic", "filter", FinishReason.CONTENT_FILTER),
        ("gemini", "filter", FinishReason.CONTENT_FILTER),
    ],
)
async def test_finish_reasons_are_normalised(
    factory: RegistryChatModelFactory,
    upstream: RunningUpstream,
    kind: str,
    model: str,
    reason: FinishReason,
) -> None:
    events = await events_of(factory, endpoint(upstream, kind, model), asking())

    assert events[-1] == ReplyFinished(reason)


@pytest.mark.parametrize(
    ("kind", "usage"),
    [
        ("anthropic", Usage(input_tokens=7, output_tokens=5, cached_tokens=2)),
        ("gemini", Usage(input_tokens=7, output_tokens=5, cached_tokens=2, reasoning_tokens=2)),
        ("ollama", Usage(input_tokens=7, output_tokens=5)),
    ],
)
async def test_usage_counts_everything_once(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, kind: str, usage: Usage
) -> None:
    events = await events_of(factory, endpoint(upstream, kind, "echo"), asking())

    assert [event.usage for event in events if isinstance(event, UsageReported)] == [usage]


@pytest.mark.parametrize("kind", NATIVE)
@pytest.mark.parametrize(
    ("model", "failure"),
    [
        ("error-400", ModelFailure.INVALID_REQUEST),
        ("error-401", ModelFailure.AUTH),
        ("error-404", ModelFailure.UNKNOWN_MODEL),
        ("error-429", ModelFailure.RATE_LIMITED),
        ("error-500", ModelFailure.OVERLOADED),
        ("error-529", ModelFailure.OVERLOADED),
        ("error-stream", ModelFailure.OVERLOADED),
        ("error-later", ModelFailure.INTERRUPTED),
        ("only-garbage", ModelFailure.MALFORMED),
        ("html", ModelFailure.MALFORMED),
        ("silent", ModelFailure.EMPTY),
        ("truncated", ModelFailure.INTERRUPTED),
        ("reset", ModelFailure.CONNECT),
        ("reset-after-3", ModelFailure.INTERRUPTED),
    ],
)
async def test_failures_are_named(
    factory: RegistryChatModelFactory,
    upstream: RunningUpstream,
    kind: str,
    model: str,
    failure: ModelFailure,
) -> None:
    caught = await failure_of(factory, endpoint(upstream, kind, model), asking())

    assert caught.failure is failure
    assert KEY not in f"{caught.message} {caught.context}"


@pytest.mark.parametrize("kind", KINDS)
async def test_retry_after_is_passed_on(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, kind: str
) -> None:
    point = endpoint(upstream, kind, "error-429-retry-after-7")

    assert (await failure_of(factory, point, asking())).retry_after_s == 7


@pytest.mark.parametrize("kind", NATIVE)
@pytest.mark.parametrize(
    ("model", "failure"),
    [
        ("hang", ModelFailure.TIMEOUT),
        ("stall", ModelFailure.TIMEOUT),
        ("stall-after-2", ModelFailure.INTERRUPTED),
    ],
)
async def test_patience_ends(
    factory: RegistryChatModelFactory,
    upstream: RunningUpstream,
    kind: str,
    model: str,
    failure: ModelFailure,
) -> None:
    # What speaks before it falls silent gets all the time it needs for its first token.
    first_token_s = 60.0 if failure is ModelFailure.INTERRUPTED else 0.1
    timeouts = ModelTimeouts(first_token_s=first_token_s, idle_s=0.1)
    point = endpoint(upstream, kind, model, timeouts=timeouts)

    assert (await failure_of(factory, point, asking())).failure is failure


@pytest.mark.parametrize("kind", KINDS)
async def test_closing_the_generator_closes_the_socket(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, kind: str
) -> None:
    upstream.forget()
    stream = factory.open(endpoint(upstream, kind, "stall-after-3")).stream(asking())
    async with aclosing(stream):
        async for event in stream:
            if isinstance(event, TextDelta):
                break
    record = upstream.requests(model="stall-after-3")[0]

    await asyncio.to_thread(upstream.wait_closed, record)

    assert record.answered_at is None


def conversation() -> ChatRequest:
    """Every kind of message, two of them neighbours of the same side."""
    call = ToolCall(id="c1", name="get_weather", arguments='{"city":"Paris"}')
    again = ToolCall(id="c2", name="get_weather", arguments="{}")
    return ChatRequest(
        messages=(
            ChatMessage.of_text("system", "Be brief."),
            ChatMessage.of_text("system", "Be kind."),
            ChatMessage(
                role="user",
                parts=(TextPart(text="Look:"), ImagePart(data=b"\x89PNG", media_type="image/png")),
            ),
            ChatMessage(
                role="assistant", parts=(TextPart(text="I see."),), tool_calls=(call, again)
            ),
            ChatMessage(role="tool", parts=(TextPart(text="Sunny"),), tool_call_id="c1"),
            ChatMessage(
                role="tool", parts=(TextPart(text="Gone"),), tool_call_id="c2", tool_error=True
            ),
            ChatMessage.of_text("user", "And now?"),
        ),
        tools=(TOOL,),
        tool_choice="required",
        sampling=Sampling(temperature=1.5, top_k=5),
        stop=("END",),
        max_output_tokens=9,
        end_user="abc",
    )


async def body_of(
    factory: RegistryChatModelFactory,
    upstream: RunningUpstream,
    kind: str,
    request: ChatRequest,
    **more: Any,
) -> Any:
    upstream.forget()
    await events_of(factory, endpoint(upstream, kind, "echo", **more), request)
    return upstream.requests(model="echo")[0]


@pytest.mark.parametrize("has_system", [True, False])
async def test_an_anthropic_model_keeps_what_stays_the_same_if_asked(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, has_system: bool
) -> None:
    asked = msgspec.structs.replace(conversation(), keeps_prefix=True)
    if not has_system:
        asked = msgspec.structs.replace(asked, messages=asked.messages[2:])

    body = (await body_of(factory, upstream, "anthropic", asked)).body

    mark = {"type": "ephemeral"}
    if has_system:
        text = "Be brief.\n\nBe kind."
        assert body["system"] == [{"type": "text", "text": text, "cache_control": mark}]
        assert "cache_control" not in body["tools"][0]
    else:
        assert body["tools"][0]["cache_control"] == mark


async def test_the_anthropic_request_follows_the_rules_of_the_vendor(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    record = await body_of(factory, upstream, "anthropic", conversation())

    assert record.path == "/v1/messages"
    assert record.headers["x-api-key"] == KEY
    assert record.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in record.headers
    source = {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}
    used = {"type": "tool_use", "name": "get_weather"}
    assert record.body == {
        "model": "echo",
        "stream": True,
        "system": "Be brief.\n\nBe kind.",
        "max_tokens": 9,
        "temperature": 1.0,
        "top_k": 5,
        "stop_sequences": ["END"],
        "metadata": {"user_id": "abc"},
        "tools": [{"name": "get_weather", "description": "Weather.", "input_schema": SCHEMA}],
        "tool_choice": {"type": "any"},
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "Look:"},
                    {"type": "image", "source": source},
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I see."},
                    used | {"id": "c1", "input": {"city": "Paris"}},
                    used | {"id": "c2", "input": {}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "Sunny"},
                    {
                        "type": "tool_result",
                        "tool_use_id": "c2",
                        "content": "Gone",
                        "is_error": True,
                    },
                    {"type": "text", "text": "And now?"},
                ],
            },
        ],
    }


async def test_anthropic_is_told_of_calls_in_words_once_there_are_no_tools(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    whole = conversation()
    plain = ChatRequest(messages=whole.messages[3:])

    body = (await body_of(factory, upstream, "anthropic", plain)).body

    assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user"]
    assert body["max_tokens"] == 4096
    assert '(called get_weather: {"city":"Paris"})' in str(body)
    assert "(result of a call: Sunny)" in str(body)
    assert "tool_" not in str(body)


async def test_the_gemini_request_follows_the_rules_of_the_vendor(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    record = await body_of(
        factory, upstream, "gemini", conversation(), capabilities=Capabilities(reasoning=True)
    )

    assert record.path == "/v1beta/models/echo:streamGenerateContent?alt=sse"
    assert record.headers["x-goog-api-key"] == KEY
    declaration = {
        "name": "get_weather",
        "description": "Weather.",
        "parametersJsonSchema": SCHEMA,
    }
    assert record.body == {
        "systemInstruction": {"parts": [{"text": "Be brief.\n\nBe kind."}]},
        "tools": [{"functionDeclarations": [declaration]}],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
        "generationConfig": {
            "temperature": 1.5,
            "topK": 5,
            "stopSequences": ["END"],
            "maxOutputTokens": 9,
            "thinkingConfig": {"includeThoughts": True},
        },
        "contents": [
            {
                "role": "user",
                "parts": [
                    {"text": "Look:"},
                    {"inlineData": {"mimeType": "image/png", "data": "iVBORw=="}},
                ],
            },
            {
                "role": "model",
                "parts": [
                    {"text": "I see."},
                    {"functionCall": {"name": "get_weather", "args": {"city": "Paris"}}},
                    {"functionCall": {"name": "get_weather", "args": {}}},
                ],
            },
            {
                "role": "user",
                "parts": [
                    {
                        "functionResponse": {
                            "name": "get_weather",
                            "response": {"result": "Sunny"},
                        }
                    },
                    {"functionResponse": {"name": "get_weather", "response": {"error": "Gone"}}},
                    {"text": "And now?"},
                ],
            },
        ],
    }


async def test_the_ollama_request_follows_the_rules_of_the_vendor(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    record = await body_of(factory, upstream, "ollama", conversation(), window=6000)

    assert record.path == "/api/chat"
    function = {"name": "get_weather", "description": "Weather.", "parameters": SCHEMA}
    called = {"name": "get_weather", "arguments": {"city": "Paris"}}
    assert record.body == {
        "model": "echo",
        "stream": True,
        "options": {
            "temperature": 1.5,
            "top_k": 5,
            "stop": ["END"],
            "num_predict": 9,
            "num_ctx": 4096,
        },
        "tools": [{"type": "function", "function": function}],
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "Look:", "images": ["iVBORw=="]},
            {
                "role": "assistant",
                "content": "I see.",
                "tool_calls": [
                    {"function": called},
                    {"function": {"name": "get_weather", "arguments": {}}},
                ],
            },
            {"role": "tool", "content": "Sunny", "tool_name": "get_weather"},
            {"role": "tool", "content": "Gone", "tool_name": "get_weather"},
            {"role": "user", "content": "And now?"},
        ],
    }
    long = await body_of(factory, upstream, "ollama", asking("word " * 9000), window=50_000)
    assert long.body["options"]["num_ctx"] == 16_384


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("gemini", ("generationConfig", "responseJsonSchema"), SCHEMA),
        ("ollama", ("format",), SCHEMA),
        ("anthropic", ("output_config", "format", "schema"), SCHEMA),
    ],
)
async def test_json_output_is_asked_for_as_the_vendor_offers_it(
    factory: RegistryChatModelFactory,
    upstream: RunningUpstream,
    kind: str,
    path: tuple[str, ...],
    value: object,
) -> None:
    request = asking(output=OutputFormat.JSON, json_schema=SCHEMA)
    able = Capabilities(json_schema=True)

    found = (await body_of(factory, upstream, kind, request, capabilities=able)).body
    for name in path:
        found = found[name]
    assert found == value
    plain = (await body_of(factory, upstream, kind, asking(output=OutputFormat.JSON))).body
    assert "json" in str(plain).lower()


@pytest.mark.parametrize("level", EFFORTS)
@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("gemini", ("generationConfig", "thinkingConfig", "thinkingBudget")),
        ("ollama", ("think",)),
        ("anthropic", ("output_config", "effort")),
    ],
)
async def test_every_level_of_thinking_has_a_name_at_the_vendor(
    factory: RegistryChatModelFactory,
    upstream: RunningUpstream,
    kind: str,
    path: tuple[str, ...],
    level: str,
) -> None:
    request = asking(reasoning_effort=level)

    async def told(*, able: bool) -> object:
        capabilities = Capabilities(reasoning=True, reasoning_effort=able)
        found = (await body_of(factory, upstream, kind, request, capabilities=capabilities)).body
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        return found

    assert await told(able=False) is None
    is_left_out = kind == "anthropic" and level == "none"  # a matter of ``thinking`` there
    assert (await told(able=True) is None) is is_left_out


@pytest.mark.parametrize(("kind", "name"), [("gemini", "generationConfig"), ("ollama", "format")])
async def test_vendors_that_take_tools_or_a_format_get_the_tools(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, kind: str, name: str
) -> None:
    request = asking(output=OutputFormat.JSON, json_schema=SCHEMA, tools=(TOOL,))
    able = Capabilities(json_schema=True)

    body = (await body_of(factory, upstream, kind, request, capabilities=able)).body

    assert body["tools"]
    assert "schema" not in str(body.get(name, "")).lower()
    assert name == "generationConfig" or name not in body


def _next_step(events: list[ModelEvent]) -> tuple[ChatMessage, ChatMessage]:
    """The messages with which an agent goes on after the calls of a reply."""
    piece = next(e for e in events if isinstance(e, ToolCallDelta) and e.id)
    call = ToolCall(id=piece.id, name=piece.name, arguments=calls_of(events)[0][1])
    result = ChatMessage(role="tool", parts=(TextPart(text="Sunny"),), tool_call_id=piece.id)
    return ChatMessage(role="assistant", tool_calls=(call,)), result


@pytest.mark.parametrize(
    ("kind", "kept"),
    [
        ("anthropic", "'signature': 'c2lnbmVk'"),
        ("gemini", "'thoughtSignature': 'c2lnbmVk'"),
        ("ollama", "'thinking': 'Hm, a call.'"),
    ],
)
async def test_what_belongs_to_a_call_comes_back_with_it(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, kind: str, kept: str
) -> None:
    upstream.forget()
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 2048}}
    request = asking(tools=(TOOL,), parameters=thinking if kind == "anthropic" else {})
    point = endpoint(upstream, kind, "tool-think")
    model = factory.open(point)
    async with aclosing(model.stream(request)) as stream:
        events = [event async for event in stream]
    more = ChatRequest(
        messages=(*request.messages, *_next_step(events)),
        tools=request.tools,
        parameters=request.parameters,
    )
    async with aclosing(model.stream(more)) as stream:
        assert [event async for event in stream]
    await events_of(factory, point, more)  # another process has kept nothing

    first, second, forgetful = (r.body for r in upstream.requests(model="tool-think"))
    assert kept not in str(first)
    assert kept in str(second)
    assert kept not in str(forgetful)
    assert ("thinking" in second) == (kind == "anthropic")
    assert "thinking" not in forgetful  # Anthropic refuses to think on without it


async def test_ark_gets_its_reasoning_back_and_no_unknown_fields(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    upstream.forget()
    chunks = [
        {"choices": [{"delta": {"reasoning_content": "Hm."}}]},
        {
            "choices": [
                {
                    "delta": {
                        "tool_calls": [
                            {"index": 0, "id": "c9", "function": {"name": "f", "arguments": "{}"}}
                        ]
                    },
                    "finish_reason": "tool_calls",
                }
            ]
        },
    ]
    upstream.script("doubao", [{"event": chunk} for chunk in chunks])
    model = factory.open(endpoint(upstream, "ark", "doubao"))
    request = asking(tools=(TOOL,), end_user="abc", parameters={"thinking": {"type": "auto"}})
    async with aclosing(model.stream(request)) as stream:
        events = [event async for event in stream]
    more = ChatRequest(messages=(*request.messages, *_next_step(events)), tools=(TOOL,))
    async with aclosing(model.stream(more)) as stream:
        assert [event async for event in stream]

    first, second = upstream.requests(model="doubao")
    assert first.path == "/api/v3/chat/completions"
    assert first.body["thinking"] == {"type": "auto"}
    assert "user" not in first.body
    assert second.body["messages"][1]["reasoning_content"] == "Hm."


async def test_gemini_words_rate_limits_as_quota_and_bad_keys_as_bad_requests(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    quota = (
        '{"error":{"code":429,"message":"You exceeded your current quota.","details":'
        '[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"32.5s"}]}}'
    )
    headers = {"content-type": "application/json"}
    upstream.script("g-quota", [{"send": quota}], status=429, headers=headers)
    limited = await failure_of(factory, endpoint(upstream, "gemini", "g-quota"), asking())
    key = '{"error":{"code":400,"message":"Bad.","details":[{"reason":"API_KEY_INVALID"}]}}'
    upstream.script("g-key", [{"send": key}], status=400, headers=headers)
    refused = await failure_of(factory, endpoint(upstream, "gemini", "g-key"), asking())
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}}
    upstream.script("g-blocked", [{"event": blocked}])
    filtered = await failure_of(factory, endpoint(upstream, "gemini", "g-blocked"), asking())

    assert (limited.failure, limited.retry_after_s) == (ModelFailure.RATE_LIMITED, 32.5)
    assert refused.failure is ModelFailure.AUTH
    assert filtered.failure is ModelFailure.CONTENT_FILTER


async def test_ark_errors_are_named_by_their_codes(
    factory: RegistryChatModelFactory, upstream: RunningUpstream
) -> None:
    codes = {
        "AccountOverdueError": (403, ModelFailure.QUOTA),
        "InputTextSensitiveContentDetected": (400, ModelFailure.CONTENT_FILTER),
        "InvalidEndpointOrModel.NotFound": (404, ModelFailure.UNKNOWN_MODEL),
        "RateLimitExceeded.EndpointTPMExceeded": (429, ModelFailure.RATE_LIMITED),
    }
    for code, (status, failure) in codes.items():
        text = f'{{"error":{{"code":"{code}","message":"The request failed.","type":"x"}}}}'
        headers = {"content-type": "application/json"}
        upstream.script(code, [{"send": text}], status=status, headers=headers)
        caught = await failure_of(factory, endpoint(upstream, "ark", code), asking())
        assert caught.failure is failure


@pytest.mark.parametrize("kind", NATIVE)
async def test_a_tenants_address_may_not_be_private(
    factory: RegistryChatModelFactory, upstream: RunningUpstream, kind: str
) -> None:
    upstream.forget()
    point = endpoint(upstream, kind, "echo", tenant_address=True)

    assert (await failure_of(factory, point, asking())).failure is ModelFailure.UNKNOWN_MODEL
    assert upstream.requests() == []

"""Names of OpenTelemetry for runs: semantic conventions for generative AI, version 1.41.0.

https://github.com/open-telemetry/semantic-conventions/tree/v1.41.0/docs/gen-ai, status
"development": the last release that has them; operations on memory and reasoning tokens are those
of https://github.com/open-telemetry/semantic-conventions-genai, to which they moved. All of these
names stand here and nowhere else. What has none there begins with ``coterie.``.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import msgspec

from application.trace.prompt import prompt_of, reply_of
from domain.shared.chat import ModelCall
from domain.shared.tracing.span import SpanKind, SpanStatus
from domain.trace.value import SpanUsage, StoredSpan, TraceSummary
from infra.contract.observability.telemetry import Measure

SCHEMA_URL: Final = "https://opentelemetry.io/schemas/1.41.0"
SERVICE: Final = "coterie"
Kind = Literal["internal", "client"]
Status = Literal["unset", "ok", "error"]

_OPERATIONS: Final[Mapping[SpanKind, str]] = {
    SpanKind.AGENT: "invoke_agent",
    SpanKind.WORKFLOW: "invoke_workflow",
    SpanKind.MODEL: "chat",
    SpanKind.EMBEDDING: "embeddings",
    SpanKind.RETRIEVAL: "retrieval",
    SpanKind.TOOL: "execute_tool",
}
_ON_MEMORY: Final[Mapping[str, str]] = {
    "read": "search_memory",
    "recall": "search_memory",
    "write": "upsert_memory",
    "delete": "delete_memory",
}
_CLIENTS: Final = frozenset({SpanKind.MODEL, SpanKind.EMBEDDING, SpanKind.RERANK, SpanKind.HTTP})
_MODELS: Final = frozenset({SpanKind.MODEL, SpanKind.EMBEDDING, SpanKind.RERANK})
_PROVIDERS: Final[Mapping[str, str]] = {"gemini": "gcp.gemini", "azure": "azure.ai.openai"}
"""Whose name in the conventions is another one than ours."""
_FACTS: Final[Mapping[str, str]] = {
    "provider": "gen_ai.provider.name",
    "temperature": "gen_ai.request.temperature",
    "top_p": "gen_ai.request.top_p",
    "top_k": "gen_ai.request.top_k",
    "seed": "gen_ai.request.seed",
    "presence_penalty": "gen_ai.request.presence_penalty",
    "frequency_penalty": "gen_ai.request.frequency_penalty",
    "max_output_tokens": "gen_ai.request.max_tokens",
    "stop": "gen_ai.request.stop_sequences",
    "response_model": "gen_ai.response.model",
    "response_id": "gen_ai.response.id",
    "dimensions": "gen_ai.embeddings.dimension.count",
    "call_id": "gen_ai.tool.call.id",
    "description": "gen_ai.tool.description",
    "agent_id": "gen_ai.agent.id",
    "version": "gen_ai.agent.version",
    "server": "server.address",
    "port": "server.port",
}
_OF_HTTP: Final[Mapping[str, str]] = {
    "method": "http.request.method",
    "status": "http.response.status_code",
    "port": "server.port",
    "sent": "http.request.body.size",
    "received": "http.response.body.size",
}
_OF_TOOLS: Final[Mapping[str, str]] = {"kind": "coterie.tool.kind", "status": "coterie.tool.status"}
_OWN: Final = "coterie."


def name_of(span: StoredSpan) -> str:
    """Return the name of a span: its operation and what that is done with."""
    if span.kind is SpanKind.MEMORY:
        return _ON_MEMORY.get(span.name, f"memory {span.name}")
    if span.kind is SpanKind.HTTP:
        return str(span.attributes.get("method", "HTTP"))
    if span.kind is SpanKind.RETRIEVAL:
        return f"retrieval {_bases(span)}"
    operation = _OPERATIONS.get(span.kind)
    return f"{operation} {span.name}" if operation else f"{span.kind.value} {span.name}"


def kind_of(span: StoredSpan) -> Kind:
    """Tell calls of other servers from work of our own."""
    return "client" if span.kind in _CLIENTS else "internal"


def status_of(span: StoredSpan) -> Status:
    """Return the status; a cancelled span has none."""
    if span.status is SpanStatus.ERROR:
        return "error"
    return "ok" if span.status is SpanStatus.OK else "unset"


def attributes_of(
    span: StoredSpan, summary: TraceSummary, *, run_id: int, with_content: bool
) -> dict[str, Any]:
    """Return the attributes of a span of ``run_id``, which is or is part of that of the summary."""
    told: dict[str, Any] = {_OWN + "kind": span.kind.value, _OWN + "run_id": str(run_id)}
    if operation := _operation(span):
        told["gen_ai.operation.name"] = operation
    told |= {_named(span, name): _plain(fact) for name, fact in span.attributes.items()}
    told |= _subject(span, summary)
    if span.kind in _MODELS and "provider" in span.attributes:
        told["gen_ai.provider.name"] = provider_of(str(span.attributes["provider"]))
    if finish := span.attributes.get("finish_reason"):
        told["gen_ai.response.finish_reasons"] = [finish]
    if first := span.attributes.get("first_token_ms"):
        told["gen_ai.response.time_to_first_chunk"] = first / 1000
    if span.kind is SpanKind.MODEL:
        told["gen_ai.request.stream"] = True
    told |= _usage(span.usage)
    if span.cost != "0":
        told[_OWN + "cost"] = span.cost
    if span.status is SpanStatus.ERROR:
        told["error.type"] = str(span.error_code or "_OTHER")
    elif span.status is not SpanStatus.OK:
        told[_OWN + "status"] = span.status.value
    if with_content:
        told |= _content(span)
    return told


def provider_of(kind: str) -> str:
    """Return the name of a provider in the conventions; those without one keep ours."""
    return _PROVIDERS.get(kind, kind)


def _operation(span: StoredSpan) -> str | None:
    if span.kind is SpanKind.MEMORY:
        return _ON_MEMORY.get(span.name)
    return _OPERATIONS.get(span.kind)


def _named(span: StoredSpan, fact: str) -> str:
    if span.kind is SpanKind.WORKFLOW:  # has no names in the conventions but for its operation
        return _OWN + fact
    if span.kind is SpanKind.HTTP:
        return _OF_HTTP.get(fact, _OWN + fact)
    if span.kind is SpanKind.TOOL and fact in _OF_TOOLS:
        return _OF_TOOLS[fact]
    if fact == "kind":  # of a node; that of the span is told already
        return f"{_OWN}{span.kind.value}.kind"
    return _FACTS.get(fact, _OWN + fact)


def _plain(fact: Any) -> Any:
    """Return a value that an attribute may have; what is none becomes JSON."""
    match fact:
        case bool() | int() | float() | str():
            return fact
        case list() | tuple() if fact and all(isinstance(each, str) for each in fact):
            return list(fact)
        case _:
            return msgspec.json.encode(fact).decode()


def _usage(used: SpanUsage) -> dict[str, int]:
    if used == SpanUsage():
        return {}
    told = {
        "gen_ai.usage.input_tokens": used.input_tokens,
        "gen_ai.usage.output_tokens": used.output_tokens,
    }
    if used.cached_tokens:
        told["gen_ai.usage.cache_read.input_tokens"] = used.cached_tokens
    if used.reasoning_tokens:
        told["gen_ai.usage.reasoning.output_tokens"] = used.reasoning_tokens
    return told


def _subject(span: StoredSpan, summary: TraceSummary) -> dict[str, Any]:
    """Return what a span is about: agent, workflow, tool, base, model or server."""
    told: dict[str, Any] = {}
    match span.kind:
        case SpanKind.AGENT:
            told["gen_ai.agent.name"] = span.name
            if summary.conversation_id:
                told["gen_ai.conversation.id"] = str(summary.conversation_id)
            if summary.end_user_id and not span.parent:
                told["user.id"] = summary.end_user_id
        case SpanKind.WORKFLOW:
            told["gen_ai.workflow.name"] = span.name
        case SpanKind.TOOL:
            told["gen_ai.tool.name"] = span.name
            told["gen_ai.tool.type"] = "function"
        case SpanKind.RETRIEVAL:
            told["gen_ai.data_source.id"] = _bases(span)
        case SpanKind.MODEL | SpanKind.EMBEDDING | SpanKind.RERANK:
            told["gen_ai.request.model"] = span.name
        case SpanKind.HTTP:
            told["server.address"] = span.name
        case _:
            pass  # has a name and nothing else
    return told


def _bases(span: StoredSpan) -> str:
    return ",".join(map(str, span.attributes.get("dataset_ids") or []))


def _content(span: StoredSpan) -> dict[str, str]:
    match span.kind:
        case SpanKind.MODEL:
            return dict(_messages(span))
        case SpanKind.AGENT:
            given = span.input and [_said("user", span.input)]
            gave = span.output and [_said("assistant", span.output)]
            return {
                name: _json(value)
                for name, value in (
                    ("gen_ai.input.messages", given),
                    ("gen_ai.output.messages", gave),
                )
                if value
            }
        case SpanKind.TOOL:
            names = ("gen_ai.tool.call.arguments", "gen_ai.tool.call.result")
        case SpanKind.RETRIEVAL:
            names = ("gen_ai.retrieval.query.text", "gen_ai.retrieval.documents")
        case _:
            names = (_OWN + "input", _OWN + "output")
    given_and_gave = zip(names, (span.input, span.output), strict=True)
    return {name: text for name, text in given_and_gave if text is not None}


def _said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _messages(span: StoredSpan) -> Iterator[tuple[str, str]]:
    """Return prompt and reply in the form of the conventions; one that was cut is told as it is."""
    prompt = prompt_of(span.input)
    if prompt is not None:
        if prompt.system:
            yield "gen_ai.system_instructions", _json(prompt.system)
        yield "gen_ai.input.messages", _json(prompt.messages)
        if prompt.tools:
            yield "gen_ai.tool.definitions", _json(prompt.tools)
    elif span.input is not None:
        yield _OWN + "input", span.input
    reply = reply_of(span.output)
    if reply is not None:
        yield "gen_ai.output.messages", _json([reply])
    elif span.output is not None:
        yield _OWN + "output", span.output


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


_TOKENS: Final = Measure(
    name="gen_ai.client.token.usage",
    unit="{token}",
    description="Number of input and output tokens used.",
    bounds=tuple(float(4**power) for power in range(14)),
)
_DURATION: Final = Measure(
    name="gen_ai.client.operation.duration",
    unit="s",
    description="GenAI operation duration.",
    bounds=tuple(0.01 * 2**power for power in range(14)),
)
_FIRST_CHUNK: Final = Measure(
    name="gen_ai.client.operation.time_to_first_chunk",
    unit="s",
    description="Time to receive the first chunk in a streaming response.",
    bounds=(0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10),
)
_PER_CHUNK: Final = Measure(
    name="gen_ai.client.operation.time_per_output_chunk",
    unit="s",
    description="Time per output chunk after the first one.",
    bounds=(0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5),
)
_OF_PURPOSES: Final = {"embedding": "embeddings", "rerank": "rerank"}


def measured(call: ModelCall) -> Iterator[tuple[Measure, float, Mapping[str, Any]]]:
    """Return what a call of a model adds to the metrics of the conventions."""
    about: dict[str, Any] = {
        "gen_ai.operation.name": _OF_PURPOSES.get(call.purpose, "chat"),
        "gen_ai.provider.name": provider_of(call.provider),
        "gen_ai.request.model": call.model,
    }
    ended = about if call.outcome == "ok" else {**about, "error.type": call.outcome}
    yield _DURATION, call.total_ms / 1000, ended
    if call.usage.input_tokens:
        yield _TOKENS, call.usage.input_tokens, {**about, "gen_ai.token.type": "input"}
    if call.usage.output_tokens:
        yield _TOKENS, call.usage.output_tokens, {**about, "gen_ai.token.type": "output"}
    if call.first_token_ms is not None:
        yield _FIRST_CHUNK, call.first_token_ms / 1000, about
        if call.output_chunks > 1:
            rest_s = (call.total_ms - call.first_token_ms) / 1000
            yield _PER_CHUNK, rest_s / (call.output_chunks - 1), about

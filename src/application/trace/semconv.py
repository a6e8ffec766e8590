"""Names of OpenTelemetry for spans of runs: semantic conventions for generative AI, version 1.38.

https://opentelemetry.io/docs/specs/semconv/gen-ai/, status "development": all of them stand here.
"""

from collections.abc import Mapping
from typing import Any, Final

from domain.shared.span import SpanKind, SpanStatus
from domain.trace.value import SpanUsage, StoredSpan, TraceSummary

SCHEMA_URL: Final = "https://opentelemetry.io/schemas/1.38.0"
INTERNAL: Final = 1
CLIENT: Final = 3
OK: Final = 1
ERROR: Final = 2
UNSET: Final = 0

_OPERATIONS: Final[Mapping[SpanKind, str]] = {
    SpanKind.AGENT: "invoke_agent",
    SpanKind.WORKFLOW: "invoke_workflow",
    SpanKind.MODEL: "chat",
    SpanKind.EMBEDDING: "embeddings",
    SpanKind.RETRIEVAL: "retrieval",
    SpanKind.TOOL: "execute_tool",
}
_CLIENTS: Final = frozenset({SpanKind.MODEL, SpanKind.EMBEDDING, SpanKind.RERANK, SpanKind.HTTP})
_MODELS: Final = frozenset({SpanKind.MODEL, SpanKind.EMBEDDING, SpanKind.RERANK})
_FACTS: Final[Mapping[str, str]] = {
    "provider": "gen_ai.provider.name",
    "temperature": "gen_ai.request.temperature",
    "top_p": "gen_ai.request.top_p",
    "max_output_tokens": "gen_ai.request.max_tokens",
    "response_model": "gen_ai.response.model",
    "response_id": "gen_ai.response.id",
    "call_id": "gen_ai.tool.call.id",
    "agent_id": "gen_ai.agent.id",
    "version": "gen_ai.agent.version",
}
_OWN: Final = "coterie."


def name_of(span: StoredSpan) -> str:
    """Return the name of a span: its operation and what that is done with."""
    operation = _OPERATIONS.get(span.kind)
    return f"{operation} {span.name}" if operation else f"{span.kind.value} {span.name}"


def kind_of(span: StoredSpan) -> int:
    """Tell calls of other servers from work of our own."""
    return CLIENT if span.kind in _CLIENTS else INTERNAL


def status_of(span: StoredSpan) -> int:
    """Return the status; a cancelled span has none."""
    if span.status is SpanStatus.ERROR:
        return ERROR
    return OK if span.status is SpanStatus.OK else UNSET


def attributes_of(span: StoredSpan, summary: TraceSummary, *, with_content: bool) -> dict[str, Any]:
    """Return the attributes of a span; what the conventions have no name for has one of ours."""
    told: dict[str, Any] = {_OWN + "kind": span.kind.value, _OWN + "run_id": str(summary.run_id)}
    if operation := _OPERATIONS.get(span.kind):
        told["gen_ai.operation.name"] = operation
    told |= {_named(span, name): fact for name, fact in span.attributes.items()}
    told |= _subject(span, summary)
    if finish := span.attributes.get("finish_reason"):
        told["gen_ai.response.finish_reasons"] = [finish]
    if span.usage != SpanUsage():
        told["gen_ai.usage.input_tokens"] = span.usage.input_tokens
        told["gen_ai.usage.output_tokens"] = span.usage.output_tokens
    if span.status is SpanStatus.ERROR:
        told["error.type"] = str(span.error_code or "_OTHER")
    if span.status is SpanStatus.CANCELLED:
        told["canceled"] = True
    if with_content:
        told |= _content(span)
    return told


def _named(span: StoredSpan, fact: str) -> str:
    if span.kind is SpanKind.WORKFLOW:  # has no names in the conventions but for its operation
        return _OWN + fact
    return _FACTS.get(fact, _OWN + fact)


def _subject(span: StoredSpan, summary: TraceSummary) -> dict[str, Any]:
    """Return what a span is about: agent, tool, base or model."""
    told: dict[str, Any] = {}
    if span.kind is SpanKind.AGENT:
        told["gen_ai.agent.name"] = span.name
        if summary.conversation_id:
            told["gen_ai.conversation.id"] = str(summary.conversation_id)
    elif span.kind is SpanKind.TOOL:
        told["gen_ai.tool.name"] = span.name
    elif span.kind is SpanKind.RETRIEVAL:
        bases = span.attributes.get("dataset_ids") or []
        told["gen_ai.data_source.id"] = ",".join(map(str, bases))
    elif span.kind in _MODELS:
        told["gen_ai.request.model"] = span.name
    return told


def _content(span: StoredSpan) -> dict[str, str]:
    names = (_OWN + "input", _OWN + "output")
    if span.kind is SpanKind.TOOL:
        names = ("gen_ai.tool.call.arguments", "gen_ai.tool.call.result")
    given = zip(names, (span.input, span.output), strict=True)
    return {name: text for name, text in given if text is not None}

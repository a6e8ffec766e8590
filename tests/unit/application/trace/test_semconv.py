"""Attributes of steps, held to what collectors publish of how they read them.

Langfuse: ``packages/shared/src/server/otel/ObservationTypeMapper.ts`` of langfuse/langfuse; MLflow:
``mlflow/tracing/otel/translation/genai_semconv.py`` of mlflow/mlflow, both as of November 2026.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from application.trace.semconv import attributes_of, kind_of, name_of
from domain.shared.ids import SpaceId, UserId
from domain.shared.tracing.span import SpanKind, SpanStatus
from domain.trace.value import Capture, SpanUsage, StoredSpan, TraceSummary

NOW = datetime(2026, 11, 23, tzinfo=UTC)
SUMMARY: Final = TraceSummary(
    run_id=7,
    space_id=SpaceId(1),
    kind="chat",
    source="api",
    creator_id=UserId(1),
    end_user_id="ann",
    conversation_id=9,
    capture=Capture.CONTENT,
    status="completed",
    started_at=NOW,
    ended_at=NOW,
)
REPLY: Final = '{"text": "Hi.", "finish_reason": "stop"}'
PROMPT: Final = '{"messages": [{"role": "user", "content": "Hello"}]}'
MODEL: Final = StoredSpan(
    id=3,
    kind=SpanKind.MODEL,
    name="m",
    attributes={"provider": "gemini", "finish_reason": "stop", "response_model": "m-1"},
    input=PROMPT,
    output=REPLY,
    usage=SpanUsage(input_tokens=5, output_tokens=2, cached_tokens=1, reasoning_tokens=1),
)
TOOL: Final = StoredSpan(
    id=4, kind=SpanKind.TOOL, name="look", attributes={"kind": "mcp"}, input="{}", output="dry"
)

LANGFUSE_TYPES: Final = {
    "chat": "GENERATION",
    "embeddings": "EMBEDDING",
    "invoke_agent": "AGENT",
    "execute_tool": "TOOL",
}


def langfuse_type(attributes: Mapping[str, Any]) -> str:
    """Its mappers of priority 3, 6 and 7, in this order."""
    if found := LANGFUSE_TYPES.get(str(attributes.get("gen_ai.operation.name"))):
        return found
    if attributes.get("gen_ai.tool.name") or attributes.get("gen_ai.tool.call.id"):
        return "TOOL"
    is_model = attributes.get("gen_ai.request.model") or attributes.get("gen_ai.response.model")
    return "GENERATION" if is_model else "SPAN"


def told(span: StoredSpan, *, with_content: bool = True) -> dict[str, Any]:
    return attributes_of(span, SUMMARY, run_id=7, with_content=with_content)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (SpanKind.AGENT, "AGENT"),
        (SpanKind.MODEL, "GENERATION"),
        (SpanKind.EMBEDDING, "EMBEDDING"),
        (SpanKind.TOOL, "TOOL"),
        (SpanKind.STEP, "SPAN"),
        (SpanKind.NODE, "SPAN"),
        (SpanKind.HTTP, "SPAN"),
        (SpanKind.MEMORY, "SPAN"),
    ],
)
def test_langfuse_knows_the_type_of_a_step(kind: SpanKind, expected: str) -> None:
    assert langfuse_type(told(StoredSpan(id=1, kind=kind, name="n"))) == expected


def test_mlflow_finds_what_it_looks_for() -> None:
    model, tool = told(MODEL), told(TOOL)

    assert model["gen_ai.operation.name"] == "chat"
    assert model["gen_ai.usage.input_tokens"] == 5
    assert model["gen_ai.usage.output_tokens"] == 2
    assert model["gen_ai.usage.cache_read.input_tokens"] == 1
    assert model["gen_ai.request.model"] == "m"
    assert model["gen_ai.response.model"] == "m-1"
    assert model["gen_ai.provider.name"] == "gcp.gemini"
    assert {"gen_ai.input.messages", "gen_ai.output.messages"} <= model.keys()
    assert tool["gen_ai.tool.call.arguments"] == "{}"
    assert tool["gen_ai.tool.call.result"] == "dry"


def test_nothing_that_was_said_goes_without_being_asked_for() -> None:
    for span in (MODEL, TOOL):
        bare = told(span, with_content=False)
        assert not any("Hello" in str(v) or "Hi." in str(v) or v == "dry" for v in bare.values())


def test_every_value_is_one_that_attributes_may_have() -> None:
    odd = {"a": {"b": 1}, "c": [1, {"d": 2}], "e": ["x", "y"], "f": None, "g": 1.5, "h": True}
    found = told(StoredSpan(id=1, kind=SpanKind.STEP, name="s", attributes=odd))

    assert found["coterie.a"] == '{"b":1}'
    assert found["coterie.c"] == '[1,{"d":2}]'
    assert found["coterie.e"] == ["x", "y"]
    assert found["coterie.f"] == "null"
    assert (found["coterie.g"], found["coterie.h"]) == (1.5, True)


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        (SpanKind.AGENT, "Ann", ("invoke_agent Ann", "internal")),
        (SpanKind.WORKFLOW, "w", ("invoke_workflow w", "internal")),
        (SpanKind.MODEL, "m", ("chat m", "client")),
        (SpanKind.EMBEDDING, "e", ("embeddings e", "client")),
        (SpanKind.TOOL, "t", ("execute_tool t", "internal")),
        (SpanKind.MEMORY, "write", ("upsert_memory", "internal")),
        (SpanKind.MEMORY, "recall", ("search_memory", "internal")),
        (SpanKind.STEP, "step 1", ("step step 1", "internal")),
    ],
)
def test_spans_have_the_names_of_the_conventions(
    kind: SpanKind, name: str, expected: tuple[str, str]
) -> None:
    span = StoredSpan(id=1, kind=kind, name=name)
    assert (name_of(span), kind_of(span)) == expected


def test_a_failure_has_a_type_and_what_waits_a_status_of_ours() -> None:
    failed = StoredSpan(id=1, kind=SpanKind.TOOL, name="t", status=SpanStatus.ERROR)
    waiting = StoredSpan(id=1, kind=SpanKind.TOOL, name="t", status=SpanStatus.INTERRUPTED)

    assert told(failed)["error.type"] == "_OTHER"
    assert told(waiting)["coterie.status"] == "interrupted"

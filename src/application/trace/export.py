"""Traces for other tools: spans as OTLP in JSON, or one per line."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final

import msgspec

from application.trace import semconv
from application.trace.dto import TraceTree
from domain.trace.value import TreeSpan

_EPOCH: Final = datetime.fromtimestamp(0, UTC)


def trace_id(run_id: int) -> str:
    """Return the id of a trace as OpenTelemetry writes it; a run always has the same."""
    return sha256(f"trace/{run_id}".encode()).hexdigest()[:32]


def span_id(run_id: int, span: str) -> str:
    """Return the id of a span as OpenTelemetry writes it."""
    return sha256(f"span/{run_id}/{span}".encode()).hexdigest()[:16]


def as_otlp_json(tree: TraceTree, *, version: str) -> bytes:
    """Write a trace as a request to a collector: OTLP 1.0 in JSON, ids as hexadecimal digits."""
    resource = {"service.name": "coterie", "service.version": version}
    document = {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes(resource)},
                "scopeSpans": [
                    {
                        "scope": {"name": "coterie", "version": version},
                        "spans": [_span(tree, each) for each in tree.spans],
                        "schemaUrl": semconv.SCHEMA_URL,
                    }
                ],
            }
        ]
    }
    return msgspec.json.encode(document)


def as_jsonl(tree: TraceTree) -> bytes:
    """Write the spans of a trace, one per line."""
    encoder = msgspec.json.Encoder()
    run_id = str(tree.summary.run_id)
    lines = [
        encoder.encode(
            {
                **msgspec.to_builtins(msgspec.structs.asdict(each.span)),
                "trace": run_id,
                "run_id": str(each.run_id),
                "id": each.id,
                "parent": each.parent,
                "links": [str(link) for link in each.span.links],
            }
        )
        for each in tree.spans
    ]
    return b"".join(line + b"\n" for line in lines)


def _span(tree: TraceTree, told: TreeSpan) -> dict[str, Any]:
    summary, span = tree.summary, told.span
    began_ns = (summary.started_at - _EPOCH) // timedelta(microseconds=1) * 1000
    start_ns = began_ns + span.start_us * 1000
    status: dict[str, Any] = {"code": semconv.status_of(span)}
    if span.error:
        status["message"] = span.error
    shown: dict[str, Any] = {
        "traceId": trace_id(summary.run_id),
        "spanId": span_id(summary.run_id, told.id),
        "name": semconv.name_of(span),
        "kind": semconv.kind_of(span),
        "startTimeUnixNano": str(start_ns),
        "endTimeUnixNano": str(start_ns + span.duration_us * 1000),
        "attributes": _attributes(semconv.attributes_of(span, summary, with_content=True)),
        "status": status,
    }
    if told.parent:
        shown["parentSpanId"] = span_id(summary.run_id, told.parent)
    return shown


def _attributes(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in told.items()]


def _value(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list() | tuple():
            return {"arrayValue": {"values": [_value(each) for each in value]}}
        case str():
            return {"stringValue": value}
        case _:
            return {"stringValue": msgspec.json.encode(value).decode()}

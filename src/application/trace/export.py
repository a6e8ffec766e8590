"""Traces for other tools: spans as OTLP in JSON, or one per line."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from application.trace import semconv
from application.trace.dto import TraceTree
from application.trace.telemetry import finished_tree
from infra.contract.observability.telemetry import FinishedSpan

_KINDS: Final = {"internal": 1, "client": 3}
_STATUSES: Final = {"unset": 0, "ok": 1, "error": 2}
"""Numbers of OTLP, ``opentelemetry/proto/trace/v1/trace.proto``."""


def as_otlp_json(tree: TraceTree, *, version: str) -> bytes:
    """Write a trace as a request to a collector: OTLP 1.0 in JSON, ids as hexadecimal digits."""
    resource = {"service.name": semconv.SERVICE, "service.version": version}
    spans = finished_tree(tree.summary, tree.spans)
    document = {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes(resource)},
                "scopeSpans": [
                    {
                        "scope": {"name": semconv.SERVICE, "version": version},
                        "spans": [_span(each) for each in spans],
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


def _span(span: FinishedSpan) -> dict[str, Any]:
    status: dict[str, Any] = {"code": _STATUSES[span.status]}
    if span.message:
        status["message"] = span.message
    shown: dict[str, Any] = {
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "name": span.name,
        "kind": _KINDS[span.kind],
        "startTimeUnixNano": str(span.started_ns),
        "endTimeUnixNano": str(span.ended_ns),
        "attributes": _attributes(span.attributes),
        "status": status,
    }
    if span.parent_id:
        shown["parentSpanId"] = span.parent_id
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
        case _:
            return {"stringValue": str(value)}

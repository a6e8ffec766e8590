"""A collector for tests: takes OTLP over HTTP as protobuf, and shows what it was told."""

import gzip
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

PATIENCE_S: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedSpan:
    """A span as it came; ``service`` are the attributes of who sent it."""

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    kind: int
    status: int
    start_ns: int
    end_ns: int
    attributes: dict[str, Any]
    service: dict[str, Any]


@dataclass
class Collector:
    """What was received so far, by any number of processes."""

    url: str = ""
    packets: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    spans: list[ReceivedSpan] = field(default_factory=list)
    metrics: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Attributes of the points by name."""
    logs: list[tuple[str, str, str]] = field(default_factory=list)
    """Level, trace and text."""
    changed: threading.Condition = field(default_factory=threading.Condition)

    def environ(self, **more: str) -> dict[str, str]:
        """Variables that have a process send here, at once."""
        return {
            "OTEL_EXPORTER_OTLP_ENDPOINT": self.url,
            "OTEL_BSP_SCHEDULE_DELAY": "20",
            "OTEL_BLRP_SCHEDULE_DELAY": "20",
            "OTEL_METRIC_EXPORT_INTERVAL": "200",
            **more,
        }

    def of(self, trace_id: str) -> list[ReceivedSpan]:
        """Spans of a trace in the order of their starts."""
        with self.changed:
            found = [span for span in self.spans if span.trace_id == trace_id]
        return sorted(found, key=lambda each: each.start_ns)

    def wait(self, is_there: Callable[[], bool]) -> None:
        """Wait until something has come."""
        deadline = time.monotonic() + PATIENCE_S
        with self.changed:
            while not is_there():
                left = deadline - time.monotonic()
                assert left > 0, "The collector was not told in time."
                self.changed.wait(left)

    def take(self, path: str, headers: dict[str, str], body: bytes) -> None:
        with self.changed:
            self.packets.append(body)
            self.headers.append(headers)
            match path:
                case "/v1/traces":
                    self._take_spans(ExportTraceServiceRequest.FromString(body))
                case "/v1/metrics":
                    self._take_metrics(ExportMetricsServiceRequest.FromString(body))
                case "/v1/logs":
                    self._take_logs(ExportLogsServiceRequest.FromString(body))
                case _:
                    raise AssertionError(path)
            self.changed.notify_all()

    def _take_spans(self, request: ExportTraceServiceRequest) -> None:
        for resource in request.resource_spans:
            service = _values(resource.resource.attributes)
            self.spans += [
                ReceivedSpan(
                    trace_id=span.trace_id.hex(),
                    span_id=span.span_id.hex(),
                    parent_id=span.parent_span_id.hex(),
                    name=span.name,
                    kind=span.kind,
                    status=span.status.code,
                    start_ns=span.start_time_unix_nano,
                    end_ns=span.end_time_unix_nano,
                    attributes=_values(span.attributes),
                    service=service,
                )
                for scope in resource.scope_spans
                for span in scope.spans
            ]

    def _take_metrics(self, request: ExportMetricsServiceRequest) -> None:
        for resource in request.resource_metrics:
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    data = getattr(metric, str(metric.WhichOneof("data")))
                    points = [_values(point.attributes) for point in data.data_points]
                    self.metrics[metric.name] = points

    def _take_logs(self, request: ExportLogsServiceRequest) -> None:
        self.logs += [
            (record.severity_text, record.trace_id.hex(), record.body.string_value)
            for resource in request.resource_logs
            for scope in resource.scope_logs
            for record in scope.log_records
        ]


def tree_of(spans: Sequence[ReceivedSpan], *, top: str = "") -> list[str]:
    """Names of spans, indented below their parents; failed ones are marked."""
    known = {span.span_id for span in spans}
    lines: list[str] = []

    def below(parent_id: str, depth: int) -> None:
        for span in spans:
            if span.parent_id == parent_id:
                state = " (error)" if span.status == 2 else ""
                lines.append(f"{'  ' * depth}{span.name}{state}")
                below(span.span_id, depth + 1)

    assert {s.parent_id for s in spans} - known <= {top}, "A parent was not told of."
    below(top, 0)
    return lines


def _values(attributes: Sequence[KeyValue]) -> dict[str, Any]:
    return {each.key: _value(each.value) for each in attributes}


def _value(value: AnyValue) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(each) for each in value.array_value.values]
    return getattr(value, str(kind)) if kind else None


@contextmanager
def running_collector() -> Iterator[Collector]:
    """Listen on a free port."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            assert self.headers["content-type"] == "application/x-protobuf"
            headers = {name.lower(): value for name, value in self.headers.items()}
            collector.take(self.path, headers, body)
            self.send_response(200)
            self.send_header("content-type", "application/x-protobuf")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""Telemetry by the SDK of OpenTelemetry over OTLP/HTTP: imported where its variables ask for it.

What is configured is said by the variables of the standard alone, which the SDK reads by itself:
https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from contextlib import suppress
from itertools import islice
from typing import Any, Final

from opentelemetry import trace
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import CallbackOptions, Histogram, NoOpMeterProvider, Observation
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics import export as point
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace.status import Status, StatusCode

from domain.shared.tracing.span import traceparent
from domain.shared.tracing.trace_context import TraceContext, read_traceparent
from infra.contract.observability.metrics import Buckets, Metrics, Reading
from infra.contract.observability.telemetry import FinishedSpan, Measure

_logger: Final = logging.getLogger(__name__)
_SCOPE: Final = "coterie"
_OWN_SCOPE: Final = "coterie.process"
"""Of what Prometheus reads, too: one scope cannot be told of twice."""
_WAITING_RUNS: Final = 1000
"""Whose steps have not been made yet; those of more are dropped, and counted."""
_BATCH: Final = 512
"""Steps given to the SDK between two looks at whether they went out: its queue has a limit."""
_READ_S: Final = 5.0
_CLOSE_S: Final = 5.0
"""Patience with a collector that does not answer while the process leaves."""
_CUMULATIVE: Final = point.AggregationTemporality.CUMULATIVE
_KINDS: Final = {"internal": trace.SpanKind.INTERNAL, "client": trace.SpanKind.CLIENT}
_STATUSES: Final = {"unset": StatusCode.UNSET, "ok": StatusCode.OK, "error": StatusCode.ERROR}
_SEVERITIES: Final = (
    (logging.CRITICAL, SeverityNumber.FATAL),
    (logging.ERROR, SeverityNumber.ERROR),
    (logging.WARNING, SeverityNumber.WARN),
    (logging.INFO, SeverityNumber.INFO),
)
_OWN_LOGGERS: Final = ("opentelemetry", "urllib3", "requests", __name__)
"""What they say while lines are sent would be sent, and so on."""


class OtelTelemetry:
    """Implements ``Telemetry``; threads of its own make, encode and send.

    ``signals`` are those that go out: of ``traces``, ``metrics``, ``logs``. ``read`` returns
    message and fields of a record of the log, without secrets.
    """

    def __init__(
        self,
        *,
        signals: frozenset[str],
        is_propagating: bool,
        version: str,
        instance: str,
        schema_url: str,
        metrics: Metrics,
        read: Callable[[logging.LogRecord], tuple[str, Mapping[str, object]]],
    ) -> None:
        self._is_propagating = is_propagating
        self._signals = signals
        self._version = version
        self._schema_url = schema_url
        self._metrics = metrics
        self._read = read
        self._instance = instance
        self._dropped = metrics.counter(
            "telemetry_dropped_runs_total", "Runs whose steps were not passed on: too many waited."
        )
        self._waiting = 0
        self._makers: ThreadPoolExecutor | None = None
        self._provider: TracerProvider | None = None
        self._processor: BatchSpanProcessor | None = None
        self._meters: MeterProvider | None = None
        self._logs: LoggerProvider | None = None
        self._handler: logging.Handler | None = None
        self._histograms: dict[str, Histogram] = {}

    @property
    def is_propagating(self) -> bool:
        return self._is_propagating

    async def start(self) -> None:
        """Begin to take; nothing is sent before there is something."""
        loop = asyncio.get_running_loop()
        self._scope = InstrumentationScope(_SCOPE, self._version, self._schema_url)
        self._resource = _resource(self._version, self._instance)
        if "traces" in self._signals:
            self._provider = TracerProvider(resource=self._resource, shutdown_on_exit=False)
            self._processor = BatchSpanProcessor(
                OTLPSpanExporter(), meter_provider=NoOpMeterProvider()
            )
            self._makers = ThreadPoolExecutor(1, thread_name_prefix="telemetry")
        if "metrics" in self._signals:
            exporter = _WithOwn(
                OTLPMetricExporter(),
                self._metrics,
                loop,
                resource=self._resource,
                scope=InstrumentationScope(_OWN_SCOPE, self._version),
            )
            self._meters = MeterProvider(
                [point.PeriodicExportingMetricReader(exporter)],
                resource=self._resource,
                shutdown_on_exit=False,
            )
            _show_uptime(self._meters, self._version)
        if "logs" in self._signals:
            self._logs = LoggerProvider(resource=self._resource, shutdown_on_exit=False)
            self._logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
            self._handler = _Lines(self._logs, self._version, self._read)
            logging.getLogger().addHandler(self._handler)

    async def aclose(self) -> None:
        """Send what waits, if that is quick."""
        if self._handler is not None:
            logging.getLogger().removeHandler(self._handler)
        try:
            async with asyncio.timeout(_CLOSE_S + 1):
                await asyncio.to_thread(self._shut)
        except TimeoutError:
            _logger.warning("The collector does not answer: some telemetry is lost.")

    def _shut(self) -> None:
        timeout_ms = int(_CLOSE_S * 1000)
        if self._makers is not None:
            self._makers.shutdown(wait=True)
        if self._processor is not None:
            self._processor.shutdown()  # type: ignore[no-untyped-call]
        if self._meters is not None:
            self._meters.shutdown(timeout_millis=timeout_ms)
        if self._logs is not None:
            self._logs.shutdown()

    def sampled(self, trace_id: str, caller: TraceContext | None, *, name: str) -> bool:
        if self._provider is None:
            return False
        above = Context()
        if caller is not None:
            parent = trace.NonRecordingSpan(_context(caller.trace_id, caller.parent_id, caller))
            above = trace.set_span_in_context(parent, above)
        result = self._provider.sampler.should_sample(above, int(trace_id, 16), name)
        return result.decision is Decision.RECORD_AND_SAMPLE

    def export(self, make: Callable[[], Sequence[FinishedSpan]]) -> None:
        if self._makers is None:
            return
        if self._waiting >= _WAITING_RUNS:
            self._dropped.add()
            return
        self._waiting += 1
        loop = asyncio.get_running_loop()
        self._makers.submit(self._pass_on, make).add_done_callback(
            lambda done: _in_loop(loop, self._passed_on, done)
        )

    def observe(self, measure: Measure, value: float, attributes: Mapping[str, Any]) -> None:
        if self._meters is None:
            return
        histogram = self._histograms.get(measure.name)
        if histogram is None:
            meter = self._meters.get_meter(_SCOPE, self._version, self._schema_url)
            histogram = self._histograms[measure.name] = meter.create_histogram(
                measure.name,
                unit=measure.unit,
                description=measure.description,
                explicit_bucket_boundaries_advisory=measure.bounds,
            )
        histogram.record(value, attributes)

    def _pass_on(self, make: Callable[[], Sequence[FinishedSpan]]) -> None:
        processor = self._processor
        if processor is None:
            return
        spans = iter(make())
        while batch := list(islice(spans, _BATCH)):
            for span in batch:
                processor.on_end(self._readable(span))
            if len(batch) == _BATCH:
                processor.force_flush()

    def _passed_on(self, done: "Future[None]") -> None:
        self._waiting -= 1
        if (failure := done.exception()) is not None:
            _logger.error("The steps of a run were not passed on.", exc_info=failure)

    def _readable(self, span: FinishedSpan) -> ReadableSpan:
        parent = None
        if span.parent_id:
            parent = _context(span.trace_id, span.parent_id, is_remote=span.is_remote)
        return ReadableSpan(
            span.name,
            context=_context(span.trace_id, span.span_id),
            parent=parent,
            resource=self._resource,
            attributes=span.attributes,
            kind=_KINDS[span.kind],
            status=Status(_STATUSES[span.status], span.message if span.status == "error" else None),
            start_time=span.started_ns,
            end_time=span.ended_ns,
            instrumentation_scope=self._scope,
        )


def _in_loop(
    loop: asyncio.AbstractEventLoop, take: Callable[["Future[None]"], None], done: "Future[None]"
) -> None:
    with suppress(RuntimeError):  # the process ends
        loop.call_soon_threadsafe(take, done)


def _context(
    trace_id: str, span_id: str, caller: TraceContext | None = None, *, is_remote: bool = False
) -> trace.SpanContext:
    is_sampled = caller is None or caller.is_sampled
    flags = trace.TraceFlags.SAMPLED if is_sampled else trace.TraceFlags.DEFAULT
    return trace.SpanContext(
        int(trace_id, 16),
        int(span_id, 16),
        is_remote=is_remote or caller is not None,
        trace_flags=trace.TraceFlags(flags),
    )


def _resource(version: str, instance: str) -> Resource:
    """Name this process; what the operator says in the variables counts before it."""
    own = {
        "service.name": _SCOPE,
        "service.version": version,
        "service.instance.id": instance,
    }
    told = {k: v for k, v in OTELResourceDetector().detect().attributes.items() if v}
    return Resource.create({**own, **told})


def _show_uptime(meters: MeterProvider, version: str) -> None:
    """Show one number that is always there: nothing would be sent without any."""
    began = time.monotonic()

    def read(_: CallbackOptions) -> list[Observation]:
        return [Observation(time.monotonic() - began)]

    meters.get_meter(_SCOPE, version).create_observable_gauge(
        "process.uptime", [read], unit="s", description="The time the process has been running."
    )


class _WithOwn(point.MetricExporter):
    """Adds the metrics that Prometheus reads here to those of the SDK."""

    def __init__(
        self,
        exporter: OTLPMetricExporter,
        metrics: Metrics,
        loop: asyncio.AbstractEventLoop,
        *,
        resource: Resource,
        scope: InstrumentationScope,
    ) -> None:
        super().__init__(
            preferred_temporality=exporter._preferred_temporality,  # noqa: SLF001 - as readers do
            preferred_aggregation=exporter._preferred_aggregation,  # noqa: SLF001
        )
        self._exporter = exporter
        self._metrics = metrics
        self._loop = loop
        self._resource = resource
        self._scope = scope
        self._began_ns = time.time_ns()

    def export(
        self, metrics_data: point.MetricsData, timeout_millis: float = 10_000, **kwargs: Any
    ) -> point.MetricExportResult:
        told = [_metric(each, self._began_ns, time.time_ns()) for each in self._readings()]
        own = point.ScopeMetrics(scope=self._scope, metrics=told, schema_url="")
        scopes = [s for each in metrics_data.resource_metrics for s in each.scope_metrics]
        everything = point.ResourceMetrics(
            resource=self._resource, scope_metrics=[*scopes, own], schema_url=""
        )
        return self._exporter.export(
            point.MetricsData(resource_metrics=[everything]), timeout_millis, **kwargs
        )

    def force_flush(self, timeout_millis: float = 10_000) -> bool:
        return self._exporter.force_flush(timeout_millis)

    def shutdown(self, timeout_millis: float = 30_000, **kwargs: Any) -> None:
        self._exporter.shutdown(timeout_millis, **kwargs)

    def _readings(self) -> list[Reading]:
        """Read where they are counted: in the event loop, while there is one."""
        found: Future[list[Reading]] = Future()

        def read() -> None:
            try:
                found.set_result(self._metrics.readings())
            except Exception as exc:  # noqa: BLE001 - told to the thread that waits
                found.set_exception(exc)

        try:
            self._loop.call_soon_threadsafe(read)
            return found.result(_READ_S)
        except (RuntimeError, TooLate):
            return []
        except Exception:
            _logger.exception("The metrics cannot be read.")
            return []


def _metric(reading: Reading, began_ns: int, now_ns: int) -> point.Metric:
    numbers = [
        point.NumberDataPoint(
            attributes=dict(labels),
            start_time_unix_nano=began_ns,
            time_unix_nano=now_ns,
            value=value,
        )
        for labels, value in reading.series
        if not isinstance(value, Buckets)
    ]
    data: point.DataT
    match reading.kind:
        case "counter":
            data = point.Sum(numbers, _CUMULATIVE, is_monotonic=True)
        case "gauge":
            data = point.Gauge(numbers)
        case _:
            data = point.Histogram(
                [
                    _buckets(labels, value, began_ns, now_ns)
                    for labels, value in reading.series
                    if isinstance(value, Buckets)
                ],
                _CUMULATIVE,
            )
    unit = "s" if "_seconds" in reading.name else "1"
    return point.Metric(reading.name, reading.description, unit, data)


def _buckets(
    labels: Mapping[str, str], value: Buckets, began_ns: int, now_ns: int
) -> point.HistogramDataPoint:
    return point.HistogramDataPoint(
        attributes=dict(labels),
        start_time_unix_nano=began_ns,
        time_unix_nano=now_ns,
        count=sum(value.counts),
        sum=value.total,
        bucket_counts=list(value.counts),
        explicit_bounds=list(value.bounds),
        min=float("inf"),
        max=float("-inf"),
    )


class _Lines(logging.Handler):
    """Passes lines of the log on, without secrets, with the step that they were said in."""

    def __init__(
        self,
        provider: LoggerProvider,
        version: str,
        read: Callable[[logging.LogRecord], tuple[str, Mapping[str, object]]],
    ) -> None:
        super().__init__()
        self._logger = provider.get_logger(_SCOPE, version)
        self._read = read

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith(_OWN_LOGGERS):
            return
        try:
            message, fields = self._read(record)
            self._logger.emit(
                LogRecord(
                    timestamp=int(record.created * 1_000_000_000),
                    observed_timestamp=time.time_ns(),
                    context=_current(),
                    severity_text=record.levelname,
                    severity_number=_severity(record.levelno),
                    body=message,
                    attributes={"logger": record.name, **{k: str(v) for k, v in fields.items()}},
                )
            )
        except Exception:  # noqa: BLE001 - the contract of logging handlers
            self.handleError(record)


def _current() -> Context:
    found = read_traceparent(traceparent())
    if found is None:
        return Context()
    span = trace.NonRecordingSpan(_context(found.trace_id, found.parent_id, found))
    return trace.set_span_in_context(span, Context())


def _severity(level: int) -> SeverityNumber:
    return next((s for least, s in _SEVERITIES if level >= least), SeverityNumber.DEBUG)

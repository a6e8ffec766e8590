"""Composition of telemetry: whether collectors are told anything, by the standard's variables."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Self

from application.trace.archive import PassesSpansOn
from domain.shared.error import SettingsInvalid
from infra.contract.observability.metrics import Metrics
from infra.contract.observability.telemetry import Telemetry

_ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
_SIGNALS: Final = ("traces", "metrics", "logs")
_CONTENT: Final = frozenset({"true", "span_only", "span_and_event"})
_PROTOCOL: Final = "http/protobuf"


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryWanted:
    """What the variables say: https://opentelemetry.io/docs/specs/otel/configuration/.

    ``with_content`` is what instrumentations for generative AI call message content.
    """

    signals: frozenset[str] = frozenset()
    is_propagating: bool = False
    with_content: bool = False

    @classmethod
    def of(cls, environ: Mapping[str, str], *, export_logs: bool) -> Self:
        """Read them; nothing is wanted without an endpoint.

        Raises:
            SettingsInvalid: another protocol than the one there is.
        """
        if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
            return cls()
        signals = frozenset(
            signal
            for signal in _SIGNALS
            if (environ.get(_ENDPOINT) or environ.get(_of(signal, "ENDPOINT")))
            and environ.get(f"OTEL_{signal.upper()}_EXPORTER", "otlp") == "otlp"
            and (signal != "logs" or export_logs)
        )
        for signal in signals:
            protocol = environ.get(_of(signal, "PROTOCOL")) or environ.get(
                "OTEL_EXPORTER_OTLP_PROTOCOL", _PROTOCOL
            )
            if protocol != _PROTOCOL:
                raise SettingsInvalid(
                    f"OTEL_EXPORTER_OTLP_PROTOCOL: {signal} go by {_PROTOCOL} only; collectors "
                    "take it on port 4318."
                )
        propagators = environ.get("OTEL_PROPAGATORS", "tracecontext,baggage").split(",")
        capture = environ.get("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "")
        return cls(
            signals=signals,
            is_propagating="tracecontext" in map(str.strip, propagators),
            with_content=capture.strip().lower() in _CONTENT,
        )


def _of(signal: str, what: str) -> str:
    return f"OTEL_EXPORTER_OTLP_{signal.upper()}_{what}"


def compose_telemetry(
    *,
    wanted: TelemetryWanted,
    version: str,
    instance: str,
    metrics: Metrics,
    read: Callable[[logging.LogRecord], tuple[str, Mapping[str, object]]],
) -> Telemetry | None:
    """Return what tells collectors; None, and nothing imported, where nobody wants it.

    Raises:
        SettingsInvalid: it is wanted, and the extra is not installed.
    """
    if not wanted.signals:
        return None
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.sdk") is None:
        raise SettingsInvalid(
            f'{_ENDPOINT} is set, which needs the extra "otel": pip install "coterie[otel]".'
        )
    from application.trace import semconv
    from infra.impl.telemetry.otel import OtelTelemetry

    return OtelTelemetry(
        signals=wanted.signals,
        is_propagating=wanted.is_propagating,
        version=version,
        instance=instance,
        schema_url=semconv.SCHEMA_URL,
        metrics=metrics,
        read=read,
    )


def compose_span_export(
    telemetry: Telemetry | None, *, wanted: TelemetryWanted
) -> PassesSpansOn | None:
    """Return what passes traces on; None, and nothing imported, where nobody takes them."""
    if telemetry is None:
        return None
    from application.trace.telemetry import SpanExport

    return SpanExport(telemetry=telemetry, with_content=wanted.with_content)

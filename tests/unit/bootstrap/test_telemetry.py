"""Headers of W3C Trace Context, and the variables that switch telemetry on."""

import pytest

from bootstrap.compose.part.telemetry import TelemetryWanted
from domain.shared.error import SettingsInvalid
from domain.shared.tracing.trace_context import read_traceparent

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.mark.parametrize(("flags", "is_sampled"), [("00", False), ("01", True), ("03", True)])
def test_a_caller_is_read_and_named_again(flags: str, is_sampled: bool) -> None:
    found = read_traceparent(f"00-{TRACE}-{SPAN}-{flags}")

    assert found is not None
    assert (found.trace_id, found.parent_id, found.is_sampled) == (TRACE, SPAN, is_sampled)
    assert found.naming(SPAN) == f"00-{TRACE}-{SPAN}-0{int(is_sampled)}"


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        (f"cc-{TRACE}-{SPAN}-01-of-a-later-version", True),
        (f"00-{TRACE}-{SPAN}-01-more", False),
        (f"ff-{TRACE}-{SPAN}-01", False),
        (f"00-{'0' * 32}-{SPAN}-01", False),
        (f"00-{TRACE}-{'0' * 16}-01", False),
        (f"00-{TRACE.upper()}-{SPAN}-01", False),
        (f"00-{TRACE}-{SPAN}", False),
        ("", False),
    ],
)
def test_what_the_standard_ignores_is_ignored(text: str, is_read: bool) -> None:
    assert (read_traceparent(text) is not None) is is_read


ENDPOINT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}


@pytest.mark.parametrize(
    ("environ", "signals"),
    [
        ({}, set()),
        (ENDPOINT, {"traces", "metrics"}),
        ({**ENDPOINT, "OTEL_SDK_DISABLED": "true"}, set()),
        ({**ENDPOINT, "OTEL_METRICS_EXPORTER": "none"}, {"traces"}),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://h/v1/traces"}, {"traces"}),
    ],
)
def test_variables_of_the_standard_say_what_is_told(
    environ: dict[str, str], signals: set[str]
) -> None:
    assert TelemetryWanted.of(environ, export_logs=False).signals == signals


def test_lines_are_told_if_the_settings_say_so_too() -> None:
    assert "logs" in TelemetryWanted.of(ENDPOINT, export_logs=True).signals


def test_content_and_headers_are_told_as_their_variables_say() -> None:
    capture = {"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY"}
    usual = TelemetryWanted.of(ENDPOINT, export_logs=False)
    other = TelemetryWanted.of({**ENDPOINT, **capture, "OTEL_PROPAGATORS": "b3"}, export_logs=False)

    assert (usual.with_content, usual.is_propagating) == (False, True)
    assert (other.with_content, other.is_propagating) == (True, False)


def test_another_protocol_is_refused() -> None:
    with pytest.raises(SettingsInvalid, match="http/protobuf"):
        TelemetryWanted.of({**ENDPOINT, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, export_logs=False)

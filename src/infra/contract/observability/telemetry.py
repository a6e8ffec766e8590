"""Where other tools are told what runs did; nobody waits for it, and it fails nobody."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from domain.shared.tracing.trace_context import TraceContext
from infra.contract.lifecycle import Managed


class FinishedSpan(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A step under the names of the conventions; ids are hexadecimal digits, times Unix time.

    ``parent_id`` is empty at the top; ``is_remote``: the parent is a step of who called.
    """

    trace_id: str
    span_id: str
    parent_id: str = ""
    is_remote: bool = False
    name: str
    kind: Literal["internal", "client"]
    started_ns: int
    ended_ns: int
    status: Literal["unset", "ok", "error"]
    message: str = ""
    attributes: Mapping[str, Any]


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A histogram under its name of the conventions."""

    name: str
    unit: str
    description: str
    bounds: tuple[float, ...]


class Telemetry(Managed, Protocol):
    """Passes on to collectors."""

    @property
    def is_propagating(self) -> bool:
        """Whether those that are called are told of the trace, and callers are heard."""
        ...

    def sampled(self, trace_id: str, caller: TraceContext | None, *, name: str) -> bool:
        """Tell whether the steps of a run are wanted."""
        ...

    def export(self, make: Callable[[], Sequence[FinishedSpan]]) -> None:
        """Have the steps of a run made and sent, later and elsewhere; too many are dropped."""
        ...

    def observe(self, measure: Measure, value: float, attributes: Mapping[str, Any]) -> None:
        """Count a value."""
        ...

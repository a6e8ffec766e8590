"""Ids by which other tools know runs and their steps: W3C Trace Context, levels 1 and 2.

They follow from what is stored, so that any process, and an export weeks later, gives the same.
"""

import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

import msgspec

_TRACEPARENT: Final = re.compile(
    r"(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?"
)
_SAMPLED: Final = 1
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_US: Final = timedelta(microseconds=1)


class TraceContext(msgspec.Struct, frozen=True, kw_only=True):
    """Where a run stands in a trace; ids are hexadecimal digits, ``parent_id`` empty for none."""

    trace_id: str
    parent_id: str = ""
    is_sampled: bool = True

    def naming(self, span_id: str) -> str:
        """Return the header that names a span to whoever it calls."""
        return f"00-{self.trace_id}-{span_id}-{'01' if self.is_sampled else '00'}"


def read_traceparent(text: str) -> TraceContext | None:
    """Read a caller's header; None for one that the standard has its reader ignore."""
    found = _TRACEPARENT.fullmatch(text)
    if found is None:
        return None
    version, trace_id, parent_id, flags, more = found.groups()
    if (version == "00" and more) or not trace_id.strip("0") or not parent_id.strip("0"):
        return None
    is_sampled = bool(int(flags, 16) & _SAMPLED)
    return TraceContext(trace_id=trace_id, parent_id=parent_id, is_sampled=is_sampled)


def trace_id_of(run_id: int) -> str:
    """Return the trace of a run whose caller named none."""
    return sha256(f"trace/{run_id}".encode()).hexdigest()[:32]


def span_id_of(run_id: int, began_at: datetime, span_id: int) -> str:
    """Return the id of a step of the stretch of a run that began then."""
    began = (began_at - _EPOCH) // _US
    return sha256(f"span/{run_id}/{began}/{span_id}".encode()).hexdigest()[:16]

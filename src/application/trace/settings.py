"""Settings of traces of a deployment."""

from typing import Annotated

import msgspec

from domain.trace.value import Capture


class TraceSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much of runs is kept, how large, and for how long."""

    capture: Capture | None = None
    """Unset: the content of drafts, and of what is published everything but that."""
    field_bytes: Annotated[int, msgspec.Meta(ge=256)] = 32 * 1024
    """Longer inputs and outputs are cut, with a mark that says how much is missing."""
    bytes: Annotated[int, msgspec.Meta(ge=4096)] = 4 * 1024 * 1024
    """A trace with more loses the oldest of its large fields."""
    content_days: Annotated[int, msgspec.Meta(ge=1)] = 7
    metadata_days: Annotated[int, msgspec.Meta(ge=1)] = 90
    export_logs: bool = False
    """Where spans go by OpenTelemetry, lines of the log go there, too."""

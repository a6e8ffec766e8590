"""What tests and calls of models showed lately."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TestOutcome:
    """How the last test of a model ended; ``model`` is its key in the registry."""

    __test__ = False

    model: str
    tested_at: datetime
    is_ok: bool
    failed: tuple[str, ...] = ()
    """Names of the checks that failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFigures:
    """Attempts at one model since some moment, of all workspaces; ``model`` is its name.

    The percentile is a value that occurred (nearest rank), None of none.
    """

    model: str
    calls: int
    failed: int
    first_token_p50_ms: int | None

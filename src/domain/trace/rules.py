"""Rules of a workspace for its traces: how much is kept, and what is masked besides."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from domain.shared.aggregate import Aggregate
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId, UserId
from domain.trace.value import Capture

MOST_EXPRESSIONS: Final = 20
MOST_CHARS: Final = 500


@dataclass(kw_only=True, eq=False)
class TraceRules(Aggregate):
    """Those of one workspace, whose id is theirs; ``expressions`` are in the notation of RE2."""

    id: SpaceId
    capture: Capture | None = None
    """Unset: as the deployment says."""
    expressions: tuple[str, ...] = ()
    updated_at: datetime | None = None
    updated_by: UserId | None = None

    @property
    def subject(self) -> tuple[int, int]:
        return self.id, self.id

    def change(
        self, *, capture: Capture | None, expressions: Sequence[str], now: datetime, by: UserId
    ) -> None:
        """Replace them; raise ``InvalidRequest`` for too many or too long expressions."""
        if len(expressions) > MOST_EXPRESSIONS:
            text = f"redaction: at most {MOST_EXPRESSIONS} expressions."
            raise InvalidRequest(text, field="redaction")
        for each in expressions:
            if not 0 < len(each) <= MOST_CHARS:
                text = f"redaction: each expression has 1 to {MOST_CHARS} characters."
                raise InvalidRequest(text, field="redaction")
        self.capture = capture
        self.expressions = tuple(expressions)
        self.updated_at, self.updated_by = now, by

"""Rows that a workspace may have in all its tables together."""

from time import monotonic
from typing import Final

from cachetools import LRUCache

from domain.shared.capacity.quota import QuotaExceeded
from domain.shared.capacity.space_limits import SpaceLimitsOf, as_deployed

_TRUSTED_S: Final = 60.0
_REMEMBERED: Final = 10_000


class RowQuota:
    """Says when rows have to be counted, and whether there are too many; 0 allows any number.

    A count is trusted for a minute as long as it is far from the quota, together with what was
    added here; from half of the quota on every addition is counted, in its own transaction.
    """

    def __init__(self, most: int, limits_of: SpaceLimitsOf = as_deployed) -> None:
        self._most = most
        self._limits_of = limits_of
        self._known: LRUCache[int, tuple[int, float]] = LRUCache(_REMEMBERED)

    def must_count(self, space_id: int, adding: int) -> bool:
        """Tell whether to count once these rows are written; takes note of them otherwise."""
        most = self._most_of(space_id)
        if not most:
            return False
        known, counted_at = self._known.get(space_id, (most, 0.0))
        if 2 * (known + adding) > most or monotonic() - counted_at > _TRUSTED_S:
            return True
        self._known[space_id] = known + adding, counted_at
        return False

    def check(self, space_id: int, rows: int) -> None:
        """Raise ``QuotaExceeded`` for so many rows, the new ones included."""
        most = self._most_of(space_id)
        if most and rows > most:
            is_own = self._limits_of(space_id).rows is not None
            raised = "the limit of this workspace" if is_own else "limits.workspace_rows"
            raise QuotaExceeded(
                f"The tables of the workspace may have {most} rows together; remove some of "
                f"them, or ask the operator to raise {raised}.",
                limit="workspace_rows",
            )
        self._known[space_id] = rows, monotonic()

    def _most_of(self, space_id: int) -> int:
        own = self._limits_of(space_id).rows
        return self._most if own is None else own

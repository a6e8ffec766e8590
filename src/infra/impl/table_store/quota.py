"""Rows that a workspace may have in all its tables together."""

from time import monotonic
from typing import Final

from cachetools import LRUCache

from domain.shared.capacity.quota import QuotaExceeded

_TRUSTED_S: Final = 60.0
_REMEMBERED: Final = 10_000


class RowQuota:
    """Says when rows have to be counted, and whether there are too many; 0 allows any number.

    A count is trusted for a minute as long as it is far from the quota, together with what was
    added here; from half of the quota on every addition is counted, in its own transaction.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: LRUCache[int, tuple[int, float]] = LRUCache(_REMEMBERED)

    def must_count(self, space_id: int, adding: int) -> bool:
        """Tell whether to count once these rows are written; takes note of them otherwise."""
        if not self._most:
            return False
        known, counted_at = self._known.get(space_id, (self._most, 0.0))
        if 2 * (known + adding) > self._most or monotonic() - counted_at > _TRUSTED_S:
            return True
        self._known[space_id] = known + adding, counted_at
        return False

    def check(self, space_id: int, rows: int) -> None:
        """Raise ``QuotaExceeded`` for so many rows, the new ones included."""
        if rows > self._most:
            raise QuotaExceeded(
                f"The tables of the workspace may have {self._most} rows together; remove some of "
                "them, or ask the operator to raise limits.workspace_rows.",
                limit="workspace_rows",
            )
        self._known[space_id] = rows, monotonic()

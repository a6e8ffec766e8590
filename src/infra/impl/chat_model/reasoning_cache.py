"""What a provider wants back with the calls it made, kept between two steps of a turn."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, Final

import msgspec

_MOST_CALLS: Final = 2000
_MOST_BYTES: Final = 16 * 1024 * 1024


class ReasoningCache:
    """Opaque state by the id of the call it belongs to: signatures, reasoning, vendors' ids.

    Providers refuse or weaken a step whose earlier reasoning does not come back unchanged, and
    nobody but their adapter can read it. A turn runs in one process, so memory is enough; a step
    whose state is gone is sent without. The oldest are dropped first.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[int, Any]] = OrderedDict()
        self._bytes = 0

    def keep(self, call_ids: Iterable[str], value: Any) -> None:
        """Remember a value, which must be JSON, for each of the calls."""
        size = len(msgspec.json.encode(value))
        for call_id in call_ids:
            self._drop(call_id)
            self._kept[call_id] = (size, value)
            self._bytes += size
        while self._kept and (len(self._kept) > _MOST_CALLS or self._bytes > _MOST_BYTES):
            self._drop(next(iter(self._kept)))

    def find(self, call_id: str) -> Any:
        """Return the value of a call, or None."""
        found = self._kept.get(call_id)
        return None if found is None else found[1]

    def _drop(self, call_id: str) -> None:
        if (found := self._kept.pop(call_id, None)) is not None:
            self._bytes -= found[0]

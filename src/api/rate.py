"""How many requests a token may make: one leaky bucket for each, in this process."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from domain.shared.error import RateLimited
from domain.shared.ids import TokenId

_MINUTE_S: Final = 60.0
_TOKENS: Final = 10_000
"""Buckets remembered; a token asked for less recently than this many others starts anew."""


class TokenRates:
    """Remembers per token when its bucket will be empty (generic cell rate algorithm)."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._empty_at: OrderedDict[TokenId, float] = OrderedDict()

    def take(self, token_id: TokenId, *, per_min: int) -> None:
        """Count one request; raise ``RateLimited`` beyond ``per_min`` in any minute's burst."""
        now = self._monotonic()
        interval = _MINUTE_S / per_min
        empty_at = max(self._empty_at.get(token_id, now), now) + interval
        if empty_at - now > _MINUTE_S + interval / 2:
            raise RateLimited(
                f"This token may make {per_min} requests per minute.",
                retry_after_s=empty_at - now - _MINUTE_S,
            )
        self._empty_at[token_id] = empty_at
        self._empty_at.move_to_end(token_id)
        if len(self._empty_at) > _TOKENS:
            self._empty_at.popitem(last=False)

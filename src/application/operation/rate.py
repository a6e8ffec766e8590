"""How often one token may ask: a bucket per token, refilled steadily."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

from domain.shared.access import Principal
from domain.shared.error import RateLimited
from domain.shared.ids import TokenId
from domain.shared.limits import Limits

MAX_BUCKETS: Final = 10_000
"""The least recently used are forgotten: memory stays bounded whatever tokens come."""


class Authenticator(Protocol):
    """Turns the ``Authorization`` header into a principal."""

    async def authenticate(self, header_value: str | None, *, peer: str) -> Principal: ...


class RateLimitedAuthentication:
    """Authentication that also counts; ``requests_per_token_per_min`` 0 counts nothing."""

    def __init__(
        self,
        authentication: Authenticator,
        *,
        limits: Limits,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._authentication = authentication
        self._capacity = float(limits.requests_per_token_per_min)
        self._monotonic = monotonic
        self._buckets: OrderedDict[TokenId, tuple[float, float]] = OrderedDict()

    async def authenticate(self, header_value: str | None, *, peer: str) -> Principal:
        """Resolve the header; raise ``RateLimited`` once the token's minute is used up."""
        principal = await self._authentication.authenticate(header_value, peer=peer)
        if self._capacity:
            self._take(principal.token_id)
        return principal

    def _take(self, token_id: TokenId) -> None:
        per_s, now = self._capacity / 60, self._monotonic()
        left, since = self._buckets.get(token_id, (self._capacity, now))
        left = min(self._capacity, left + (now - since) * per_s)
        allowed = left >= 1
        self._buckets[token_id] = (left - 1 if allowed else left, now)
        self._buckets.move_to_end(token_id)
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)
        if not allowed:
            raise RateLimited(
                f"This token may ask {self._capacity:g} times a minute.",
                retry_after_s=(1 - left) / per_s,
            )

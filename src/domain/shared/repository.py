"""Port: requests that may be sent again; a key of the client's stands for what the first made."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.shared.access import TenantScope


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestKey:
    """A key and what it was sent with; ``operation`` keeps keys of different requests apart."""

    operation: str
    key: str
    digest: str


class RequestKeys(Protocol):
    """Keys of requests, each for one principal and a limited time.

    A key that stands for another request is refused with the error of the context that asks.
    """

    async def find(
        self, scope: TenantScope, request: RequestKey, *, since: datetime
    ) -> tuple[int, ...] | None:
        """Return what the key stands for, None for a new one."""
        ...

    async def claim(
        self,
        scope: TenantScope,
        request: RequestKey,
        ids: Sequence[int],
        *,
        now: datetime,
        since: datetime,
    ) -> tuple[int, ...]:
        """Bind a key to ids unless it was bound since; return the ids that it stands for.

        Others that claim the key wait until this transaction has ended.
        """
        ...

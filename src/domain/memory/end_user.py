"""End users of whom an agent or app has something."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.memory.database import Side
from domain.memory.variable import Owner
from domain.shared.access import TenantScope


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEndUser:
    """What an agent or app has of one end user on one connector, counted."""

    end_user_id: str
    connector_id: int
    variables: int
    """Values that were written."""
    memories: int
    """What is remembered, without what was replaced since."""
    conversations: int
    """Those that are not deleted."""
    last_at: datetime
    """When any of it changed last."""


class EndUserRepository(Protocol):
    """Whom agents and apps have something of."""

    async def page(
        self,
        scope: TenantScope,
        owner: Owner,
        side: Side,
        *,
        text: str,
        offset: int,
        limit: int,
    ) -> tuple[Sequence[KnownEndUser], int]:
        """Return whose name contains a text, who came last first, and how many there are.

        Apps have variables alone.
        """
        ...

"""What traces ask of others: for how long workspaces let them be kept."""

from collections.abc import Mapping
from typing import Protocol

import msgspec

from domain.shared.ids import SpaceId


class TraceRetention(msgspec.Struct, frozen=True, kw_only=True):
    """What a workspace says; None: as long as the deployment lets it.

    ``is_held``: nothing of it is removed for now, whatever its age.
    """

    content_days: int | None = None
    metadata_days: int | None = None
    is_held: bool = False


class RetentionRules(Protocol):
    """Knows what workspaces have said about how long things are kept."""

    async def of_traces(self) -> Mapping[SpaceId, TraceRetention]:
        """Return the rules of all workspaces that have any."""
        ...

"""Limits of single workspaces, in place of what the deployment allows every one."""

from collections.abc import Callable
from typing import Final

import msgspec

from domain.shared.error import InvalidRequest

_MOST: Final = 2**53 - 1
"""Numbers beyond it are not read alike by all clients."""


class SpaceLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What a workspace may have: None is what the deployment allows, 0 any number."""

    bytes: int | None = None
    """Bytes of its files and documents together."""
    files: int | None = None
    documents: int | None = None
    rows: int | None = None
    """Rows of all its databases together."""
    runs: int | None = None
    """Runs of agents, and as many of workflows, that are in progress."""
    runs_per_min: int | None = None
    """Runs of both kinds together that begin within a minute."""

    def __post_init__(self) -> None:
        """Refuse numbers that mean nothing."""
        for name, value in msgspec.structs.asdict(self).items():
            if value is not None and not 0 <= value <= _MOST:
                raise InvalidRequest(
                    f"limits.{name}: 0 to {_MOST}, or null for what the deployment allows.",
                    field=f"limits.{name}",
                )


NONE_OF_ITS_OWN: Final = SpaceLimits()
"""What most workspaces have."""

SpaceLimitsOf = Callable[[int], SpaceLimits]
"""Tells at once which limits of its own a workspace has."""


def as_deployed(_: int) -> SpaceLimits:
    """No workspace has limits of its own."""
    return NONE_OF_ITS_OWN

"""Audit log: its entries, and the chain of digests that shows whether one was changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

import msgspec

from domain.shared.ids import SpaceId, UserId

ORIGIN: Final = bytes(32)
"""What the first link is chained to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One line of the audit log; ``space_id`` 0 is the deployment, ``actor_id`` 0 the system."""

    id: int
    event_id: str
    space_id: SpaceId
    actor_id: UserId
    action: str
    resource: str
    """Type and id, as ``agent:7``."""

    result: str
    detail: str
    """JSON object with what else there is to tell."""

    log_id: str
    at: datetime
    token_id: int | None = None
    session_id: int | None = None
    address: str | None = None
    resource_name: str | None = None
    changes: str | None = None
    """JSON object: field by field, what it was and what it is; without secrets."""

    position: int | None = None
    """Place in the chain, from 1; None until it is chained, moments after the commit."""

    digest: bytes | None = None

    def digest_after(self, previous: bytes) -> bytes:
        """Return the digest of this entry as the link that follows another one."""
        told = (
            self.id,
            self.event_id,
            self.space_id,
            self.actor_id,
            self.action,
            self.resource,
            self.result,
            self.detail,
            self.log_id,
            self.at,
            self.token_id,
            self.session_id,
            self.address,
            self.resource_name,
            self.changes,
        )
        return sha256(previous + msgspec.json.encode(told)).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditQuery:
    """Which entries to show; what is None is not asked for."""

    actor_id: int | None = None
    action: str = ""
    resource_type: str = ""
    resource_id: int | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """How far the log is chained, and what was cut off its oldest end."""

    position: int = 0
    digest: bytes = ORIGIN
    """Of the newest link."""

    cut_position: int = 0
    cut_digest: bytes = ORIGIN
    """Of the newest link that was cut off; the oldest that is left follows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What examining the chain says."""

    checked: int
    unchained: int
    broken_at: int | None = None
    """Id of the first entry that is not what was chained, or of the one after a missing one."""

    is_complete: bool = True
    """Whether the newest link is the one that the chain ends with."""

    @property
    def is_intact(self) -> bool:
        return self.broken_at is None and self.is_complete


class Verifier:
    """Follows the links of a chain from its cut end."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._position, self._digest = chain.cut_position, chain.cut_digest
        self._broken_at: int | None = None
        self.checked = 0

    @property
    def position(self) -> int:
        """Place of the link that was followed last."""
        return self._position

    def follow(self, entries: Iterable[AuditEntry]) -> bool:
        """Check the next links, in the order of their places; tell whether to go on."""
        for entry in entries:
            digest = entry.digest_after(self._digest)
            if entry.position != self._position + 1 or entry.digest != digest:
                self._broken_at = entry.id
                return False
            self._position, self._digest = entry.position, digest
            self.checked += 1
        return True

    def verdict(self, *, unchained: int) -> Verdict:
        """Say what was found, once there is no further link up to the end of the chain."""
        chain = self._chain
        ends_well = (self._position, self._digest) == (chain.position, chain.digest)
        return Verdict(
            checked=self.checked,
            unchained=unchained,
            broken_at=self._broken_at,
            is_complete=self._broken_at is not None or ends_well,
        )

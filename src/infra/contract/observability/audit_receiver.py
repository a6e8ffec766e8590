"""Port: another machine that keeps what the audit log tells."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from infra.contract.lifecycle import Managed


class AuditRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the audit log, for machines."""

    at: datetime
    action: str
    is_refusal: bool
    """Somebody was refused; receivers watch for these."""
    fields: dict[str, str]
    """Who, from where, on what; without what is empty."""
    text: str
    """The whole row as JSON."""


class AuditReceiver(Managed, Protocol):
    """Takes records in their order. What a call returned from was handed to the network."""

    async def send(self, records: Sequence[AuditRecord]) -> None:
        """Send records, all of them or some; raise ``Unavailable`` if one was not sent."""
        ...

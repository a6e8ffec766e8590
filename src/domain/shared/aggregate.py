"""Base types of the domain model: aggregate root and domain event."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import uuid4

import msgspec

from domain.shared.correlation import current_log_id


class DomainEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A fact in the past tense; ``event_id`` is the consumers' deduplication key.

    The tag is the topic, dotted: ``agent.published``. Ids are integers; ``space_id`` 0 means the
    whole deployment, ``actor_id`` 0 the system itself.
    """

    occurred_at: datetime
    space_id: int
    aggregate_id: int
    actor_id: int = 0
    log_id: str = msgspec.field(default_factory=current_log_id)
    event_id: str = msgspec.field(default_factory=lambda: uuid4().hex)


@dataclass(kw_only=True, eq=False)
class Aggregate:
    """Consistency boundary: loaded, changed and saved as one, under one revision."""

    revision: int = 0
    """Optimistic lock; 0 means never saved. Only repositories change it."""

    _events: list[DomainEvent] = field(default_factory=list, init=False, repr=False)

    def record(self, event: DomainEvent) -> None:
        self._events.append(event)

    def pull_events(self) -> list[DomainEvent]:
        """Hand over the recorded events and forget them; called once, by the repository on save."""
        events, self._events = self._events, []
        return events

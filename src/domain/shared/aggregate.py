"""Base types of the domain model: aggregate root and domain event."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final
from uuid import uuid4

import msgspec

from domain.shared.tracing.correlation import current_log_id

_UNTOLD: Final = datetime.min.replace(tzinfo=UTC)


class DomainEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A fact in the past tense; ``event_id`` is the consumers' deduplication key.

    The tag is the topic, dotted: ``agent.published``. Ids are integers; ``space_id`` 0 means the
    whole deployment, ``actor_id`` 0 the system itself. What an aggregate records is complete only
    then: it says when, where and about what.
    """

    occurred_at: datetime = _UNTOLD
    space_id: int = 0
    aggregate_id: int = 0
    actor_id: int = 0
    log_id: str = msgspec.field(default_factory=current_log_id)
    event_id: str = msgspec.field(default_factory=lambda: uuid4().hex)


@dataclass(kw_only=True, eq=False)
class Aggregate:
    """Consistency boundary: loaded, changed and saved as one, under one revision."""

    id: int
    revision: int = 0
    """Optimistic lock; 0 means never saved. Only repositories change it."""

    _events: list[DomainEvent] = field(default_factory=list, init=False, repr=False)

    @property
    def subject(self) -> tuple[int, int]:
        """Workspace and aggregate that its facts are about; a part names what it belongs to."""
        return getattr(self, "space_id", 0), self.id

    def record(self, event: DomainEvent, *, at: datetime | None = None, by: int = 0) -> None:
        """Note a fact: what is special about it, ``at`` what time, ``by`` whom.

        One that is complete comes without ``at``. Raises ``TypeError`` if it is not.
        """
        if at is not None:
            space_id, aggregate_id = self.subject
            event = msgspec.structs.replace(
                event, occurred_at=at, space_id=space_id, aggregate_id=aggregate_id, actor_id=by
            )
        elif event.occurred_at == _UNTOLD:
            raise TypeError(f"{type(event).__name__} happened at no time; say when.")
        self._events.append(event)

    def pull_events(self) -> list[DomainEvent]:
        """Hand over the recorded events and forget them; called once, by the repository on save."""
        events, self._events = self._events, []
        return events

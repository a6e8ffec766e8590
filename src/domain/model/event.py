"""Facts published by the model context."""

from typing import Literal

from domain.shared.aggregate import DomainEvent

Change = Literal["created", "updated", "deleted"]


class ModelChanged(DomainEvent, frozen=True, kw_only=True, tag="model.changed"):
    """A stored entry was added, changed or removed; caches of the registry are stale."""

    name: str
    change: Change

"""Facts published by the app context."""

from domain.shared.aggregate import DomainEvent


class AppCreated(DomainEvent, frozen=True, kw_only=True, tag="app.created"):
    """A draft was made; ``source_id`` is the app it was copied from, 0 for none."""

    name: str
    source_id: int = 0


class AppUpdated(DomainEvent, frozen=True, kw_only=True, tag="app.updated"):
    """The draft changed."""

    name: str


class AppReleased(DomainEvent, frozen=True, kw_only=True, tag="app.released"):
    """A version was made and is what connectors see from now on."""

    version: str
    connector_ids: tuple[int, ...]


class AppDeleted(DomainEvent, frozen=True, kw_only=True, tag="app.deleted"):
    """The app is gone for everyone."""

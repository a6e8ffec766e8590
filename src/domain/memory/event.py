"""Facts published by the memory context; values of end users are in none of them."""

from domain.shared.aggregate import DomainEvent


class DatabaseCreated(DomainEvent, frozen=True, kw_only=True, tag="database.created"):
    """A table was made."""

    name: str


class DatabaseAltered(DomainEvent, frozen=True, kw_only=True, tag="database.altered"):
    """Name, fields or row mode of a table changed."""

    name: str


class DatabaseDeleted(DomainEvent, frozen=True, kw_only=True, tag="database.deleted"):
    """A table is gone, with all of its rows."""


class ImportRequested(DomainEvent, frozen=True, kw_only=True, tag="database.import_requested"):
    """A file waits to become rows."""

    import_id: int


class VariablesChanged(DomainEvent, frozen=True, kw_only=True, tag="variable.changed"):
    """Variables of an end user were written or reset; ``aggregate_id`` is the agent or app."""

    keywords: tuple[str, ...]

"""The end of a workspace: what the audit log of the deployment keeps of it."""

from domain.shared.aggregate import DomainEvent


class SpacePurged(DomainEvent, frozen=True, kw_only=True, tag="space.purged"):
    """Nothing is left of a workspace that was deleted, and nobody can bring it back."""

    name: str
    rows: int
    objects: int

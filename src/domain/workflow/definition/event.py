"""Facts about workflow definitions."""

from domain.shared.aggregate import DomainEvent


class WorkflowCreated(DomainEvent, frozen=True, kw_only=True, tag="workflow.created"):
    """A draft was made: from nothing, by import, or as a copy of ``source_id``."""

    name: str
    source_id: int = 0


class WorkflowUpdated(DomainEvent, frozen=True, kw_only=True, tag="workflow.updated"):
    """The draft changed: its canvas, its name, or what belongs to it."""

    name: str


class WorkflowPublished(DomainEvent, frozen=True, kw_only=True, tag="workflow.published"):
    """A version was made; it is what runs from now on."""

    version: str


class WorkflowDeleted(DomainEvent, frozen=True, kw_only=True, tag="workflow.deleted"):
    """The workflow is gone for everyone; runs under way end by themselves."""


WorkflowDefinitionEvent = WorkflowCreated | WorkflowUpdated | WorkflowPublished | WorkflowDeleted

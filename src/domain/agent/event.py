"""Facts published by the agent context."""

from domain.shared.aggregate import DomainEvent


class AgentCreated(DomainEvent, frozen=True, kw_only=True, tag="agent.created"):
    """A draft was made."""

    name: str


class AgentDuplicated(DomainEvent, frozen=True, kw_only=True, tag="agent.duplicated"):
    """A draft was made from the draft of another agent."""

    source_id: int
    name: str


class AgentUpdated(DomainEvent, frozen=True, kw_only=True, tag="agent.updated"):
    """The draft changed."""

    name: str


class AgentPublished(DomainEvent, frozen=True, kw_only=True, tag="agent.published"):
    """A version became the active one on these connectors."""

    version: str
    connector_ids: tuple[int, ...]


class AgentUnpublished(DomainEvent, frozen=True, kw_only=True, tag="agent.unpublished"):
    """The agent no longer answers on this connector."""

    connector_id: int
    reason: str


class AgentDeleted(DomainEvent, frozen=True, kw_only=True, tag="agent.deleted"):
    """The agent is gone for everyone."""


class AgentRestored(DomainEvent, frozen=True, kw_only=True, tag="agent.restored"):
    """A deleted agent is back."""

    name: str


AgentEvent = (
    AgentCreated
    | AgentDuplicated
    | AgentUpdated
    | AgentPublished
    | AgentUnpublished
    | AgentDeleted
    | AgentRestored
)

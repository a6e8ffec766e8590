"""Facts published by the prompt library."""

from domain.shared.aggregate import DomainEvent


class PromptCreated(DomainEvent, frozen=True, kw_only=True, tag="prompt.created"):
    """A prompt entered the library of a space."""

    name: str


class PromptChanged(DomainEvent, frozen=True, kw_only=True, tag="prompt.changed"):
    """A prompt has another name or text."""

    name: str


class PromptDeleted(DomainEvent, frozen=True, kw_only=True, tag="prompt.deleted"):
    """A prompt left the library; who copied its text keeps the copy."""

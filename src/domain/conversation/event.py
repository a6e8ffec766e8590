"""Facts published by the conversation context; ``aggregate_id`` is the conversation or the run."""

from domain.conversation.value import FeedbackKind
from domain.shared.aggregate import DomainEvent


class ConversationCreated(DomainEvent, frozen=True, kw_only=True, tag="conversation.created"):
    """A conversation was opened."""

    agent_id: int | None


class ConversationRenamed(DomainEvent, frozen=True, kw_only=True, tag="conversation.renamed"):
    """Its owner gave it another name."""


class SectionChanged(DomainEvent, frozen=True, kw_only=True, tag="conversation.section_changed"):
    """The context was cleared: later runs do not see earlier messages."""

    section_id: int


class ConversationDeleted(DomainEvent, frozen=True, kw_only=True, tag="conversation.deleted"):
    """The conversation is gone for its owner; its content is purged later."""


class RunCreated(DomainEvent, frozen=True, kw_only=True, tag="run.created"):
    """A run and its question are stored."""

    conversation_id: int
    agent_id: int


class RunStarted(DomainEvent, frozen=True, kw_only=True, tag="run.started"):
    """An executor took the run."""

    conversation_id: int
    attempt: int


class RunSuspended(DomainEvent, frozen=True, kw_only=True, tag="run.suspended"):
    """The run waits for the user."""

    conversation_id: int
    agent_id: int
    question_id: str


class RunCompleted(DomainEvent, frozen=True, kw_only=True, tag="run.completed"):
    """The run ended well."""

    conversation_id: int
    agent_id: int
    total_tokens: int


class RunFailed(DomainEvent, frozen=True, kw_only=True, tag="run.failed"):
    """The run ended with an error."""

    conversation_id: int
    agent_id: int
    error_code: int
    error: str


class RunCanceled(DomainEvent, frozen=True, kw_only=True, tag="run.canceled"):
    """The run was stopped."""

    conversation_id: int
    agent_id: int
    reason: str


class RunAnswered(DomainEvent, frozen=True, kw_only=True, tag="run.answered"):
    """An agent that remembers gave its answer; ``actor_id`` is the account that asked.

    ``conversation_space_id`` is where the messages are. The rest is how the agent remembers:
    ``rounds`` is what its context holds, ``model`` does the work.
    """

    conversation_id: int
    conversation_space_id: int
    section_id: int
    agent_id: int
    rounds: int
    model: str
    summary: bool
    long_term: bool


class MessageCreated(DomainEvent, frozen=True, kw_only=True, tag="message.created"):
    """A client added a message outside any run; ``aggregate_id`` is the conversation."""

    message_id: int


class MessageDeleted(DomainEvent, frozen=True, kw_only=True, tag="message.deleted"):
    """A message was removed; ``aggregate_id`` is the conversation."""

    message_id: int


class FeedbackRecorded(DomainEvent, frozen=True, kw_only=True, tag="feedback.recorded"):
    """Somebody rated an answer; ``aggregate_id`` is the conversation."""

    message_id: int
    verdict: FeedbackKind

"""Refusals of the agent context."""

from domain.shared.error import AppError, Conflict, ErrorKind, InvalidRequest, NotFound


class AgentNotFound(NotFound):
    """No such agent, or it lives in a space the caller cannot see."""


class AgentNotPublished(NotFound):
    """The agent has no such version, or none is active on that connector."""


class ToolNotFound(NotFound):
    """An agent refers to a plugin, tool or workflow that does not exist in its space."""


class MemberNotFound(NotFound):
    """An agent works with another one that does not exist in its space."""


class TeamCycle(InvalidRequest):
    """Agents that work with each other would come back to the first one."""


class KnowledgeNotFound(NotFound):
    """An agent refers to a dataset that does not exist in its space."""


class RequestKeyReused(InvalidRequest):
    """The idempotency key belongs to another request."""


class TemplateNotFound(NotFound):
    """This agent is not offered as a template."""


class ShortcutNotFound(NotFound):
    """The agent has no such shortcut."""


class ShortcutIncomplete(InvalidRequest):
    """A shortcut was chosen without a value that its tool needs."""


class AgentInvalid(InvalidRequest):
    """A name, text or setting breaks a rule; the message starts with the field."""


class AgentNotPublishable(InvalidRequest):
    """The check before publishing found errors; the message lists them."""


class NothingReplaced(Conflict):
    """There is no draft that a restored version replaced, or it was edited since."""


class AliasTaken(Conflict):
    """Another agent of the space has this alias."""


class WorkflowFailed(AppError):
    """The workflow that answers failed; ``workflow_code`` is its own number for the cause."""

    code, kind = 5000, ErrorKind.UPSTREAM


class ToolArgumentsInvalid(AppError):
    """The model does not write arguments that follow the schema of a strict tool."""

    code, kind = 5001, ErrorKind.UPSTREAM


class ResponseFormatFailed(AppError):
    """The model does not give the JSON that the request asks for."""

    code, kind = 5001, ErrorKind.UPSTREAM


class ContextTooLong(InvalidRequest):
    """The question does not fit into the model's context window, whatever history is left out."""


class PromptTooLong(InvalidRequest):
    """The agent's own instructions do not fit into the model's context window."""

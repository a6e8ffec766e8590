"""Refusals of the conversation context."""

from domain.shared.error import (
    AppError,
    Conflict,
    ErrorKind,
    Forbidden,
    InvalidRequest,
    NotFound,
)


class ConversationNotFound(NotFound):
    """No such conversation, or it belongs to somebody else."""


class MessageNotFound(NotFound):
    """No such message in this conversation."""


class NameTaken(Conflict):
    """Another conversation of the same application or agent and person has this name."""


class RunNotFound(NotFound):
    """No such run, or it belongs to somebody else or to another conversation."""


class ResponseNotFound(NotFound):
    """No such response, or it belongs to somebody else, was deleted or has expired."""


class PreviousResponseNotFound(NotFound):
    """The response to go on from is not there, or was never stored."""


class ResponseNotBackground(InvalidRequest):
    """Only responses made in the background can be cancelled."""


class ConversationBusy(AppError):
    """The conversation has a run that is not finished; wait for it or cancel it."""

    code, kind = 4016, ErrorKind.CONFLICT


class RunNotCancelable(AppError):
    """The run is over, or waits for the client."""

    code, kind = 4104, ErrorKind.CONFLICT


class RunNotWaiting(AppError):
    """The run waits for no outputs, or for those of other calls."""

    code, kind = 4105, ErrorKind.CONFLICT


class MissingToolOutputs(InvalidRequest):
    """Calls that the client was asked for have no output in its request."""


class InvalidToolCallId(InvalidRequest):
    """An output of a tool belongs to no call, or to one that has another output."""


class ToolOutputsConflict(Conflict):
    """The run goes on with other outputs already."""


class ClientToolsNotAllowed(Forbidden):
    """The agent takes no tools of the client."""


class ResponseFormatUnsupported(InvalidRequest):
    """A workflow answers, which cannot be asked for another form."""


class RunAlreadySettled(Conflict):
    """The run reached another state meanwhile; terminal states never change."""


class NothingToAnswer(InvalidRequest):
    """Neither the request nor the section holds a question without an answer."""


class RunNotRepeatable(InvalidRequest):
    """Only the last finished run of the current section can be redone."""


class IdempotencyKeyReused(InvalidRequest):
    """The key was used for a different request."""


class MessageNotEditable(InvalidRequest):
    """Only questions and answers can be changed, rated or deleted."""

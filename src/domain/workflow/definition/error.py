"""Refusals about workflow definitions; finer codes are those of Coze Studio."""

from domain.shared.error import Conflict, ErrorKind, InvalidRequest, NotFound


class WorkflowNotFound(NotFound):
    """No such workflow, or it lives in a space the caller cannot see."""

    code, kind = 720702004, ErrorKind.NOT_FOUND


class WorkflowNotPublished(NotFound):
    """The workflow has no such version, or none at all."""

    code, kind = 720702011, ErrorKind.NOT_FOUND


class SavedInputNotFound(NotFound):
    """The workflow has no such saved input, or it is somebody else's and not shared."""


class WorkflowInvalid(InvalidRequest):
    """A name, text or setting breaks a rule; the message starts with the field."""


class CanvasUnreadable(InvalidRequest):
    """The text is no canvas at all, so there is nothing to store; the message tells why."""


class WorkflowNotPublishable(InvalidRequest):
    """The check found errors, or no test run has passed; the message lists what to do."""


class TooManySavedInputs(Conflict):
    """Somebody keeps as many inputs of the workflow as one person may."""


class WorkflowInUse(Conflict):
    """Others call the workflow; take it out of them first."""

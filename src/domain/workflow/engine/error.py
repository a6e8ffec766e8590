"""What goes wrong while a workflow runs; ``internal_code`` as in records."""

from collections.abc import Mapping
from typing import ClassVar, Final

from domain.shared.error import AppError, ErrorKind
from domain.workflow.error import WorkflowFailure

_EXTERNAL: Final[Mapping[int, int]] = {
    720702001: 4000,
    720702002: 4000,
    720712014: 4000,
    720702011: 6031,
    720702078: 6039,
    720702085: 6023,
    720700801: 5000,
}


_WRONG_PARAMETER: Final = 4000


class NodeTimeout(WorkflowFailure):
    """The node and all its attempts took too long."""

    code, kind = 777777776, ErrorKind.TIMEOUT
    internal_code = 777777776


class RunTimeout(WorkflowFailure):
    """The run took longer than the deployment allows."""

    code, kind = 6023, ErrorKind.TIMEOUT
    internal_code = 720702085


class RecursionLimit(WorkflowFailure):
    """Composites, children and tools are nested too deeply."""

    code, kind = 720799001, ErrorKind.INVALID
    internal_code = 720799001


class NodeBudgetExceeded(WorkflowFailure):
    """The run executes more nodes than the deployment allows."""

    code, kind = 720799002, ErrorKind.INVALID
    internal_code = 720799002


class NotStorable(WorkflowFailure):
    """A value has no form in which it could be stored; the message says why."""

    code, kind = 5000, ErrorKind.INTERNAL
    internal_code = 720700801


class JournalClosed(WorkflowFailure):
    """This worker can store nothing more of the run, so it stops working on it."""


class LeaseLost(JournalClosed):
    """Another worker took the run over, or will; this one must not write any more."""

    code, kind = 720799003, ErrorKind.CONFLICT
    internal_code = 720799003


class RunNotRecorded(JournalClosed):
    """The storage refuses what the run did, now and later; the message names the cause."""

    code, kind = 5000, ErrorKind.INTERNAL
    internal_code = 720700801


class ResumedTwice(WorkflowFailure):
    """The event was answered already."""

    code, kind = 720799004, ErrorKind.CONFLICT
    internal_code = 720799004


class InvalidResume(WorkflowFailure):
    """The answer is for no open event, or has no usable form."""

    code, kind = 4000, ErrorKind.INVALID
    internal_code = 720702001


class InterruptInSyncRun(WorkflowFailure):
    """A run that nobody can answer asks for input."""

    code, kind = 6039, ErrorKind.INVALID
    internal_code = 720702078


class SandboxLimit(WorkflowFailure):
    """The code used up its memory, time or output."""

    code, kind = 720799006, ErrorKind.INVALID
    internal_code = 720799006


class CodeFailed(WorkflowFailure):
    """The code of the user raised, or is no code."""

    code, kind = 305000002, ErrorKind.INVALID
    internal_code = 305000002


class MissingInput(WorkflowFailure):
    """A value that must not be skipped was skipped, or is missing."""

    code, kind = 777777763, ErrorKind.INVALID
    internal_code = 777777763


class VariableFailed(WorkflowFailure):
    """The variable service refused."""

    code, kind = 777777764, ErrorKind.UPSTREAM
    internal_code = 777777764


class ToolNotFound(WorkflowFailure):
    """The plugin has no such tool."""

    code, kind = 777777766, ErrorKind.NOT_FOUND
    internal_code = 777777766


class PluginNotFound(WorkflowFailure):
    """There is no such plugin."""

    code, kind = 777777768, ErrorKind.NOT_FOUND
    internal_code = 777777768


class PluginFailed(WorkflowFailure):
    """The tool answered with an error."""

    code, kind = 720701004, ErrorKind.UPSTREAM
    internal_code = 720701004


class NoOptions(WorkflowFailure):
    """The list of options of a question is empty."""

    code, kind = 720712049, ErrorKind.INVALID
    internal_code = 720712049


class NotInApplication(WorkflowFailure):
    """The node needs an application around the run."""

    code, kind = 702093204, ErrorKind.INVALID
    internal_code = 702093204


class OnlyDefaultConversation(WorkflowFailure):
    """In an agent, only the conversation ``Default`` can be used."""

    code, kind = 720712033, ErrorKind.INVALID
    internal_code = 720712033


class ConversationMissing(WorkflowFailure):
    """There is no conversation of this name."""

    code, kind = 720702201, ErrorKind.NOT_FOUND
    internal_code = 720702201


class ConversationFixed(WorkflowFailure):
    """Conversations that the application defines cannot be changed."""

    code, kind = 720702250, ErrorKind.CONFLICT
    internal_code = 720702250


class WorkflowMissing(WorkflowFailure):
    """There is no such workflow, or no such version."""

    code, kind = 720702004, ErrorKind.NOT_FOUND
    internal_code = 720702004


class WrongOperand(WorkflowFailure):
    """A selector compares values that cannot be compared."""


class ModelReplyInvalid(WorkflowFailure):
    """The model did not answer in the form it was told to."""


class NodeFailed(WorkflowFailure):
    """A node failed and nothing handled it; the message names the node and the cause."""

    internal_code: ClassVar[int] = 720701013


def internal_code_of(error: BaseException) -> int:
    """Number of an error in records; failures of other parts are execution failures."""
    return error.internal_code if isinstance(error, WorkflowFailure) else NodeFailed.internal_code


def external_code_of(internal: int, *, is_callers: bool = False) -> int:
    """Number that clients see for an internal one.

    Only what the caller sent is a wrong parameter; the same inside of a run is the run's failure.
    """
    found = _EXTERNAL.get(internal, internal)
    return internal if found == _WRONG_PARAMETER and not is_callers else found


def message_of(error: BaseException) -> str:
    """Text of an error that may be shown; defects keep theirs for the log."""
    if isinstance(error, AppError):
        return error.message
    return "The node failed for an internal reason."

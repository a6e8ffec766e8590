"""How a run ends, and what that means for its row."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from application.run.registry import Stop
from domain.conversation.run import Run
from domain.conversation.value import CancelReason, RunError, RunStatus, WaitingFor
from domain.shared.chat import Usage
from domain.shared.error import AppError

INTERRUPTED: Final = RunError(
    code=5000,
    slug="run_interrupted",
    message="The server was interrupted while it answered; ask again.",
)
_SHUTDOWN: Final = RunError(
    code=5002,
    slug="server_shutdown",
    message="The server was shut down while it answered; ask again.",
)
_TIMED_OUT: Final = RunError(
    code=5000, slug="run_timeout", message="The run took longer than it may take."
)
ACCOUNT_DISABLED: Final = RunError(
    code=4100,
    slug="account_disabled",
    message="The account that asked was disabled; its runs were stopped.",
)
EXPIRED: Final = RunError(
    code=5000, slug="interrupt_expired", message="No answer came in time; ask again."
)
_DEFECT: Final = RunError(
    code=5000, slug="internal_error", message="The run failed by a defect of the server."
)
NOT_STORED: Final = RunError(
    code=5002, slug="unavailable", message="The answer could not be stored; ask again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """The agent finished."""

    finish_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspended:
    """A question or calls are open; an answer goes on from there, if it comes in time."""

    waits_for: WaitingFor
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """Something failed; what was answered so far stays."""

    error: RunError


@dataclass(frozen=True, slots=True, kw_only=True)
class Canceled:
    """Somebody stopped it."""

    reason: CancelReason


@dataclass(frozen=True, slots=True)
class Lost:
    """Somebody else settled the run, so nothing more is to be written."""


Settled = Completed | Suspended | Failed | Canceled
Ending = Completed | Suspended | Failed | Canceled | Lost


def ending_of_stop(stop: Stop | None) -> Ending:
    """Translate the reason of an interruption; None means that the process itself is ending."""
    match stop:
        case Stop.SHUTDOWN | None:
            return Failed(error=_SHUTDOWN)
        case Stop.TIMED_OUT:
            return Failed(error=_TIMED_OUT)
        case Stop.ACCOUNT_DISABLED:
            return Failed(error=ACCOUNT_DISABLED)
        case Stop.LEASE_LOST:
            return Lost()
        case _:
            return Canceled(reason=CancelReason(stop.value))


def ending_of_error(error: Exception) -> Failed:
    """Translate an error; defects are not explained to the user."""
    if isinstance(error, AppError):
        return Failed(error=RunError(code=error.code, slug=error.slug, message=error.message))
    return Failed(error=_DEFECT)


def is_over(run: Run) -> bool:
    """Tell whether nobody works on the run, for now or for ever."""
    return run.is_terminal or run.status is RunStatus.REQUIRES_ACTION


def has_same_end(one: Run, other: Run) -> bool:
    """Tell whether two states of a run are from the same end: nothing else is as of that moment."""
    return _end(one) == _end(other)


def _end(run: Run) -> tuple[object, ...]:
    ended_at = (run.completed_at, run.failed_at, run.canceled_at)
    return (run.status, *ended_at, run.waits_for, run.lease_until if run.waits_for else None)


def settled(run: Run, ending: Settled, usage: Usage, now: datetime) -> Run:
    """Return a copy of the run in the state that it ends or waits in."""
    run = replace(run)  # the original stays, in case the copy cannot be stored
    match ending:
        case Completed(finish_reason=finish_reason):
            run.complete(now=now, usage=usage, finish_reason=finish_reason)
        case Suspended(waits_for=waits_for, until=until):
            run.suspend(waits_for, now=now, usage=usage, until=until)
        case Failed(error=error):
            run.fail(error, now=now, usage=usage)
        case Canceled(reason=reason):
            run.cancel(reason, now=now, usage=usage)
    return run

"""Errors by code: whatever the server refuses, a run ends with, or breaks on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from coterie_client._generated.models import AdminDocument, EventRun, EventToolCall
    from coterie_client.results import WorkflowRun

_LONGEST_WAIT_S: Final = 60.0
_FIELD: Final = re.compile(r"([a-z_][\w.\[\]]*): ", re.IGNORECASE)
_PERMISSION: Final = re.compile(r"permission ([a-z_.]+)")
_SERVER_ERROR: Final = 500
_TRANSIENT: Final = frozenset({408, 429, 500, 502, 503, 504})


class CoterieError(Exception):
    """Whatever goes wrong.

    ``code`` is the server's number (see its page of errors; 0 if it did not answer), ``status`` the
    HTTP status (0 likewise), ``log_id`` what to quote to the operator, ``detail`` the stable name
    of the failure, ``retryable`` whether the same request may succeed later.
    """

    def __init__(
        self,
        message: str,
        *,
        code: int = 0,
        status: int = 0,
        log_id: str = "",
        detail: str = "",
        retryable: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.log_id = log_id
        self.detail = detail
        self.retryable = retryable
        self.retry_after = retry_after

    def __str__(self) -> str:
        quoted = f" (log id {self.log_id})" if self.log_id else ""
        return f"{self.message}{quoted}"


class BadRequest(CoterieError):
    """400: a parameter is missing or malformed."""

    @property
    def field(self) -> str | None:
        """Return the path of the field that is wrong, if the server named one."""
        found = _FIELD.match(self.message)
        return found[1] if found else None


class Unauthorized(CoterieError):
    """401: no token, or one that is unknown, expired or revoked."""


class Forbidden(CoterieError):
    """403: the token or the role does not allow this."""

    @property
    def permission(self) -> str | None:
        """Return the permission that is missing, if the server named one."""
        found = _PERMISSION.search(self.message)
        return found[1] if found else None


class NotFound(CoterieError):
    """404: it does not exist, or not for this token."""


class Conflict(CoterieError):
    """409: the state of the resource does not allow this."""


class ConversationBusy(Conflict):
    """The conversation already has a running chat."""


class NotCancelable(Conflict):
    """The run cannot be cancelled any more."""


class NotWaiting(Conflict):
    """The run does not wait for these outputs."""


class Stale(Conflict):
    """Somebody saved the resource meanwhile: read it again, repeat the change."""


class GateRefused(Conflict):
    """A check that guards this step did not pass."""


class TooLarge(CoterieError):
    """413: a body, file or text above its limit."""


class RateLimited(CoterieError):
    """429: a rate, quota or concurrency limit is used up; ``retry_after`` in seconds."""


class BudgetExceeded(CoterieError):
    """402: the budget is used up; ``resets_at`` in Unix seconds, if it does."""

    resets_at: int | None = None


class ServerError(CoterieError):
    """500: a defect, or a run that failed by itself."""


class ProviderError(ServerError):
    """502: the model provider failed."""


class Unavailable(ServerError):
    """503: storage does not answer, or the process is shutting down."""


class NotImplementedHere(ServerError):
    """501: the operation is known but not part of this deployment."""


class TimedOut(ServerError):
    """504: it took longer than its limit."""


class ConnectionFailed(CoterieError):
    """The server could not be reached, or the connection broke before an answer."""


class StreamBroken(ConnectionFailed):
    """A stream broke and could not be resumed; the run itself goes on."""

    def __init__(self, message: str, *, run_id: str, last_seq: int) -> None:
        super().__init__(message, retryable=True)
        self.run_id = run_id
        self.last_seq = last_seq


class WaitTimeout(CoterieError):
    """What was waited for did not come in time; it goes on."""


class DecodeFailed(CoterieError):
    """The server answered something that this version does not understand."""


class RunFailed(CoterieError):
    """The run ended with an error."""

    def __init__(self, run: EventRun, message: str, *, code: int = 0, detail: str = "") -> None:
        super().__init__(message, code=code, detail=detail)
        self.run = run


class RunCanceled(CoterieError):
    """The run was cancelled."""

    def __init__(self, run: EventRun) -> None:
        super().__init__("The run was cancelled.")
        self.run = run


class RequiresAction(CoterieError):
    """The run waits: for the outputs of ``calls``, or for an answer of the user.

    Outputs are handed in under ``output_ids``, in the order of the calls.
    """

    def __init__(self, run: EventRun) -> None:
        waits = run.waits_for
        self.calls: Sequence[EventToolCall] = waits.calls if waits else ()
        self.output_ids: Sequence[str] = waits.output_ids if waits else ()
        names = ", ".join(call.name for call in self.calls)
        super().__init__(f"The run waits for {names or 'an answer'}.")
        self.run = run


class WorkflowFailed(CoterieError):
    """The run of a workflow ended with an error, or was cancelled."""

    def __init__(self, run: WorkflowRun, message: str, *, code: int = 0) -> None:
        super().__init__(message, code=code)
        self.run = run


class DocumentFailed(CoterieError):
    """A document could not be read or indexed; the message says why."""

    def __init__(self, document: AdminDocument) -> None:
        super().__init__(f"{document.name}: {document.fail_reason}")
        self.document = document


_BY_CODE: Final[Mapping[int, type[CoterieError]]] = {
    4013: RateLimited,
    4016: ConversationBusy,
    4028: BudgetExceeded,
    4104: NotCancelable,
    4105: NotWaiting,
    4106: Stale,
    4107: GateRefused,
    4201: NotImplementedHere,
    5001: ProviderError,
    5002: Unavailable,
    6023: TimedOut,
}
_BY_STATUS: Final[Mapping[int, type[CoterieError]]] = {
    400: BadRequest,
    401: Unauthorized,
    402: BudgetExceeded,
    403: Forbidden,
    404: NotFound,
    408: TimedOut,
    409: Conflict,
    413: TooLarge,
    429: RateLimited,
    501: NotImplementedHere,
    502: ProviderError,
    503: Unavailable,
    504: TimedOut,
}


class _Body(msgspec.Struct):
    """What both shapes of error bodies have of interest."""

    code: int = 0
    msg: str = ""
    detail: dict[str, Any] = {}
    error: dict[str, Any] = {}


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> CoterieError:
    """Return the error that an answer stands for."""
    try:
        said = msgspec.json.decode(body, type=_Body)
    except msgspec.DecodeError:
        said = _Body()
    known = _BY_CODE.get(said.code) or _BY_STATUS.get(status)
    if known is None:
        known = ServerError if status >= _SERVER_ERROR else CoterieError
    message = said.msg or said.error.get("message") or f"The server answered {status}."
    param = said.error.get("param")
    if param and not message.startswith(param):
        message = f"{param}: {message}"
    return known(
        message,
        code=said.code,
        status=status,
        log_id=said.detail.get("logid") or headers.get("x-tt-logid", ""),
        detail=str(said.error.get("detail") or said.error.get("code") or ""),
        retryable=status in _TRANSIENT and headers.get("x-should-retry") != "false",
        retry_after=_seconds(headers.get("retry-after")),
    )


def error_of_stream(body: bytes) -> CoterieError:
    """Return the error that ends a stream which had begun."""
    return error_of(0, {}, body)


def _seconds(retry_after: str | None, *, now: Callable[[], datetime] | None = None) -> float | None:
    """Read ``Retry-After``: seconds, or a date."""
    if retry_after is None:
        return None
    try:
        wait = float(retry_after)
    except ValueError:
        try:
            until = parsedate_to_datetime(retry_after)
        except ValueError:
            return None
        wait = (until - (now or _utc)()).total_seconds()
    return min(max(wait, 0.0), _LONGEST_WAIT_S)


def _utc() -> datetime:
    return datetime.now(UTC)

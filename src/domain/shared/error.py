"""Root of every error raised on purpose, in any layer."""

import re
from enum import StrEnum
from typing import ClassVar


class ErrorKind(StrEnum):
    """What went wrong, as the caller sees it; the API maps each kind to one HTTP status."""

    INVALID = "invalid"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    TOO_LARGE = "too_large"
    RATE_LIMITED = "rate_limited"
    EXHAUSTED = "exhausted"
    UPSTREAM = "upstream"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    UNSUPPORTED = "unsupported"
    INTERNAL = "internal"


class AppError(Exception):
    """A failure with a stable wire code, a message safe to show, and structured context for logs.

    ``code`` is the number of the Coze wire (see ``docs/errors.md``); ``slug`` names the failure
    more finely. The technical cause travels as ``__cause__``: ``raise SomeError(...) from exc``.
    """

    code: ClassVar[int]
    kind: ClassVar[ErrorKind]

    def __init__(
        self, message: str, *, retry_after_s: float | None = None, **context: object
    ) -> None:
        super().__init__(message)
        self.message = message
        self.retry_after_s = retry_after_s
        self.context = context

    @property
    def slug(self) -> str:
        """Stable machine name: the class name in snake case, for instance ``agent_not_found``."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()


class InvalidRequest(AppError):
    """A parameter is missing or malformed; the message names the field."""

    code, kind = 4000, ErrorKind.INVALID


class RequestTooLarge(AppError):
    """A body, file or text exceeds its limit."""

    code, kind = 4000, ErrorKind.TOO_LARGE


class Unauthenticated(AppError):
    """No credential, or one that is unknown, expired or revoked."""

    code, kind = 4100, ErrorKind.UNAUTHENTICATED


class Forbidden(AppError):
    """The principal sees the resource but may not do this."""

    code, kind = 4101, ErrorKind.FORBIDDEN


class RecentSignInNeeded(Forbidden):
    """The sign-in is too old for this; confirm it with ``POST /admin/v1/auth/step-up``."""


class NotFound(AppError):
    """The resource does not exist or belongs to a space the principal cannot see."""

    code, kind = 4200, ErrorKind.NOT_FOUND


class Conflict(AppError):
    """The state of the resource does not allow the request."""

    code, kind = 4106, ErrorKind.CONFLICT


class StaleRevision(Conflict):
    """Someone saved the resource since it was read; read it again and repeat the change."""


class RateLimited(AppError):
    """A rate or quota is used up; ``retry_after_s`` says when to come back."""

    code, kind = 4013, ErrorKind.RATE_LIMITED


class Unavailable(AppError):
    """A part of the server (storage, broker, index) does not answer."""

    code, kind = 5002, ErrorKind.UNAVAILABLE


class Overloaded(Unavailable):
    """The process cannot keep up; it takes less until it can."""


class ShuttingDown(Unavailable):
    """The process drains; another one takes new work."""


class NotSupported(AppError):
    """The endpoint is known but this deployment does not implement it."""

    code, kind = 4201, ErrorKind.UNSUPPORTED


class InternalError(AppError):
    """A defect; the cause is in the log, not in the message."""

    code, kind = 5000, ErrorKind.INTERNAL


class SettingsInvalid(AppError):
    """The configuration cannot be used; the message names the key and its source."""

    code, kind = 4000, ErrorKind.INVALID

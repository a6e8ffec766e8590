"""Errors of data rights."""

from domain.shared.error import AppError, Conflict, ErrorKind, InvalidRequest, NotFound


class DataRequestNotFound(NotFound):
    """No such request in a workspace that the caller may see."""


class ArchiveGone(NotFound):
    """The request has no file: it is not done yet, it deleted, its time is over, or it is lost."""


class TooManyDataRequests(Conflict):
    """The workspace has as many requests under way as it may."""


class LegallyHeld(AppError):
    """Nothing of the workspace may be removed for now, not even for somebody who asks for it."""

    code, kind = 4108, ErrorKind.CONFLICT


class SubjectInvalid(InvalidRequest):
    """Nobody can have this name or number."""


class RetentionInvalid(InvalidRequest):
    """A workspace cannot keep things for so long, or so shortly."""

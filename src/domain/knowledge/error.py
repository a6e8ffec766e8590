"""Refusals of the knowledge context; codes are those of the Coze wire."""

from typing import Final, assert_never

from domain.shared.error import (
    AppError,
    Conflict,
    ErrorKind,
    InternalError,
    InvalidRequest,
    NotFound,
    RateLimited,
    RequestTooLarge,
    StaleRevision,
)


class KnowledgeInvalid(InvalidRequest):
    """A parameter is missing or malformed; the message names it."""

    code, kind = 105000000, ErrorKind.INVALID


class RequestKeyReused(InvalidRequest):
    """The idempotency key belongs to another request."""

    code, kind = 105000000, ErrorKind.INVALID


class DatasetNameTaken(Conflict):
    """Another knowledge base of the space has this name."""

    code, kind = 105000010, ErrorKind.CONFLICT


class DatasetNotFound(NotFound):
    """No such knowledge base, or one of a space the caller cannot see."""

    code, kind = 105000011, ErrorKind.NOT_FOUND


class DocumentNotFound(NotFound):
    """No such document, or one of a space the caller cannot see."""

    code, kind = 105000012, ErrorKind.NOT_FOUND


class TaskNotFound(NotFound):
    """No such task, or not the caller's."""

    code, kind = 105000012, ErrorKind.NOT_FOUND


class ResegmentRefused(Conflict):
    """The document is being indexed; wait, or force it."""

    code, kind = 105000015, ErrorKind.CONFLICT


class ContentTooLarge(RequestTooLarge):
    """A file, text or slice exceeds its limit."""

    code, kind = 105000017, ErrorKind.TOO_LARGE


class DocumentNotReady(Conflict):
    """The document has nothing searchable yet."""

    code, kind = 105000018, ErrorKind.CONFLICT


class PreviewNotFound(NotFound):
    """No such preview, one of a space the caller cannot see, or it expired."""

    code, kind = 105000012, ErrorKind.NOT_FOUND


class PreviewNotReady(Conflict):
    """The preview has no chunks: it is being read, or that failed."""

    code, kind = 105000018, ErrorKind.CONFLICT


class RebuildRefused(Conflict):
    """The index is being built anew already."""

    code, kind = 105000015, ErrorKind.CONFLICT


class EmbeddingChanged(InvalidRequest):
    """The embedding model gives other vectors than the index holds; the base must be rebuilt."""

    code, kind = 105000007, ErrorKind.INVALID


class SourceUnavailable(AppError):
    """The source of a document cannot be read now; it may be later."""

    code, kind = 105000019, ErrorKind.UPSTREAM


class SourceRefused(InvalidRequest):
    """The source of a document can never be read: gone, forbidden, not a page."""

    code, kind = 105000022, ErrorKind.INVALID


class SlicePositionUnfit(InvalidRequest):
    """A position outside 1 … n + 1."""

    code, kind = 105000024, ErrorKind.INVALID


class SliceNotFound(NotFound):
    """No such slice, or one of a space the caller cannot see."""

    code, kind = 105000025, ErrorKind.NOT_FOUND


class CaptionUnsupported(InvalidRequest):
    """Nothing here can say what an image shows."""

    code, kind = 105000027, ErrorKind.INVALID


class FormatUnsupported(InvalidRequest):
    """No part of this deployment reads such documents."""

    code, kind = 105000028, ErrorKind.INVALID


class NothingParsed(InvalidRequest):
    """The document has no text that could be found."""

    code, kind = 105000035, ErrorKind.INVALID


class TooFewIndexed(InvalidRequest):
    """Too many slices of the document were refused by the embedding model."""

    code, kind = 105000007, ErrorKind.INVALID


class RetrievalFailed(AppError):
    """Nothing that could answer a search did; the message says what failed."""

    code, kind = 105000032, ErrorKind.UPSTREAM


class IngestQueueFull(RateLimited):
    """The space has too many documents waiting; come back later."""

    code, kind = 105000009, ErrorKind.RATE_LIMITED


class WorkerLost(InternalError):
    """Processes died again and again at the same place of a document."""

    code, kind = 105000005, ErrorKind.INTERNAL


class JobTooOld(InternalError):
    """A day was not enough to index the document."""

    code, kind = 105000002, ErrorKind.INTERNAL


class WorkLost(StaleRevision):
    """Another process does this now, or nobody needs it any more; stop silently."""


UNKNOWN_FAULT: Final = 105000005


def is_retryable(error: AppError) -> bool:
    """Tell whether the same request may succeed later, unchanged."""
    match error.kind:
        case (
            ErrorKind.RATE_LIMITED
            | ErrorKind.UPSTREAM
            | ErrorKind.UNAVAILABLE
            | ErrorKind.TIMEOUT
            | ErrorKind.CONFLICT
        ):
            return not isinstance(error, Conflict) or isinstance(error, StaleRevision)
        case (
            ErrorKind.INVALID
            | ErrorKind.UNAUTHENTICATED
            | ErrorKind.FORBIDDEN
            | ErrorKind.NOT_FOUND
            | ErrorKind.TOO_LARGE
            | ErrorKind.EXHAUSTED
            | ErrorKind.UNSUPPORTED
            | ErrorKind.INTERNAL
        ):
            return False
        case _:
            assert_never(error.kind)

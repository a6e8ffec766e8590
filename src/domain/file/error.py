"""Refusals of the file context."""

from domain.shared.error import Forbidden, InvalidRequest, NotFound


class FileNotFound(NotFound):
    """No such file, or one of a space the caller cannot see."""


class FileEmpty(InvalidRequest):
    """An upload without a single byte."""


class ImageRefused(InvalidRequest):
    """Not an image we accept, too large, or at an address that may not be read."""


class LinkRefused(Forbidden):
    """A signed link that is forged, damaged or too old; ask for a new one."""


class UploadKeyReused(InvalidRequest):
    """The idempotency key belongs to an upload with other content."""


class UploadTimedOut(InvalidRequest):
    """The client took longer than an upload may take."""

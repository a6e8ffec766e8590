"""Refusals of share links."""

from domain.shared.error import AppError, ErrorKind, Forbidden, InvalidRequest, NotFound


class ShareLinkNotFound(NotFound):
    """No such link, it was revoked, or it lives in a space the caller cannot see."""


class ShareLinkInvalid(InvalidRequest):
    """A setting breaks a rule; the message starts with the field."""


class TooManyShareLinks(InvalidRequest):
    """The workspace has as many links as it may."""


class ShareLinkClosed(Forbidden):
    """The link has expired, or what it leads to does not answer there any more."""


class HookRefused(Forbidden):
    """The server that a link asks says no, or says nothing that could be understood."""


class ProofNeeded(AppError):
    """The link asks who somebody is, and they did not show it, or not rightly."""

    code, kind = 4100, ErrorKind.UNAUTHENTICATED

"""Refusals of the app context."""

from domain.shared.error import Conflict, InvalidRequest, NotFound


class AppNotFound(NotFound):
    """No such app, or it lives in a space the caller cannot see."""


class AppVersionNotFound(NotFound):
    """The app has no such version, or none at all."""


class AppConversationNotFound(NotFound):
    """The app defines no conversation of this name."""


class AppInvalid(InvalidRequest):
    """A name, label or definition breaks a rule; the message starts with the field."""


class AppVersionTaken(Conflict):
    """The label of a new version must be higher than that of the newest one."""


class AppConversationTaken(Conflict):
    """The app defines a conversation of this name already."""

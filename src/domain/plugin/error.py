"""Refusals and failures of plugins."""

from domain.shared.error import AppError, ErrorKind, Forbidden, InvalidRequest, NotFound


class PluginNotFound(NotFound):
    """No such plugin, or it lives in a space the caller cannot see."""


class PluginToolNotFound(NotFound):
    """The plugin has no such tool, or it is switched off."""


class PluginRestricted(Forbidden):
    """Only members of certain groups may use the plugin, and whoever calls is in none of them."""


class PluginNotPublished(NotFound):
    """The plugin has no such version, or none at all."""


class PluginInvalid(InvalidRequest):
    """A setting breaks a rule; the message starts with the field."""


class DocumentUnreadable(InvalidRequest):
    """The document cannot become a plugin; the message tells why, path by path."""


class PluginNotPublishable(InvalidRequest):
    """Something stands against publishing; the message lists what to do."""


class ToolCallFailed(AppError):
    """The service behind a tool answered with an error, not as described, or not at all."""

    code, kind = 5001, ErrorKind.UPSTREAM


class GrantNeeded(AppError):
    """The user has to grant access first; ``authorize_url`` says where."""

    code, kind = 4101, ErrorKind.FORBIDDEN

    def __init__(self, message: str, *, authorize_url: str) -> None:
        super().__init__(message)
        self.authorize_url = authorize_url


class AuthorisationRefused(InvalidRequest):
    """A returning user's state is unknown, used or too old, or the provider refused."""

"""Refusals of OAuth, named as RFC 6749 and RFC 8628 name them."""

from domain.shared.error import Conflict, InvalidRequest, NotFound, Unauthenticated


class ClientAppNotFound(NotFound):
    """No such application, or it belongs to another workspace."""


class ConsentRequestNotFound(NotFound):
    """Nobody asks under this name, or no longer."""


class ClientGrantNotFound(NotFound):
    """No such grant, or somebody else gave it."""


class ConsentRequestDecided(Conflict):
    """Somebody answered this request already."""


class InvalidClientApp(InvalidRequest):
    """An attribute of an application breaks its rule; the message says which."""


class InvalidClient(Unauthenticated):
    """The application is unknown, or did not show its secret, its key or its verifier."""


class UnauthorizedClient(InvalidRequest):
    """The application is of another type than this grant is for."""


class InvalidGrant(InvalidRequest):
    """The code, token or assertion is unknown, spent, expired, or another application's."""


class CodeReused(InvalidGrant):
    """A code or token was exchanged before, perhaps by somebody who stole it."""

    @property
    def slug(self) -> str:
        return "invalid_grant"


class InvalidScope(InvalidRequest):
    """More is asked for than the application may have."""


class UnsupportedGrantType(InvalidRequest):
    """There is no such grant."""


class AuthorizationPending(InvalidRequest):
    """The person has not answered yet."""


class SlowDown(InvalidRequest):
    """The device asks too often; from now on it waits five seconds longer."""


class AccessDenied(InvalidRequest):
    """The person said no."""


class ExpiredToken(InvalidRequest):
    """Nobody answered the device in time; it begins anew."""

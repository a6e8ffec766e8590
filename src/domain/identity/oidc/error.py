"""What can go wrong with providers of OpenID Connect, and with signing in by them."""

from domain.identity.oidc.value import Refusal
from domain.shared.error import AppError, Conflict, ErrorKind, Forbidden, InvalidRequest, NotFound


class OidcProviderNotFound(NotFound):
    """No provider of this id."""


class OidcProviderFixed(Conflict):
    """The provider stands in the configuration file, and changes there."""


class TooManyOidcProviders(Conflict):
    """The deployment has as many providers as it may."""


class ProviderUnusable(AppError):
    """The provider does not answer, or not as OpenID Connect asks it to."""

    code, kind = 5001, ErrorKind.UPSTREAM


class TokenRefused(InvalidRequest):
    """A token of a provider is not what it has to be; the message says in what."""


class OidcSignInRefused(Forbidden):
    """Somebody is not signed in by a provider."""

    def __init__(self, message: str, *, refusal: Refusal) -> None:
        super().__init__(message, refusal=refusal.value)
        self.refusal = refusal

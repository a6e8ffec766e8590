"""Port of signed tokens by which a page says who its users are."""

from collections.abc import Mapping
from typing import Any, Protocol

from domain.shared.error import AppError, ErrorKind
from domain.shared.secret import Secret


class UserTokenInvalid(AppError):
    """The token is no signed one, or another key signed it."""

    code, kind = 4100, ErrorKind.UNAUTHENTICATED


class UserTokens(Protocol):
    """Reads tokens signed with HS256 or RS256; nothing else counts as signed."""

    def claims(self, text: str, *, secret: Secret, public_key: str) -> Mapping[str, Any]:
        """Return what a key has signed; times are not looked at.

        A key that is empty signs nothing. Raises ``UserTokenInvalid``.
        """
        ...

    def check_key(self, public_key: str) -> None:
        """Raise ``KeyInvalid`` unless this is a public key of RSA in PEM."""
        ...

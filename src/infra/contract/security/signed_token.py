"""Port of signed tokens (RFC 7515): what one says, once a key of its issuer vouches for it."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from domain.shared.error import InvalidRequest


class SignatureInvalid(InvalidRequest):
    """The token is none, or none of these keys signed it, or not in an allowed way."""


class KeyUnknown(SignatureInvalid):
    """The token names a key that is not among these; perhaps it is a new one."""


class SignedTokens(Protocol):
    """Checks signatures with the published keys of an issuer."""

    def claims(
        self, text: str, *, key_set: Mapping[str, Any], algorithms: Collection[str]
    ) -> Mapping[str, Any]:
        """Return what a token says; no claim is judged.

        ``key_set`` is a set of public keys (RFC 7517). Raises ``KeyUnknown`` or
        ``SignatureInvalid``.
        """
        ...

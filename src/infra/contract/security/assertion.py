"""Port of signed assertions (RFC 7523): what somebody claims, and the key that vouches for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from domain.shared.error import InvalidRequest


class AssertionInvalid(InvalidRequest):
    """The assertion is no signed one, or another key signed it."""


class KeyInvalid(InvalidRequest):
    """This is no public key of RSA with 2048 bits at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unverified:
    """What an assertion says of its key and issuer, which nobody has checked yet."""

    issuer: str
    key_id: str


class Assertions(Protocol):
    """Reads assertions signed with RS256; nothing else counts as signed."""

    def thumbprint(self, public_key: str) -> str:
        """Return a name for a public key in PEM; raise ``KeyInvalid``."""
        ...

    def peek(self, text: str) -> Unverified:
        """Return whose key to look for; raise ``AssertionInvalid``."""
        ...

    def claims(self, text: str, *, public_key: str) -> Mapping[str, Any]:
        """Return what a key has signed; times are not looked at. Raises ``AssertionInvalid``."""
        ...

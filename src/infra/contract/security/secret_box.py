"""Port: encryption of credentials at rest."""

from typing import Protocol

from domain.shared.error import AppError, ErrorKind


class SecretUnreadable(AppError):
    """Sealed under another key, for another place, or damaged; set the credential anew."""

    code, kind = 5000, ErrorKind.INTERNAL


class SecretBox(Protocol):
    """Authenticated encryption with the deployment's key.

    ``aad`` names the place a secret belongs to (kind, id); sealed bytes moved to another place do
    not open there.
    """

    def seal(self, plaintext: bytes, *, aad: bytes) -> bytes:
        """Encrypt under a fresh nonce; equal plaintexts never look equal.

        The first byte is not nought: that is what stands before things that are not sealed.
        """
        ...

    def open(self, sealed: bytes, *, aad: bytes) -> bytes:
        """Decrypt, also what was sealed under a former key; raise ``SecretUnreadable``."""
        ...

    def is_current(self, sealed: bytes) -> bool:
        """Tell by its beginning whether something was sealed under the present key."""
        ...

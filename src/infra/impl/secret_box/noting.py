"""Secret box that lets another part know every secret passing through it."""

from collections.abc import Callable

from domain.shared.secret import Secret
from infra.contract.security.secret_box import SecretBox


class NotingSecretBox:
    """Hands each plaintext to ``note`` before it is used, so that logs can mask it."""

    def __init__(self, box: SecretBox, *, note: Callable[[Secret], None]) -> None:
        self._box = box
        self._note = note

    def seal(self, plaintext: bytes, *, aad: bytes) -> bytes:
        self._note(_secret(plaintext))
        return self._box.seal(plaintext, aad=aad)

    def open(self, sealed: bytes, *, aad: bytes) -> bytes:
        plaintext = self._box.open(sealed, aad=aad)
        self._note(_secret(plaintext))
        return plaintext

    def is_current(self, sealed: bytes) -> bool:
        return self._box.is_current(sealed)


def _secret(plaintext: bytes) -> Secret:
    return Secret(plaintext.decode(errors="replace"))

"""Secret box made with the first secret: a deployment without any loads no cipher."""

from collections.abc import Callable

from infra.contract.security.secret_box import SecretBox


class SecretBoxOnDemand:
    """Asks ``make`` for the box when the first secret is sealed or opened."""

    def __init__(self, make: Callable[[], SecretBox]) -> None:
        self._make = make
        self._made: SecretBox | None = None

    def seal(self, plaintext: bytes, *, aad: bytes) -> bytes:
        return self._box().seal(plaintext, aad=aad)

    def open(self, sealed: bytes, *, aad: bytes) -> bytes:
        return self._box().open(sealed, aad=aad)

    def is_current(self, sealed: bytes) -> bool:
        return self._box().is_current(sealed)

    def _box(self) -> SecretBox:
        if self._made is None:
            self._made = self._make()
        return self._made

"""Columns of credentials that are sealed at rest, each bound to its row."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from infra.contract.security.secret_box import SecretBox


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of sealed bytes, empty where there is nothing to keep.

    ``place`` is a format of the row's key: bytes that were moved to another row do not open there.
    """

    column: sa.Column[Any]
    key: sa.Column[Any]
    place: str

    def seal(self, box: SecretBox, key: int | str, plain: bytes) -> bytes:
        """Return what is stored for the row."""
        return box.seal(plain, aad=self._aad(key)) if plain else b""

    def open(self, box: SecretBox, key: int | str, sealed: bytes) -> bytes:
        """Return what was sealed; raise ``SecretUnreadable`` if it was under another key."""
        return box.open(sealed, aad=self._aad(key)) if sealed else b""

    def _aad(self, key: int | str) -> bytes:
        return self.place.format(key).encode()

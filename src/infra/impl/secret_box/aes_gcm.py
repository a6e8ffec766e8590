"""Secret box on AES-256-GCM, with the key's fingerprint stored beside each secret."""

import os
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from infra.contract.security.secret_box import SecretUnreadable

KEY_BYTES: Final = 32
_FORMAT: Final = b"\x01"
_KEY_ID_BYTES: Final = 4
_NONCE_BYTES: Final = 12
_HEADER_BYTES: Final = len(_FORMAT) + _KEY_ID_BYTES + _NONCE_BYTES
_PURPOSE: Final = b"coterie secret box 1"


class AesGcmSecretBox:
    """Seals under the master key; opens what was sealed under it or a previous one.

    Layout: format (1 byte), key id (4), nonce (12), ciphertext with tag. The cipher's key is
    derived from the master key, so that other uses of the master key share nothing with it.
    """

    def __init__(self, master_key: bytes, *, previous: Sequence[bytes] = ()) -> None:
        """Keys are 32 bytes each; raise ``ValueError`` otherwise."""
        keys = [_derive(key) for key in (master_key, *previous)]
        self._key_id = _key_id(keys[0])
        self._ciphers = {_key_id(key): AESGCM(key) for key in keys}

    def seal(self, plaintext: bytes, *, aad: bytes) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        cipher = self._ciphers[self._key_id]
        return _FORMAT + self._key_id + nonce + cipher.encrypt(nonce, plaintext, aad)

    def open(self, sealed: bytes, *, aad: bytes) -> bytes:
        if len(sealed) <= _HEADER_BYTES or not sealed.startswith(_FORMAT):
            raise SecretUnreadable("A stored credential is damaged; set it anew.")
        key_id = sealed[len(_FORMAT) :][:_KEY_ID_BYTES]
        nonce = sealed[len(_FORMAT) + _KEY_ID_BYTES : _HEADER_BYTES]
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise SecretUnreadable("A stored credential belongs to another master key.")
        try:
            return cipher.decrypt(nonce, sealed[_HEADER_BYTES:], aad)
        except InvalidTag as exc:
            raise SecretUnreadable("A stored credential is damaged; set it anew.") from exc

    def is_current(self, sealed: bytes) -> bool:
        return sealed.startswith(_FORMAT + self._key_id)


def _derive(master_key: bytes) -> bytes:
    if len(master_key) != KEY_BYTES:
        raise ValueError(f"The master key has {KEY_BYTES} bytes.")
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=_PURPOSE).derive(master_key)


def _key_id(key: bytes) -> bytes:
    return sha256(key).digest()[:_KEY_ID_BYTES]

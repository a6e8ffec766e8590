"""What signatures of platforms have in common: freshness, comparison and AES in CBC mode."""

import base64
import binascii
import hmac
from datetime import datetime

from infra.contract.channel import REPLAY_WINDOW_S, CallRefused

_NOT_SIGNED = "The call is not signed as the platform signs."


def require_fresh(timestamp: str, *, now: datetime) -> None:
    """Raise ``CallRefused`` unless a time in Unix seconds is near."""
    try:
        signed_at = int(timestamp)
    except ValueError as exc:
        raise CallRefused(_NOT_SIGNED) from exc
    if abs(now.timestamp() - signed_at) > REPLAY_WINDOW_S:
        raise CallRefused("The call was signed long ago, or the clocks differ by minutes.")


def require_equal(expected: str, shown: str) -> None:
    """Raise ``CallRefused`` unless a signature is the right one; takes as long for each."""
    if not hmac.compare_digest(expected.encode(), shown.encode()):
        raise CallRefused(_NOT_SIGNED)


def decrypted(key: bytes, iv: bytes, sealed: bytes, *, block: int) -> bytes:
    """Return what AES-CBC sealed, without its padding of up to ``block`` bytes (PKCS #7)."""
    from cryptography.hazmat.primitives.ciphers import (  # noqa: PLC0415 - with the first call
        Cipher,
        algorithms,
        modes,
    )

    if not sealed or len(sealed) % 16:
        raise CallRefused("The call is not encrypted with the key of this channel.")
    opened = Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor()
    plain = opened.update(sealed) + opened.finalize()
    count = plain[-1]
    if not 1 <= count <= block or plain[-count:] != bytes([count]) * count:
        raise CallRefused("The call is not encrypted with the key of this channel.")
    return plain[:-count]


def decoded(text: str) -> bytes:
    """Return the bytes of base64; raise ``CallRefused`` for anything else."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as exc:
        raise CallRefused("The call is not encrypted as the platform encrypts.") from exc

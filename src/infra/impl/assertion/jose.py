"""Assertions in JWT (RFC 7519), by joserfc.

The library is imported where it is used first: it takes a tenth of a second, and few servers have
applications that sign.
"""

import binascii
import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from typing import Any, Final

from infra.contract.security.assertion import AssertionInvalid, KeyInvalid, Unverified

_ALGORITHM: Final = "RS256"
_BITS: Final = range(2048, 8193)
"""More would let one assertion cost a tenth of a second."""

_LARGEST_BYTES: Final = 16_384
_PARTS: Final = 3


class JoseAssertions:
    """Takes RS256 alone, whatever an assertion says of itself."""

    def thumbprint(self, public_key: str) -> str:
        thumbprint: str = rsa_key(public_key).thumbprint()
        return thumbprint

    def peek(self, text: str) -> Unverified:
        parts = text.split(".")
        if len(parts) != _PARTS or len(text) > _LARGEST_BYTES:
            raise AssertionInvalid("The assertion is no signed JWT.")
        header, payload = _document(parts[0]), _document(parts[1])
        issuer, key_id = payload.get("iss"), header.get("kid")
        if header.get("alg") != _ALGORITHM:
            raise AssertionInvalid(f"The assertion is not signed with {_ALGORITHM}.")
        if not (isinstance(issuer, str) and isinstance(key_id, str)):
            raise AssertionInvalid("The assertion lacks kid in its header, or iss.")
        return Unverified(issuer=issuer, key_id=key_id)

    def claims(self, text: str, *, public_key: str) -> Mapping[str, Any]:
        from joserfc import jwt  # noqa: PLC0415 - see above
        from joserfc.errors import JoseError  # noqa: PLC0415 - see above

        try:
            return jwt.decode(text, rsa_key(public_key), algorithms=[_ALGORITHM]).claims
        except (JoseError, ValueError, TypeError) as exc:
            raise AssertionInvalid("The signature of the assertion is wrong.") from exc


def rsa_key(pem: str) -> Any:
    """Read a public key of RSA; raise ``KeyInvalid``."""
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - see above
    from cryptography.hazmat.primitives.asymmetric.rsa import (  # noqa: PLC0415 - see above
        RSAPublicKey,
    )
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 - see above
        load_pem_public_key,
    )
    from joserfc.jwk import RSAKey  # noqa: PLC0415 - see above

    if "PRIVATE" in pem:
        raise KeyInvalid("public_key: this is the private key; keep it, and send the public one.")
    try:
        key = load_pem_public_key(pem[:_LARGEST_BYTES].encode())
    except (ValueError, TypeError, UnsupportedAlgorithm) as exc:
        raise KeyInvalid("public_key: expected a public key of RSA in PEM.") from exc
    if not isinstance(key, RSAPublicKey):
        raise KeyInvalid("public_key: expected a public key of RSA in PEM.")
    if key.key_size not in _BITS:
        raise KeyInvalid(f"public_key: {_BITS.start} to {_BITS.stop - 1} bits.")
    return RSAKey.import_key(key)


def read_header(text: str) -> dict[str, Any]:
    """Read what a JWT says of its signature; raise ``AssertionInvalid``."""
    parts = text.split(".")
    if len(parts) != _PARTS:
        raise AssertionInvalid("The assertion is no signed JWT.")
    return _document(parts[0])


def _document(part: str) -> dict[str, Any]:
    try:
        found = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, binascii.Error, RecursionError) as exc:
        raise AssertionInvalid("The assertion is no signed JWT.") from exc
    if not isinstance(found, dict):
        raise AssertionInvalid("The assertion is no signed JWT.")
    return found

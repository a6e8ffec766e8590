"""Signed tokens checked with a set of published keys, by joserfc.

The library is imported where it is used first: it takes a tenth of a second.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any, Final

from infra.contract.security.signed_token import KeyUnknown, SignatureInvalid

_LARGEST_BYTES: Final = 65_536
_KEYS: Final = 100
_KINDS: Final[Mapping[str, str]] = {"RS": "RSA", "PS": "RSA", "ES": "EC"}
"""Which keys sign with which family of algorithms; secrets known to both sides sign with none."""

_CURVES: Final[Mapping[str, str]] = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}
_RSA_BITS: Final = range(2048, 8200)


class JoseKeySets:
    """Tries the key that a token names; one that names none, those that can have signed it."""

    def claims(
        self, text: str, *, key_set: Mapping[str, Any], algorithms: Collection[str]
    ) -> Mapping[str, Any]:
        from joserfc import jws  # noqa: PLC0415 - see above
        from joserfc.errors import JoseError  # noqa: PLC0415 - see above
        from joserfc.jwk import import_key  # noqa: PLC0415 - see above

        header = _header(text)
        algorithm, key_id = header.get("alg"), header.get("kid")
        if not isinstance(algorithm, str) or algorithm not in algorithms or "crit" in header:
            raise SignatureInvalid("The token is not signed in an allowed way.")
        candidates = _candidates(key_set, algorithm, key_id)
        if not candidates:
            raise KeyUnknown("None of the issuer's keys is the one that the token names.")
        for candidate in candidates:
            try:
                key = import_key(_public(candidate))
                signed = jws.deserialize_compact(text, key, algorithms=[algorithm])
                found = json.loads(signed.payload)
            except (JoseError, ValueError, TypeError, KeyError, RecursionError):
                continue
            if isinstance(found, dict):
                return found
        raise SignatureInvalid("The signature of the token is wrong.")


_MEMBERS: Final = frozenset({"kty", "n", "e", "crv", "x", "y"})
"""What a public key consists of."""


def _header(text: str) -> Mapping[str, Any]:
    from joserfc import jws  # noqa: PLC0415 - see above
    from joserfc.errors import JoseError  # noqa: PLC0415 - see above

    if len(text) > _LARGEST_BYTES:
        raise SignatureInvalid("The token is too long.")
    try:
        protected: Mapping[str, Any] = jws.extract_compact(text.encode()).headers()
    except (JoseError, ValueError, TypeError, RecursionError) as exc:
        raise SignatureInvalid("This is no signed token.") from exc
    return protected


def _candidates(
    key_set: Mapping[str, Any], algorithm: str, key_id: object
) -> list[Mapping[str, Any]]:
    keys = key_set.get("keys")
    published = keys[:_KEYS] if isinstance(keys, list) else []
    listed = [each for each in published if isinstance(each, dict)]
    return [
        each
        for each in listed
        if each.get("kty") == _KINDS[algorithm[:2]]
        and each.get("use", "sig") == "sig"
        and each.get("alg", algorithm) == algorithm
        and each.get("crv", _CURVES.get(algorithm)) == _CURVES.get(algorithm, each.get("crv"))
        and (key_id is None or each.get("kid") == key_id)
    ]


def _public(candidate: Mapping[str, Any]) -> dict[str, Any]:
    """Return the public part of a key; raise ``ValueError`` for one that is too short, or long."""
    if candidate["kty"] == "RSA" and len(candidate["n"]) * 6 // 8 * 8 not in _RSA_BITS:
        raise ValueError("too short, or too long")
    return {name: value for name, value in candidate.items() if name in _MEMBERS}

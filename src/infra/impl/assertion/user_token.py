"""Tokens of users in JWT (RFC 7519), by joserfc; the library is imported where it is used."""

from collections.abc import Mapping
from typing import Any, Final

from domain.shared.secret import Secret
from infra.contract.security.assertion import AssertionInvalid
from infra.contract.security.user_token import UserTokenInvalid
from infra.impl.assertion.jose import read_header, rsa_key

_LARGEST_BYTES: Final = 8192


class JoseUserTokens:
    """Takes the algorithm that a key is for, whatever a token says of itself."""

    def claims(self, text: str, *, secret: Secret, public_key: str) -> Mapping[str, Any]:
        from joserfc import jwt  # noqa: PLC0415 - takes a tenth of a second
        from joserfc.errors import JoseError  # noqa: PLC0415 - as above
        from joserfc.jwk import OctKey  # noqa: PLC0415 - as above

        if len(text) > _LARGEST_BYTES:
            raise UserTokenInvalid("user_token: this is no signed JWT.", field="user_token")
        try:
            algorithm = read_header(text).get("alg")
        except AssertionInvalid as exc:
            raise UserTokenInvalid(
                "user_token: this is no signed JWT.", field="user_token"
            ) from exc
        key: Any
        if algorithm == "HS256" and secret:
            key = OctKey.import_key(secret.reveal())
        elif algorithm == "RS256" and public_key:
            key = rsa_key(public_key)
        else:
            raise UserTokenInvalid(
                "user_token: sign it with HS256 and the key of the link, or with RS256 if the link "
                "has a public key.",
                field="user_token",
            )
        try:
            return jwt.decode(text, key, algorithms=[algorithm]).claims
        except (JoseError, ValueError, TypeError) as exc:
            raise UserTokenInvalid(
                "user_token: its signature is wrong.", field="user_token"
            ) from exc

    def check_key(self, public_key: str) -> None:
        rsa_key(public_key)

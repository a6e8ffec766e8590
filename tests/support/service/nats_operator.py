"""An operator of NATS with one account, whose users have ``.creds`` files."""

import base64
import json
import os
import time
from typing import Any

import nkeys  # type: ignore[import-untyped]

ROLES = {
    "operator": nkeys.PREFIX_BYTE_OPERATOR,
    "account": nkeys.PREFIX_BYTE_ACCOUNT,
    "user": nkeys.PREFIX_BYTE_USER,
}


class Holder:
    """Somebody with keys."""

    def __init__(self, role: str) -> None:
        self.role = role
        self.seed: bytes = nkeys.encode_seed(os.urandom(32), ROLES[role])

    @property
    def pair(self) -> Any:
        return nkeys.from_seed(bytearray(self.seed))

    @property
    def name(self) -> str:
        return str(self.pair.public_key.decode())

    def vouch(self, subject: "Holder") -> str:
        """Return a token with which this one says that it knows the subject."""
        claims = {
            "jti": subject.name,
            "iat": int(time.time()),
            "iss": self.name,
            "sub": subject.name,
            "name": subject.role,
            "nats": {"type": subject.role, "version": 2, **_LIMITS.get(subject.role, {})},
        }
        text = ".".join(map(_part, ({"typ": "JWT", "alg": "ed25519-nkey"}, claims)))
        return f"{text}.{_text(self.pair.sign(text.encode()))}"


_ANY = {"subs": -1, "data": -1, "payload": -1}
_LIMITS: dict[str, dict[str, Any]] = {
    "account": {"limits": {**_ANY, "imports": -1, "exports": -1, "conn": -1, "leaf": -1}},
    "user": _ANY,
}


class Operator:
    """Lets in whoever its account vouches for."""

    def __init__(self) -> None:
        self._operator, self._account = Holder("operator"), Holder("account")

    @property
    def options(self) -> str:
        """What the server has to be told."""
        account = self._operator.vouch(self._account)
        return (
            f"operator: {self._operator.vouch(self._operator)}\nresolver: MEMORY\n"
            f"resolver_preload: {{ {self._account.name}: {account} }}"
        )

    def credentials(self) -> str:
        """Return the contents of a file for a new user."""
        user = Holder("user")
        return (
            f"-----BEGIN NATS USER JWT-----\n{self._account.vouch(user)}\n"
            "------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{user.seed.decode()}\n"
            "------END USER NKEY SEED------\n"
        )


def _part(value: object) -> str:
    return _text(json.dumps(value, separators=(",", ":")).encode())


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

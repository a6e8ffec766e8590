"""A provider of OpenID Connect in a thread, whose every answer a test can spoil."""

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from joserfc import jws
from joserfc.jwk import ECKey, KeyParameters, OctKey, RSAKey

from tests.support.web.server import QuietHandler, QuietServer, served

CLIENT_ID: Final = "coterie"
SECRET: Final = "canary secret of the client 7Zk2"
_ACCESS: Final = "access token, good for nobody else"
LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"

Key = RSAKey | ECKey | OctKey


def new_key(name: str, kind: str = "RS256") -> Key:
    """Make a key that signs in a way."""
    parameters: KeyParameters = {"kid": name, "alg": kind, "use": "sig"}
    if kind.startswith("ES"):
        return ECKey.generate_key("P-256", parameters)
    return RSAKey.generate_key(2048, parameters)


@dataclass
class Provider:
    """What it says, and what it was asked; claims are of the person who signs in next."""

    issuer: str = ""
    key: Key = field(default_factory=lambda: new_key("first"))
    published: list[Key] = field(default_factory=list)
    """Keys besides its own."""
    person: dict[str, Any] = field(default_factory=lambda: {"sub": "anna"})
    more: dict[str, Any] | None = None
    """What it says of the person when asked; None: it does not offer that."""
    spoil: Callable[[dict[str, Any]], None] = lambda _: None
    sign: Callable[[dict[str, Any]], str] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    is_down: bool = False
    asked: list[str] = field(default_factory=list)
    forms: list[dict[str, str]] = field(default_factory=list)
    authorization: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def visit(self, url: str) -> str:
        """Be the person there: return the query with which the browser comes back."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert url.startswith(f"{self.issuer}/authorize?"), url
        code = secrets.token_urlsafe(8)
        self.codes[code] = query
        return f"?code={code}&state={query['state']}"

    def token(self, claims: Mapping[str, Any]) -> str:
        """Sign claims, as a test wants it or with the key of the day."""
        document = dict(claims)
        self.spoil(document)
        if self.sign is not None:
            return self.sign(document)
        return signed(document, self.key)

    def logout_token(self, **claims: Any) -> str:
        """Say that somebody signed out; None leaves a claim out."""
        document = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": int(time.time()),
            "jti": secrets.token_urlsafe(8),
            "events": {LOGOUT_EVENT: {}},
            **claims,
        }
        return signed({k: v for k, v in document.items() if v is not None}, self.key)

    def answer(self, path: str, form: dict[str, str], headers: Mapping[str, str]) -> Any:
        """Return the document at a path, or the status of a refusal."""
        self.asked.append(path)
        if self.is_down:
            return 503
        match path:
            case "/.well-known/openid-configuration":
                return self._configuration()
            case "/jwks":
                keys = [self.key, *self.published]
                return {"keys": [each.as_dict(private=False) for each in keys]}
            case "/token":
                return self._tokens(form, headers)
            case "/me" if headers.get("authorization") == f"Bearer {_ACCESS}":
                return self.more
        return 404

    def _configuration(self) -> dict[str, Any]:
        me = {} if self.more is None else {"userinfo_endpoint": f"{self.issuer}/me"}
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            **me,
            **self.metadata,
        }

    def _tokens(self, form: dict[str, str], headers: Mapping[str, str]) -> Any:
        self.forms.append(form)
        self.authorization.append(headers.get("authorization", ""))
        asked = self.codes.pop(form.get("code", ""), None)
        if asked is None:
            return 400
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **self.person,
        }
        return {
            "id_token": self.token(claims),
            "access_token": _ACCESS,
            "token_type": "Bearer",
        }


def signed(claims: Mapping[str, Any], key: Key, **header: Any) -> str:
    """Sign claims with a key, saying of it what it says itself."""
    algorithm = str(key.get("alg"))
    head = {"alg": algorithm, "kid": key.kid, **header}
    head = {name: value for name, value in head.items() if value is not None}
    return jws.serialize_compact(head, json.dumps(claims).encode(), key, algorithms=[head["alg"]])


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Answer at a port of this machine."""
    provider = Provider()

    class Handler(QuietHandler):
        def do_GET(self) -> None:  # noqa: N802 - the library's name
            self._say(provider.answer(urlsplit(self.path).path, {}, self._headers()))

        def do_POST(self) -> None:  # noqa: N802 - the library's name
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._say(provider.answer(urlsplit(self.path).path, form, self._headers()))

        def _headers(self) -> dict[str, str]:
            return {name.lower(): value for name, value in self.headers.items()}

        def _say(self, answer: Any) -> None:
            status = answer if isinstance(answer, int) else 200
            body = json.dumps({"error": "invalid_grant"} if status != 200 else answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with served(QuietServer(("127.0.0.1", 0), Handler), threading.Event()) as port:
        provider.issuer = f"http://127.0.0.1:{port}"
        yield provider

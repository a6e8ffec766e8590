"""Exchange with a provider: what it publishes, tokens for a code, and who the person is.

What a provider publishes is kept for an hour. A token that names a key which is not among the
known ones has them fetched anew, once a minute at most: keys are rotated, and texts are made up.
"""

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import msgspec
from cachetools import LRUCache

from domain.identity.oidc.claims import ALGORITHMS
from domain.identity.oidc.error import ProviderUnusable, TokenRefused
from domain.identity.oidc.value import OidcRules, is_own_machine
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.egress import (
    EgressClient,
    EgressDenied,
    EgressFailed,
    EgressPolicy,
    EgressRequest,
    EgressResponse,
)
from infra.contract.security.signed_token import KeyUnknown, SignatureInvalid, SignedTokens

_WELL_KNOWN: Final = "/.well-known/openid-configuration"
_LARGEST_BYTES: Final = 512 * 1024
_WITHIN_S: Final = 10.0
_KEPT: Final = timedelta(hours=1)
_KEYS_AGAIN: Final = timedelta(minutes=1)
_PROVIDERS: Final = 64
_OK: Final = 200
_REFUSED: Final = 400
_FORM: Final = "application/x-www-form-urlencoded"
_JSON: Final = msgspec.json.Decoder(dict[str, Any])


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider publishes of itself (OpenID Connect Discovery 1.0, 3)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    end_session_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] | None = None
    authorization_response_iss_parameter_supported: bool | None = None
    backchannel_logout_supported: bool | None = None
    code_challenge_methods_supported: tuple[str, ...] | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where it is asked, or people are sent."""
        some = (self.userinfo_endpoint, self.end_session_endpoint)
        must = (self.authorization_endpoint, self.token_endpoint, self.jwks_uri)
        return (*must, *(each for each in some if each))


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    """What a code was exchanged for."""

    id_token: str
    access_token: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A provider as the deployment knows it."""

    key: str
    """Its id in addresses."""
    name: str
    rules: OidcRules
    secret: Secret
    is_of_operator: bool
    """It stands in the configuration file, whose addresses may be private."""


@dataclass(slots=True)
class _Known:
    """What a provider published, and when."""

    published: Published
    key_set: Mapping[str, Any]
    read_at: datetime
    keys_read_at: datetime
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class ProviderClient:
    """Asks providers; what it is told is checked before anybody relies on it."""

    def __init__(self, *, egress: EgressClient, tokens: SignedTokens, clock: Clock) -> None:
        self._egress = egress
        self._tokens = tokens
        self._clock = clock
        self._known: LRUCache[tuple[str, str, bool], _Known] = LRUCache(_PROVIDERS)

    async def published(self, connection: Connection) -> Published:
        """Return what the provider publishes; raise ``ProviderUnusable``."""
        return (await self._of(connection)).published

    async def read_anew(self, connection: Connection) -> tuple[Published, int]:
        """Return what it publishes at this moment, with the number of its keys."""
        known = await self._read(connection)
        keys = known.key_set.get("keys")
        return known.published, len(keys) if isinstance(keys, list) else 0

    async def exchange(
        self, connection: Connection, *, code: str, verifier: str, redirect_uri: str
    ) -> Tokens:
        """Exchange a code.

        Raises:
            TokenRefused: the provider does not take the code.
            ProviderUnusable: it does not answer as it should.
        """
        published = await self.published(connection)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        headers = {"content-type": _FORM, "accept": "application/json"}
        _identify(connection, published, form, headers)
        answer = await self._ask(
            connection,
            EgressRequest(
                url=published.token_endpoint,
                method="POST",
                headers=headers,
                body=urlencode(form).encode(),
            ),
        )
        if _REFUSED <= answer.status < 500:  # noqa: PLR2004 - the last of its class
            raise TokenRefused(f"The provider does not take the code: {_reason(answer)}.")
        try:
            return msgspec.convert(_document(answer, "its tokens"), Tokens)
        except msgspec.ValidationError as exc:
            raise ProviderUnusable("The provider answers without an id token.") from exc

    async def verified(self, connection: Connection, token: str) -> Mapping[str, Any]:
        """Return what a token says that the provider has signed; raise ``TokenRefused``."""
        known = await self._of(connection)
        try:
            try:
                return self._claims(token, known)
            except KeyUnknown:
                await self._renew_keys(connection, known)
                return self._claims(token, known)
        except SignatureInvalid as exc:
            raise TokenRefused(exc.message) from exc

    async def described(self, connection: Connection, access_token: str) -> Mapping[str, Any]:
        """Return what the provider says of the person; nothing if it does not offer that."""
        published = await self.published(connection)
        if not published.userinfo_endpoint or not access_token:
            return {}
        if not (access_token.isascii() and access_token.isprintable()):
            raise ProviderUnusable("The provider's access token is none.")
        headers = {"authorization": f"Bearer {access_token}", "accept": "application/json"}
        answer = await self._ask(
            connection, EgressRequest(url=published.userinfo_endpoint, headers=headers)
        )
        if not answer.headers.get("content-type", "").startswith("application/json"):
            return {}  # signed or encrypted for somebody who asked for that
        return _document(answer, "who somebody is")

    def _claims(self, token: str, known: _Known) -> Mapping[str, Any]:
        return self._tokens.claims(token, key_set=known.key_set, algorithms=ALGORITHMS)

    async def _renew_keys(self, connection: Connection, known: _Known) -> None:
        """Fetch the keys anew, unless somebody has just done it."""
        async with known.lock:
            now = self._clock.now()
            if now - known.keys_read_at >= _KEYS_AGAIN:
                known.keys_read_at = now
                known.key_set = await self._keys(connection, known.published)

    async def _of(self, connection: Connection) -> _Known:
        known = self._known.get(_place(connection))
        if known is not None and self._clock.now() - known.read_at < _KEPT:
            return known
        return await self._read(connection)

    async def _read(self, connection: Connection) -> _Known:
        issuer = connection.rules.issuer
        _require_private(connection, issuer, issuer)
        url = issuer.rstrip("/") + _WELL_KNOWN
        answer = await self._ask(connection, EgressRequest(url=url))
        try:
            published = msgspec.convert(_document(answer, url), Published)
        except msgspec.ValidationError as exc:
            raise ProviderUnusable(f"What {url} says is incomplete: {exc}") from exc
        if published.issuer != issuer:
            raise ProviderUnusable(
                f"The provider calls itself {published.issuer[:200]!r}; issuer has to be exactly "
                "that."
            )
        for address in published.addresses:
            _require_private(connection, address, issuer)
        key_set = await self._keys(connection, published)
        now = self._clock.now()
        known = _Known(published, key_set, now, now)
        self._known[_place(connection)] = known
        return known

    async def _keys(self, connection: Connection, published: Published) -> Mapping[str, Any]:
        answer = await self._ask(connection, EgressRequest(url=published.jwks_uri))
        return _document(answer, "its keys")

    async def _ask(self, connection: Connection, request: EgressRequest) -> EgressResponse:
        policy = EgressPolicy(
            profile="provider" if connection.is_of_operator else "tenant",
            max_bytes=_LARGEST_BYTES,
            max_seconds=_WITHIN_S,
            max_redirects=0,
            allow_methods=frozenset({"GET", "POST"}),
        )
        try:
            return await self._egress.request(request, policy)
        except (EgressDenied, EgressFailed) as exc:
            host = urlsplit(request.url).hostname
            raise ProviderUnusable(f"{host}: {exc.message}") from exc


def address_with(address: str, query: Mapping[str, str]) -> str:
    """Add parameters to an address, which may have some."""
    mark = "&" if urlsplit(address).query else "?"
    return f"{address}{mark}{urlencode(query, quote_via=quote)}"


def _place(connection: Connection) -> tuple[str, str, bool]:
    return connection.key, connection.rules.issuer, connection.is_of_operator


def _identify(
    connection: Connection, published: Published, form: dict[str, str], headers: dict[str, str]
) -> None:
    """Show who asks, in the way that the provider knows (OpenID Connect Core 1.0, 9)."""
    client_id, secret = connection.rules.client_id, connection.secret.reveal()
    methods = published.token_endpoint_auth_methods_supported or ("client_secret_basic",)
    if secret and ("client_secret_basic" in methods or "client_secret_post" not in methods):
        pair = f"{quote(client_id, safe='')}:{quote(secret, safe='')}"
        headers["authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        return
    form["client_id"] = client_id
    if secret:
        form["client_secret"] = secret


def _require_private(connection: Connection, address: str, issuer: str) -> None:
    """Raise ``ProviderUnusable`` for an address that everybody on the way reads along at.

    The operator may name one, in a closed network; what it publishes is then as open as itself.
    """
    try:
        url = urlsplit(address)
        host = url.hostname or ""
    except ValueError as exc:
        raise ProviderUnusable("The provider names an address that is none.") from exc
    if url.scheme == "https" and host:
        return
    is_open = connection.is_of_operator and urlsplit(issuer).scheme == "http"
    if url.scheme == "http" and host and (is_open or is_own_machine(host)):
        return
    raise ProviderUnusable(f"{host or address[:100]}: expected an https address.")


def _document(answer: EgressResponse, what: str) -> dict[str, Any]:
    if answer.status != _OK:
        raise ProviderUnusable(f"The provider answers {answer.status} when asked for {what}.")
    try:
        return _JSON.decode(answer.body)
    except (msgspec.DecodeError, RecursionError) as exc:
        raise ProviderUnusable(f"The provider does not answer JSON when asked for {what}.") from exc


def _reason(answer: EgressResponse) -> str:
    try:
        said = _JSON.decode(answer.body).get("error")
    except msgspec.DecodeError:
        said = None
    return said[:100] if isinstance(said, str) and said.isprintable() else str(answer.status)

"""Applications: programs that people let act for them, or that act for their workspace."""

import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, Self
from urllib.parse import urlsplit

import msgspec

from domain.identity import value
from domain.identity.oauth.error import InvalidClientApp
from domain.identity.value import ClientType
from domain.shared.access import Grant, Permission
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import OAuthAppId, SpaceId, UserId
from domain.shared.secret import Secret

_REDIRECTS: Final = 20
_ADDRESS_CHARS: Final = 2000
_KEY_ID: Final = re.compile(r"[A-Za-z0-9._~-]{1,128}", re.ASCII)
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SCRIPTS: Final = frozenset({"data", "file", "blob", "javascript", "vbscript", "about"})
_SECRET_BYTES: Final = 32
_SECRET_LABEL: Final = b"coterie oauth client secret\0"


HAS_REDIRECT: Final = frozenset({ClientType.WEB, ClientType.PKCE})


class OAuthAppCreated(DomainEvent, frozen=True, kw_only=True, tag="oauth_app.created"):
    """A workspace registered an application."""

    name: str
    client_type: str


class OAuthAppChanged(DomainEvent, frozen=True, kw_only=True, tag="oauth_app.changed"):
    """An application was renamed, or may do something else."""

    name: str


class OAuthAppSecretChanged(DomainEvent, frozen=True, kw_only=True, tag="oauth_app.secret_changed"):
    """An application has another secret; the former is useless."""

    name: str
    last4: str


class OAuthAppDisabled(DomainEvent, frozen=True, kw_only=True, tag="oauth_app.disabled"):
    """An administrator of the deployment stopped an application; what it was given is gone."""

    name: str


class OAuthAppEnabled(DomainEvent, frozen=True, kw_only=True, tag="oauth_app.enabled"):
    """An application works again."""

    name: str


class OAuthAppDeleted(DomainEvent, frozen=True, kw_only=True, tag="oauth_app.deleted"):
    """An application is gone, and all that it was given with it."""

    name: str


class PublicKey(msgspec.Struct, frozen=True, kw_only=True):
    """The key that assertions of an application are signed with."""

    key_id: str
    pem: str


class AppRules(msgspec.Struct, frozen=True, kw_only=True):
    """What an application of some type is registered with."""

    permissions: frozenset[Permission]
    redirect_uris: tuple[str, ...] = ()
    allows_plain: bool = False
    """Whether it may show its verifier in the open: `plain` instead of `S256`."""
    public_key: PublicKey | None = None

    def check(self, client_type: ClientType) -> None:
        """Raise ``InvalidClientApp`` for what this type cannot have, or lacks."""
        if not self.permissions:
            raise InvalidClientApp("permissions: name at least one.", field="permissions")
        if Permission.ADMIN in self.permissions:
            raise InvalidClientApp(
                "permissions: admin is never granted to an application.", field="permissions"
            )
        if client_type in HAS_REDIRECT:
            if not 1 <= len(self.redirect_uris) <= _REDIRECTS:
                raise InvalidClientApp(
                    f"redirect_uris: 1 to {_REDIRECTS} addresses.", field="redirect_uris"
                )
            for uri in self.redirect_uris:
                _require_redirect(uri)
        elif self.redirect_uris:
            raise InvalidClientApp(
                f"redirect_uris: an application of type {client_type} has none.",
                field="redirect_uris",
            )
        if self.allows_plain and client_type is not ClientType.PKCE:
            raise InvalidClientApp(
                "allows_plain: for applications of type pkce.", field="allows_plain"
            )
        if (self.public_key is not None) is not (client_type is ClientType.JWT):
            raise InvalidClientApp(
                "public_key: for applications of type jwt, and needed there.", field="public_key"
            )
        if self.public_key is not None and not _KEY_ID.fullmatch(self.public_key.key_id):
            raise InvalidClientApp(
                "key_id: 1 to 128 letters, digits, dots, dashes, tildes or underscores.",
                field="key_id",
            )


@dataclass(kw_only=True, eq=False)
class OAuthApp(Aggregate):
    """A program that a workspace registered; only the digest of its secret is kept."""

    id: OAuthAppId
    space_id: SpaceId
    creator_id: UserId
    name: str
    client_type: ClientType
    rules: AppRules
    secret_digest: bytes | None
    secret_last4: str
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None = None
    disabled_at: datetime | None = None
    """Since when nobody lets it in, whatever its workspace wants."""

    @classmethod
    def create(
        cls,
        *,
        id: OAuthAppId,  # noqa: A002 - the field's name
        space_id: SpaceId,
        name: str,
        client_type: ClientType,
        rules: AppRules,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Register an application; raise ``InvalidClientApp``."""
        rules.check(client_type)
        app = cls(
            id=id,
            space_id=space_id,
            creator_id=actor_id,
            name=value.display_name(name),
            client_type=client_type,
            rules=rules,
            secret_digest=None,
            secret_last4="",
            created_at=now,
            updated_at=now,
        )
        app.record(
            OAuthAppCreated(name=app.name, client_type=client_type.value),
            at=now,
            by=int(actor_id),
        )
        return app

    @property
    def client_id(self) -> str:
        """What the application calls itself."""
        return str(self.id)

    @property
    def grant(self) -> Grant:
        """What it leaves of the rights of an administrator where it acts for its workspace."""
        return Grant(permissions=self.rules.permissions, space_ids=frozenset({self.space_id}))

    def change(self, *, name: str, rules: AppRules, actor_id: UserId, now: datetime) -> None:
        """Rename it, or let it do something else; what it was given shrinks at once."""
        rules.check(self.client_type)
        self.name, self.rules, self.updated_at = value.display_name(name), rules, now
        self.record(OAuthAppChanged(name=self.name), at=now, by=int(actor_id))

    def set_secret(self, secret: Secret, *, actor_id: UserId, now: datetime) -> None:
        """Take another secret, which is random; raise ``InvalidClientApp`` if it has none."""
        if self.client_type is not ClientType.WEB:
            raise InvalidClientApp(
                f"An application of type {self.client_type} has no secret.", field="type"
            )
        text = secret.reveal()
        self.secret_digest, self.secret_last4 = _digest(text), text[-4:]
        self.updated_at = now
        self.record(
            OAuthAppSecretChanged(name=self.name, last4=self.secret_last4),
            at=now,
            by=int(actor_id),
        )

    def has_secret(self, text: str) -> bool:
        """Tell whether somebody shows the secret."""
        return self.secret_digest is not None and hmac.compare_digest(
            self.secret_digest, _digest(text)
        )

    def disable(self, *, actor_id: UserId, now: datetime) -> None:
        """Let it in no more."""
        if self.disabled_at is None:
            self.disabled_at = self.updated_at = now
            self.record(OAuthAppDisabled(name=self.name), at=now, by=int(actor_id))

    def enable(self, *, actor_id: UserId, now: datetime) -> None:
        """Let it in again; what it was given before is not given back."""
        if self.disabled_at is not None:
            self.disabled_at, self.updated_at = None, now
            self.record(OAuthAppEnabled(name=self.name), at=now, by=int(actor_id))

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Note that it is to be gone."""
        self.record(OAuthAppDeleted(name=self.name), at=now, by=int(actor_id))


def new_client_secret() -> Secret:
    """Draw the secret of an application: 256 random bits."""
    return Secret(secrets.token_urlsafe(_SECRET_BYTES))


def _digest(text: str) -> bytes:
    return sha256(_SECRET_LABEL + text.encode()).digest()


def _require_redirect(uri: str) -> None:
    """Refuse addresses to which no code should go (RFC 8252, 7; RFC 9700, 4.1).

    HTTPS, plain HTTP on the person's own machine, and schemes that only one program registers.
    """
    try:
        parts = urlsplit(uri)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        parts, host = urlsplit(""), ""
    is_web = parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)
    is_of_program = "." in parts.scheme and parts.scheme not in _SCRIPTS
    if (
        not ((is_web and host) or is_of_program)
        or "#" in uri
        or "@" in parts.netloc
        or "\\" in uri
        or len(uri) > _ADDRESS_CHARS
        or not uri.isascii()
        or not uri.isprintable()
        or " " in uri
    ):
        raise InvalidClientApp(
            f"redirect_uris: {uri[:100]!r} is no https address, http address of the own machine, "
            "or address of a program (com.example.app:/callback); no fragment, no user name.",
            field="redirect_uris",
        )

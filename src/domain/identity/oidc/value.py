"""Rules of providers of OpenID Connect, and why somebody is not signed in by one."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

import msgspec

from domain.shared.access import Role
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId

USUAL_SCOPES: Final = ("openid", "profile", "email")
SECRET_CHARS: Final = 1000
_ISSUER_CHARS: Final = 500
_CLIENT_CHARS: Final = 255
_CLAIM_CHARS: Final = 200
_GROUP_CHARS: Final = 255
_SCOPES: Final = 20
_ROLES: Final = 500
_SCOPE: Final = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,100}")
_STRENGTH: Final = {role: number for number, role in enumerate(reversed(Role))}


class InvalidOidcProvider(InvalidRequest):
    """An attribute of a provider breaks its rule; the message says which."""


class Refusal(StrEnum):
    """Why somebody was not signed in, in words that a page knows."""

    DENIED = "denied"
    """The provider, or the person there, said no."""
    EXPIRED = "expired"
    """It took too long, or began in another browser."""
    FAILED = "failed"
    """The provider's answer cannot be used."""
    UNREACHABLE = "unreachable"
    """The provider does not answer."""
    NO_ACCOUNT = "no_account"
    """Nobody has an account for this person, and none is made."""
    DISABLED = "disabled"
    """The account is disabled."""
    TAKEN = "taken"
    """An account has this address, and is not this person's for certain."""


class GroupRole(msgspec.Struct, frozen=True, kw_only=True):
    """What a group of a provider is in a workspace."""

    group: str
    space_id: SpaceId
    role: Role


class OidcRules(msgspec.Struct, frozen=True, kw_only=True):
    """Where a provider is, and how far it is believed."""

    issuer: str
    client_id: str
    scopes: tuple[str, ...] = USUAL_SCOPES
    groups_claim: str = ""
    """Claim that names groups, or a way to it with dots; empty: none does."""
    trust_email: bool = False
    """Whether an address that it has verified leads to the account of that address."""
    create_accounts: bool = True
    """Whether whoever it knows gets an account."""
    roles: tuple[GroupRole, ...] = ()

    def __post_init__(self) -> None:
        """Raise ``InvalidOidcProvider`` for what cannot work, or opens a hole."""
        _require_issuer(self.issuer)
        _require_text(self.client_id, "client_id", _CLIENT_CHARS)
        if len(self.groups_claim) > _CLAIM_CHARS:
            raise _invalid("groups_claim", f"at most {_CLAIM_CHARS} characters")
        if "openid" not in self.scopes or len(self.scopes) > _SCOPES:
            raise _invalid("scopes", f"at most {_SCOPES}, one of them openid")
        for scope in self.scopes:
            if not _SCOPE.fullmatch(scope):
                raise _invalid("scopes", "words without spaces or quotes")
        if len(self.roles) > _ROLES:
            raise _invalid("roles", f"at most {_ROLES}")
        if self.roles and not self.groups_claim:
            raise _invalid("groups_claim", "needed to read the groups that roles are for")
        for each in self.roles:
            _require_text(each.group, "roles.group", _GROUP_CHARS)
            if each.role is Role.OWNER:
                raise _invalid("roles.role", "owners are made by owners; give admin at most")

    def roles_of(self, groups: frozenset[str]) -> Mapping[SpaceId, Role]:
        """Return where somebody of these groups is what, the strongest of each workspace."""
        found: dict[SpaceId, Role] = {}
        for each in self.roles:
            if each.group in groups:
                found[each.space_id] = stronger(each.role, found.get(each.space_id))
        return found


def stronger(role: Role, other: Role | None) -> Role:
    """Return the one of two roles that may do more."""
    return role if other is None or _STRENGTH[role] > _STRENGTH[other] else other


def is_own_machine(host: str) -> bool:
    """Tell whether nothing that is sent to a host leaves this machine."""
    return host in {"localhost", "127.0.0.1", "::1"}


def _require_issuer(text: str) -> None:
    """An issuer is an address without query or fragment (OpenID Connect Discovery, 2)."""
    try:
        url = urlsplit(text)
        host, _ = url.hostname or "", url.port
    except ValueError as exc:
        raise _invalid("issuer", "expected an https address") from exc
    if (
        url.scheme not in {"https", "http"}
        or not host
        or len(text) > _ISSUER_CHARS
        or not text.isprintable()
        or any(mark in text for mark in "?# @\\")
    ):
        raise _invalid("issuer", "expected an https address without query, fragment or name")


def _require_text(text: str, field: str, most: int) -> None:
    if not 1 <= len(text) <= most or not text.isprintable():
        raise _invalid(field, f"1 to {most} printable characters")


def _invalid(field: str, expected: str) -> InvalidOidcProvider:
    return InvalidOidcProvider(f"{field}: {expected}.", field=field)

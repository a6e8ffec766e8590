"""Providers of OpenID Connect in the configuration file."""

import re
from typing import Annotated, Final

import msgspec

from domain.identity import value
from domain.identity.error import InvalidIdentity
from domain.identity.oidc.value import (
    USUAL_SCOPES,
    GroupRole,
    InvalidOidcProvider,
    OidcRules,
)
from domain.shared.access import Role
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId, parse_id
from domain.shared.secret import Secret

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)


class GroupRoleSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a group of the provider is in a workspace."""

    group: str
    workspace: str
    """Id of the workspace."""
    role: Role


class OidcSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A provider by which people sign in."""

    id: str
    """Part of addresses: lower-case letters, digits and dashes."""
    name: str
    """What its button says."""
    issuer: str
    client_id: str
    client_secret: Secret = Secret("")
    """Empty for a client without one."""
    scopes: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = USUAL_SCOPES
    groups_claim: str = ""
    trust_email: bool = False
    create_accounts: bool = True
    roles: tuple[GroupRoleSettings, ...] = ()

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise ValueError(
                "auth.oidc: id: expected lower-case letters, digits and dashes, beginning with a "
                f"letter, got {self.id!r}"
            )
        try:
            value.display_name(self.name)
            self.rules()
        except (InvalidOidcProvider, InvalidIdentity, InvalidRequest) as exc:
            raise ValueError(f"auth.oidc {self.id}: {exc.message}") from exc

    def rules(self) -> OidcRules:
        """Return where it is and how far it is believed."""
        return OidcRules(
            issuer=self.issuer,
            client_id=self.client_id,
            scopes=self.scopes,
            groups_claim=self.groups_claim,
            trust_email=self.trust_email,
            create_accounts=self.create_accounts,
            roles=tuple(
                GroupRole(
                    group=each.group,
                    space_id=SpaceId(parse_id(each.workspace, field="roles.workspace")),
                    role=each.role,
                )
                for each in self.roles
            ),
        )

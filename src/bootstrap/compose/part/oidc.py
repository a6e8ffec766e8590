"""Composition of sign-in by providers of OpenID Connect."""

from dataclasses import dataclass

from application.identity.oidc.exchange import ProviderClient
from application.identity.oidc.provider import (
    KnownProviders,
    OidcAddresses,
    OidcProviderService,
)
from application.identity.oidc.settings import OidcSettings
from application.identity.oidc.sign_in import OidcSignInService
from bootstrap.compose.part.identity import IdentityParts
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock
from infra.contract.egress import EgressClient
from infra.contract.secret_box import SecretBox
from infra.impl.assertion.key_set import JoseKeySets


@dataclass(frozen=True, kw_only=True)
class OidcParts:
    """Providers, and what comes of them."""

    known: KnownProviders
    providers: OidcProviderService
    sign_in: OidcSignInService


def compose_oidc(
    *,
    identity: IdentityParts,
    configured: tuple[OidcSettings, ...],
    external_url: str,
    egress: EgressClient,
    box: SecretBox,
    clock: Clock,
    ids: IdGenerator,
) -> OidcParts:
    """Needs accounts, sessions, and the way out."""
    known = KnownProviders(store=identity.store, box=box, configured=configured)
    client = ProviderClient(egress=egress, tokens=JoseKeySets(), clock=clock)
    addresses = OidcAddresses(external_url)
    return OidcParts(
        known=known,
        providers=OidcProviderService(
            store=identity.store,
            known=known,
            client=client,
            addresses=addresses,
            ids=ids,
            clock=clock,
        ),
        sign_in=OidcSignInService(
            store=identity.store,
            cache=identity.principals,
            sign_in=identity.sign_in,
            users=identity.users,
            known=known,
            client=client,
            box=box,
            addresses=addresses,
            ids=ids,
            clock=clock,
        ),
    )

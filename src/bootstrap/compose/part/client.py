"""Composition of what lets programs in: tokens of workspaces, and OAuth."""

from dataclasses import dataclass
from typing import Final

from application.identity.oauth.app import OAuthAppService
from application.identity.oauth.consent import OAuthConsentService
from application.identity.oauth.grant import OAuthGrantService
from application.identity.oauth.token import OAuthTokenService
from application.identity.service_token import ServiceTokenService
from application.identity.token import AgentNames
from application.shared.background import Background
from application.shared.leader import scheduled
from bootstrap.compose.part.identity import IdentityParts
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.messaging.leader_election import LeaderElection
from infra.impl.assertion.jose import JoseAssertions

_WARNING_S: Final = 3600.0


@dataclass(frozen=True, kw_only=True)
class ClientParts:
    """Credentials of programs."""

    service_tokens: ServiceTokenService
    expiry_warnings: Background
    """Tells of service tokens that expire soon, in one process for all."""
    oauth_apps: OAuthAppService
    oauth_consent: OAuthConsentService
    oauth_tokens: OAuthTokenService
    oauth_grants: OAuthGrantService


def compose_clients(
    *,
    identity: IdentityParts,
    agents: AgentNames,
    election: LeaderElection,
    clock: Clock,
    ids: IdGenerator,
    limits: Limits,
) -> ClientParts:
    """Needs agents, which credentials may be limited to."""
    service_tokens = ServiceTokenService(
        store=identity.store,
        cache=identity.principals,
        agents=agents,
        ids=ids,
        clock=clock,
        limits=limits,
    )
    store, cache, assertions = identity.store, identity.principals, JoseAssertions()
    return ClientParts(
        service_tokens=service_tokens,
        oauth_apps=OAuthAppService(
            store=store, cache=cache, assertions=assertions, ids=ids, clock=clock
        ),
        oauth_consent=OAuthConsentService(store=store, ids=ids, clock=clock, limits=limits),
        oauth_tokens=OAuthTokenService(
            store=store,
            cache=cache,
            agents=agents,
            assertions=assertions,
            ids=ids,
            clock=clock,
            limits=limits,
        ),
        oauth_grants=OAuthGrantService(store=store, cache=cache, clock=clock),
        expiry_warnings=scheduled(
            service_tokens.warn,
            name="service token expiry",
            interval_s=_WARNING_S,
            election=election,
        ),
    )

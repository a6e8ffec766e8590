"""Composition of what lets programs in: tokens of workspaces."""

from dataclasses import dataclass
from typing import Final

from application.identity.service_token import ServiceTokenService
from application.identity.token import AgentNames
from application.shared.background import Background
from application.shared.leader import scheduled
from bootstrap.compose.part.identity import IdentityParts
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.leader_election import LeaderElection

_WARNING_S: Final = 3600.0


@dataclass(frozen=True, kw_only=True)
class ClientParts:
    """Credentials of programs."""

    service_tokens: ServiceTokenService
    expiry_warnings: Background
    """Tells of service tokens that expire soon, in one process for all."""


def compose_clients(
    *,
    identity: IdentityParts,
    agents: AgentNames,
    roster: LeaderElection,
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
    return ClientParts(
        service_tokens=service_tokens,
        expiry_warnings=scheduled(
            service_tokens.warn,
            name="service token expiry",
            interval_s=_WARNING_S,
            roster=roster,
        ),
    )

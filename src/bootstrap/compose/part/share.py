"""Composition of sharing: links for strangers, and the visits to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from application.share.hook import HookWorker, Runs, ShareHooks
from application.share.link import ShareLinkService
from application.share.visit import VisitService
from application.shared.background import Background
from application.shared.leader import scheduled
from application.shared.target import Targets
from crossdomain.agent.contract import Agents
from crossdomain.usage.contract import RunCosts
from domain.identity.value import TokenKind, new_token_text
from domain.share.visitor import VisitorKeys
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.egress import EgressClient
from infra.contract.messaging.leader_election import LeaderElection
from infra.contract.security.password_hasher import PasswordHasher
from infra.contract.security.secret_box import SecretBox
from infra.impl.assertion.user_token import JoseUserTokens
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.share import SqlShareStore

_FORGETTING_S: Final = 3600.0
_TELLING_S: Final = 2.0


@dataclass(frozen=True, kw_only=True)
class ShareParts:
    """Links for those who may publish, and visits for everybody."""

    links: ShareLinkService
    visits: VisitService
    forgetting: Background
    """Removes sessions of visitors that are over, in one process for all."""
    telling: Background
    """Tells hooks of answers that are over, in one process for all."""


def compose_share(
    *,
    database: Database,
    secret_box: SecretBox,
    master_keys: Sequence[Secret],
    agents: Agents,
    runs: Runs,
    costs: RunCosts,
    egress: EgressClient,
    hasher: PasswordHasher,
    election: LeaderElection,
    clock: Clock,
    ids: IdGenerator,
    limits: Limits,
) -> ShareParts:
    """Needs agents, which answer behind links, and runs, of whose end hooks are told."""
    store, targets, tokens = (
        SqlShareStore(database, secret_box),
        Targets(agents),
        JoseUserTokens(),
    )
    hooks = ShareHooks(egress=egress, costs=costs, clock=clock)
    visits = VisitService(
        store=store,
        targets=targets,
        hasher=hasher,
        tokens=tokens,
        keys=VisitorKeys(*master_keys),
        hooks=hooks,
        new_token=lambda: new_token_text(TokenKind.SHORT_LIVED),
        ids=ids,
        clock=clock,
        limits=limits,
    )
    return ShareParts(
        links=ShareLinkService(
            store=store, targets=targets, hasher=hasher, tokens=tokens, ids=ids, clock=clock
        ),
        visits=visits,
        forgetting=scheduled(
            visits.forget, name="share visits", interval_s=_FORGETTING_S, election=election
        ),
        telling=scheduled(
            HookWorker(store=store, hooks=hooks, runs=runs, clock=clock).step,
            name="share hooks",
            interval_s=_TELLING_S,
            election=election,
        ),
    )

"""Composition of identity: accounts, workspaces, members, rights, sign-in, and programs let in."""

from dataclasses import dataclass
from typing import Final

from application.identity.account import AccountService
from application.identity.audit import AuditService
from application.identity.authentication import AuthService
from application.identity.bootstrap import BootstrapService
from application.identity.cache import PrincipalCache
from application.identity.following import Followers
from application.identity.invitation import InvitationService
from application.identity.oauth.app import OAuthAppService
from application.identity.oauth.consent import OAuthConsentService
from application.identity.oauth.grant import OAuthGrantService
from application.identity.oauth.token import OAuthTokenService
from application.identity.oidc.exchange import ProviderClient
from application.identity.oidc.provider import (
    KnownProviders,
    OidcAddresses,
    OidcProviderService,
)
from application.identity.oidc.settings import OidcSettings
from application.identity.oidc.sign_in import OidcSignInService
from application.identity.registration import RegistrationService
from application.identity.service_token import ServiceTokenService
from application.identity.sharing import GrantService, GroupService
from application.identity.sign_in import SignInRules, SignInService
from application.identity.space import MemberService, SpaceService
from application.identity.space_book import SpaceBook
from application.identity.token import AgentNames
from application.identity.user import UserService
from application.shared.background import Background
from application.shared.leader import scheduled
from crossdomain.identity.contract import Groups, People
from crossdomain.identity.impl import DomainGroups, DomainPeople
from crossdomain.privacy.contract import LegalHolds
from domain.identity.repository import IdentityStore
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.egress import EgressClient
from infra.contract.messaging.leader_election import LeaderElection
from infra.contract.security.password_hasher import PasswordHasher
from infra.contract.security.secret_box import SecretBox
from infra.impl.assertion.jose import JoseAssertions
from infra.impl.assertion.key_set import JoseKeySets
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import AUDITED
from infra.impl.repository.sql.identity.repository import SqlIdentityStore
from infra.impl.table_file import open_table_file

_EXPIRY_WARNING_S: Final = 3600.0


@dataclass(frozen=True, kw_only=True)
class IdentityParts:
    """Who asks, and what they may do; tokens are made where agents are known."""

    store: IdentityStore
    principals: PrincipalCache
    authentication: AuthService
    followers: Followers
    sign_in: SignInService
    account: AccountService
    users: UserService
    spaces: SpaceService
    space_book: SpaceBook
    members: MemberService
    invitations: InvitationService
    registration: RegistrationService
    groups: GroupService
    grants: GrantService
    people: People
    member_groups: Groups
    audit: AuditService
    bootstrap: BootstrapService


def compose_identity(
    *,
    database: Database,
    hasher: PasswordHasher,
    clock: Clock,
    ids: IdGenerator,
    limits: Limits,
    rules: SignInRules,
    holds: LegalHolds,
) -> IdentityParts:
    """Needs no other context."""
    store = SqlIdentityStore(database)
    principals = PrincipalCache(limits=limits)
    users = UserService(store=store, cache=principals, ids=ids, clock=clock)
    authentication = AuthService(store=store, cache=principals, clock=clock, limits=limits)
    sign_in = SignInService(
        store=store,
        cache=principals,
        authentication=authentication,
        hasher=hasher,
        ids=ids,
        clock=clock,
        rules=rules,
    )
    audit = AuditService(
        store=store, ids=ids, clock=clock, limits=limits, open_file=open_table_file
    )
    space_book = SpaceBook(store)
    database.listen(lambda topics: audit.wake() if AUDITED in topics else None)
    return IdentityParts(
        store=store,
        principals=principals,
        authentication=authentication,
        sign_in=sign_in,
        account=AccountService(
            store=store, cache=principals, sign_in=sign_in, hasher=hasher, clock=clock
        ),
        followers=Followers(),
        users=users,
        spaces=SpaceService(
            store=store,
            cache=principals,
            book=space_book,
            holds=holds,
            ids=ids,
            clock=clock,
            limits=limits,
        ),
        space_book=space_book,
        members=MemberService(store=store, cache=principals, clock=clock),
        invitations=InvitationService(store=store, cache=principals, ids=ids, clock=clock),
        registration=RegistrationService(
            store=store, users=users, sign_in=sign_in, hasher=hasher, clock=clock
        ),
        groups=GroupService(store=store, cache=principals, ids=ids, clock=clock, limits=limits),
        grants=GrantService(store=store, cache=principals, ids=ids, clock=clock, limits=limits),
        people=DomainPeople(store),
        member_groups=DomainGroups(store),
        audit=audit,
        bootstrap=BootstrapService(store=store, users=users),
    )


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


@dataclass(frozen=True, kw_only=True)
class ClientParts:
    """What lets programs in: tokens of workspaces, and OAuth."""

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
            interval_s=_EXPIRY_WARNING_S,
            election=election,
        ),
    )

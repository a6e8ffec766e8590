"""Where OAuth keeps applications, requests and tokens, on SQLite and PostgreSQL."""

from datetime import timedelta

import pytest

from domain.identity.entity import Space, User
from domain.identity.oauth.app import AppRules, OAuthApp, PublicKey
from domain.identity.oauth.error import ClientAppNotFound
from domain.identity.oauth.grant import OAuthGrant, OAuthToken
from domain.identity.oauth.request import (
    ChallengeMethod,
    OAuthRequest,
    code_digest,
    handle_digest,
)
from domain.identity.repository import IdentityStore
from domain.identity.value import ClientType, SpaceKind, TokenKind, token_digest
from domain.shared.access import Permission, Role, TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import (
    AgentId,
    OAuthAppId,
    OAuthGrantId,
    OAuthRequestId,
    SpaceId,
    TokenId,
    UserId,
)
from domain.shared.secret import Secret
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.identity.repository import SqlIdentityStore
from tests.support.clock import FrozenClock

ANNA, TEAM, OTHER = UserId(11), SpaceId(21), SpaceId(22)
HERE, ELSEWHERE = TenantScope(ANNA, frozenset({TEAM})), TenantScope(ANNA, frozenset({OTHER}))
SCOPES = frozenset({Permission.CHAT, Permission.FILE})


def app(number: int, clock: FrozenClock) -> OAuthApp:
    return OAuthApp.create(
        id=OAuthAppId(number),
        space_id=TEAM,
        name=f"App {number}",
        client_type=ClientType.JWT,
        rules=AppRules(permissions=SCOPES, public_key=PublicKey(key_id="k", pem="p")),
        actor_id=ANNA,
        now=clock.now(),
    )


def request(number: int, of: OAuthApp, clock: FrozenClock) -> OAuthRequest:
    return OAuthRequest.for_code(
        id=OAuthRequestId(number),
        app=of,
        handle=Secret(f"handle {number}"),
        space_id=TEAM,
        redirect_uri="https://crm.example.org/",
        state="s",
        challenge="c" * 43,
        method=ChallengeMethod.S256,
        now=clock.now(),
    )


def token(number: int, of: OAuthApp, grant: OAuthGrant | None, clock: FrozenClock) -> OAuthToken:
    return OAuthToken.create(
        id=number,
        app=of,
        grant=grant,
        kind=TokenKind.OAUTH,
        text=f"token {number}",
        permissions=SCOPES,
        agent_ids=frozenset({AgentId(7)}),
        end_user_id="visitor",
        expires_at=clock.now() + timedelta(minutes=15),
        now=clock.now(),
    )


@pytest.fixture
async def store(database: Database, clock: FrozenClock) -> IdentityStore:
    made = SqlIdentityStore(database)
    async with made.transaction() as uow:
        await uow.users.save(
            User.create(
                id=ANNA, name="Anna", personal_space_id=OTHER, actor_id=ANNA, now=clock.now()
            )
        )
        space = Space.create(
            id=TEAM,
            kind=SpaceKind.TEAM,
            name="Team",
            owner_id=ANNA,
            actor_id=ANNA,
            now=clock.now(),
        )
        await uow.spaces.save(HERE, space)
        await uow.commit()
    return made


async def test_applications_come_back_in_their_workspace_alone(
    store: IdentityStore, clock: FrozenClock
) -> None:
    async with store.transaction() as uow:
        for number in (1, 2):
            await uow.oauth_apps.save(HERE, app(number, clock))
        with pytest.raises(ClientAppNotFound):
            await uow.oauth_apps.save(ELSEWHERE, app(3, clock))
        await uow.commit()

    async with store.snapshot() as uow:
        first = await uow.oauth_apps.get(HERE, OAuthAppId(1))
        assert (first.rules, first.client_type) == (app(1, clock).rules, ClientType.JWT)
        assert [each.id for each in await uow.oauth_apps.all(HERE)] == [2, 1]
        assert await uow.oauth_apps.all(ELSEWHERE) == []
        with pytest.raises(ClientAppNotFound):
            await uow.oauth_apps.get(ELSEWHERE, OAuthAppId(1))
        assert await uow.oauth.app(OAuthAppId(1)) is not None
        assert await uow.oauth.app(OAuthAppId(9)) is None
        assert set(await uow.oauth.apps([OAuthAppId(1), OAuthAppId(9)])) == {1}


async def test_requests_are_found_by_name_and_by_code_and_answered_once(
    store: IdentityStore, clock: FrozenClock
) -> None:
    one, now = app(1, clock), clock.now()
    async with store.transaction() as uow:
        await uow.oauth_apps.save(HERE, one)
        await uow.oauth.save_request(request(1, one, clock))
        await uow.oauth.save_request(request(2, one, clock))
        await uow.commit()

    async with store.transaction() as uow:
        assert await uow.oauth.count_pending(one.id, now=now) == 2
        assert await uow.oauth.count_pending(one.id, now=now + timedelta(hours=1)) == 0
        found = await uow.oauth.request_of(handle_digest("handle 1"))
        again = await uow.oauth.request_of(handle_digest("handle 1"))
        assert found is not None
        assert again is not None
        assert found.method is ChallengeMethod.S256
        found.approve(user_id=ANNA, space_id=TEAM, code=Secret("code"), now=now)
        await uow.oauth.save_request(found)
        again.deny(user_id=ANNA, now=now)
        with pytest.raises(StaleRevision):
            await uow.oauth.save_request(again)
        await uow.commit()

    async with store.snapshot() as uow:
        paid = await uow.oauth.request_by_code(code_digest("code"))
        assert paid is not None
        assert (paid.id, paid.user_id, paid.space_id) == (1, ANNA, TEAM)
        assert await uow.oauth.request_by_code(code_digest("other")) is None
        assert await uow.oauth.count_pending(one.id, now=now) == 1


async def test_tokens_lead_to_whom_they_act_for_until_the_grant_is_gone(
    store: IdentityStore, clock: FrozenClock
) -> None:
    one, now = app(1, clock), clock.now()
    grant = OAuthGrant.create(id=OAuthGrantId(5), app=one, user_id=ANNA, space_id=TEAM, now=now)
    async with store.transaction() as uow:
        await uow.oauth_apps.save(HERE, one)
        await uow.oauth.save_grant(grant)
        await uow.oauth.save_token(token(1, one, grant, clock))
        await uow.oauth.save_token(token(2, one, None, clock))
        uses = {TokenId(5): now, TokenId(1): now}
        await uow.credentials.record_use(uses, of=TokenKind.OAUTH)
        await uow.commit()

    async with store.transaction() as uow:
        of_person = await uow.oauth.credential(token_digest("token 1"))
        of_space = await uow.oauth.credential(token_digest("token 2"))
        assert of_person is not None
        assert of_person.user is not None
        assert of_person.grant is not None
        assert (of_person.user.id, of_person.roles) == (ANNA, {TEAM: Role.OWNER})
        assert (of_person.grant.last_used_at, of_person.app.last_used_at) == (now, now)
        assert of_person.token.agent_ids == frozenset({AgentId(7)})
        assert of_space is not None
        assert (of_space.user, of_space.grant) == (None, None)
        assert not await uow.credentials.is_revoked(TokenId(5))
        assert [each.id for each in await uow.oauth.grants_of(ANNA, now=now)] == [5]
        await uow.oauth.delete_grant(of_person.grant)
        assert await uow.oauth.credential(token_digest("token 1")) is None
        assert await uow.oauth.credential(token_digest("token 2")) is not None
        await uow.oauth_apps.delete(HERE, one)
        assert await uow.oauth.token(token_digest("token 2")) is None
        await uow.commit()


async def test_an_assertion_is_taken_once_and_old_things_are_forgotten(
    store: IdentityStore, clock: FrozenClock
) -> None:
    one, later = app(1, clock), clock.now() + timedelta(hours=1)
    async with store.transaction() as uow:
        await uow.oauth_apps.save(HERE, one)
        await uow.oauth.save_request(request(1, one, clock))
        await uow.oauth.save_token(token(1, one, None, clock))
        assert await uow.oauth.take_assertion(one.id, b"n" * 32, expires_at=later)
        assert not await uow.oauth.take_assertion(one.id, b"n" * 32, expires_at=later)
        assert await uow.oauth.take_assertion(OAuthAppId(2), b"n" * 32, expires_at=later)
        await uow.oauth.forget_expired(one.id, before=clock.now())
        assert await uow.oauth.token(token_digest("token 1")) is not None
        await uow.oauth.forget_expired(one.id, before=later + timedelta(seconds=1))
        assert await uow.oauth.token(token_digest("token 1")) is None
        assert await uow.oauth.request_of(handle_digest("handle 1")) is None
        assert await uow.oauth.take_assertion(one.id, b"n" * 32, expires_at=later)
        await uow.commit()

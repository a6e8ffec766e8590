"""The four flows of OAuth: what each takes, refuses and gives, and what ends it."""

import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey

from application.identity.dto import CreateSpace, IssueToken, NewMember
from application.identity.oauth.app import (
    ChangeOAuthApp,
    CreateOAuthApp,
    NewOAuthApp,
    OAuthAppService,
)
from application.identity.oauth.consent import (
    BeginAuthorization,
    Decision,
    DeviceCode,
    OAuthConsentService,
)
from application.identity.oauth.grant import OAuthGrantService
from application.identity.oauth.token import (
    ASSERTION,
    CODE,
    DEVICE,
    REFRESH,
    OAuthTokenService,
    TokenAnswer,
    TokenRequest,
)
from domain.identity.error import TokenExceedsOwner
from domain.identity.oauth.error import (
    AccessDenied,
    AuthorizationPending,
    ClientAppNotFound,
    ClientGrantNotFound,
    ConsentRequestDecided,
    ConsentRequestNotFound,
    ExpiredToken,
    InvalidClient,
    InvalidClientApp,
    InvalidGrant,
    InvalidScope,
    SlowDown,
    UnauthorizedClient,
    UnsupportedGrantType,
)
from domain.identity.value import ClientType
from domain.shared.access import Grant, Permission, Principal, Role
from domain.shared.error import (
    AppError,
    Forbidden,
    InvalidRequest,
    NotFound,
    RateLimited,
    Unauthenticated,
)
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId
from domain.shared.secret import Secret
from infra.contract.security.assertion import KeyInvalid
from infra.impl.assertion.jose import JoseAssertions
from tests.support.clock import FrozenClock
from tests.support.identity.service import LIMITS, Identity, KnownAgents, add_user

BACK: Final = "https://crm.example.org/callback?from=coterie"
HOST: Final = "agents.example.org"
VERIFIER: Final = "v" * 64
SCOPES: Final = frozenset({Permission.CHAT, Permission.FILE, Permission.SPACE_READ})
PRIVATE: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(key: Any) -> str:
    kind = serialization.PublicFormat.SubjectPublicKeyInfo
    return str(key.public_key().public_bytes(serialization.Encoding.PEM, kind).decode())


def challenge(verifier: str = VERIFIER) -> str:
    return urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


async def outcome(attempt: Awaitable[object]) -> type[AppError]:
    """Return how an attempt failed; ``AppError`` itself if it did not."""
    try:
        await attempt
    except AppError as exc:
        return type(exc)
    return AppError


@dataclass
class World:
    """A workspace with applications of all types, and a person who may chat in it."""

    identity: Identity
    clock: FrozenClock
    apps: OAuthAppService
    consent: OAuthConsentService
    tokens: OAuthTokenService
    grants: OAuthGrantService
    owner: Principal
    person: Principal
    space_id: int
    registered: dict[ClientType, NewOAuthApp] = field(default_factory=dict)
    peers: Iterator[str] = field(
        default_factory=lambda: map("2001:db8:{:x}::1".format, range(9999))
    )

    async def register(self, client_type: ClientType, **more: Any) -> NewOAuthApp:
        values: dict[str, Any] = {
            "space_id": self.space_id,
            "name": client_type.value,
            "client_type": client_type,
            "permissions": SCOPES,
        }
        if client_type in {ClientType.WEB, ClientType.PKCE}:
            values["redirect_uris"] = [BACK]
        if client_type is ClientType.JWT:
            values |= {"public_key": pem(PRIVATE), "key_id": "first"}
        return await self.apps.create(self.owner, CreateOAuthApp(**{**values, **more}))

    def app(self, client_type: ClientType) -> NewOAuthApp:
        return self.registered[client_type]

    async def begin(self, client_type: ClientType, **more: Any) -> str:
        values: dict[str, Any] = {
            "client_id": self.app(client_type).app.client_id,
            "response_type": "code",
            "redirect_uri": BACK,
            "state": "s t/ä",
        }
        if client_type is ClientType.PKCE:
            values |= {"challenge": challenge(), "challenge_method": "S256"}
        command = BeginAuthorization(**{**values, **more})
        return await self.consent.begin(command, peer=next(self.peers))

    async def approve(self, name: str, space_id: int | None = None) -> str:
        decision = Decision(is_approved=True, space_id=space_id or self.space_id)
        return await self.consent.answer(self.person, name, decision)

    async def code(self, client_type: ClientType, **more: Any) -> str:
        return parse_qs(urlsplit(await self.approve(await self.begin(client_type, **more))).query)[
            "code"
        ][0]

    async def device(self) -> DeviceCode:
        client_id = self.app(ClientType.DEVICE).app.client_id
        return await self.consent.begin_device(client_id, space_id=None, peer=next(self.peers))

    async def issue(self, **given: Any) -> TokenAnswer:
        secret = ("credential", "code", "verifier", "refresh_token", "device_code")
        values: dict[str, Any] = {n: Secret(str(given.pop(n, ""))) for n in secret}
        return await self.tokens.issue(
            TokenRequest(**values, audiences=[HOST], **given), peer=next(self.peers)
        )

    async def arguments(self, flow: str) -> dict[str, Any]:
        """What an application brings at the end of a flow that went well."""
        match flow:
            case "web":
                app = self.app(ClientType.WEB)
                assert app.secret is not None
                return {
                    "grant_type": CODE,
                    "client_id": app.app.client_id,
                    "credential": app.secret.reveal(),
                    "redirect_uri": BACK,
                    "code": await self.code(ClientType.WEB),
                }
            case "pkce":
                return {
                    "grant_type": CODE,
                    "client_id": self.app(ClientType.PKCE).app.client_id,
                    "verifier": VERIFIER,
                    "redirect_uri": BACK,
                    "code": await self.code(ClientType.PKCE),
                }
            case "device":
                code = await self.device()
                await self.approve(code.user_code)
                return {
                    "grant_type": DEVICE,
                    "client_id": self.app(ClientType.DEVICE).app.client_id,
                    "device_code": code.device_code.reveal(),
                }
            case "jwt":
                return {"grant_type": ASSERTION, "credential": self.assertion()}
            case _:
                return await self.refreshing(flow.removeprefix("refresh "))

    async def refreshing(self, flow: str) -> dict[str, Any]:
        given = await self.arguments(flow)
        refreshed = await self.issue(**given)
        assert refreshed.refresh_token is not None
        return {
            "grant_type": REFRESH,
            "client_id": given["client_id"],
            "credential": given.get("credential", ""),
            "refresh_token": refreshed.refresh_token.reveal(),
        }

    def assertion(
        self,
        *,
        key: Any = None,
        header: Mapping[str, Any] | None = None,
        without: str = "",
        **claims: Any,
    ) -> str:
        now = int(self.clock.now().timestamp())
        self.clock.advance(seconds=0)
        values = {
            "iss": self.app(ClientType.JWT).app.client_id,
            "aud": HOST,
            "iat": now,
            "exp": now + 3600,
            "jti": f"{now}:{next(self.peers)}",
            **claims,
        }
        values.pop(without, None)
        signing = key or RSAKey.import_key(PRIVATE)
        algorithm = (header or {}).get("alg", "RS256")
        return jwt.encode(
            {"alg": "RS256", "typ": "JWT", "kid": "first", **(header or {})},
            values,
            signing,
            algorithms=[algorithm],
        )

    async def use(self, answer: TokenAnswer) -> Principal:
        header = f"Bearer {answer.access_token.reveal()}"
        return await self.identity.auth.authenticate(header, peer="192.0.2.1")

    async def is_good(self, answer: TokenAnswer) -> bool:
        try:
            await self.use(answer)
        except Unauthenticated:
            return False
        return True


FLOWS: Final = ("web", "pkce", "device", "jwt", "refresh web", "refresh pkce", "refresh device")
OF_PERSON: Final = ("web", "pkce", "device")


@pytest.fixture
async def world(identity: Identity, ids: IdGenerator, clock: FrozenClock) -> World:
    space = await identity.spaces.create(await identity.principal(), CreateSpace(name="Team"))
    owner = await identity.principal()
    user_id, text = await add_user(identity, "anna")
    member = NewMember(user_id=user_id, role=Role.VIEWER)
    await identity.members.add(owner, space.id, [member])
    store, cache, assertions = identity.store, identity.auth._cache, JoseAssertions()
    made = World(
        identity=identity,
        clock=clock,
        apps=OAuthAppService(store=store, cache=cache, assertions=assertions, ids=ids, clock=clock),
        consent=OAuthConsentService(store=store, ids=ids, clock=clock, limits=LIMITS),
        tokens=OAuthTokenService(
            store=store,
            cache=cache,
            agents=KnownAgents(),
            assertions=assertions,
            ids=ids,
            clock=clock,
            limits=LIMITS,
        ),
        grants=OAuthGrantService(store=store, cache=cache, clock=clock),
        owner=owner,
        person=await identity.principal(text),
        space_id=space.id,
    )
    for client_type in ClientType:
        made.registered[client_type] = await made.register(client_type)
    return made


@pytest.mark.parametrize("flow", FLOWS)
async def test_a_token_is_cut_to_scopes_rights_and_workspace(world: World, flow: str) -> None:
    answer = await world.issue(**await world.arguments(flow))
    principal = await world.use(answer)

    assert answer.access_token.reveal().startswith("cztei_")
    assert answer.expires_at == world.clock.now() + timedelta(seconds=900)
    assert set(principal.roles) == {world.space_id}
    assert principal.grant.permissions == SCOPES
    assert not principal.administers_deployment
    assert principal.is_service is (flow == "jwt")
    assert principal.user_id == (
        world.app(ClientType.JWT).app.id if flow == "jwt" else world.person.user_id
    )
    for permission in Permission:
        assert principal.may(permission, world.space_id) is (permission in SCOPES)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        principal.require(Permission.CHAT, world.person.personal_space_id)
    if flow == "jwt":
        assert answer.refresh_token is None
    else:
        assert answer.refresh_token is not None
        assert answer.refresh_token.reveal().startswith("czr_")


@pytest.mark.parametrize("flow", FLOWS)
async def test_the_application_chooses_how_long(world: World, flow: str) -> None:
    for seconds in (1, 86_400):
        answer = await world.issue(**await world.arguments(flow), duration_s=seconds)
        assert answer.expires_at == world.clock.now() + timedelta(seconds=seconds)
        assert await world.is_good(answer)
        world.clock.advance(seconds=seconds)
        assert not await world.is_good(answer)


@pytest.mark.parametrize("flow", FLOWS)
async def test_no_token_lives_longer_than_a_day(world: World, flow: str) -> None:
    given = await world.arguments(flow)
    for seconds in (-1, 0, 86_401, 10**12):
        with pytest.raises(InvalidRequest):
            await world.issue(**given, duration_s=seconds)
    assert await world.is_good(await world.issue(**given)), "a refusal spends nothing"


_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "web": ("client_id", "credential", "redirect_uri", "code"),
    "pkce": ("client_id", "verifier", "redirect_uri", "code"),
    "device": ("client_id", "device_code"),
    "jwt": ("credential",),
    "refresh web": ("client_id", "credential", "refresh_token"),
    "refresh pkce": ("client_id", "refresh_token"),
    "refresh device": ("client_id", "refresh_token"),
}
_WRONG: Final = {
    "credential": "x" * 43,
    "redirect_uri": "https://crm.example.org/callback",
    "code": "x" * 43,
    "verifier": "w" * 64,
    "device_code": "x" * 43,
    "refresh_token": "czr_" + "0" * 49,
    "client_id": "7",
}


@pytest.mark.parametrize(
    ("flow", "name", "wrong"),
    [
        (flow, name, wrong)
        for flow, names in _FIELDS.items()
        for name in names
        for wrong in ("missing", "foreign", "other's")
    ],
)
async def test_each_field_of_each_grant_must_be_right(
    world: World, flow: str, name: str, wrong: str
) -> None:
    """Missing, made up, and good elsewhere: a second application, and another one's flow."""
    given = await world.arguments(flow)
    kind = ClientType(flow.removeprefix("refresh "))
    mine, world.registered[kind] = world.registered[kind], await world.register(kind)
    if wrong == "other's" and kind is not ClientType.JWT:
        value = (await world.arguments(flow))[name]
        if value == given[name]:
            pytest.skip("the same for all")
    elif wrong == "other's":
        value = world.assertion(iss=mine.app.client_id, header={"kid": "second"})
    else:
        value = "" if wrong == "missing" else _WRONG[name]

    with pytest.raises((InvalidClient, InvalidGrant)):
        await world.issue(**{**given, name: value})


@pytest.mark.parametrize("flow", FLOWS)
async def test_what_was_exchanged_is_useless(world: World, flow: str) -> None:
    given = await world.arguments(flow)
    first = await world.issue(**given)

    with pytest.raises(InvalidGrant):
        await world.issue(**given)

    # A code or refresh token that comes back may have been stolen: everything ends.
    assert await world.is_good(first) is (flow in {"device", "jwt"})
    if first.refresh_token is not None:
        again = {**given, "grant_type": REFRESH, "refresh_token": first.refresh_token.reveal()}
        if flow == "device":
            await world.issue(**again)
        else:
            with pytest.raises(InvalidGrant):
                await world.issue(**again)


_LIVES: Final = {"web": 60, "pkce": 60, "device": 900, "jwt": 3630}


@pytest.mark.parametrize("flow", FLOWS)
async def test_what_is_too_old_is_useless(world: World, flow: str) -> None:
    given = await world.arguments(flow)
    world.clock.advance(seconds=_LIVES.get(flow, 30 * 86_400))

    with pytest.raises((InvalidGrant, ExpiredToken)):
        await world.issue(**given)


@pytest.mark.parametrize("flow", FLOWS)
async def test_each_type_of_application_has_its_own_grants(world: World, flow: str) -> None:
    given = await world.arguments(flow)
    for other in set(ClientType) - {ClientType(flow.removeprefix("refresh "))}:
        app = world.app(other)
        secret = "" if app.secret is None else app.secret.reveal()
        theirs = {**given, "client_id": app.app.client_id, "credential": secret}
        if flow == "jwt":
            theirs["credential"] = world.assertion(iss=app.app.client_id)
        seen = await outcome(world.issue(**theirs))
        assert seen in {UnauthorizedClient, InvalidGrant}, f"{other}: {seen}"
    assert await world.is_good(await world.issue(**given))


@pytest.mark.parametrize("grant_type", ["", "password", "client_credentials", "implicit"])
async def test_there_are_no_other_grants(world: World, grant_type: str) -> None:
    with pytest.raises(UnsupportedGrantType):
        await world.issue(**{**await world.arguments("web"), "grant_type": grant_type})


# Authorization


_NOT_BEGUN: Final[list[tuple[ClientType, dict[str, Any], type[AppError]]]] = [
    (ClientType.WEB, {"client_id": ""}, InvalidClient),
    (ClientType.WEB, {"client_id": "x"}, InvalidClient),
    (ClientType.WEB, {"client_id": "9" * 5000}, InvalidClient),
    (ClientType.WEB, {"client_id": "7"}, InvalidClient),
    (ClientType.WEB, {"redirect_uri": ""}, InvalidRequest),
    (ClientType.WEB, {"redirect_uri": f"{BACK}&x=1"}, InvalidRequest),
    (ClientType.WEB, {"redirect_uri": BACK.upper()}, InvalidRequest),
    (ClientType.WEB, {"redirect_uri": "https://evil.example.org/"}, InvalidRequest),
    (ClientType.WEB, {"response_type": "token"}, InvalidRequest),
    (ClientType.WEB, {"response_type": ""}, InvalidRequest),
    (ClientType.WEB, {"state": "s" * 2001}, InvalidRequest),
    (ClientType.WEB, {"challenge_method": "S256"}, InvalidRequest),
    (ClientType.PKCE, {"challenge": ""}, InvalidRequest),
    (ClientType.PKCE, {"challenge": "short"}, InvalidRequest),
    (ClientType.PKCE, {"challenge_method": "plain"}, InvalidRequest),
    (ClientType.PKCE, {"challenge_method": ""}, InvalidRequest),
    (ClientType.PKCE, {"challenge_method": "s256"}, InvalidRequest),
    (ClientType.DEVICE, {}, UnauthorizedClient),
    (ClientType.JWT, {}, UnauthorizedClient),
]


async def test_what_a_browser_brings_is_checked_before_anybody_is_asked(world: World) -> None:
    for client_type, wrong, error in _NOT_BEGUN:
        seen = await outcome(world.begin(client_type, **wrong))
        assert issubclass(seen, error), f"{client_type} {wrong}: {seen}"


async def test_plain_is_for_applications_that_ask_for_it(world: World) -> None:
    app = world.app(ClientType.PKCE).app
    await world.apps.change(world.owner, app.id, ChangeOAuthApp(allows_plain=True))
    given = {
        "grant_type": CODE,
        "client_id": app.client_id,
        "redirect_uri": BACK,
        "code": await world.code(
            ClientType.PKCE, challenge="verifier-of-plain-text", challenge_method="plain"
        ),
    }

    with pytest.raises(InvalidGrant):
        await world.issue(**given, verifier="another-of-plain-text")
    assert await world.is_good(await world.issue(**given, verifier="verifier-of-plain-text"))


async def test_a_web_application_that_sent_a_challenge_keeps_to_it(world: World) -> None:
    given = await world.arguments("web")
    given["code"] = await world.code(ClientType.WEB, challenge=challenge(), challenge_method="S256")

    with pytest.raises(InvalidGrant):
        await world.issue(**given)
    assert await world.is_good(await world.issue(**given, verifier=VERIFIER))


async def test_the_browser_goes_back_with_the_answer_and_what_it_brought(world: World) -> None:
    for is_approved in (True, False):
        name = await world.begin(ClientType.WEB)
        decision = Decision(is_approved=is_approved, space_id=world.space_id)
        url = await world.consent.answer(world.person, name, decision)
        query = parse_qs(urlsplit(url).query)
        assert url.startswith("https://crm.example.org/callback?")
        assert (query["from"], query["state"]) == (["coterie"], ["s t/ä"])
        if is_approved:
            assert len(query["code"][0]) >= 43
        else:
            assert query["error"] == ["access_denied"]
        with pytest.raises(ConsentRequestDecided):
            await world.approve(name)
        with pytest.raises(ConsentRequestDecided):
            await world.consent.show(world.person, name)


async def test_a_person_sees_what_they_are_asked_for(world: World) -> None:
    name = await world.begin(ClientType.PKCE)
    shown = await world.consent.show(world.person, name)

    assert (shown.app_name, shown.app_space) == ("pkce", "Team")
    assert shown.redirect_host == "crm.example.org"
    assert set(shown.permissions) == SCOPES
    assert [each.id for each in shown.workspaces] == [
        world.space_id,
        world.person.personal_space_id,
    ], "that of the application first"


@pytest.mark.parametrize("is_device", [False, True])
async def test_the_workspace_is_one_of_the_persons_and_the_one_asked_for(
    world: World, *, is_device: bool
) -> None:
    async def name(space_id: int | None) -> str:
        if is_device:
            client_id = world.app(ClientType.DEVICE).app.client_id
            peer = next(world.peers)
            code = await world.consent.begin_device(client_id, space_id=space_id, peer=peer)
            return code.user_code
        return await world.begin(ClientType.WEB, space_id=space_id)

    own, foreign = world.person.personal_space_id, world.owner.personal_space_id
    with pytest.raises(NotFound):
        await world.approve(await name(None), foreign)
    with pytest.raises(InvalidRequest):
        await world.approve(await name(world.space_id), own)
    nowhere = await name(None)
    with pytest.raises(InvalidRequest):
        await world.consent.answer(world.person, nowhere, Decision(is_approved=True))
    fixed = await name(own)
    shown = await world.consent.show(world.person, fixed)
    assert [each.id for each in shown.workspaces] == [own]
    assert (await world.consent.show(world.person, await name(foreign))).workspaces == ()
    await world.approve(fixed, own)


async def test_nobody_waits_for_long(world: World) -> None:
    browser, device = await world.begin(ClientType.WEB), await world.device()
    world.clock.advance(seconds=600)
    with pytest.raises(ConsentRequestNotFound):
        await world.approve(browser)
    world.clock.advance(seconds=300)
    with pytest.raises(ConsentRequestNotFound):
        await world.approve(device.user_code)


async def test_begun_requests_are_limited_by_address(world: World) -> None:
    command = BeginAuthorization(
        client_id=world.app(ClientType.WEB).app.client_id,
        response_type="code",
        redirect_uri=BACK,
    )
    for _ in range(LIMITS.oauth_requests_per_min):
        await world.consent.begin(command, peer="192.0.2.1")
    with pytest.raises(RateLimited):
        await world.consent.begin(command, peer="192.0.2.1")
    await world.consent.begin(command, peer="198.51.100.1")


# Devices


async def test_a_device_waits_slows_down_and_gets_its_token(world: World) -> None:
    code = await world.device()
    given = {
        "grant_type": DEVICE,
        "client_id": world.app(ClientType.DEVICE).app.client_id,
        "device_code": code.device_code.reveal(),
    }

    async def told() -> type[AppError]:
        with pytest.raises((AuthorizationPending, SlowDown)) as raised:
            await world.issue(**given)
        return type(raised.value)

    assert await told() is AuthorizationPending
    world.clock.advance(seconds=code.interval_s)
    assert await told() is AuthorizationPending
    world.clock.advance(seconds=code.interval_s - 1)
    assert await told() is SlowDown
    world.clock.advance(seconds=code.interval_s)
    assert await told() is SlowDown, "the interval is longer now"
    world.clock.advance(seconds=code.interval_s + 10)
    assert await told() is AuthorizationPending
    await world.approve(code.user_code.lower().replace("-", " "))
    assert await world.is_good(await world.issue(**given))


async def test_a_device_is_told_that_the_person_refused(world: World) -> None:
    code = await world.device()
    refusal = Decision(is_approved=False)
    assert await world.consent.answer(world.person, code.user_code, refusal) == ""

    for _ in range(2):
        with pytest.raises(AccessDenied):
            await world.issue(
                grant_type=DEVICE,
                client_id=world.app(ClientType.DEVICE).app.client_id,
                device_code=code.device_code.reveal(),
            )


async def test_codes_of_devices_cannot_be_guessed(world: World) -> None:
    code = await world.device()
    seen = []
    for _ in range(11):
        with pytest.raises((ConsentRequestNotFound, RateLimited)) as raised:
            await world.consent.show(world.person, "BBBB-BBBB")
        seen.append(type(raised.value))

    assert seen[-1] is RateLimited
    assert (await world.consent.show(world.person, code.user_code)).id == code.user_code


@pytest.mark.parametrize("client_type", [each for each in ClientType if each != "device"])
async def test_only_devices_get_codes_of_devices(world: World, client_type: ClientType) -> None:
    client_id = world.app(client_type).app.client_id
    with pytest.raises(UnauthorizedClient):
        await world.consent.begin_device(client_id, space_id=None, peer="192.0.2.1")


# Assertions


_NO_CLAIMS: Final[list[dict[str, Any]]] = [
    {"aud": "other.example.org"},
    {"aud": f"https://{HOST}"},
    {"aud": []},
    {"aud": 7},
    {"iss": "7"},
    {"iss": 7},
    {"iat": "now"},
    {"iat": True},
    {"exp": 10**18},
    {"exp": float("1e300")},
    {"exp": 0},
    {"jti": ""},
    {"jti": "x" * 257},
    {"jti": 7},
    {"nbf": 10**10},
    {"session_name": "x" * 5000},
    {"session_name": "a\x00b"},
    {"session_name": 7},
    *({"without": each} for each in ("iss", "aud", "iat", "exp", "jti")),
    {"header": {"kid": "second"}},
    {"header": {"kid": ""}},
    {"key": RSAKey.import_key(OTHER)},
    {"key": OctKey.import_key("k" * 64), "header": {"alg": "HS256"}},
    {"key": RSAKey.import_key(PRIVATE), "header": {"alg": "PS256"}},
    {"key": RSAKey.import_key(PRIVATE), "header": {"alg": "RS512"}},
    {
        "key": ECKey.import_key(ec.generate_private_key(ec.SECP256R1())),
        "header": {"alg": "ES256"},
    },
]


async def test_every_part_of_an_assertion_is_checked(world: World) -> None:
    for wrong in _NO_CLAIMS:
        issued = world.issue(grant_type=ASSERTION, credential=world.assertion(**wrong))
        seen = await outcome(issued)
        assert seen in {InvalidGrant, InvalidClient}, f"{wrong}: {seen}"


@pytest.mark.parametrize(
    "text", ["", ".", "..", "a.b.c", "e30.e30.", "e30.e30.x", "W10.W10.x", "x" * 20_000]
)
async def test_what_is_no_assertion_is_refused(world: World, text: str) -> None:
    with pytest.raises(InvalidGrant):
        await world.issue(grant_type=ASSERTION, credential=text)


async def test_an_assertion_without_signature_is_refused(world: World) -> None:
    head, body, _ = world.assertion().split(".")
    none, confused = (
        urlsafe_b64encode(json.dumps({"alg": each, "kid": "first"}).encode()).decode().rstrip("=")
        for each in ("none", "HS256")
    )
    mac = hmac.digest(pem(PRIVATE).encode(), f"{confused}.{body}".encode(), "sha256")
    signed = f"{confused}.{body}.{urlsafe_b64encode(mac).decode().rstrip('=')}"
    for text in (f"{none}.{body}.", f"{head}.{body}.", f"{head}.{body}.AAAA", signed):
        with pytest.raises(InvalidGrant):
            await world.issue(grant_type=ASSERTION, credential=text)


async def test_an_assertion_lives_an_hour_at_most(world: World) -> None:
    now = int(world.clock.now().timestamp())
    bad: list[dict[str, Any]] = [
        {"exp": now + 3601},
        {"iat": now - 3700, "exp": now - 60},
        {"iat": now + 60},
    ]
    for claims in bad:
        with pytest.raises(InvalidGrant):
            await world.issue(grant_type=ASSERTION, credential=world.assertion(**claims))
    good: list[dict[str, Any]] = [
        {"iat": now + 20},
        {"iat": now - 3600, "exp": now - 20},
        {"aud": [HOST.upper()]},
    ]
    for claims in good:
        credential = world.assertion(**claims)
        assert await world.is_good(await world.issue(grant_type=ASSERTION, credential=credential))


async def test_a_session_name_becomes_the_end_user(world: World) -> None:
    credential = world.assertion(session_name="visitor 42")
    principal = await world.use(await world.issue(grant_type=ASSERTION, credential=credential))

    assert principal.end_user_id == "visitor 42"
    assert principal.scope.end_user_id == "visitor 42"


_SCOPES_ASKED: Final[
    list[tuple[list[str] | None, set[Permission] | frozenset[Permission] | None]]
] = [
    (None, SCOPES),
    ([], SCOPES),
    (["chat"], {Permission.CHAT}),
    (["Connector.botChat"], {Permission.CHAT, Permission.FILE}),
    (["chat", "workspace.read"], {Permission.CHAT, Permission.SPACE_READ}),
    (["dataset.read"], None),
    (["chat", "bot.write"], None),
    (["admin"], None),
    (["Unknown.permission"], None),
]


async def test_an_assertion_asks_for_less_and_never_for_more(world: World) -> None:
    for asked, given in _SCOPES_ASKED:
        issued = world.issue(grant_type=ASSERTION, credential=world.assertion(), permissions=asked)
        if given is None:
            assert await outcome(issued) is InvalidScope, asked
        else:
            assert (await world.use(await issued)).grant.permissions == given, asked


async def test_an_assertion_names_agents_of_its_workspace(world: World) -> None:
    answer = await world.issue(grant_type=ASSERTION, credential=world.assertion(), agent_ids=[7, 8])
    assert (await world.use(answer)).agent_ids == frozenset({AgentId(7), AgentId(8)})
    for wrong in ([], [7, KnownAgents.missing]):
        with pytest.raises(InvalidScope):
            await world.issue(grant_type=ASSERTION, credential=world.assertion(), agent_ids=wrong)


async def test_an_assertion_acts_for_the_workspace_of_its_application(world: World) -> None:
    answer = await world.issue(
        grant_type=ASSERTION, credential=world.assertion(), account_id=world.space_id
    )
    assert await world.is_good(answer)
    with pytest.raises(InvalidGrant):
        await world.issue(
            grant_type=ASSERTION,
            credential=world.assertion(),
            account_id=world.owner.personal_space_id,
        )


# What ends what was given


async def _taken_back(world: World, _: str) -> None:
    [grant] = (await world.grants.list(world.person)).items
    assert grant.space_id == world.space_id
    await world.grants.revoke(world.person, grant.id)


async def _app_deleted(world: World, flow: str) -> None:
    await world.apps.delete(world.owner, world.app(ClientType(flow)).app.id)


async def _app_disabled(world: World, flow: str) -> None:
    app_id = world.app(ClientType(flow)).app.id
    await world.apps.set_disabled(world.owner, app_id, is_disabled=True)


async def _account_disabled(world: World, _: str) -> None:
    await world.identity.users.set_disabled(world.owner, world.person.user_id, disabled=True)


_ENDS: Final[Mapping[str, Callable[[World, str], Awaitable[None]]]] = {
    "taken back": _taken_back,
    "application deleted": _app_deleted,
    "application disabled": _app_disabled,
    "account disabled": _account_disabled,
}


@pytest.mark.parametrize("flow", OF_PERSON)
@pytest.mark.parametrize("end", _ENDS)
async def test_tokens_end_at_once_with_all_that_they_made(
    world: World, flow: str, end: str
) -> None:
    given = await world.arguments(flow)
    answer = await world.issue(**given)
    short = await world.identity.tokens.issue(
        await world.use(answer), IssueToken(agent_ids=frozenset({1}))
    )
    browser = f"Bearer {short.text.reveal()}"
    assert (await world.identity.auth.authenticate(browser)).grant.is_browser

    await _ENDS[end](world, flow)

    assert not await world.is_good(answer)
    with pytest.raises(Unauthenticated):
        await world.identity.auth.authenticate(browser)
    assert answer.refresh_token is not None
    with pytest.raises((InvalidGrant, InvalidClient)):
        await world.issue(
            **{**given, "grant_type": REFRESH, "refresh_token": answer.refresh_token.reveal()}
        )


@pytest.mark.parametrize("flow", OF_PERSON)
async def test_who_leaves_the_workspace_takes_their_rights_along(world: World, flow: str) -> None:
    answer = await world.issue(**await world.arguments(flow))
    await world.identity.members.remove(world.owner, world.space_id, [world.person.user_id])

    assert (await world.use(answer)).roles == {}


@pytest.mark.parametrize("flow", [*OF_PERSON, "jwt"])
async def test_what_an_application_may_not_have_any_more_is_cut_off(
    world: World, flow: str
) -> None:
    given = await world.arguments(flow)
    answer = await world.issue(**given)
    change = ChangeOAuthApp(permissions=[Permission.CHAT, Permission.VARIABLE])
    await world.apps.change(world.owner, world.app(ClientType(flow)).app.id, change)

    assert (await world.use(answer)).grant.permissions == frozenset({Permission.CHAT})
    if answer.refresh_token is not None:
        again = await world.issue(
            **{**given, "grant_type": REFRESH, "refresh_token": answer.refresh_token.reveal()}
        )
        assert (await world.use(again)).grant.permissions == frozenset({Permission.CHAT}), (
            "as was granted"
        )


async def test_an_application_that_is_gone_acts_no_more_for_its_workspace(world: World) -> None:
    answer = await world.issue(**await world.arguments("jwt"))
    short = await world.identity.tokens.issue(
        await world.use(answer), IssueToken(agent_ids=frozenset({1}))
    )
    await world.apps.delete(world.owner, world.app(ClientType.JWT).app.id)

    assert not await world.is_good(answer)
    with pytest.raises(Unauthenticated):
        await world.identity.auth.authenticate(f"Bearer {short.text.reveal()}")


async def test_an_application_that_is_disabled_is_let_in_again_when_it_is_enabled(
    world: World,
) -> None:
    answer = await world.issue(**await world.arguments("jwt"))
    app_id = world.app(ClientType.JWT).app.id

    disabled = await world.apps.set_disabled(world.owner, app_id, is_disabled=True)

    assert disabled.disabled_at == world.clock.now()
    assert not await world.is_good(answer)
    with pytest.raises(InvalidClient):
        await world.issue(**await world.arguments("jwt"))

    await world.apps.set_disabled(world.owner, app_id, is_disabled=False)

    assert await world.is_good(await world.issue(**await world.arguments("jwt")))


async def test_who_administers_all_sees_and_ends_the_applications_of_every_workspace(
    world: World,
) -> None:
    _, text = await add_user(world.identity, "olaf")
    theirs = await world.identity.spaces.create(
        await world.identity.principal(text), CreateSpace(name="Theirs")
    )
    person = await world.identity.principal(text)
    made = await world.apps.create(
        person,
        CreateOAuthApp(
            space_id=theirs.id,
            name="Desk",
            client_type=ClientType.WEB,
            permissions=[Permission.CHAT],
            redirect_uris=[BACK],
        ),
    )

    assert theirs.id not in world.owner.roles
    newest, *_ = await world.apps.overview(world.owner, limit=1)
    assert (newest.name, newest.space_name) == ("Desk", "Theirs")
    found = await world.apps.overview(world.owner, text="dES")
    assert [each.id for each in found] == [made.app.id]
    older = await world.apps.overview(world.owner, before=newest.id)
    assert newest.id not in {each.id for each in older}
    assert len(older) == len(world.registered)

    await world.apps.delete(world.owner, made.app.id)

    assert not (await world.apps.list(person, theirs.id)).items
    for attempt in (
        world.apps.overview(person),
        world.apps.set_disabled(person, older[0].id, is_disabled=True),
    ):
        with pytest.raises(Forbidden):
            await attempt
    with pytest.raises(NotFound):
        await world.apps.delete(person, older[0].id)


async def test_grants_are_ones_own(world: World) -> None:
    await world.issue(**await world.arguments("web"))
    [grant] = (await world.grants.list(world.person)).items

    assert (grant.app_name, grant.permissions) == ("web", tuple(sorted(SCOPES)))
    assert (await world.grants.list(world.owner)).items == ()
    with pytest.raises(ClientGrantNotFound):
        await world.grants.revoke(world.owner, grant.id)
    world.clock.advance(days=30)
    assert (await world.grants.list(world.person)).items == ()


async def test_a_refresh_token_opens_nothing(world: World) -> None:
    answer = await world.issue(**await world.arguments("web"))
    assert answer.refresh_token is not None
    with pytest.raises(Unauthenticated):
        await world.identity.auth.authenticate(f"Bearer {answer.refresh_token.reveal()}")


async def test_wrong_secrets_and_codes_are_limited_by_address(world: World) -> None:
    request = TokenRequest(
        grant_type=REFRESH,
        credential=Secret(""),
        code=Secret(""),
        verifier=Secret(""),
        refresh_token=Secret("czr_x"),
        device_code=Secret(""),
    )
    seen: list[type[AppError]] = []
    for _ in range(LIMITS.oauth_requests_per_min + 1):
        with pytest.raises(AppError) as raised:
            await world.tokens.issue(request, peer="192.0.2.1")
        seen.append(type(raised.value))

    assert (seen[0], seen[-1]) == (InvalidGrant, RateLimited)


# Applications


_NO_APPS: Final[list[tuple[ClientType, dict[str, Any]]]] = [
    *(
        (ClientType.WEB, {"redirect_uris": [uri]})
        for uri in (
            "http://crm.example.org/",
            "javascript:alert(1)",
            "data:text/html,x",
            "https://",
            "https://user@crm.example.org/",
            "https://crm.example.org/#fragment",
            "https://crm.example.org\\@evil.example.org/",
            "https://crm.example.org/ x",
            "/callback",
            "",
            "https://crm.example.org/\n",
            "https://crm.example.org:x/",
            "https://[::1/",
            "https://crm.example.org/" + "x" * 2000,
        )
    ),
    (ClientType.WEB, {"redirect_uris": []}),
    (ClientType.WEB, {"redirect_uris": [BACK] * 21}),
    (ClientType.PKCE, {"redirect_uris": []}),
    (ClientType.DEVICE, {"redirect_uris": [BACK]}),
    (ClientType.JWT, {"redirect_uris": [BACK]}),
    (ClientType.JWT, {"public_key": None}),
    (ClientType.JWT, {"public_key": "no key"}),
    (ClientType.JWT, {"public_key": pem(ec.generate_private_key(ec.SECP256R1()))}),
    (ClientType.JWT, {"public_key": pem(rsa.generate_private_key(65537, 1024))}),  # noqa: S505
    (ClientType.JWT, {"key_id": "a b"}),
    (ClientType.WEB, {"public_key": pem(PRIVATE)}),
    (ClientType.WEB, {"allows_plain": True}),
    (ClientType.DEVICE, {"allows_plain": True}),
    (ClientType.WEB, {"permissions": []}),
    (ClientType.WEB, {"permissions": [Permission.ADMIN]}),
]


async def test_what_an_application_is_registered_with_is_checked(world: World) -> None:
    for client_type, wrong in _NO_APPS:
        seen = await outcome(world.register(client_type, **wrong))
        assert seen in {InvalidClientApp, KeyInvalid}, f"{client_type} {wrong}: {seen}"


@pytest.mark.parametrize(
    "uri",
    ["http://localhost:3000/cb", "http://127.0.0.1/", "http://[::1]:7/", "com.example.app:/x"],
)
async def test_programs_are_called_back_on_the_persons_machine(world: World, uri: str) -> None:
    made = await world.register(ClientType.PKCE, redirect_uris=[uri])
    assert made.app.redirect_uris == (uri,)
    assert made.secret is None


async def test_a_new_secret_replaces_the_former(world: World) -> None:
    given = await world.arguments("web")
    made = await world.apps.new_secret(world.owner, world.app(ClientType.WEB).app.id)
    assert made.secret is not None
    with pytest.raises(InvalidClient):
        await world.issue(**given)
    assert await world.is_good(await world.issue(**{**given, "credential": made.secret.reveal()}))
    for other in (ClientType.PKCE, ClientType.DEVICE, ClientType.JWT):
        with pytest.raises(InvalidClientApp):
            await world.apps.new_secret(world.owner, world.app(other).app.id)


async def test_a_changed_key_ends_the_former(world: World) -> None:
    app_id, before = world.app(ClientType.JWT).app.id, world.assertion()
    change = ChangeOAuthApp(public_key=pem(OTHER))
    changed = await world.apps.change(world.owner, app_id, change)

    with pytest.raises(InvalidClient):
        await world.issue(grant_type=ASSERTION, credential=before)
    after = world.assertion(key=RSAKey.import_key(OTHER), header={"kid": changed.key_id})
    assert await world.is_good(await world.issue(grant_type=ASSERTION, credential=after))


async def test_who_administers_the_workspace_registers_applications(world: World) -> None:
    mine = world.app(ClientType.WEB).app
    for attempt in (
        world.apps.list(world.person, world.space_id),
        world.apps.get(world.person, mine.id),
        world.apps.change(world.person, mine.id, ChangeOAuthApp(name="Mine")),
        world.apps.new_secret(world.person, mine.id),
        world.apps.delete(world.person, mine.id),
    ):
        with pytest.raises(Forbidden):
            await attempt
    _, text = await add_user(world.identity, "stranger")
    stranger = await world.identity.principal(text)
    with pytest.raises(ClientAppNotFound):
        await world.apps.get(stranger, mine.id)


async def test_no_application_is_larger_than_the_token_that_registers_it(world: World) -> None:
    def cut(grant: Grant, *, days: int | None = None) -> Principal:
        expires_at = None if days is None else world.clock.now() + timedelta(days=days)
        return replace(world.owner, grant=grant, expires_at=expires_at)

    small = Grant(permissions=frozenset({Permission.SPACE_WRITE, Permission.CHAT}))
    owner, world.owner = world.owner, cut(small)
    for client_type in ClientType:
        with pytest.raises(TokenExceedsOwner):
            await world.register(client_type)
        change = ChangeOAuthApp(name="Renamed")
        with pytest.raises(TokenExceedsOwner):
            await world.apps.change(world.owner, world.app(client_type).app.id, change)
        await world.register(client_type, permissions=[Permission.CHAT])
    world.owner = cut(owner.grant, days=1)
    with pytest.raises(TokenExceedsOwner):
        await world.register(ClientType.JWT)
    await world.register(ClientType.WEB)

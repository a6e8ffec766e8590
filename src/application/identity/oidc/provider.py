"""Use cases of providers: those of the configuration file, and those that administrators add."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec

from application.identity.oidc.exchange import Connection, ProviderClient
from application.identity.oidc.settings import OidcSettings
from application.shared.page import Listed
from domain.identity.oidc.error import (
    OidcProviderFixed,
    OidcProviderNotFound,
    ProviderUnusable,
    TooManyOidcProviders,
)
from domain.identity.oidc.provider import OidcProvider
from domain.identity.oidc.value import (
    SECRET_CHARS,
    USUAL_SCOPES,
    GroupRole,
    InvalidOidcProvider,
    OidcRules,
    is_own_machine,
)
from domain.identity.repository import IdentityStore
from domain.shared.access import Principal, Role
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import Id, OidcProviderId, SpaceId
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.security.secret_box import SecretBox, SecretUnreadable

_PROVIDERS: Final = 50
_PATH: Final = "/admin/v1/auth/oidc/"


class OidcAddresses:
    """What a provider has to be told of this deployment."""

    def __init__(self, external_url: str) -> None:
        self._base = external_url
        self.signed_out_url: Final = f"{external_url}/console/sign-in"

    def callback(self, key: str) -> str:
        """Return where people come back to."""
        return f"{self._base}{_PATH}{key}/callback"

    def logout(self, key: str) -> str:
        """Return where the provider tells that somebody signed out."""
        return f"{self._base}{_PATH}{key}/backchannel-logout"


class RoleOfGroup(msgspec.Struct, frozen=True, kw_only=True):
    """What a group of a provider is in a workspace."""

    group: str
    space_id: Id
    role: Role


class OidcProviderView(msgspec.Struct, frozen=True, kw_only=True):
    """A provider without its secret, and what it has to be told."""

    id: str
    name: str
    issuer: str
    client_id: str
    has_secret: bool
    scopes: tuple[str, ...]
    groups_claim: str
    trust_email: bool
    create_accounts: bool
    roles: tuple[RoleOfGroup, ...]
    is_read_only: bool
    """It stands in the configuration file."""
    redirect_uri: str
    backchannel_logout_uri: str
    post_logout_redirect_uri: str
    created_at: datetime | None
    updated_at: datetime | None


class OidcProviderList(Listed[OidcProviderView]):
    """All providers."""


class OidcButton(msgspec.Struct, frozen=True, kw_only=True):
    """A provider as the page of sign-in shows it."""

    id: str
    name: str


class CreateOidcProvider(msgspec.Struct, frozen=True, kw_only=True):
    """Add a provider."""

    name: str
    issuer: str
    client_id: str
    client_secret: Secret = Secret("")
    scopes: Sequence[str] = USUAL_SCOPES
    groups_claim: str = ""
    trust_email: bool = False
    create_accounts: bool = True
    roles: Sequence[RoleOfGroup] = ()


class ChangeOidcProvider(msgspec.Struct, frozen=True, kw_only=True):
    """Change a provider; what is left out stays."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    issuer: str | msgspec.UnsetType = msgspec.UNSET
    client_id: str | msgspec.UnsetType = msgspec.UNSET
    client_secret: Secret | msgspec.UnsetType = msgspec.UNSET
    scopes: Sequence[str] | msgspec.UnsetType = msgspec.UNSET
    groups_claim: str | msgspec.UnsetType = msgspec.UNSET
    trust_email: bool | msgspec.UnsetType = msgspec.UNSET
    create_accounts: bool | msgspec.UnsetType = msgspec.UNSET
    roles: Sequence[RoleOfGroup] | msgspec.UnsetType = msgspec.UNSET


class OidcTrial(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider says of itself at this moment."""

    is_usable: bool
    problem: str
    """Why it is not; empty where it is."""
    authorization_endpoint: str = ""
    token_endpoint: str = ""
    userinfo_endpoint: str = ""
    end_session_endpoint: str = ""
    keys: int = 0
    tells_of_logout: bool = False
    """Whether it can tell that somebody signed out there."""


class KnownProviders:
    """Finds providers by what they are called in addresses."""

    def __init__(
        self, *, store: IdentityStore, box: SecretBox, configured: Sequence[OidcSettings]
    ) -> None:
        self._store = store
        self._box = box
        self._configured = {each.id: each for each in configured}

    def configured(self) -> Sequence[OidcSettings]:
        """Return those of the configuration file."""
        return tuple(self._configured.values())

    async def connection(self, key: str) -> Connection:
        """Return a provider with its secret.

        Raises:
            OidcProviderNotFound: there is none.
            ProviderUnusable: its secret cannot be read.
        """
        if found := self._configured.get(key):
            return Connection(
                key=key,
                name=found.name,
                rules=found.rules(),
                secret=found.client_secret,
                is_of_operator=True,
            )
        async with self._store.snapshot() as uow:
            provider = await uow.oidc.provider(_number(key))
        return Connection(
            key=provider.key,
            name=provider.name,
            rules=provider.rules,
            secret=self.open(provider),
            is_of_operator=False,
        )

    async def buttons(self) -> Sequence[OidcButton]:
        """Return what the page of sign-in shows, those of the file first."""
        async with self._store.snapshot() as uow:
            added = await uow.oidc.providers()
        return (
            *(OidcButton(id=each.id, name=each.name) for each in self._configured.values()),
            *(OidcButton(id=each.key, name=each.name) for each in added),
        )

    def seal(self, provider_id: OidcProviderId, secret: Secret) -> bytes:
        """Return what is stored of a secret; raise ``InvalidOidcProvider``."""
        text = secret.reveal()
        if len(text) > SECRET_CHARS or not text.isprintable():
            raise InvalidOidcProvider(
                f"client_secret: at most {SECRET_CHARS} printable characters.",
                field="client_secret",
            )
        return self._box.seal(text.encode(), aad=_place(provider_id)) if text else b""

    def open(self, provider: OidcProvider) -> Secret:
        """Return the secret of a provider; raise ``ProviderUnusable``."""
        if not provider.sealed_secret:
            return Secret("")
        try:
            return Secret(self._box.open(provider.sealed_secret, aad=_place(provider.id)).decode())
        except SecretUnreadable as exc:
            raise ProviderUnusable("The client's secret cannot be read; set it anew.") from exc


class OidcProviderService:
    """Adds, changes, tries and removes providers, for administrators of the deployment."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        known: KnownProviders,
        client: ProviderClient,
        addresses: OidcAddresses,
        ids: IdGenerator,
        clock: Clock,
    ) -> None:
        self._store = store
        self._known = known
        self._client = client
        self._addresses = addresses
        self._ids = ids
        self._clock = clock

    async def list(self, principal: Principal) -> OidcProviderList:
        """Return all, those of the configuration file first."""
        principal.require_deployment_admin()
        async with self._store.snapshot() as uow:
            added = await uow.oidc.providers()
        items = (
            *(self._of_file(each) for each in self._known.configured()),
            *map(self._view, added),
        )
        return OidcProviderList(items=items, total=len(items))

    async def get(self, principal: Principal, key: str) -> OidcProviderView:
        """Show one; raise ``OidcProviderNotFound``."""
        principal.require_deployment_admin()
        for each in self._known.configured():
            if each.id == key:
                return self._of_file(each)
        async with self._store.snapshot() as uow:
            return self._view(await uow.oidc.provider(_number(key)))

    async def create(self, principal: Principal, command: CreateOidcProvider) -> OidcProviderView:
        """Add one; raise ``InvalidOidcProvider`` or ``TooManyOidcProviders``."""
        principal.require_deployment_admin()
        rules = OidcRules(
            issuer=command.issuer,
            client_id=command.client_id,
            scopes=tuple(command.scopes),
            groups_claim=command.groups_claim,
            trust_email=command.trust_email,
            create_accounts=command.create_accounts,
            roles=_roles(command.roles),
        )
        _require_encrypted(rules)
        provider_id = OidcProviderId(self._ids.next_id())
        provider = OidcProvider.create(
            id=provider_id,
            name=command.name,
            rules=rules,
            sealed_secret=self._known.seal(provider_id, command.client_secret),
            actor_id=principal.user_id,
            now=self._clock.now(),
        )
        async with self._store.transaction() as uow:
            await uow.serialise("oidc providers")
            if len(await uow.oidc.providers()) >= _PROVIDERS:
                raise TooManyOidcProviders(
                    f"A deployment has at most {_PROVIDERS} providers: delete one."
                )
            await uow.oidc.save_provider(provider)
            await uow.commit()
        return self._view(provider)

    async def change(
        self, principal: Principal, key: str, command: ChangeOidcProvider
    ) -> OidcProviderView:
        """Change one; raise ``OidcProviderFixed`` for those of the configuration file."""
        principal.require_deployment_admin()
        self._require_added(key)
        unset = msgspec.UNSET
        async with self._store.transaction() as uow:
            provider = await uow.oidc.provider(_number(key))
            was = provider.rules
            rules = OidcRules(
                issuer=was.issuer if command.issuer is unset else command.issuer,
                client_id=was.client_id if command.client_id is unset else command.client_id,
                scopes=was.scopes if command.scopes is unset else tuple(command.scopes),
                groups_claim=(
                    was.groups_claim if command.groups_claim is unset else command.groups_claim
                ),
                trust_email=(
                    was.trust_email if command.trust_email is unset else command.trust_email
                ),
                create_accounts=(
                    was.create_accounts
                    if command.create_accounts is unset
                    else command.create_accounts
                ),
                roles=was.roles if command.roles is unset else _roles(command.roles),
            )
            _require_encrypted(rules)
            provider.change(
                name=provider.name if command.name is unset else command.name,
                rules=rules,
                sealed_secret=self._sealed_after(provider, rules, command.client_secret),
                actor_id=principal.user_id,
                now=self._clock.now(),
            )
            await uow.oidc.save_provider(provider)
            await uow.commit()
        return self._view(provider)

    async def delete(self, principal: Principal, key: str) -> None:
        """Remove one; sessions go on, and roles that it gave stay as if they were given by hand."""
        principal.require_deployment_admin()
        self._require_added(key)
        async with self._store.transaction() as uow:
            provider = await uow.oidc.provider(_number(key))
            provider.delete(actor_id=principal.user_id, now=self._clock.now())
            await uow.oidc.delete_provider(provider)
            await uow.commit()

    async def try_out(self, principal: Principal, key: str) -> OidcTrial:
        """Ask a provider what it publishes, and say what is wrong with that."""
        principal.require_deployment_admin()
        try:
            connection = await self._known.connection(key)
            published, keys = await self._client.read_anew(connection)
        except ProviderUnusable as exc:
            return OidcTrial(is_usable=False, problem=exc.message)
        return OidcTrial(
            is_usable=keys > 0,
            problem="" if keys else "The provider publishes no keys.",
            authorization_endpoint=published.authorization_endpoint,
            token_endpoint=published.token_endpoint,
            userinfo_endpoint=published.userinfo_endpoint or "",
            end_session_endpoint=published.end_session_endpoint or "",
            keys=keys,
            tells_of_logout=bool(published.backchannel_logout_supported),
        )

    def _sealed_after(
        self, provider: OidcProvider, rules: OidcRules, secret: Secret | msgspec.UnsetType
    ) -> bytes:
        """Return the secret after a change; one that is kept is never sent to another issuer."""
        if secret is not msgspec.UNSET:
            return self._known.seal(provider.id, secret)
        if provider.sealed_secret and rules.issuer != provider.rules.issuer:
            raise InvalidOidcProvider(
                "client_secret: give it anew for another issuer.", field="client_secret"
            )
        return provider.sealed_secret

    def _require_added(self, key: str) -> None:
        if any(each.id == key for each in self._known.configured()):
            raise OidcProviderFixed(
                "This provider stands in the configuration file: change it there."
            )

    def _of_file(self, settings: OidcSettings) -> OidcProviderView:
        return self._shown(
            settings.id,
            settings.name,
            settings.rules(),
            has_secret=bool(settings.client_secret),
            is_read_only=True,
        )

    def _view(self, provider: OidcProvider) -> OidcProviderView:
        return self._shown(
            provider.key,
            provider.name,
            provider.rules,
            has_secret=bool(provider.sealed_secret),
            times=(provider.created_at, provider.updated_at),
        )

    def _shown(
        self,
        key: str,
        name: str,
        rules: OidcRules,
        *,
        has_secret: bool,
        is_read_only: bool = False,
        times: tuple[datetime | None, datetime | None] = (None, None),
    ) -> OidcProviderView:
        return OidcProviderView(
            id=key,
            name=name,
            issuer=rules.issuer,
            client_id=rules.client_id,
            has_secret=has_secret,
            scopes=rules.scopes,
            groups_claim=rules.groups_claim,
            trust_email=rules.trust_email,
            create_accounts=rules.create_accounts,
            roles=tuple(
                RoleOfGroup(group=each.group, space_id=each.space_id, role=each.role)
                for each in rules.roles
            ),
            is_read_only=is_read_only,
            redirect_uri=self._addresses.callback(key),
            backchannel_logout_uri=self._addresses.logout(key),
            post_logout_redirect_uri=self._addresses.signed_out_url,
            created_at=times[0],
            updated_at=times[1],
        )


def _roles(roles: Sequence[RoleOfGroup]) -> tuple[GroupRole, ...]:
    return tuple(
        GroupRole(group=each.group, space_id=SpaceId(each.space_id), role=each.role)
        for each in roles
    )


def _number(key: str) -> OidcProviderId:
    if not (key.isascii() and key.isdigit() and len(key) < 20):  # noqa: PLR2004 - digits of an id
        raise OidcProviderNotFound(f"No provider {key[:40]}.")
    return OidcProviderId(int(key))


def _place(provider_id: OidcProviderId) -> bytes:
    return f"oidc_provider:{provider_id}:secret".encode()


def _require_encrypted(rules: OidcRules) -> None:
    """Raise ``InvalidOidcProvider`` for an issuer by plain HTTP, which only the file may name."""
    scheme, _, rest = rules.issuer.partition("://")
    host = rest.partition("/")[0].rpartition(":")[0] or rest.partition("/")[0]
    if scheme != "https" and not is_own_machine(host.strip("[]")):
        raise InvalidOidcProvider("issuer: expected an https address.", field="issuer")

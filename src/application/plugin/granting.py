"""Use cases around access that users give to plugins."""

from application.plugin.access import permitted_plugin
from application.plugin.dto import GrantView
from domain.plugin.error import PluginInvalid
from domain.plugin.http.credential import Credentials
from domain.plugin.repository import PluginStore
from domain.plugin.value import AuthType
from domain.shared.access import Permission, Principal
from domain.shared.ids import SpaceId
from infra.contract.clock import Clock


class PluginGrantService:
    """Whether a user gave access, where to give it, and how to take it back.

    Who reads plugins acts for itself, who changes them also for end users.
    """

    def __init__(self, *, store: PluginStore, credentials: Credentials, clock: Clock) -> None:
        self._store = store
        self._credentials = credentials
        self._clock = clock

    async def state(
        self, principal: Principal, plugin_id: int, *, end_user_id: str = ""
    ) -> GrantView:
        """Tell whether access was given; raise ``PluginInvalid`` if none is needed."""
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_READ)
            auth = plugin.manifest.auth
            if auth.type is not AuthType.AUTHORIZATION_CODE:
                raise PluginInvalid("This plugin needs no access from users.")
            user = self._user(principal, end_user_id, plugin.space_id)
            holder = self._credentials.holder(auth, principal.scope, user)
            grant = await uow.grants.find(principal.scope, plugin.id, holder)
        now = self._clock.now()
        if grant is not None and grant.is_usable(now) and not grant.is_forgotten(now):
            return GrantView(authorized=True, authorize_url="")
        url = await self._credentials.begin(
            plugin, scope=principal.scope.within(plugin.space_id), holder=holder
        )
        return GrantView(authorized=False, authorize_url=url)

    async def revoke(self, principal: Principal, plugin_id: int, *, end_user_id: str = "") -> None:
        """Forget the tokens; the shared ones only for who changes plugins."""
        async with self._store.transaction() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_READ)
            auth = plugin.manifest.auth
            if auth.is_shared or auth.type is AuthType.CLIENT_CREDENTIALS:
                principal.require(Permission.PLUGIN_WRITE, plugin.space_id)
            user = self._user(principal, end_user_id, plugin.space_id)
            holder = self._credentials.holder(auth, principal.scope, user)
            grant = await uow.grants.find(principal.scope, plugin.id, holder)
            if grant is not None:
                grant.revoke("by_user", now=self._clock.now())
                await uow.grants.remove(principal.scope, grant)
                await uow.commit()

    async def complete(self, *, state: str, code: str) -> str:
        """Take a user back from a provider; return the name of the plugin."""
        return await self._credentials.complete(state=state, code=code)

    @staticmethod
    def _user(principal: Principal, end_user_id: str, space_id: SpaceId) -> str:
        from_token = principal.end_user_id
        if from_token or not end_user_id:
            return from_token
        principal.require(Permission.PLUGIN_WRITE, space_id)
        return end_user_id

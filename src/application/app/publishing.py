"""Use cases of publishing apps: freeze, look up, look back."""

from application.app.access import permitted_app
from application.app.dto import AppVersionPage, AppVersionView, AppView, PublishApp
from application.app.view import AppViews
from crossdomain.file.contract import Files
from domain.app.error import AppVersionNotFound
from domain.app.repository import AppStore
from domain.app.rules import AppRules
from domain.app.value import AppVersionId
from domain.shared.access import Permission, Principal
from domain.shared.error import InvalidRequest
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock


class AppPublishingService:
    """Brings drafts to connectors as immutable versions."""

    def __init__(
        self, *, store: AppStore, files: Files, clock: Clock, ids: IdGenerator, limits: Limits
    ) -> None:
        self._store = store
        self._views = AppViews(files)
        self._clock = clock
        self._ids = ids
        self._rules = AppRules(limits)

    async def publish(self, principal: Principal, command: PublishApp) -> AppVersionView:
        """Freeze the draft; raise ``AppInvalid``, ``AppVersionTaken``."""
        if not command.connector_ids:
            raise InvalidRequest("connectors: at least one is needed.", field="connectors")
        async with self._store.transaction() as uow:
            app = await permitted_app(uow, principal, command.app_id, Permission.AGENT_PUBLISH)
            version = app.publish(
                AppVersionId(self._ids.next_id()),
                label=command.version,
                note=command.description,
                connector_ids=tuple(dict.fromkeys(command.connector_ids)),
                actor_id=principal.user_id,
                rules=self._rules,
                now=self._clock.now(),
            )
            await uow.apps.save(principal.scope, app)  # first: of two at once, one is told here
            await uow.versions.add(principal.scope, version)
            await uow.commit()
        return AppVersionView.of(version)

    async def records(
        self, principal: Principal, app_id: int, *, offset: int, limit: int
    ) -> AppVersionPage:
        """Return one page of publications, newest first."""
        async with self._store.snapshot() as uow:
            app = await permitted_app(uow, principal, app_id, Permission.AGENT_READ)
            found, total = await uow.versions.page(
                principal.scope, app.id, offset=offset, limit=limit
            )
        return AppVersionPage(items=tuple(map(AppVersionView.of, found)), total=total)

    async def get_version(self, principal: Principal, app_id: int, label: str) -> AppView:
        """Return the app as it was published; raise ``AppVersionNotFound``."""
        async with self._store.snapshot() as uow:
            app = await permitted_app(uow, principal, app_id, Permission.AGENT_READ)
            version = await uow.versions.get(principal.scope, app.id, label)
        return await self._views.version(principal.scope, app, version)

    async def released(self, principal: Principal, app_id: int) -> AppView:
        """Return what was published last; raise ``AppVersionNotFound``."""
        async with self._store.snapshot() as uow:
            app = await permitted_app(uow, principal, app_id, Permission.AGENT_READ)
            version = await uow.versions.get(principal.scope, app.id, app.latest_version)
        return await self._views.version(principal.scope, app, version)

    async def online(
        self, principal: Principal, app_id: int, *, connector_id: int | None = None
    ) -> AppView:
        """Return what was published last, the draft if nothing was.

        With a ``connector_id`` the app must be published there: else ``AppVersionNotFound``.
        """
        async with self._store.snapshot() as uow:
            app = await permitted_app(uow, principal, app_id, Permission.AGENT_READ)
            if connector_id is not None and connector_id not in app.connector_ids:
                raise AppVersionNotFound(
                    f"The app {app_id} is not published to connector {connector_id}.",
                    app_id=app_id,
                )
            if not app.is_published:
                return await self._views.draft(principal.scope, app)
            version = await uow.versions.get(principal.scope, app.id, app.latest_version)
        return await self._views.version(principal.scope, app, version)

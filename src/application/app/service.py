"""Use cases of apps: create, change, list, copy, delete."""

from collections.abc import Callable
from dataclasses import replace

from msgspec import UNSET

from application.app.access import permitted_app
from application.app.dto import AppPage, AppView, CreateApp, ListApps, UpdateApp
from application.app.view import AppViews
from crossdomain.file.contract import Files
from domain.app.entity import App
from domain.app.repository import AppStore
from domain.app.rules import AppRules
from domain.app.value import AppContent, AppId
from domain.shared.access import Permission, Principal, ResourceKind
from domain.shared.error import StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import FileId, SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock


class AppService:
    """Keeps drafts of apps; who may edit agents may edit apps."""

    def __init__(
        self, *, store: AppStore, files: Files, clock: Clock, ids: IdGenerator, limits: Limits
    ) -> None:
        self._store = store
        self._files = files
        self._views = AppViews(files)
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._rules = AppRules(limits)

    async def create(self, principal: Principal, command: CreateApp) -> AppView:
        """Make a draft; raise ``AppInvalid``, or ``FileNotFound`` for the icon."""
        space_id = SpaceId(command.space_id)
        principal.require(Permission.AGENT_WRITE, space_id)
        principal.require_beyond_agents()
        await self._require_icon(principal, command.icon_file_id)
        app = App.create(
            AppId(self._ids.next_id()),
            space_id=space_id,
            creator_id=principal.user_id,
            name=command.name,
            description=command.description,
            icon_file_id=_file_id(command.icon_file_id),
            content=AppContent(variables=command.variables),
            rules=self._rules,
            now=self._clock.now(),
        )
        async with self._store.transaction() as uow:
            await uow.apps.save(principal.scope, app)
            await uow.commit()
        return await self._views.draft(principal.scope, app)

    async def get(self, principal: Principal, app_id: int) -> AppView:
        """Return the draft; raise ``AppNotFound``."""
        async with self._store.snapshot() as uow:
            app = await permitted_app(uow, principal, app_id, Permission.AGENT_READ)
        return await self._views.draft(principal.scope, app)

    async def list(self, principal: Principal, query: ListApps) -> AppPage:
        """Return one page of a space's apps."""
        principal.require_beyond_agents()
        space_id = SpaceId(query.space_id)
        scope = principal.listing(ResourceKind.APP, Permission.AGENT_READ, space_id)
        async with self._store.snapshot() as uow:
            found, total = await uow.apps.search(scope, replace(query, limit=query.limit + 1))
        items = await self._views.drafts(scope, found[: query.limit])
        return AppPage(items=items, total=total, has_more=len(found) > query.limit)

    async def update(self, principal: Principal, command: UpdateApp) -> AppView:
        """Change the draft; raise ``StaleRevision`` if it is not the one the caller saw."""
        icon = command.icon_file_id
        if icon is not UNSET:
            await self._require_icon(principal, icon)
        async with self._store.transaction() as uow:
            app = await permitted_app(uow, principal, command.app_id, Permission.AGENT_WRITE)
            if command.expected_revision not in {None, app.revision}:
                raise StaleRevision(f"The app is at revision {app.revision}; read it again.")
            variables = command.variables
            if variables is UNSET:
                variables = app.content.variables
            app.update(
                name=app.name if command.name is UNSET else command.name,
                description=app.description
                if command.description is UNSET
                else command.description,
                icon_file_id=app.icon_file_id if icon is UNSET else _file_id(icon),
                content=AppContent(variables=variables, conversations=app.content.conversations),
                actor_id=principal.user_id,
                rules=self._rules,
                now=self._clock.now(),
            )
            await uow.apps.save(principal.scope, app)
            await uow.commit()
        return await self._views.draft(principal.scope, app)

    async def copy(self, principal: Principal, app_id: int, *, name: str = "") -> AppView:
        """Copy a draft beside the original; its resources stay with the original."""
        async with self._store.transaction() as uow:
            source = await permitted_app(uow, principal, app_id, Permission.AGENT_WRITE)
            suffix = " (copy)"
            copy = App.create(
                AppId(self._ids.next_id()),
                space_id=source.space_id,
                creator_id=principal.user_id,
                name=name or source.name[: self._limits.agent_name_chars - len(suffix)] + suffix,
                description=source.description,
                icon_file_id=source.icon_file_id,
                content=source.content,
                rules=self._rules,
                now=self._clock.now(),
                source_id=source.id,
            )
            await uow.apps.save(principal.scope, copy)
            await uow.commit()
        return await self._views.draft(principal.scope, copy)

    async def delete(self, principal: Principal, app_id: int) -> None:
        """Remove the app; workflows made for it stay in the space."""
        async with self._store.transaction() as uow:
            app = await permitted_app(uow, principal, app_id, Permission.AGENT_WRITE)
            app.delete(actor_id=principal.user_id, now=self._clock.now())
            await uow.apps.save(principal.scope, app)
            await uow.commit()

    async def add_conversation(self, principal: Principal, app_id: int, name: str) -> AppView:
        """Define a conversation; raise ``AppConversationTaken``."""
        name = self._rules.conversation(name)
        return await self._change(principal, app_id, lambda now: now.with_conversation(name))

    async def rename_conversation(
        self, principal: Principal, app_id: int, old: str, new: str
    ) -> AppView:
        """Rename a definition; conversations under way keep their messages and their old name."""
        new = self._rules.conversation(new)
        return await self._change(
            principal, app_id, lambda now: now.with_conversation_renamed(old, new)
        )

    async def remove_conversation(self, principal: Principal, app_id: int, name: str) -> AppView:
        """Remove a definition from the draft."""
        return await self._change(principal, app_id, lambda now: now.without_conversation(name))

    async def _change(
        self, principal: Principal, app_id: int, change: Callable[[AppContent], AppContent]
    ) -> AppView:
        async with self._store.transaction() as uow:
            app = await permitted_app(uow, principal, app_id, Permission.AGENT_WRITE)
            app.change_content(
                change(app.content),
                actor_id=principal.user_id,
                rules=self._rules,
                now=self._clock.now(),
            )
            await uow.apps.save(principal.scope, app)
            await uow.commit()
        return await self._views.draft(principal.scope, app)

    async def _require_icon(self, principal: Principal, icon_file_id: int | None) -> None:
        if icon_file_id is not None:
            await self._files.describe(principal.scope, [FileId(icon_file_id)])


def _file_id(value: int | None) -> FileId | None:
    return None if value is None else FileId(value)

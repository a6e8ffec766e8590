"""Use cases on plugins: import, make, read, change, authenticate, remove."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from application.plugin.access import permitted_plugin
from application.plugin.common import CommonValues
from application.plugin.dto import (
    CreatePlugin,
    Format,
    HostList,
    ImportPlugin,
    ImportProblem,
    ImportReport,
    PluginDocument,
    PluginPage,
    PluginReview,
    PluginView,
    ReviewPlugin,
    SetAuth,
    ToolForm,
    UpdatePlugin,
)
from application.plugin.view import plugin_view, tool_view
from crossdomain.file.contract import Files
from crossdomain.identity.contract import Groups
from domain.plugin.entity import Plugin, Tool
from domain.plugin.error import DocumentUnreadable, PluginInvalid
from domain.plugin.event import HostsChanged
from domain.plugin.mcp.mcp_call import OfferedPrograms
from domain.plugin.openapi_import.foreign import from_curl, from_postman, from_swagger
from domain.plugin.openapi_import.openapi import ImportedPlugin, OpenApiReader
from domain.plugin.repository import PluginQuery, PluginStore, PluginUnitOfWork
from domain.plugin.rules import PluginRules
from domain.plugin.value import (
    SECRET_CLIENT,
    SECRET_TOKEN,
    Manifest,
    PluginId,
    ToolDefinition,
    ToolId,
)
from domain.shared.access import GrantLevel, Permission, Principal, Resource, ResourceKind
from domain.shared.error import InvalidRequest, RequestTooLarge
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import FileId, SpaceId, group_ids_of, parse_id
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from domain.shared.text.json_scan import INNER_JSON, check_json
from infra.contract.clock import Clock
from infra.contract.egress import EgressClient, EgressPolicy, EgressRequest

_HTTP_ERRORS: Final = 400


class PluginService:
    """Works on drafts; agents get what is published."""

    def __init__(
        self,
        *,
        store: PluginStore,
        files: Files,
        egress: EgressClient,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
        programs: OfferedPrograms,
        groups: Groups,
    ) -> None:
        self._store = store
        self._groups = groups
        self._files = files
        self._egress = egress
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._programs = programs
        self._rules = PluginRules(limits)
        self._reader = OpenApiReader(self._rules, max_tools=limits.plugin_tools)

    async def programs(self, principal: Principal, space_id: int) -> list[str]:
        """Return the operator's MCP servers that a workspace may use, by name."""
        principal.require(Permission.PLUGIN_READ, SpaceId(space_id))
        return await self._programs.offered_to(space_id)

    async def bring(self, principal: Principal, space_id: int, given: ImportPlugin) -> ImportReport:
        """Make a plugin of a document; what cannot be used of it is reported.

        Raises:
            DocumentUnreadable: nothing of it can be used; the message says why, path by path.
            PluginInvalid: its address or name cannot be used.
        """
        principal.require(Permission.PLUGIN_WRITE, SpaceId(space_id))
        icon = await self._icon(principal, given.icon_file_id)
        read = await asyncio.to_thread(
            read_document, given, self._reader, max_bytes=self._limits.plugin_document_bytes
        )
        name = given.manifest.name or read.name[: self._limits.agent_name_chars]
        now = self._clock.now()
        plugin = Plugin.create(
            PluginId(self._ids.next_id()),
            space_id=SpaceId(space_id),
            creator_id=principal.user_id,
            name=name or "Plugin",
            description=given.manifest.description
            or read.description[: self._limits.agent_description_chars],
            icon_file_id=icon,
            app_id=0,
            manifest=Manifest(server_url=read.server_url),
            rules=self._rules,
            now=now,
        )
        tools = await self._save_new(principal, plugin, read.tools)
        return ImportReport(
            plugin=plugin_view(plugin, tool_count=len(tools)),
            tools=tuple(tool_view(each) for each in tools),
            problems=_problems(read),
            auth_hint=read.auth_hint,
        )

    async def review(
        self, principal: Principal, space_id: int, given: ReviewPlugin
    ) -> PluginReview:
        """Read a document, or fetch it first, and store nothing.

        Raises:
            DocumentUnreadable: nothing of it can be used; the message says why, path by path.
            EgressDenied: the address is not one that plugins of the space may call.
            EgressFailed: the address does not answer.
        """
        principal.require(Permission.PLUGIN_WRITE, SpaceId(space_id))
        url = given.url.strip()
        if url:
            text, url = await self._fetch(principal, SpaceId(space_id), url)
            given = replace(given, openapi=None, data=text)
        read = await asyncio.to_thread(
            read_document,
            given,
            self._reader,
            max_bytes=self._limits.plugin_document_bytes,
            document_url=url,
        )
        return PluginReview(
            name=given.manifest.name or read.name[: self._limits.agent_name_chars],
            description=given.manifest.description
            or read.description[: self._limits.agent_description_chars],
            server_url=read.server_url,
            tools=tuple(ToolForm.of(each) for each in read.tools),
            problems=_problems(read),
            auth_hint=read.auth_hint,
        )

    async def create(self, principal: Principal, space_id: int, given: CreatePlugin) -> PluginView:
        """Make a plugin with the tools it is given.

        Raises:
            PluginInvalid: it, or one of its tools, cannot be as it is given.
            McpProgramNotFound: the operator offers no such program.
        """
        principal.require(Permission.PLUGIN_WRITE, SpaceId(space_id))
        if any(each.workflow_id for each in given.tools):
            raise PluginInvalid("tools: those that are workflows are added one by one.")
        definitions = [self._rules.tool(each.definition()) for each in given.tools]
        if len(definitions) > self._limits.plugin_tools:
            raise PluginInvalid(f"A plugin has at most {self._limits.plugin_tools} tools.")
        self._rules.unique(definitions)
        plugin = Plugin.create(
            PluginId(self._ids.next_id()),
            space_id=SpaceId(space_id),
            creator_id=principal.user_id,
            name=given.name,
            description=given.description,
            icon_file_id=await self._icon(principal, given.icon_file_id),
            app_id=parse_id(given.app_id, field="app_id") if given.app_id else 0,
            manifest=Manifest(
                kind=given.type,
                server_url=given.server_url,
                mcp=given.mcp.source(),
                common_parameters=given.common_params.parameters(),
            ),
            rules=self._rules,
            now=self._clock.now(),
        )
        if program := plugin.manifest.mcp.program:
            await self._programs.require(program, space_id)
        for definition in definitions:
            self._rules.belongs(definition, plugin.manifest)
        await self._save_new(principal, plugin, definitions)
        return plugin_view(plugin, tool_count=len(definitions))

    async def get(self, principal: Principal, plugin_id: int) -> PluginView:
        """Show a plugin; raise ``PluginNotFound``."""
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_READ)
            return await self._view(uow, principal, plugin)

    async def page(
        self,
        principal: Principal,
        space_id: int,
        *,
        limit: int,
        after_id: int | None,
        text: str = "",
        app_id: int | None = None,
        is_published: bool | None = None,
    ) -> PluginPage:
        """List the plugins of a space, newest first."""
        scope = principal.listing(ResourceKind.PLUGIN, Permission.PLUGIN_READ, SpaceId(space_id))
        query = PluginQuery(
            limit=limit,
            after_id=None if after_id is None else PluginId(after_id),
            text=text,
            app_id=app_id,
            is_published=is_published,
        )
        async with self._store.snapshot() as uow:
            found, total = await uow.plugins.search(scope, query)
            ids = [each.id for each in found]
            tools = await uow.plugins.count_tools(scope, ids)
            agents = await _count_agents(uow, principal, SpaceId(space_id), ids)
        return PluginPage(
            items=tuple(
                plugin_view(
                    each, tool_count=tools.get(each.id, 0), agent_count=agents.get(each.id, 0)
                )
                for each in found
            ),
            total=total,
            next_cursor=str(found[-1].id) if len(found) == limit else None,
        )

    async def update(
        self,
        principal: Principal,
        plugin_id: int,
        given: UpdatePlugin,
        *,
        revision: int | None = None,
    ) -> PluginView:
        """Change what is given; to limit it to groups takes what sharing it takes.

        Raises:
            StaleRevision, PluginInvalid
            Forbidden: the caller may not share it.
            InvalidRequest: no such group here or in the deployment.
        """
        icon = given.icon_file_id
        file_id = None if icon is UNSET else await self._icon(principal, icon)
        if given.mcp is not UNSET and (program := given.mcp.source().program):
            async with self._store.snapshot() as uow:
                plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            await self._programs.require(program, plugin.space_id)
        groups = None if given.groups is UNSET else group_ids_of(given.groups)
        if groups is not None:
            await self._require_groups(principal, plugin_id, groups)
        now = self._clock.now()
        async with self._store.transaction() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            plugin.expect_revision(revision)
            if groups is not None:
                plugin.limit(groups, actor_id=principal.user_id, now=now)
            plugin.describe(
                name=plugin.name if given.name is UNSET else given.name,
                description=plugin.description
                if given.description is UNSET
                else given.description or "",
                icon_file_id=plugin.icon_file_id if icon is UNSET else file_id,
                rules=self._rules,
                actor_id=principal.user_id,
                now=now,
            )
            manifest = _manifest(plugin.manifest, given)
            if manifest != plugin.manifest:
                plugin.configure(manifest, rules=self._rules, actor_id=principal.user_id, now=now)
                if not plugin.secrets:
                    await uow.grants.clear(principal.scope, plugin.id)
            await uow.plugins.save(principal.scope, plugin)
            view = await self._view(uow, principal, plugin)
            await uow.commit()
        return view

    async def authenticate(
        self, principal: Principal, plugin_id: int, given: SetAuth, *, revision: int | None = None
    ) -> PluginView:
        """Change how calls prove who they are; grants that cannot go on are removed."""
        secrets: Mapping[str, Secret] = {
            name: Secret(text)
            for name, text in (
                (SECRET_TOKEN, given.token),
                (SECRET_CLIENT, given.client_secret),
            )
            if text
        }
        async with self._store.transaction() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            plugin.expect_revision(revision)
            is_void = plugin.authenticate(
                given.auth(),
                secrets,
                rules=self._rules,
                actor_id=principal.user_id,
                now=self._clock.now(),
            )
            if is_void:
                await uow.grants.clear(principal.scope, plugin.id)
            await uow.plugins.save(principal.scope, plugin)
            view = await self._view(uow, principal, plugin)
            await uow.commit()
        return view

    async def delete(self, principal: Principal, plugin_id: int) -> None:
        """Remove a plugin with its credentials and grants; raise ``PluginNotFound``."""
        async with self._store.transaction() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            plugin.delete(actor_id=principal.user_id, now=self._clock.now())
            await uow.grants.clear(principal.scope, plugin.id)
            await uow.plugins.save(principal.scope, plugin)
            await uow.commit()

    async def hosts(self, principal: Principal, space_id: int) -> HostList:
        """Return the hosts that plugins of the space may call."""
        principal.require(Permission.PLUGIN_READ, SpaceId(space_id))
        async with self._store.snapshot() as uow:
            found = await uow.hosts.get(principal.scope, SpaceId(space_id))
        return HostList(hosts=found)

    async def set_hosts(self, principal: Principal, space_id: int, given: HostList) -> HostList:
        """Name the hosts that plugins of the space may call; for those who run the space."""
        principal.require(Permission.SPACE_WRITE, SpaceId(space_id))
        names, now = self._rules.hosts(given.hosts), self._clock.now()
        async with self._store.transaction() as uow:
            await uow.hosts.put(principal.scope, SpaceId(space_id), names, now)
            uow.collect(
                HostsChanged(
                    occurred_at=now,
                    space_id=space_id,
                    aggregate_id=space_id,
                    actor_id=principal.user_id,
                )
            )
            await uow.commit()
        return HostList(hosts=names)

    async def _require_groups(
        self, principal: Principal, plugin_id: int, groups: tuple[int, ...]
    ) -> None:
        """Raise unless the caller may share the plugin, and the groups are near it."""
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
        share = principal.shares.get(Resource(ResourceKind.PLUGIN, plugin_id))
        if share is None or share.level is not GrantLevel.MANAGE:
            principal.require(Permission.SPACE_WRITE, plugin.space_id)
        if groups and (unknown := await self._groups.unknown(groups, space_id=plugin.space_id)):
            raise InvalidRequest(f"groups: no group {min(unknown)}.", field="groups")

    async def _save_new(
        self, principal: Principal, plugin: Plugin, definitions: Sequence[ToolDefinition]
    ) -> list[Tool]:
        tools = [
            Tool(
                id=ToolId(self._ids.next_id()),
                plugin_id=plugin.id,
                space_id=plugin.space_id,
                definition=definition,
                created_at=plugin.created_at,
                updated_at=plugin.created_at,
            )
            for definition in definitions
        ]
        async with self._store.transaction() as uow:
            await uow.plugins.save(principal.scope, plugin)
            for tool in tools:
                await uow.tools.save(principal.scope, tool)
            await uow.commit()
        return tools

    async def _fetch(self, principal: Principal, space_id: SpaceId, url: str) -> tuple[str, str]:
        """Return the text at an address, and the address after its redirects."""
        async with self._store.snapshot() as uow:
            hosts = await uow.hosts.get(principal.scope, space_id)
        response = await self._egress.request(
            EgressRequest(url=url),
            EgressPolicy(
                space_id=space_id,
                max_bytes=self._limits.plugin_document_bytes,
                max_seconds=self._limits.plugin_call_s,
                allow_hosts=frozenset(hosts),
            ),
        )
        if response.status >= _HTTP_ERRORS:
            raise DocumentUnreadable(f"url: the address answers {response.status}.")
        return response.body.decode("utf-8", "replace"), response.url

    async def _view(
        self, uow: PluginUnitOfWork, principal: Principal, plugin: Plugin
    ) -> PluginView:
        tools = await uow.plugins.count_tools(principal.scope, [plugin.id])
        agents = await _count_agents(uow, principal, plugin.space_id, [plugin.id])
        return plugin_view(
            plugin, tool_count=tools.get(plugin.id, 0), agent_count=agents.get(plugin.id, 0)
        )

    async def _icon(self, principal: Principal, given: str | int | None) -> FileId | None:
        if given is None or given == "":
            return None
        file_id = FileId(parse_id(given, field="icon_file_id"))
        await self._files.describe(principal.scope, [file_id])
        return file_id


async def _count_agents(
    uow: PluginUnitOfWork, principal: Principal, space_id: SpaceId, plugin_ids: Sequence[PluginId]
) -> dict[PluginId, int]:
    """Count the agents that are bound to each; none for who may not read all of the space."""
    if not plugin_ids or not principal.may(Permission.AGENT_READ, space_id):
        return {}
    return await uow.plugins.count_agents(principal.scope.within(space_id), plugin_ids)


def _manifest(manifest: Manifest, given: UpdatePlugin) -> Manifest:
    if given.server_url is not UNSET:
        manifest = replace(manifest, server_url=given.server_url)
    if given.mcp is not UNSET:
        manifest = replace(manifest, mcp=given.mcp.source())
    if given.common_params is not UNSET:
        common = given.common_params or CommonValues()
        manifest = replace(manifest, common_parameters=common.parameters())
    if given.sends_identity is not UNSET:
        manifest = replace(manifest, sends_identity=given.sends_identity)
    return manifest


def _problems(read: ImportedPlugin) -> tuple[ImportProblem, ...]:
    return tuple(ImportProblem(path=each.path, message=each.message) for each in read.problems)


def read_document(
    given: PluginDocument, reader: OpenApiReader, *, max_bytes: int, document_url: str = ""
) -> ImportedPlugin:
    """Turn a document into a plugin; takes a while, so not on the event loop.

    Raises:
        DocumentUnreadable: it has no such format, or nothing of it can be used.
        RequestTooLarge: it is longer than ``max_bytes``.
    """
    source = given.data if given.openapi is None else given.openapi
    kind: Format = given.format if given.openapi is None else "openapi"
    if not source:
        raise DocumentUnreadable("openapi: give a document, or data with its format.")
    if isinstance(source, str) and len(source.encode()) > max_bytes:
        raise RequestTooLarge(f"The document has more than {max_bytes} bytes.")
    if kind == "curl":
        if not isinstance(source, str):
            raise DocumentUnreadable("data: a curl command is a text.")
        root: Any = from_curl(source)
    else:
        root = decode_document(source) if isinstance(source, str) else source
        root = _rewritten(root, kind)
    return reader.read(root, server_url=given.manifest.server_url, document_url=document_url)


def decode_document(text: str) -> Any:
    """Decode JSON or YAML; raise ``DocumentUnreadable``."""
    try:
        if text.lstrip()[:1] in {"{", "["}:
            check_json(text, INNER_JSON)
            return msgspec.json.decode(text)
        return _plain(msgspec.yaml.decode(text))
    except (msgspec.DecodeError, ValueError, RecursionError) as exc:
        raise DocumentUnreadable(
            f"The document is neither JSON nor YAML: {str(exc)[:300]}"
        ) from exc


def _rewritten(root: Any, kind: Format) -> Any:
    if kind == "openapi" and isinstance(root, dict):
        if "swagger" in root:  # told apart by their first line, whatever the caller called them
            return from_swagger(root)
        if "openapi" not in root and isinstance(root.get("item"), list):
            return from_postman(root)
    if kind == "swagger2":
        return from_swagger(root)
    if kind == "postman":
        return from_postman(root)
    return root


def _plain(node: Any) -> Any:
    """Dates of YAML become texts again; shared parts stay shared."""
    seen: dict[int, Any] = {}

    def walk(each: Any) -> Any:
        if isinstance(each, dict):
            if id(each) not in seen:
                seen[id(each)] = {}
                seen[id(each)].update({key: walk(value) for key, value in each.items()})
            return seen[id(each)]
        if isinstance(each, list):
            if id(each) not in seen:
                seen[id(each)] = []
                seen[id(each)].extend(walk(value) for value in each)
            return seen[id(each)]
        return each if isinstance(each, str | int | float | bool | None) else str(each)

    return walk(node)

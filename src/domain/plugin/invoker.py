"""Calls tools: arguments in, a result that fits the declaration out."""

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from domain.plugin.argument import settled
from domain.plugin.credential import Credentials
from domain.plugin.entity import Plugin
from domain.plugin.error import PluginInvalid, PluginToolNotFound, ToolCallFailed
from domain.plugin.repository import PluginStore
from domain.plugin.request import Draft, compose
from domain.plugin.response import output_of, text_of
from domain.plugin.turn import Turns
from domain.plugin.value import Manifest, PluginId, ToolDefinition, ToolId
from domain.shared.access import TenantScope
from domain.shared.limits import Limits
from infra.contract.egress import (
    EgressClient,
    EgressFailed,
    EgressPolicy,
    EgressRequest,
    EgressResponse,
)

_ERROR_CHARS: Final = 500
_RAW_CHARS: Final = 64 * 1024
_THREAD_BYTES: Final = 256 * 1024
"""Larger answers are decoded beside the event loop."""

_PAUSES_S: Final = (0.5, 1.5)
_SUCCESS: Final = range(200, 300)
_TRY_AGAIN: Final = frozenset({429, 500, 502, 503, 504})
_UNSEEN: Final = frozenset({"\n", "\r", "\t"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """On whose behalf a tool is called; ``key`` names the call, equal ones have one effect."""

    scope: TenantScope
    end_user_id: str = ""
    connector_id: int = 0
    agent_id: str = ""
    conversation_id: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedTool:
    """A tool with all that a call needs; ``version`` is empty for the draft."""

    id: ToolId
    plugin: Plugin
    manifest: Manifest
    definition: ToolDefinition
    version: str
    hosts: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What a call gave; ``text`` is what a model reads, ``raw`` what the service said."""

    output: Mapping[str, Any]
    text: str
    raw: str
    status: int


@dataclass(slots=True)
class Trace:
    """What the debug view shows of a call, also of one that failed."""

    request: Mapping[str, Any] = field(default_factory=dict)
    status: int = 0
    raw: str = ""


class ToolInvoker:
    """Calls through the egress gate, within the limits of plugins."""

    def __init__(
        self, *, store: PluginStore, credentials: Credentials, egress: EgressClient, limits: Limits
    ) -> None:
        self._store = store
        self._credentials = credentials
        self._egress = egress
        self._limits = limits
        self._turns = Turns(parallel=limits.plugin_parallel, queue=limits.plugin_queue)

    async def load(
        self,
        scope: TenantScope,
        plugin_id: PluginId,
        tool_id: ToolId,
        *,
        version: str = "",
        is_draft: bool = False,
    ) -> LoadedTool:
        """Find a tool: of a version, of the newest one, or of the draft.

        Raises:
            PluginNotFound, PluginNotPublished, PluginToolNotFound
        """
        async with self._store.snapshot() as uow:
            plugin = await uow.plugins.get(scope, plugin_id)
            hosts = frozenset(await uow.hosts.get(scope, plugin.space_id))
            if is_draft:
                draft = await uow.tools.get(scope, plugin_id, tool_id)
                manifest, definition = plugin.manifest, draft.definition
            else:
                found = await uow.versions.get(scope, plugin_id, version)
                definition = (await uow.versions.tool(scope, found, tool_id)).definition
                manifest, version = found.manifest, found.label
        if definition.is_disabled:
            raise PluginToolNotFound(f"The tool {definition.name} is switched off.")
        return LoadedTool(
            id=tool_id,
            plugin=plugin,
            manifest=manifest,
            definition=definition,
            version="" if is_draft else version,
            hosts=hosts,
        )

    async def call(
        self,
        tool: LoadedTool,
        arguments: Mapping[str, Any],
        caller: Caller,
        *,
        fixed: Mapping[str, Any] | None = None,
        trace: Trace | None = None,
    ) -> Called:
        """Call a tool; nobody overrides the values in ``fixed``.

        Raises:
            PluginInvalid: an argument is missing or of another type.
            GrantNeeded: the user has not given access.
            EgressDenied: the address may not be called.
            ToolCallFailed, EgressFailed: the service answers with an error, or not in time.
        """
        seconds = self._limits.plugin_call_s
        try:
            async with asyncio.timeout(seconds), self._turns.of(tool.plugin.id):
                return await self._call(tool, arguments, caller, fixed or {}, trace or Trace())
        except TimeoutError as exc:
            raise ToolCallFailed(f"The service gave no answer within {seconds:g} s.") from exc

    async def _call(
        self,
        tool: LoadedTool,
        arguments: Mapping[str, Any],
        caller: Caller,
        fixed: Mapping[str, Any],
        trace: Trace,
    ) -> Called:
        values = settled(tool.definition.parameters, arguments, fixed)
        draft = compose(tool.manifest, tool.definition, values, tool.plugin.secrets)
        if not tool.manifest.server_url:
            raise PluginInvalid("server_url: the plugin has no address to call.")
        _identify(draft, tool.manifest, caller)
        if _origin(tool.manifest) != _origin(tool.plugin.manifest):
            # An old version must not carry the credentials of the new address to the old one.
            raise ToolCallFailed(
                "The plugin moved to another address; publish and use a new version."
            )
        auth = tool.plugin.manifest.auth  # credentials are live, and so is where they belong
        await self._credentials.apply(
            draft,
            tool.plugin,
            auth,
            scope=caller.scope,
            end_user_id=caller.end_user_id,
            hosts=tool.hosts,
        )
        trace.request = draft.shown()
        response = await self._send(tool, draft)
        raw = draft.masked(response.body[: 4 * _RAW_CHARS].decode("utf-8", "replace"))
        trace.status, trace.raw = response.status, raw[:_RAW_CHARS]
        if response.status not in _SUCCESS:
            told = "".join(c for c in raw[:_ERROR_CHARS] if c.isprintable() or c in _UNSEEN)
            raise ToolCallFailed(
                f"The service answered with HTTP {response.status}. {told}".strip()
            )
        media = response.headers.get("content-type", "")
        body = draft.masked_bytes(response.body)
        if len(body) > _THREAD_BYTES:
            output = await asyncio.to_thread(output_of, tool.definition, body, media)
            text = await asyncio.to_thread(text_of, output, self._limits.plugin_text_chars)
        else:
            output = output_of(tool.definition, body, media)
            text = text_of(output, self._limits.plugin_text_chars)
        return Called(output=output, text=draft.masked(text), raw=trace.raw, status=response.status)

    async def _send(self, tool: LoadedTool, draft: Draft) -> EgressResponse:
        """Send; what changes nothing is repeated after passing faults."""
        pauses = _PAUSES_S if tool.definition.is_idempotent else ()
        redirects = 3 if tool.definition.is_idempotent else 0
        policy = EgressPolicy(
            max_bytes=self._limits.plugin_body_bytes,
            max_seconds=self._limits.plugin_call_s,
            max_redirects=redirects,
            allow_methods=frozenset({draft.method}),
            allow_hosts=tool.hosts,
        )
        request = EgressRequest(
            url=draft.full_url, method=draft.method, headers=draft.all_headers(), body=draft.body
        )
        for pause in pauses:
            try:
                response = await self._egress.request(request, policy)
            except EgressFailed:
                pass
            else:
                if response.status not in _TRY_AGAIN:
                    return response
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
        return await self._egress.request(request, policy)


def _origin(manifest: Manifest) -> str:
    """Scheme, host and port of the server."""
    return "/".join(manifest.server_url.lower().split("/")[:3])


def _identify(draft: Draft, manifest: Manifest, caller: Caller) -> None:
    """Tell the service who calls, in the headers that plugins of Coze expect."""
    if manifest.sends_identity:
        identity = {
            "x-aiplugin-connector-identifier": str(caller.connector_id or ""),
            "x-aiplugin-bot-id": caller.agent_id,
            "x-aiplugin-conversation-id": caller.conversation_id,
        }
        draft.headers.update({name: value for name, value in identity.items() if value})
    if caller.key and draft.method not in {"GET", "HEAD"}:
        draft.headers.setdefault("idempotency-key", caller.key)

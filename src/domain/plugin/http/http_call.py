"""Calls operations of services over HTTP: arguments in, a result that fits the declaration out."""

import asyncio
import random
from collections.abc import Mapping
from typing import Any, Final

from domain.plugin.argument import settled
from domain.plugin.call import Called, Caller, LoadedTool, Trace
from domain.plugin.error import PluginInvalid, ToolCallFailed
from domain.plugin.http.credential import Credentials
from domain.plugin.http.file_argument import FileArguments
from domain.plugin.http.request import Draft, compose
from domain.plugin.http.response import output_of, text_of
from domain.plugin.value import Manifest
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


class HttpCaller:
    """Calls through the egress gate, within the limits of plugins."""

    def __init__(
        self,
        *,
        credentials: Credentials,
        egress: EgressClient,
        files: FileArguments,
        limits: Limits,
    ) -> None:
        self._credentials = credentials
        self._egress = egress
        self._files = files
        self._limits = limits

    def longest_s(self, tool: LoadedTool) -> float:
        return self._limits.plugin_call_s

    async def call(
        self,
        tool: LoadedTool,
        arguments: Mapping[str, Any],
        caller: Caller,
        *,
        fixed: Mapping[str, Any],
        trace: Trace,
    ) -> Called:
        values = await self._files.resolve(
            tool.definition,
            settled(tool.definition.parameters, arguments, fixed),
            scope=caller.scope,
            hosts=tool.hosts,
        )
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
            space_id=tool.plugin.space_id,
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

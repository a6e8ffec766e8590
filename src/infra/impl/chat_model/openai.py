"""Chat models behind the OpenAI wire, official or lookalike."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import closing
from functools import cached_property
from typing import Any, Final

import msgspec

from domain.shared.chat import ChatRequest, ModelEvent
from infra.contract.chat_model import ChatModel, ModelCallFailed, ModelEndpoint
from infra.contract.egress import EgressDenied
from infra.impl.chat_model import PROVIDERS, ProviderParts
from infra.impl.chat_model.openai_body import BodyReader, Stage
from infra.impl.chat_model.openai_request import chat_body, image_bytes
from infra.impl.http import error, provider
from infra.impl.http.reply import HttpReply, Patience
from infra.impl.http.url import Url

_GOOD: Final = 2  # hundred
_BAD_REQUEST: Final = frozenset({400, 422})
_USAGE_OPTION: Final = re.compile(rb"stream_options|include_usage")
_TAIL_S: Final = 2.0  # how long usage and the end may take once the finish reason is known
_WORTH_A_THREAD_BYTES: Final = 128 * 1024  # encoding this much costs about a millisecond


@PROVIDERS.register("openai")
def openai(endpoint: ModelEndpoint, parts: ProviderParts) -> ChatModel:
    """Open a model of any server with this wire."""
    return OpenAiChatModel(endpoint, parts)


class OpenAiChatModel:
    """One model of one endpoint; remembers whether the server takes ``stream_options``."""

    def __init__(self, endpoint: ModelEndpoint, parts: ProviderParts) -> None:
        self._endpoint = endpoint
        self._parts = parts
        self._profile = provider.profile_of(tenant_address=endpoint.tenant_address)
        self._with_usage = endpoint.capabilities.stream_usage
        self._patience = Patience(
            connect_s=endpoint.timeouts.connect_s,
            first_s=endpoint.timeouts.first_token_s,
            idle_s=endpoint.timeouts.idle_s,
            total_s=endpoint.timeouts.total_s,
        )

    @cached_property
    def _url(self) -> Url:
        return self._parts.door.parse(
            provider.address(self._endpoint.base_url, "/chat/completions"), profile=self._profile
        )

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the events of the reply; see the port for promises and errors."""
        with closing(await self._send(request)) as reply:
            body = BodyReader(
                model=self._endpoint.model,
                secret=self._endpoint.api_key,
                limits=self._parts.limits,
                tool_names=[tool.name for tool in request.tools],
            )
            stage = Stage.WAITING
            try:
                while not body.is_over and (piece := await reply.read_any()):
                    events = body.feed(piece)
                    if body.stage is not stage:
                        stage = body.stage
                        _adjust_patience(reply, stage)
                    for event in events:
                        yield event
            except error.TransportError as exc:
                if stage is not Stage.TOLD:  # only usage can be missing then
                    raise provider.transport_failed(exc, begun=body.has_begun) from exc
            if body.is_over:
                reply.leave()
            for event in body.finish():
                yield event

    async def _send(self, request: ChatRequest) -> HttpReply:
        """Return a reply with a good status; the caller closes it."""
        with_usage = self._with_usage
        reply = await self._post(request, with_usage=with_usage)
        if reply.status // 100 == _GOOD:
            return reply
        with closing(reply):
            failure, text = await self._failure(reply)
        if with_usage and reply.status in _BAD_REQUEST and _USAGE_OPTION.search(text):
            self._with_usage = False
            return await self._send(request)
        raise failure

    async def _post(self, request: ChatRequest, *, with_usage: bool) -> HttpReply:
        if image_bytes(request) > _WORTH_A_THREAD_BYTES:
            body = await asyncio.to_thread(self._encode, request, with_usage=with_usage)
        else:
            body = self._encode(request, with_usage=with_usage)
        door = self._parts.door
        try:
            return await door.send(
                "POST",
                self._url,
                profile=self._profile,
                patience=self._patience,
                headers=provider.provider_headers(
                    self._endpoint.api_key, self._endpoint.headers, accept="text/event-stream"
                ),
                body=body,
            )
        except (error.TransportError, EgressDenied) as exc:
            raise provider.transport_failed(exc) from exc

    def _encode(self, request: ChatRequest, *, with_usage: bool) -> bytes:
        return msgspec.json.encode(self._body(request, with_usage=with_usage))

    def _body(self, request: ChatRequest, *, with_usage: bool) -> dict[str, Any]:
        return chat_body(request, self._endpoint, with_usage=with_usage)

    async def _failure(self, reply: HttpReply) -> tuple[ModelCallFailed, bytes]:
        try:
            body = await reply.read_prefix(limit_bytes=self._parts.limits.model_error_bytes)
        except error.TransportError:
            body = b""  # the status alone says enough
        failure = provider.status_failed(
            reply.status,
            body,
            reply.headers,
            secret=self._endpoint.api_key,
            now=self._parts.clock.now(),
        )
        return failure, body


def _adjust_patience(reply: HttpReply, stage: Stage) -> None:
    if stage is Stage.TOLD:
        reply.hurry(_TAIL_S)
    else:
        reply.begun()

"""Chat models of Volcengine's Ark platform (Doubao, DeepSeek and others).

Wire: volcengine.com/docs/82379, "Chat API" and "Error codes". It is the OpenAI wire with a switch
for thinking (``thinking.type``: enabled, disabled or auto, set by an agent's parameters), with
errors of its own, and with models that need their reasoning back while a turn calls tools.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import msgspec

from domain.shared.chat import ChatRequest, ModelEvent, ReasoningDelta, ToolCallDelta
from infra.contract.model.chat_model import ChatModel, ModelEndpoint
from infra.impl.chat_model import PROVIDERS, ProviderParts
from infra.impl.chat_model.openai import OpenAiChatModel
from infra.impl.chat_model.reasoning_cache import ReasoningCache
from infra.impl.http import provider


@PROVIDERS.register("ark")
def ark(endpoint: ModelEndpoint, parts: ProviderParts) -> ChatModel:
    """Open a model or an inference endpoint of Ark."""
    address = provider.ark_address(endpoint.base_url)
    return ArkChatModel(msgspec.structs.replace(endpoint, base_url=address), parts)


class ArkChatModel(OpenAiChatModel):
    """One model of Ark; remembers the reasoning that belongs to its calls."""

    def __init__(self, endpoint: ModelEndpoint, parts: ProviderParts) -> None:
        super().__init__(endpoint, parts)
        self._reasoning = ReasoningCache()

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the events of the reply; see the port for promises and errors."""
        thoughts: list[str] = []
        call_ids: list[str] = []
        async with aclosing(super().stream(request)) as events:
            async for event in events:
                if isinstance(event, ReasoningDelta):
                    thoughts.append(event.text)
                elif isinstance(event, ToolCallDelta) and event.id:
                    call_ids.append(event.id)
                yield event
        if thoughts and call_ids:
            self._reasoning.keep(call_ids, "".join(thoughts))

    def _body(self, request: ChatRequest, *, with_usage: bool) -> dict[str, Any]:
        body = super()._body(request, with_usage=with_usage)
        body.pop("user", None)  # not a field of this API
        told = {
            message.tool_calls[0].id: message.reasoning
            for message in request.messages
            if message.tool_calls
        }
        for message in body["messages"]:
            for call in message.get("tool_calls", ())[:1]:
                if thoughts := self._reasoning.find(call["id"]) or told.get(call["id"]):
                    message["reasoning_content"] = thoughts
        return body

"""Test calls of one model: does it answer, stream, count, call tools, see?"""

import struct
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final, Literal, assert_never

import msgspec

from application.model.dto import ModelCheck, ModelReport
from domain.model.entity import Model
from domain.model.service import ModelService
from domain.model.value import ModelType
from domain.shared.chat import (
    ChatMessage,
    ChatRequest,
    ImagePart,
    OutputFormat,
    TextDelta,
    TextPart,
    ToolCallDelta,
    ToolSpec,
    UsageReported,
)
from domain.shared.error import AppError

_MAX_TOKENS: Final = 512
"""Enough for a model that thinks before it says one word."""
_DETAIL_CHARS: Final = 300
_SIDE_PX: Final = 32

CheckName = Literal["chat", "json", "tools", "vision"]


@dataclass(kw_only=True)
class _Reply:
    """What one call brought."""

    text: str = ""
    deltas: int = 0
    tool_names: list[str] = field(default_factory=list)
    has_usage: bool = False
    first_token_ms: int | None = None
    latency_ms: int = 0
    error: str = ""


class ModelProbe:
    """Calls a model once for each thing it claims to do; nothing is retried or accounted."""

    def __init__(
        self, models: ModelService, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._models = models
        self._monotonic = monotonic

    async def run(self, model: Model) -> ModelReport:
        """Test the model; failures are part of the report, not raised."""
        match model.spec.type:
            case ModelType.CHAT:
                checks = await self._chat(model)
            case ModelType.EMBEDDING:
                checks = [await self._embedding(model)]
            case ModelType.RERANK:
                checks = [await self._reranking(model)]
            case _:
                assert_never(model.spec.type)
        return ModelReport(id=model.key, ok=all(check.ok for check in checks), checks=tuple(checks))

    async def _chat(self, model: Model) -> list[ModelCheck]:
        reply = await self._ask(model, _request("Greet me in one short sentence."))
        checks = [_check("chat", reply, is_ok=bool(reply.text))]
        if reply.error:
            return checks  # the rest would fail for the same reason
        checks += [
            ModelCheck(
                name="stream",
                ok=reply.deltas > 0,
                latency_ms=reply.latency_ms,
                first_token_ms=reply.first_token_ms,
                detail=f"{reply.deltas} pieces",
            ),
            ModelCheck(
                name="usage",
                ok=reply.has_usage or model.is_offline,
                latency_ms=reply.latency_ms,
                detail="reported" if reply.has_usage else "estimated",
            ),
        ]
        if model.is_offline:
            return checks
        capabilities = model.capabilities
        if capabilities.json_object:
            checks.append(await self._json(model))
        if capabilities.tools != "none":
            checks.append(await self._tools(model))
        if capabilities.vision:
            checks.append(await self._vision(model))
        return checks

    async def _json(self, model: Model) -> ModelCheck:
        request = _request('Return the JSON object {"ready": true} and nothing else.')
        reply = await self._ask(model, msgspec.structs.replace(request, output=OutputFormat.JSON))
        try:
            is_object = isinstance(msgspec.json.decode(reply.text), dict)
        except msgspec.DecodeError:
            is_object = False
        return _check("json", reply, is_ok=is_object)

    async def _tools(self, model: Model) -> ModelCheck:
        tool = ToolSpec(
            name="report_number",
            description="Reports a number to the caller.",
            parameters={
                "type": "object",
                "properties": {"number": {"type": "integer"}},
                "required": ["number"],
            },
        )
        request = _request("Report the number seven with the tool.")
        reply = await self._ask(model, msgspec.structs.replace(request, tools=(tool,)))
        return _check("tools", reply, is_ok=tool.name in reply.tool_names)

    async def _vision(self, model: Model) -> ModelCheck:
        image = ImagePart(data=_red_square(), media_type="image/png", name="square.png")
        reply = await self._ask(model, _request("Which colour is this square? One word.", image))
        return _check("vision", reply, is_ok=bool(reply.text))

    async def _ask(self, model: Model, request: ChatRequest) -> _Reply:
        reply = _Reply()
        started_at = self._monotonic()
        pieces: list[str] = []
        try:
            async with aclosing(self._models.attempt(model, request).run()) as events:
                async for event in events:
                    if reply.first_token_ms is None:
                        reply.first_token_ms = self._ms_since(started_at)
                    match event:
                        case TextDelta():
                            pieces.append(event.text)
                        case ToolCallDelta(name=name) if name:
                            reply.tool_names.append(name)
                        case UsageReported():
                            reply.has_usage = not event.usage.estimated
                        case _:
                            pass  # the rest is not tested
        except AppError as exc:
            reply.error = exc.message
        reply.latency_ms = self._ms_since(started_at)
        reply.text, reply.deltas = "".join(pieces).strip(), len(pieces)
        return reply

    async def _embedding(self, model: Model) -> ModelCheck:
        started_at = self._monotonic()
        texts: Sequence[str] = ("The weather is fine.", "今天天气很好。")
        try:
            result = await self._models.single(model).embed(texts, purpose="document")
        except AppError as exc:
            is_ok, detail = False, exc.message
        else:
            lengths = {len(vector) for vector in result.vectors}
            is_ok = len(result.vectors) == len(texts) and len(lengths) == 1
            detail = f"{min(lengths, default=0)} dimensions"
        return ModelCheck(
            name="embedding", ok=is_ok, latency_ms=self._ms_since(started_at), detail=detail
        )

    async def _reranking(self, model: Model) -> ModelCheck:
        started_at = self._monotonic()
        texts = ("Bread is made of flour.", "Rain is expected in the north tomorrow.")
        try:
            result = await self._models.single(model).rerank("What will the weather be?", texts)
        except AppError as exc:
            is_ok, detail = False, exc.message
        else:
            is_ok = bool(result.ranked)
            detail = f"{len(result.ranked)} of {len(texts)} texts scored"
        return ModelCheck(
            name="rerank", ok=is_ok, latency_ms=self._ms_since(started_at), detail=detail
        )

    def _ms_since(self, started_at: float) -> int:
        return round((self._monotonic() - started_at) * 1000)


def _request(text: str, *images: ImagePart) -> ChatRequest:
    question = ChatMessage(role="user", parts=(TextPart(text=text), *images))
    return ChatRequest(messages=(question,), max_output_tokens=_MAX_TOKENS)


def _check(name: CheckName, reply: _Reply, *, is_ok: bool) -> ModelCheck:
    return ModelCheck(
        name=name,
        ok=is_ok and not reply.error,
        latency_ms=reply.latency_ms,
        first_token_ms=reply.first_token_ms,
        detail=(reply.error or reply.text or ", ".join(reply.tool_names))[:_DETAIL_CHARS],
    )


def _red_square() -> bytes:
    """Return a PNG (ISO/IEC 15948): signature, then the chunks IHDR, IDAT and IEND."""
    row = b"\x00" + b"\xff\x00\x00" * _SIDE_PX
    header = struct.pack(">IIBBBBB", _SIDE_PX, _SIDE_PX, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(row * _SIDE_PX)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )

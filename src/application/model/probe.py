"""Test calls of one model: does it answer, stream, count, call tools, see?"""

import struct
import time
import zlib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

import msgspec

from application.model.dto import CheckName, ModelCheck, ModelReport
from domain.model.entity import Model
from domain.model.runtime import ModelRuntime
from domain.model.service import ModelService
from domain.model.value import ModelType
from domain.shared.chat import (
    Capabilities,
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
from domain.shared.tracing.span import SpanKind, SpanLog, within
from infra.contract.clock import Clock

_MAX_TOKENS: Final = 512
"""Enough for a model that thinks before it says one word."""
_DETAIL_CHARS: Final = 300
_SHOWN_CHARS: Final = 20_000
"""Of a request or an answer: a test asks little, and gets little."""
_SIDE_PX: Final = 32
_RED: Final = ("red", "红")


class CheckBegan(msgspec.Struct, frozen=True, kw_only=True, tag="check.started"):
    """A check begins."""

    name: CheckName


class CheckEnded(msgspec.Struct, frozen=True, kw_only=True, tag="check.completed"):
    """A check is done."""

    check: ModelCheck


class TestEnded(msgspec.Struct, frozen=True, kw_only=True, tag="test.completed"):
    """All checks are done."""

    __test__ = False

    report: ModelReport


ModelTestEvent = CheckBegan | CheckEnded | TestEnded


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
    sent: str = ""
    came: str = ""


class ModelProbe:
    """Calls a model once for each thing it claims to do; nothing is retried or accounted."""

    def __init__(
        self,
        models: ModelService,
        clock: Clock,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._models = models
        self._clock = clock
        self._monotonic = monotonic

    async def run(
        self, model: Model, *, is_apart: bool = False, detects: bool = False
    ) -> AsyncGenerator[ModelTestEvent, None]:
        """Test the model check by check; failures are told, not raised.

        ``is_apart``: these settings are not those in use. ``detects``: what a chat model does not
        claim is tried, too; the report says what it can do.
        """
        checks: list[ModelCheck] = []
        match model.spec.type:
            case ModelType.CHAT:
                told = self._chat(model, is_apart=is_apart, detects=detects)
            case ModelType.EMBEDDING:
                told = self._embedding(model, is_apart=is_apart)
            case ModelType.RERANK:
                told = self._reranking(model, is_apart=is_apart)
            case _:
                assert_never(model.spec.type)
        async with aclosing(told):
            async for event in told:
                if isinstance(event, CheckEnded):
                    checks.append(event.check)
                yield event
        is_chat = model.spec.type is ModelType.CHAT
        yield TestEnded(
            report=ModelReport(
                id=model.key,
                ok=all(check.ok for check in checks if check.is_claimed),
                checks=tuple(checks),
                capabilities=_found(model, checks) if is_chat and detects else None,
            )
        )

    async def _chat(
        self, model: Model, *, is_apart: bool, detects: bool
    ) -> AsyncGenerator[ModelTestEvent, None]:
        claims = model.capabilities
        if detects and not model.is_offline:
            able = msgspec.structs.replace(claims, json_object=True, tools="native", vision=True)
            spec = msgspec.structs.replace(model.spec, capabilities=able)
            model, is_apart = replace(model, spec=spec), True
        yield CheckBegan(name="chat")
        try:
            runtime = self._models.runtime(model, is_apart=is_apart)
        except AppError as exc:
            yield CheckEnded(check=_check("chat", _Reply(error=exc.message), is_ok=False))
            return
        reply = await self._ask(runtime, _request("Greet me in one short sentence."))
        yield CheckEnded(check=_check("chat", reply, is_ok=bool(reply.text)))
        if reply.error:
            return  # the rest would fail for the same reason
        yield CheckEnded(
            check=ModelCheck(
                name="stream",
                ok=reply.deltas > 0,
                latency_ms=reply.latency_ms,
                first_token_ms=reply.first_token_ms,
                detail=f"{reply.deltas} pieces",
            )
        )
        yield CheckEnded(
            check=ModelCheck(
                name="usage",
                ok=reply.has_usage or model.is_offline,
                latency_ms=reply.latency_ms,
                detail="reported" if reply.has_usage else "estimated",
            )
        )
        if model.is_offline:
            return
        able = model.capabilities
        wanted: Mapping[CheckName, tuple[bool, bool]] = {
            "json": (able.json_object, claims.json_object),
            "tools": (able.tools != "none", claims.tools != "none"),
            "vision": (able.vision, claims.vision),
        }
        for name, (is_tried, is_claimed) in wanted.items():
            if is_tried:
                yield CheckBegan(name=name)
                check = await self._ability(runtime, name, is_claimed=is_claimed)
                yield CheckEnded(check=check)

    async def _ability(
        self, runtime: ModelRuntime, name: CheckName, *, is_claimed: bool
    ) -> ModelCheck:
        match name:
            case "json":
                request = _request('Return the JSON object {"ready": true} and nothing else.')
                request = msgspec.structs.replace(request, output=OutputFormat.JSON)
                reply = await self._ask(runtime, request)
                is_ok = _is_object(reply.text)
            case "tools":
                request = _request("Report the number seven with the tool.")
                request = msgspec.structs.replace(request, tools=(_TOOL,))
                reply = await self._ask(runtime, request)
                is_ok = _TOOL.name in reply.tool_names
            case _:
                image = ImagePart(data=_red_square(), media_type="image/png", name="square.png")
                request = _request("Which colour is this square? One word.", image)
                reply = await self._ask(runtime, request)
                # Servers that drop images answer all the same; who claims to see is believed.
                is_right = any(word in reply.text.casefold() for word in _RED)
                is_ok = bool(reply.text) if is_claimed else is_right
        check = _check(name, reply, is_ok=is_ok)
        return msgspec.structs.replace(check, is_claimed=is_claimed)

    async def _ask(self, runtime: ModelRuntime, request: ChatRequest) -> _Reply:
        reply, log = _Reply(), self._log()
        started_at = self._monotonic()
        pieces: list[str] = []
        try:
            with within(log.root):
                async with aclosing(self._models.attempt(runtime, request).run()) as events:
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
        reply.sent, reply.came = _exchange(log)
        return reply

    def _log(self) -> SpanLog:
        """Open a trace of one call that nobody stores, for what is sent and what comes."""
        return SpanLog(0, keeps_content=True, began_at=self._clock.now())

    async def _embedding(
        self, model: Model, *, is_apart: bool
    ) -> AsyncGenerator[ModelTestEvent, None]:
        yield CheckBegan(name="embedding")
        started_at, log = self._monotonic(), self._log()
        texts: Sequence[str] = ("The weather is fine.", "今天天气很好。")
        try:
            call = self._models.single(self._models.runtime(model, is_apart=is_apart))
            with within(log.root):
                result = await call.embed(texts, purpose="document")
        except AppError as exc:
            is_ok, detail = False, exc.message
        else:
            lengths = {len(vector) for vector in result.vectors}
            is_ok = len(result.vectors) == len(texts) and len(lengths) == 1
            detail = f"{min(lengths, default=0)} dimensions"
        yield self._single("embedding", log, started_at, is_ok=is_ok, detail=detail)

    async def _reranking(
        self, model: Model, *, is_apart: bool
    ) -> AsyncGenerator[ModelTestEvent, None]:
        yield CheckBegan(name="rerank")
        started_at, log = self._monotonic(), self._log()
        texts = ("Bread is made of flour.", "Rain is expected in the north tomorrow.")
        try:
            call = self._models.single(self._models.runtime(model, is_apart=is_apart))
            with within(log.root):
                result = await call.rerank("What will the weather be?", texts)
        except AppError as exc:
            is_ok, detail = False, exc.message
        else:
            is_ok = bool(result.ranked)
            detail = f"{len(result.ranked)} of {len(texts)} texts scored"
        yield self._single("rerank", log, started_at, is_ok=is_ok, detail=detail)

    def _single(
        self, name: CheckName, log: SpanLog, started_at: float, *, is_ok: bool, detail: str
    ) -> CheckEnded:
        sent, came = _exchange(log)
        return CheckEnded(
            check=ModelCheck(
                name=name,
                ok=is_ok,
                latency_ms=self._ms_since(started_at),
                detail=detail[:_DETAIL_CHARS],
                request=sent,
                answer=came,
            )
        )

    def _ms_since(self, started_at: float) -> int:
        return round((self._monotonic() - started_at) * 1000)


_TOOL: Final = ToolSpec(
    name="report_number",
    description="Reports a number to the caller.",
    parameters={
        "type": "object",
        "properties": {"number": {"type": "integer"}},
        "required": ["number"],
    },
)


def _found(model: Model, checks: Sequence[ModelCheck]) -> Capabilities:
    """Return what a model turned out to be able to do; the rest stays what is known of it."""
    passed = {check.name: check.ok for check in checks}
    known = model.capabilities
    if not passed.get("chat") or model.is_offline:
        return known
    tools = known.tools
    if passed.get("tools"):
        tools = "native"
    elif tools == "native":
        tools = "prompt_prefix"  # every model can be told tools in words
    return msgspec.structs.replace(
        known, json_object=passed["json"], tools=tools, vision=passed["vision"]
    )


def _exchange(log: SpanLog) -> tuple[str, str]:
    """Return what the last call sent, and what came."""
    spans = [span for span in log.spans if span.kind in _CALLS]
    if not spans:
        return "", ""
    span = spans[-1]
    log.close()
    return _shown(span.input), _shown(span.output)


_CALLS: Final = frozenset({SpanKind.MODEL, SpanKind.EMBEDDING, SpanKind.RERANK})


def _shown(value: object) -> str:
    if value is None:
        return ""
    data = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return data.decode(errors="replace")[:_SHOWN_CHARS]


def _is_object(text: str) -> bool:
    try:
        return isinstance(msgspec.json.decode(text), dict)
    except msgspec.DecodeError:
        return False


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
        request=reply.sent,
        answer=reply.came,
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

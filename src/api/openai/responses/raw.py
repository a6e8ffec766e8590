"""Responses of models without an agent: no prompt and no conversation of ours."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
from litestar import Request, Response

from api.disconnect import while_connected
from api.error import Failure, OpenAIError
from api.openai.error import UnsupportedParameter
from api.openai.raw import CallInPieces, chat_request
from api.openai.responses.items import InputItem, OpenThought, decode_items, stored_items
from api.openai.responses.request import (
    FileSearch,
    ResponseRequest,
    conversation_id,
    file_search_of,
    overrides_of,
    previous_key,
    tools_of,
)
from api.openai.responses.shape import ResponseUsage, Snapshots, incomplete_reason
from api.openai.responses.steps import Include, file_search_item
from api.openai.responses.writer import NEVER, Item, ResponseWriter, Seal
from api.renderer.line import EVENT_STREAM
from api.renderer.openai import DONE, KEEPALIVE
from api.sse import EventStreamResponse
from application.conversation.compaction import CompactionService
from application.conversation.response import ModelResponse, ResponseService, ResponseView
from application.knowledge.retrieval.file_search import FileSearchService, Recall
from application.model.gateway import ModelGateway
from domain.shared.access import Permission, Principal
from domain.shared.chat import (
    ChatMessage,
    ChatRequest,
    ContentReplaced,
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    ReplyFinished,
    TextDelta,
    ToolCallDelta,
    Usage,
    UsageReported,
)
from domain.shared.limits import Limits
from domain.shared.text.citation import framed


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAnswer:
    """A request to a model: ``kept`` is what a stored response repeats of it."""

    data: ResponseRequest
    items: Sequence[InputItem]
    kept: Mapping[str, Any]
    include: Include


async def answer_raw(
    request: Request[Any, Any, Any],
    asked: RawAnswer,
    *,
    gateway: ModelGateway,
    responses: ResponseService,
    file_searches: FileSearchService,
    compactions: CompactionService,
    principal: Principal,
    limits: Limits,
    headers: dict[str, str],
) -> Response[Any]:
    """Answer with what the model says, in one piece or as a stream; keep it if that is wanted."""
    data, space_id = asked.data, principal.personal_space_id
    principal.require(Permission.MODEL_USE, space_id)
    if data.background:
        raise UnsupportedParameter("background: agents only.", field="background")
    if conversation_id(data) is not None:
        raise UnsupportedParameter("conversation: agents only.", field="conversation")
    past: list[InputItem] = []
    if (previous := previous_key(data)) is not None:
        past = [
            msgspec.convert(item, InputItem) for item in await responses.chain(principal, previous)
        ]
    view = responses.begun(request=asked.kept)
    seal = partial(responses.sealed_thought, space_id) if asked.include.sealed_reasoning else None
    reply = _Reply(view, asked.include, is_quiet=not data.stream, seal=seal)
    opened = partial(responses.opened_thought, principal)
    wanted = _request(data, (*past, *asked.items), limits, opened)
    if (searched := file_search_of(data)) is not None:
        wanted = await _informed(wanted, searched, reply, file_searches, principal)
    if data.truncation == "disabled":
        await compactions.require_fitting(principal, wanted.model, wanted.messages)
    events = gateway.stream(principal, space_id, wanted)
    kept = None
    if data.is_stored:
        kept = ModelResponse(
            id=view.id,
            space_id=space_id,
            end_user_id=principal.end_user_id,
            previous_id=previous and previous.run_id,
            request=asked.kept,
            items=stored_items(asked.items, str(view.id)),
            output={},
            created_at=view.created_at,
        )
    told = _framed(events, reply, kept, principal=principal, responses=responses)
    if data.stream:
        return EventStreamResponse(
            told,
            _Joiner(reply),
            limits=limits,
            headers=headers,
            endings=(ReplyFinished,),
            space_id=space_id,
        )
    await while_connected(request, _drain(told))
    return Response(reply.snapshots.of_output(reply.result()), headers=headers)


async def _informed(
    request: ChatRequest,
    searched: FileSearch,
    reply: "_Reply",
    file_searches: FileSearchService,
    principal: Principal,
) -> ChatRequest:
    """Give a model what the bases of the request hold on its last question."""
    asked = next((m.text for m in reversed(request.messages) if m.role == "user" and m.text), "")
    recall = await file_searches.search(principal, asked, searched.dataset_ids, most=searched.most)
    reply.find(asked, recall)
    found = "\n\n".join(f"{each.document_name}:\n{each.content}" for each in recall.items)
    if not found:
        return request
    told = ChatMessage.of_text("system", framed(found))
    return msgspec.structs.replace(request, messages=(told, *request.messages))


def _request(
    data: ResponseRequest, items: Sequence[InputItem], limits: Limits, opened: OpenThought
) -> ChatRequest:
    tools, settings = tools_of(data), overrides_of(data)
    messages = decode_items(items, limits, opened=opened)
    if data.instructions:
        messages = (ChatMessage.of_text("system", data.instructions), *messages)
    return chat_request(data, messages=messages, tools=tools, settings=settings)


@dataclass(frozen=True, slots=True)
class _FramedEvent:
    """An event of a reply with the frames that tell of it."""

    event: ModelEvent
    frames: bytes


async def _framed(
    events: AsyncGenerator[ModelEvent, None],
    reply: "_Reply",
    kept: ModelResponse | None,
    *,
    principal: Principal,
    responses: ResponseService,
) -> AsyncGenerator[list[_FramedEvent], None]:
    """Yield what to write; a reply is kept before its end is told."""
    async with aclosing(events):
        async for event in events:
            frames = reply.take(event)
            if isinstance(event, ReplyFinished) and kept is not None:
                answered = msgspec.structs.replace(kept, output=reply.result())
                await responses.keep(principal, answered)
            yield [_FramedEvent(event, frames)]


async def _drain(told: AsyncGenerator[list[_FramedEvent], None]) -> None:
    async with aclosing(told):
        async for _ in told:
            pass


@dataclass(slots=True)
class _Said:
    """What has come of a reply besides its text."""

    calls: dict[int, CallInPieces] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    text: str | None = None
    """All of the text, where the model replaced what it had said."""
    reason: FinishReason = FinishReason.STOP


class _Reply:
    """Turns what a model says into the items and events of one response."""

    def __init__(
        self, view: ResponseView, include: Include, *, is_quiet: bool, seal: Seal | None
    ) -> None:
        self.snapshots = Snapshots(view)
        self._view = view
        self._include = include
        self._writer = ResponseWriter(after=NEVER if is_quiet else -1, seal=seal)
        self._found: Item | None = None
        self._thoughts: list[str] = []
        self._said = _Said()
        self._seq = 0

    def find(self, query: str, recall: Recall) -> None:
        """Note what was found before the model is asked."""
        results = [
            {
                "file_id": str(each.document_id),
                "filename": each.document_name,
                "score": each.score,
                "text": each.content,
                "attributes": {},
            }
            for each in recall.items
        ]
        self._found = file_search_item(self._id("fs"), query, results, include=self._include)

    def take(self, event: ModelEvent) -> bytes:
        frames = b"" if self._seq else self._begin()
        self._seq += 1
        writer, said = self._writer, self._said
        writer.at(self._seq)
        match event:
            case TextDelta(text) if text:
                frames += self._thought()
                return frames + writer.piece("message", self._id("msg"), text, seq=self._seq)
            case ReasoningDelta(text) if text and self._include.reasoning:
                if not writer.is_open(self._id("msg")):
                    frames += writer.piece("reasoning", self._id("rs"), text, seq=self._seq)
            case ReasoningDelta(text):
                self._thoughts.append(text)
            case ContentReplaced():
                said.text = event.text
            case ToolCallDelta():
                said.calls.setdefault(event.index, CallInPieces()).add(event)
            case UsageReported(usage):
                said.usage = usage
            case ReplyFinished(reason, refusal):
                said.reason = reason
                frames += self._thought()
                if refusal:
                    frames += writer.refusal(self._id("msg"), refusal)
                frames += self._finish()
            case _:
                pass
        return frames

    def result(self) -> dict[str, Any]:
        """Return what a stored response keeps of the reply."""
        reason = incomplete_reason(self._said.reason)
        return {
            "status": "incomplete" if reason else "completed",
            "completed_at": int(self._view.created_at.timestamp()),
            "incomplete_details": {"reason": reason} if reason else None,
            "output": self._writer.output,
            "usage": msgspec.to_builtins(ResponseUsage.of(self._said.usage)),
        }

    def fail(self, failure: Failure) -> bytes:
        frames = self._writer.close("incomplete")
        error = OpenAIError.of(failure).error
        flat = {"code": error.code, "message": error.message, "param": error.param}
        broken = self.snapshots.broken(failure, self._writer.output)
        frames += self._writer.event("error", {"error": error, **flat})
        return frames + self._writer.event("response.failed", {"response": broken}) + DONE

    def _thought(self) -> bytes:
        """Tell of reasoning that is sealed but not shown."""
        pieces, self._thoughts = self._thoughts, []
        return self._writer.thought(self._id("rs"), "".join(pieces))

    def _begin(self) -> bytes:
        response = self.snapshots.begun("in_progress")
        frames = [
            self._writer.event(f"response.{kind}", {"response": response})
            for kind in ("created", "in_progress")
        ]
        if self._found is not None:
            frames.append(self._writer.whole(self._found, {**self._found, "status": "in_progress"}))
        return b"".join(frames)

    def _finish(self) -> bytes:
        said, writer = self._said, self._writer
        status = "incomplete" if incomplete_reason(said.reason) else "completed"
        if said.text and not writer.is_open(self._id("msg")):
            frames = writer.piece("message", self._id("msg"), said.text, seq=self._seq)
        else:
            frames = b""
        text = said.text if writer.is_open(self._id("msg")) else None
        phase = "commentary" if said.calls else "final_answer"
        frames += writer.close(status, text=text, phase=phase)
        for index, call in sorted(said.calls.items()):
            frames += writer.call(
                f"{self._id('fc')}_{index}",
                call_id=call.id or f"call_{index}",
                name=call.name,
                arguments=call.arguments or "{}",
            )
        ended = self.snapshots.of_output(self.result())
        return frames + writer.event(f"response.{ended.status}", {"response": ended}) + DONE

    def _id(self, prefix: str) -> str:
        return f"{prefix}_{self._view.id}_0"


class _Joiner:
    """Writes frames as they are."""

    content_type = EVENT_STREAM
    keepalive = KEEPALIVE
    holds_headers = True

    def __init__(self, reply: _Reply) -> None:
        self._reply = reply

    def render(self, batch: Sequence[_FramedEvent]) -> bytes:
        return b"".join([each.frames for each in batch])

    def fail(self, failure: Failure) -> bytes:
        return self._reply.fail(failure)

"""A model registry with one scripted model, and knowledge that is simply listed."""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from crossdomain.knowledge.contract import (
    DatasetDescription,
    DocumentProgress,
    DocumentToStore,
    Recall,
    RecalledSlice,
    RecallRequest,
    StoredDocument,
)
from crossdomain.model.contract import (
    EmbeddingDescription,
    EmbeddingResult,
    ModelDescription,
    RerankResult,
)
from crossdomain.workflow.contract import (
    ChatFlow,
    ChatFlowInput,
    Listener,
    WorkflowToolDescription,
    WorkflowToolResult,
)
from domain.knowledge.ranking.filter import parse_filter
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import (
    Capabilities,
    ChatMessage,
    ChatRequest,
    FinishReason,
    ModelEvent,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    TextPart,
    ToolSpec,
    Usage,
    UsageReported,
)
from domain.shared.error import AppError, NotFound

Step = ModelEvent | AppError | Literal["hang"]


def reply(
    *pieces: str, reason: FinishReason = FinishReason.STOP, usage: Usage | None = None
) -> list[Step]:
    """A complete reply in these pieces."""
    return [
        ReplyStarted("r1", "upstream"),
        *(TextDelta(piece) for piece in pieces),
        UsageReported(usage or Usage(input_tokens=10, output_tokens=len(pieces))),
        ReplyFinished(reason),
    ]


_FENCE = re.compile(r"\A<(data-[0-9a-f]+)>\n(.*)\n</\1>\Z", re.DOTALL)


def unfenced(request: ChatRequest) -> ChatRequest:
    """Take the tags off results of tools, and leave out the rule about them."""
    messages = tuple(
        msgspec.structs.replace(each, parts=(TextPart(text=_FENCE.sub(r"\2", each.text)),))
        if each.role == "tool"
        else each
        for each in request.messages
        if not (each.role == "system" and each.text.startswith("Results of tools stand between"))
    )
    return msgspec.structs.replace(request, messages=messages)


class ScriptedModels:
    """Plays one script per call and keeps the requests; a token is a character."""

    def __init__(
        self,
        *scripts: Sequence[Step],
        window: int = 100_000,
        max_output: int = 1000,
        capabilities: Capabilities | None = None,
        known: frozenset[str] = frozenset({"", "m", "1"}),
    ) -> None:
        self.sent: list[ChatRequest] = []
        """Requests as they came; ``requests`` has them without the tags around results."""
        self.requests: list[ChatRequest] = []
        self.closed = 0
        self.started = asyncio.Event()
        self._scripts = list(scripts)
        self._known = known
        self._description = ModelDescription(
            id="1",
            name="m",
            capabilities=capabilities or Capabilities(),
            window=window,
            max_output=max_output,
        )

    async def describe(self, model: str, *, space_id: int = 0) -> ModelDescription:
        if model not in self._known:
            raise NotFound(f"No model {model}.")
        return self._description

    async def stream(
        self,
        context: CallContext,
        request: ChatRequest,
        *,
        purpose: Literal[
            "chat",
            "suggestion",
            "title",
            "summary",
            "memory",
            "query_rewrite",
            "routing",
            "vision",
            "nl2sql",
        ] = "chat",
    ) -> AsyncGenerator[ModelEvent, None]:
        self.sent.append(request)
        self.requests.append(unfenced(request))
        try:
            for step in self._scripts.pop(0):
                if isinstance(step, AppError):
                    raise step
                if step == "hang":
                    self.started.set()
                    await asyncio.Event().wait()
                else:
                    yield step
        finally:
            self.closed += 1

    async def embed(
        self,
        context: CallContext,
        texts: Sequence[str],
        *,
        purpose: Literal["query", "document"],
        model: str = "",
    ) -> EmbeddingResult:
        raise NotFound("No embedding model.")

    async def seeing(self) -> ModelDescription | None:
        return None

    async def describe_embedding(self, model: str) -> EmbeddingDescription:
        raise NotFound("No embedding model.")

    async def has_reranker(self) -> bool:
        return False

    async def rerank(
        self, context: CallContext, query: str, texts: Sequence[str], *, model: str = ""
    ) -> RerankResult:
        raise NotFound("No model that ranks.")

    def count_tokens(
        self, model: str, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec] = ()
    ) -> int:
        return sum(len(message.text) for message in messages)


def slice_of(number: int, content: str, **fields: object) -> RecalledSlice:
    """A slice of the first dataset whose ids follow from its number."""
    values: dict[str, object] = {
        "slice_id": 100 + number,
        "document_id": 50 + number,
        "dataset_id": 5,
        "document_name": f"guide {number}.pdf",
        "dataset_name": "guides",
        "format_type": 0,
        "source_type": 0,
        "content": content,
        "score": 0.9,
    }
    return RecalledSlice(**(values | fields))  # type: ignore[arg-type]


class ListedKnowledge:
    """Gives the results in order, one per search, then nothing; remembers the requests."""

    def __init__(self, *results: Sequence[RecalledSlice] | Exception | Literal["hang"]) -> None:
        self.requests: list[RecallRequest] = []
        self.datasets = (
            DatasetDescription(
                id=5, name="guides", description="How to.", format_type=0, is_enabled=True
            ),
            DatasetDescription(id=6, name="off", description="", format_type=0, is_enabled=False),
        )
        self.started = asyncio.Event()
        self._results = list(results)

    async def retrieve(self, context: CallContext, request: RecallRequest) -> Recall:
        self.requests.append(request)
        found = self._results.pop(0) if self._results else ()
        if isinstance(found, Exception):
            raise found
        if found == "hang":
            self.started.set()
            await asyncio.Event().wait()
        return Recall(items=tuple(each for each in found if isinstance(each, RecalledSlice)))

    def check_filter(self, value: Mapping[str, Any]) -> None:
        parse_filter(value)

    async def describe(
        self, scope: TenantScope, dataset_ids: Sequence[int]
    ) -> tuple[DatasetDescription, ...]:
        return tuple(each for each in self.datasets if each.id in dataset_ids)

    async def store_document(
        self, context: CallContext, document: DocumentToStore, *, key: str
    ) -> StoredDocument:
        raise NotFound("Nothing can be stored here.")

    async def progress(self, scope: TenantScope, document_id: int) -> DocumentProgress:
        raise NotFound("Nothing is stored here.")

    async def delete_document(
        self, context: CallContext, dataset_ids: Sequence[int], document_id: int
    ) -> bool:
        return False


class NoFlows:
    """A deployment without workflows."""

    async def find(
        self,
        scope: TenantScope,
        *,
        workflow_id: int,
        version: str = "",
        is_draft: bool = False,
        mocks: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> ChatFlow:
        raise NotFound(f"No workflow {workflow_id}.")

    async def effect(
        self, scope: TenantScope, *, workflow_id: int, version: str = "", is_draft: bool = False
    ) -> str:
        raise NotFound(f"No workflow {workflow_id}.")

    async def converse(
        self, context: CallContext, flow: ChatFlow, given: ChatFlowInput, listener: Listener
    ) -> WorkflowToolResult:
        raise NotFound(f"No workflow {flow.workflow_id}.")

    async def answer(
        self,
        context: CallContext,
        *,
        run_id: int,
        question_id: str,
        text: str,
        is_tool: bool,
        listener: Listener | None = None,
    ) -> WorkflowToolResult:
        raise NotFound(f"No run {run_id}.")

    async def describe(self, *_: object, **wanted: object) -> WorkflowToolDescription:
        raise NotFound(f"No workflow {wanted}.")

    async def run(self, *_: object, **wanted: object) -> WorkflowToolResult:
        raise NotFound(f"No workflow {wanted}.")

    async def abandon(self, scope: TenantScope, run_id: int) -> None:
        raise NotFound(f"No run {run_id}.")

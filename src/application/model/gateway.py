"""Gateway to models without an agent: replies, embeddings and ranking for callers that name one."""

import asyncio
import math
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final, Literal

import msgspec

from application.shared.reply_stream import TimedEvent, TrialEvent, timed_events
from domain.model.catalog import ModelCatalog
from domain.model.entity import Model
from domain.model.error import ModelNotFound
from domain.model.service import ModelService
from domain.model.tokens import count_text
from domain.model.value import ModelType
from domain.shared.access import Permission, Principal
from domain.shared.account import current_origin
from domain.shared.call import CallContext
from domain.shared.chat import ChatRequest, ModelEvent
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId
from domain.shared.tracing.correlation import current_log_id
from infra.contract.clock import Clock

MAX_INPUTS: Final = 2048
"""Texts of one request, as in OpenAI's own API."""

MAX_INPUT_TOKENS: Final = 300_000
"""Of all texts of one request together, as in OpenAI's own API."""

_COUNTED_AT_ONCE: Final = 256
"""Texts between two looks at the clock: other requests go on meanwhile."""


class OfferedModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model that callers may name; ``created_at`` in Unix seconds, 0 for configured ones."""

    name: str
    type: ModelType
    provider: str
    capabilities: tuple[str, ...]
    created_at: int = 0


class Embedded(msgspec.Struct, frozen=True, kw_only=True):
    """Vectors in the order of the texts."""

    vectors: tuple[tuple[float, ...], ...]
    model: str
    tokens: int


class RankedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document by its position in the request; ``score`` from 0 to 1."""

    index: int
    score: float


class RankedDocuments(msgspec.Struct, frozen=True, kw_only=True):
    """Documents, best first."""

    documents: tuple[RankedDocument, ...]
    model: str
    tokens: int


class CountedTexts(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of texts, in their order, as one model is expected to count them.

    They are estimates: by kinds of characters, corrected by what the model reported before.
    """

    model: str
    tokens: tuple[int, ...]
    total: int


class ModelGateway:
    """Calls need the permission ``model.use`` in the workspace that is charged."""

    def __init__(self, *, catalog: ModelCatalog, models: ModelService, clock: Clock) -> None:
        self._catalog = catalog
        self._models = models
        self._clock = clock

    def now_s(self) -> int:
        """Tell the time that a reply begins with, in Unix seconds."""
        return int(self._clock.now().timestamp())

    async def offered(self, principal: Principal, space_id: SpaceId) -> tuple[OfferedModel, ...]:
        """List chat and embedding models that the caller may use; none without the permission."""
        if not principal.may(Permission.MODEL_USE, space_id):
            return ()
        registry = await self._catalog.current()
        return tuple(
            [
                _offered(model)
                for model in registry.models
                if model.is_enabled
                and model.spec.type is not ModelType.RERANK
                and await self._models.is_open_to(
                    model, user_id=principal.user_id, space_ids=(space_id,)
                )
            ]
        )

    async def find(
        self, principal: Principal, space_id: SpaceId, name: str, kind: ModelType
    ) -> OfferedModel:
        """Describe a model by id, name or alias; raise ``ModelNotFound``."""
        principal.require(Permission.MODEL_USE, space_id)
        return _offered((await self._catalog.knowing(name)).get(name, kind))

    async def stream(
        self, principal: Principal, space_id: SpaceId, request: ChatRequest
    ) -> AsyncGenerator[ModelEvent, None]:
        """Stream one reply; iterate inside ``aclosing``.

        Raises:
            Forbidden: the permission is missing (4101).
            ModelNotFound, ModelUnfit, ModelBusy, ModelCallFailed: as for any call of a model.
        """
        principal.require(Permission.MODEL_USE, space_id)
        events = self._models.stream(_context(principal, space_id), request)
        async with aclosing(events):
            async for event in events:
                yield event

    async def try_out(
        self, principal: Principal, space_id: SpaceId, request: ChatRequest
    ) -> AsyncGenerator[list[TimedEvent[TrialEvent]], None]:
        """Stream one reply as events of a trial, counted as one; iterate inside ``aclosing``.

        Raises:
            Forbidden, ModelNotFound, ModelBusy, ModelCallFailed: as for ``stream``.
        """
        principal.require(Permission.MODEL_USE, space_id)
        context = _context(principal, space_id)
        account = replace(context.payer, origin=current_origin().of_draft())
        events = self._models.stream(replace(context, account=account), request)
        async with aclosing(timed_events(events, clock=self._clock)) as batches:
            async for batch in batches:
                yield batch

    async def count(self, principal: Principal, name: str, texts: Sequence[str]) -> CountedTexts:
        """Estimate the tokens of texts.

        Raises:
            ModelNotFound: no such model.
            ModelRestricted: the model is for members of groups, and who asks is in none of them.
            InvalidRequest: no text, or too many.
        """
        found = (await self._catalog.knowing(name)).find(name)
        if found is None or not (found.is_enabled or principal.administers_deployment):
            raise ModelNotFound(f"No model {name!r}.", model=name)
        await self._models.require_open_to(
            found, user_id=principal.user_id, space_ids=principal.roles
        )
        if not 1 <= len(texts) <= MAX_INPUTS:
            raise InvalidRequest(f"texts: 1 to {MAX_INPUTS} texts.", field="texts")
        tokens: list[int] = []
        for start in range(0, len(texts), _COUNTED_AT_ONCE):
            some = texts[start : start + _COUNTED_AT_ONCE]
            tokens += [self._models.count_text(found, text) for text in some]
            await asyncio.sleep(0)
        return CountedTexts(model=found.name, tokens=tuple(tokens), total=sum(tokens))

    async def embed(
        self,
        principal: Principal,
        space_id: SpaceId,
        texts: Sequence[str],
        *,
        model: str,
        purpose: Literal["query", "document"] = "document",
        dimensions: int | None = None,
    ) -> Embedded:
        """Embed texts; shorter vectors only from models that can be shortened.

        Raises:
            InvalidRequest: a text is blank or too long, or the model has other dimensions.
            Forbidden, ModelNotFound, ModelBusy, ModelCallFailed: as for ``stream``.
        """
        principal.require(Permission.MODEL_USE, space_id)
        found = (await self._catalog.knowing(model)).get(model, ModelType.EMBEDDING)
        await _check_inputs(texts)
        result = await self._models.embed(
            _context(principal, space_id), texts, purpose=purpose, model=model
        )
        if result.truncated:
            field = f"input[{result.truncated[0]}]"
            raise InvalidRequest(
                f"{field}: longer than the model's maximum; split it.", field="input"
            )
        vectors = result.vectors
        if dimensions is not None:
            vectors = _shortened(vectors, dimensions, model=found)
        return Embedded(vectors=vectors, model=found.name, tokens=result.input_tokens)

    async def rank(
        self,
        principal: Principal,
        space_id: SpaceId,
        query: str,
        documents: Sequence[str],
        *,
        model: str,
        most: int | None = None,
    ) -> RankedDocuments:
        """Order documents by how well they answer, the best ``most`` of them.

        Raises:
            InvalidRequest: the query is blank.
            Forbidden, ModelNotFound, ModelBusy, ModelCallFailed: as for ``stream``.
        """
        principal.require(Permission.MODEL_USE, space_id)
        found = (await self._catalog.knowing(model)).get(model, ModelType.RERANK)
        result = await self._models.rerank(
            _context(principal, space_id), query, documents, model=model
        )
        ranked = [RankedDocument(index=one.index, score=one.score) for one in result.ranked]
        return RankedDocuments(
            documents=tuple(ranked[:most]), model=found.name, tokens=result.tokens
        )


def _context(principal: Principal, space_id: SpaceId) -> CallContext:
    return CallContext(
        scope=principal.scope.within(space_id),
        space_id=space_id,
        connector_id=principal.connector_id,
        end_user_id=principal.end_user_id,
        log_id=current_log_id(),
    )


def _offered(model: Model) -> OfferedModel:
    able = model.capabilities
    flags = {
        "tools": able.tools != "none",
        "vision": able.vision,
        "audio": able.audio,
        "json": able.json_object,
        "json_schema": able.json_schema,
        "reasoning": able.reasoning,
        "reasoning_effort": able.reasoning_effort,
        "verbosity": able.verbosity,
    }
    is_chat = model.spec.type is ModelType.CHAT
    return OfferedModel(
        name=model.name,
        type=model.spec.type,
        provider=model.spec.kind,
        capabilities=tuple(name for name, is_able in flags.items() if is_chat and is_able),
        created_at=int(model.changed_at.timestamp()) if model.changed_at else 0,
    )


async def _check_inputs(texts: Sequence[str]) -> None:
    if not 1 <= len(texts) <= MAX_INPUTS:
        raise InvalidRequest(f"input: 1 to {MAX_INPUTS} texts.", field="input")
    tokens = 0.0
    for start in range(0, len(texts), _COUNTED_AT_ONCE):
        some = texts[start : start + _COUNTED_AT_ONCE]
        blank = next((at for at, text in enumerate(some, start) if not text.strip()), None)
        if blank is not None:
            raise InvalidRequest(f"input[{blank}]: a text must not be empty.", field="input")
        tokens += sum(map(count_text, some))
        await asyncio.sleep(0)
    if tokens > MAX_INPUT_TOKENS:
        raise InvalidRequest(
            f"input: at most {MAX_INPUT_TOKENS} tokens together; send fewer texts at a time.",
            field="input",
        )


def _shortened(
    vectors: Sequence[tuple[float, ...]], dimensions: int, *, model: Model
) -> tuple[tuple[float, ...], ...]:
    """Cut vectors and bring them back to length 1: what providers do with such models."""
    length = len(vectors[0])
    if dimensions == length:
        return tuple(vectors)
    if not (model.spec.embedding.send_dimensions and 1 <= dimensions < length):
        raise InvalidRequest(
            f"dimensions: the vectors of {model.name} have {length} dimensions.",
            field="dimensions",
        )
    return tuple(_cut(vector, dimensions) for vector in vectors)


def _cut(vector: Sequence[float], dimensions: int) -> tuple[float, ...]:
    kept = vector[:dimensions]
    norm = math.hypot(*kept) or 1.0
    return tuple(value / norm for value in kept)

"""Models through the registry: fallback, images, retries, limits, accounting."""

import asyncio
import logging
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from math import ceil
from typing import Final, Literal, TypeVar

import msgspec

from crossdomain.file.contract import Files
from crossdomain.identity.contract import Groups, SpaceDefaults
from crossdomain.usage.contract import Bound, Budgets, InFlightCalls, OpenCall
from domain.model.attempt import Attempt, Purpose
from domain.model.breaker import BreakerPolicy
from domain.model.catalog import ModelCatalog, ModelRegistry
from domain.model.entity import Model
from domain.model.error import BreakerOpen, ModelBusy, ModelRestricted, ModelUnfit
from domain.model.meter import ModelMeter
from domain.model.price import DEFAULT_CURRENCY
from domain.model.repository import CallAccounts
from domain.model.runtime import Caller, ModelRuntime, ModelRuntimes, embedder_of, reranker_of
from domain.model.tokens import TokenCorrection, count_input, count_text
from domain.model.value import ModelType
from domain.model.vision import VisionShim
from domain.shared.call import CallContext, RecordCall
from domain.shared.chat import (
    CallKind,
    ChatMessage,
    ChatRequest,
    ModelCall,
    ModelEvent,
    TextDelta,
    ToolSpec,
    Usage,
)
from domain.shared.error import AppError
from domain.shared.ids import group_ids_of
from domain.shared.limits import Limits
from domain.shared.tracing.span import Span, SpanKind, SpanStatus, begun, within
from infra.contract.clock import Clock
from infra.contract.model.chat_model import (
    RETRYABLE,
    ChatModelFactory,
    ModelCallFailed,
    ModelFailure,
)
from infra.contract.model.embedder import EmbedderFactory, Embeddings
from infra.contract.model.reranker import RerankerFactory, Reranking

T = TypeVar("T")

_FALLS_BACK: Final = RETRYABLE | {
    ModelFailure.AUTH,
    ModelFailure.UNKNOWN_MODEL,
    ModelFailure.QUOTA,
    ModelFailure.CONTEXT_OVERFLOW,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Exponential back-off with full jitter."""

    attempts: int = 3
    base_s: float = 0.5
    factor: float = 2.0
    cap_s: float = 10.0
    max_retry_after_s: float = 30.0
    jitter: Callable[[], float] = random.random
    """Draws from [0, 1)."""

    def delay_s(self, failure: AppError, *, attempt: int) -> float | None:
        """Return how long to wait after the failed ``attempt`` (from 1); None means give up.

        A provider that asks for more patience than ``max_retry_after_s`` is not waited for.
        """
        if attempt >= self.attempts or not _is_retryable(failure):
            return None
        if failure.retry_after_s is not None:
            return (
                failure.retry_after_s if failure.retry_after_s <= self.max_retry_after_s else None
            )
        ceiling: float = min(self.cap_s, self.base_s * self.factor ** (attempt - 1))
        return ceiling * self.jitter()


def falls_back(failure: AppError) -> bool:
    """Tell whether another model may do better."""
    if isinstance(failure, ModelCallFailed):
        return failure.failure in _FALLS_BACK
    return isinstance(failure, ModelBusy)


def needs_larger_window(failure: AppError) -> bool:
    """Tell whether only a model with a larger window may do better."""
    return isinstance(failure, ModelCallFailed) and failure.failure is ModelFailure.CONTEXT_OVERFLOW


def _is_retryable(failure: AppError) -> bool:
    """Refusals of our own are not repeated: the breaker stays open longer than any back-off."""
    return (
        isinstance(failure, ModelCallFailed)
        and not isinstance(failure, BreakerOpen)
        and failure.failure in RETRYABLE
    )


@dataclass(kw_only=True)
class SingleCall:
    """One request to a model that answers at once: it has a place, a breaker and an account."""

    runtime: ModelRuntime
    caller: Caller
    record_call: Callable[[ModelCall], None]
    monotonic: Callable[[], float]
    clock: Clock

    async def embed(
        self, texts: Sequence[str], *, purpose: Literal["query", "document"]
    ) -> Embeddings:
        """Embed; raise ``ModelBusy``, ``ModelCallFailed`` or ``InvalidRequest``."""
        embedder = embedder_of(self.runtime)
        return await self._made(
            lambda: embedder.embed(texts, purpose=purpose),
            lambda made: Usage(input_tokens=made.input_tokens, estimated=made.estimated),
            asked={"texts": texts, "purpose": purpose},
            output=lambda made: {"vectors": len(made.vectors)},
            purpose="embedding",
            doing="embedding",
        )

    async def rerank(self, query: str, documents: Sequence[str]) -> Reranking:
        """Score documents; raise ``ModelBusy``, ``ModelCallFailed`` or ``InvalidRequest``."""
        reranker = reranker_of(self.runtime)
        return await self._made(
            lambda: reranker.rerank(query, documents),
            lambda made: Usage(input_tokens=made.tokens),
            asked={"query": query, "documents": documents},
            output=lambda made: {
                "ranked": [{"index": one.index, "score": one.score} for one in made.ranked]
            },
            purpose="rerank",
            doing="ranking",
        )

    async def _made(
        self,
        ask: Callable[[], Awaitable[T]],
        used: Callable[[T], Usage],
        *,
        asked: Mapping[str, Sequence[str]],
        output: Callable[[T], Mapping[str, object]],
        purpose: Literal["embedding", "rerank"],
        doing: str,
    ) -> T:
        await self.runtime.enter(self.caller)
        try:
            self.runtime.breaker.enter()
            span = begun(SpanKind(purpose), self.runtime.model.name)
            record = partial(self._record, purpose, self.monotonic(), span)
            span.given(asked)
            span.note(count=len(asked["documents" if purpose == "rerank" else "texts"]))
            try:
                with within(span):
                    result = await ask()
                span.gave(output(result))
            except ModelCallFailed as exc:
                self.runtime.breaker.failed(exc.failure)
                exc.name_model(self.runtime.model.name, purpose=doing)
                record("failed", error=f"{exc.failure.value}: {exc.message}")
                raise
            except asyncio.CancelledError:
                self.runtime.breaker.abandoned()
                record("canceled")
                raise
            except Exception:
                self.runtime.breaker.abandoned()  # refused before anything was sent
                raise
            self.runtime.breaker.succeeded()
            record("ok", usage=used(result))
            return result
        finally:
            self.runtime.leave(self.caller)

    def _record(
        self,
        purpose: Literal["embedding", "rerank"],
        started_at: float,
        span: Span,
        outcome: Literal["ok", "failed", "canceled"],
        *,
        usage: Usage | None = None,
        error: str = "",
    ) -> None:
        model = self.runtime.model
        counted = usage or Usage()
        charge = self.runtime.pricing.charge(counted)
        span.note(provider=model.spec.kind)
        span.used(counted, charge.points)
        if outcome == "failed":
            span.fail(error)
        elif outcome == "canceled":
            span.status = SpanStatus.CANCELLED
        span.end()
        self.record_call(
            ModelCall(
                model=model.name,
                provider=model.spec.kind,
                attempt=1,
                purpose=purpose,
                usage=counted,
                outcome=outcome,
                error=error,
                total_ms=round((self.monotonic() - started_at) * 1000),
                ended_at=self.clock.now(),
                cost=charge.points,
                has_points=charge.has_points,
                money=charge.money,
                currency=charge.currency,
                price_version=charge.version,
            )
        )


ModelHealth = Literal["unused", "ok", "failing"]

_NO_TOOLS: Final = "none"
_LONGEST_REPLY: Final = 4096
"""Tokens, where neither the request nor the model says how long a reply may be."""
_SETTLE_S: Final = 10.0
_LOG: Final = logging.getLogger(__name__)


class ModelService:
    """What other contexts use; decides by the registry and by what each model went through."""

    def __init__(
        self,
        *,
        catalog: ModelCatalog,
        chat_models: ChatModelFactory,
        embedders: EmbedderFactory,
        rerankers: RerankerFactory,
        files: Files,
        limits: Limits,
        clock: Clock,
        retry: RetryPolicy | None = None,
        breaker: BreakerPolicy | None = None,
        meter: ModelMeter | None = None,
        currency: str = DEFAULT_CURRENCY,
        accounts: CallAccounts | None = None,
        budgets: Budgets | None = None,
        in_flight: InFlightCalls | None = None,
        groups: Groups | None = None,
        defaults: SpaceDefaults | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._catalog = catalog
        self._groups = groups
        self._defaults = defaults
        self._accounts = accounts
        self._budgets = budgets
        self._in_flight = in_flight
        self._retry = retry or RetryPolicy(attempts=limits.model_attempts)
        self._monotonic = monotonic
        self._clock = clock
        self._seen: ModelRegistry | None = None
        self._correction = TokenCorrection()
        self._runtimes = ModelRuntimes(
            chat_models=chat_models,
            embedders=embedders,
            rerankers=rerankers,
            limits=limits,
            monotonic=monotonic,
            currency=currency,
            breaker_policy=breaker or BreakerPolicy(),
            meter=meter,
        )
        self._meter = meter
        self._vision = VisionShim(files=files, limits=limits, describe=self._describe_image)

    async def describe(self, model: str, *, space_id: int = 0) -> Model:
        """Resolve an id, name or alias; raise ``ModelNotFound``.

        Empty is the default of the workspace, or of the deployment where that has none.
        """
        registry = await self._catalog.knowing(model)
        return registry.get(model or self._own_default(registry, space_id), ModelType.CHAT)

    def _own_default(self, registry: ModelRegistry, space_id: int) -> str:
        """Name the default of a workspace; one that is gone or disabled is none."""
        own = "" if self._defaults is None else self._defaults.model(space_id)
        found = registry.find(own) if own else None
        is_there = found is not None and found.is_enabled and found.spec.type is ModelType.CHAT
        return own if is_there else ""

    async def upstreams(self) -> dict[str, str]:
        """Return what providers call the models, by their names."""
        registry = await self._catalog.current()
        return {model.name: model.spec.upstream for model in registry.models}

    async def seeing(self) -> Model | None:
        """Return the model that looks at images: the appointed one, or the default if it sees."""
        registry = await self._catalog.current()
        default = registry.default(ModelType.CHAT)
        sees = default is not None and default.capabilities.vision
        return registry.vision or (default if sees else None)

    async def stream(
        self, context: CallContext, request: ChatRequest, *, purpose: Purpose = "chat"
    ) -> AsyncGenerator[ModelEvent, None]:
        """Stream one reply; iterate inside ``aclosing``.

        Failures before the first piece of content are repeated and then handed to the model's
        stand-ins; afterwards they end the reply.

        Raises:
            ModelNotFound: nothing answers to ``request.model``.
            ModelRestricted: the model is for members of groups, and who asks is none.
            ModelUnfit: tools for a model that cannot call them.
            ModelBusy: no place got free.
            ModelCallFailed: every attempt failed; the last failure.
            BudgetExceeded: a budget does not allow the call.
        """
        stray: list[ModelCall] = []
        context = self._accounted(context, stray)
        try:
            registry = await self._knowing(request.model)
            named = request.model or self._own_default(registry, context.space_id)
            chain = await self._permitted(context, registry.chain(named))
            plan = CallPlan(_able(chain, request, purpose), self._retry)
            prepared: ChatRequest | None = None
            prepared_for: Model | None = None
            while True:
                model, number = await plan.next()
                try:
                    runtime = self._runtimes.of(model)
                except ModelCallFailed as exc:
                    plan.failed(exc)
                    continue
                if prepared is None or prepared_for is not model:
                    vision = None if purpose == "vision" else registry.vision
                    prepared = await self._prepare(context, request, model, vision)
                    prepared_for = model
                most = partial(self._most, runtime, prepared)
                open_calls = await self._open(context, runtime, most, purpose, number)
                attempt = Attempt(
                    runtime=runtime,
                    request=prepared,
                    purpose=purpose,
                    number=number,
                    caller=Caller(context.space_id, context.max_wait_s),
                    record_call=self._recording(context, open_calls),
                    correction=self._correction,
                    monotonic=self._monotonic,
                    clock=self._clock,
                )
                try:
                    async with aclosing(attempt.run()) as events:
                        async for event in events:
                            yield event
                except (ModelCallFailed, ModelBusy) as exc:
                    if attempt.delivered:
                        raise
                    if not attempt.has_learned:
                        plan.failed(exc)
                else:
                    return
                finally:
                    _release(open_calls)
        finally:
            await self._settle(context, stray)

    async def embed(
        self,
        context: CallContext,
        texts: Sequence[str],
        *,
        purpose: Literal["query", "document"],
        model: str = "",
    ) -> Embeddings:
        """Embed texts with the named or the default embedding model.

        Raises:
            ModelNotFound: no such embedding model.
            ModelRestricted: as for ``stream``.
            InvalidRequest: a text is blank; the message names its position.
            ModelBusy, ModelCallFailed: as for ``stream``; retries happen in the adapter.
        """
        registry = await self._knowing(model)
        stray: list[ModelCall] = []
        context = self._accounted(context, stray)
        (found,) = await self._permitted(context, [registry.get(model, ModelType.EMBEDDING)])
        runtime, most = self._runtimes.of(found), partial(_most_of, texts)
        open_calls = await self._open(context, runtime, most, "embedding")
        call = self._single(runtime, context, open_calls)
        try:
            return await call.embed(texts, purpose=purpose)
        finally:
            _release(open_calls)
            await self._settle(context, stray)

    async def describe_embedding(self, model: str) -> Model:
        """Resolve an embedding model as ``describe`` does a chat model."""
        return (await self._catalog.knowing(model)).get(model, ModelType.EMBEDDING)

    async def has_reranker(self) -> bool:
        """Tell whether a reranking model is configured."""
        return (await self._catalog.current()).default(ModelType.RERANK) is not None

    async def rerank(
        self, context: CallContext, query: str, documents: Sequence[str], *, model: str = ""
    ) -> Reranking:
        """Score documents with the named or the default reranking model.

        Raises:
            ModelNotFound: no such reranking model.
            ModelRestricted: as for ``stream``.
            InvalidRequest: the query is blank.
            ModelBusy, ModelCallFailed: as for ``stream``; retries happen in the adapter.
        """
        registry = await self._knowing(model)
        stray: list[ModelCall] = []
        context = self._accounted(context, stray)
        (found,) = await self._permitted(context, [registry.get(model, ModelType.RERANK)])
        read = [text for document in documents for text in (query, document)]
        runtime, most = self._runtimes.of(found), partial(_most_of, read)
        open_calls = await self._open(context, runtime, most, "rerank")
        call = self._single(runtime, context, open_calls)
        try:
            return await call.rerank(query, documents)
        finally:
            _release(open_calls)
            await self._settle(context, stray)

    def count_tokens(
        self, model: str, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec] = ()
    ) -> int:
        """Estimate input tokens, corrected by what the model reported before."""
        found = self._catalog.latest.find(model) if model else None
        found = found or self._catalog.latest.default(ModelType.CHAT)
        estimate = count_input(messages, tools)
        return estimate if found is None else self._correction.apply(found.key, estimate)

    def count_text(self, model: Model, text: str) -> int:
        """Estimate the tokens of a text alone, corrected likewise."""
        return self._correction.apply(model.key, ceil(count_text(text)))

    def runtime(self, model: Model, *, is_apart: bool) -> ModelRuntime:
        """Open what tests of a model go through: its own in use, or one of settings not stored.

        Raises:
            UnknownExtension, ModelCallFailed: there is no adapter, or the key is unreadable.
        """
        return self._runtimes.apart(model) if is_apart else self._runtimes.of(model)

    def attempt(self, runtime: ModelRuntime, request: ChatRequest) -> Attempt:
        """Open a single unaccounted call of exactly this model, for its administrator's test."""
        return Attempt(
            runtime=runtime,
            request=request,
            purpose="chat",
            number=1,
            caller=Caller(),
            record_call=lambda _: None,
            correction=self._correction,
            monotonic=self._monotonic,
            clock=self._clock,
        )

    def single(self, runtime: ModelRuntime) -> SingleCall:
        """Open a single unaccounted call of exactly this model, which embeds or ranks."""
        return self._single(runtime)

    def health(self, model: Model) -> tuple[ModelHealth, str]:
        """Return how the model fares in this process, and why if it does not."""
        runtime = self._runtimes.peek(model)
        if runtime is None:
            return (
                ("unused", "") if model.is_key_readable else ("failing", "Its key is unreadable.")
            )
        if runtime.configuration_error:
            return "failing", runtime.configuration_error
        if runtime.breaker.state != "closed":
            return "failing", "Most calls failed lately."
        return "ok", ""

    async def is_open_to(self, model: Model, *, user_id: int, space_ids: Collection[int]) -> bool:
        """Tell whether an account, or what acts for one of the spaces, may use a model."""
        limit = group_ids_of(model.spec.groups)
        if not limit:
            return True
        if self._groups is None:
            return False
        return await self._groups.include(limit, user_id=user_id, space_ids=space_ids)

    async def require_open_to(
        self, model: Model, *, user_id: int, space_ids: Collection[int]
    ) -> None:
        """Raise ``ModelRestricted`` unless ``is_open_to`` says yes."""
        if not await self.is_open_to(model, user_id=user_id, space_ids=space_ids):
            raise _restricted(model)

    async def _permitted(self, context: CallContext, chain: Sequence[Model]) -> Sequence[Model]:
        """Leave out stand-ins that are for others; raise ``ModelRestricted`` if the first is."""
        if not any(model.spec.groups for model in chain):
            return chain
        who, here = context.scope.principal_id, (context.space_id,)
        mine = [
            model for model in chain if await self.is_open_to(model, user_id=who, space_ids=here)
        ]
        if not mine or mine[0] is not chain[0]:
            raise _restricted(chain[0])
        return mine

    def _single(
        self,
        runtime: ModelRuntime,
        context: CallContext | None = None,
        open_calls: Sequence[OpenCall] = (),
    ) -> SingleCall:
        return SingleCall(
            runtime=runtime,
            caller=Caller(context.space_id, context.max_wait_s) if context else Caller(),
            record_call=self._recording(context, open_calls) if context else lambda _: None,
            monotonic=self._monotonic,
            clock=self._clock,
        )

    def _recording(
        self, context: CallContext, open_calls: Sequence[OpenCall]
    ) -> Callable[[ModelCall], None]:
        record = context.record_call
        for each in open_calls:
            record = _settling(record, each)
        return record if self._meter is None else self._meter.recording(record)

    async def _open(
        self,
        context: CallContext,
        runtime: ModelRuntime,
        most: Callable[[], Usage],
        purpose: CallKind,
        number: int = 1,
    ) -> Sequence[OpenCall]:
        """Set aside what a call takes at most, and have it remembered; raise ``BudgetExceeded``.

        Its entry may get lost with this process; then what is remembered becomes one.
        """
        found: list[OpenCall] = []
        space_id, payer = context.space_id, context.payer
        if self._budgets is not None:
            found.append(await self._budgets.hold(space_id, payer, lambda: _bound(runtime, most())))
        if self._in_flight is not None:
            unsettled = partial(_unsettled, runtime, most, purpose, number, self._clock.now())
            found.append(self._in_flight.begin(space_id, payer, unsettled))
        return found

    def _most(self, runtime: ModelRuntime, request: ChatRequest) -> Usage:
        """Return what a reply takes at most: all that is asked, and the longest reply."""
        model = runtime.model
        asked = count_input(request.messages, request.tools)
        read = max(asked, self._correction.apply(model.key, asked))
        written = request.max_output_tokens or model.output_limit or _LONGEST_REPLY
        return Usage(input_tokens=read, output_tokens=written)

    def _accounted(self, context: CallContext, stray: list[ModelCall]) -> CallContext:
        """Gather in ``stray`` what nobody else stores."""
        if context.is_recorded or self._accounts is None:
            return context
        return replace(context, record_call=stray.append)

    async def _settle(self, context: CallContext, stray: Sequence[ModelCall]) -> None:
        """Store the calls of a request; the answer is the caller's even if that fails."""
        if not stray or self._accounts is None:
            return
        try:
            async with asyncio.timeout(_SETTLE_S):
                await self._accounts.settle(context.space_id, context.payer, stray)
        except (AppError, TimeoutError):
            _LOG.exception("%d calls of models are not in the ledger.", len(stray))

    async def _knowing(self, name: str) -> ModelRegistry:
        registry = await self._catalog.knowing(name)
        if registry is not self._seen:
            self._seen = registry
            keys = frozenset(model.key for model in registry.models)
            self._runtimes.keep(keys)
            self._correction.keep(keys)
        return registry

    async def _prepare(
        self, context: CallContext, request: ChatRequest, model: Model, vision: Model | None
    ) -> ChatRequest:
        prepared = await self._vision.prepare(context, request, model=model, vision=vision)
        limit = model.output_limit
        if limit and prepared.max_output_tokens and prepared.max_output_tokens > limit:
            prepared = msgspec.structs.replace(prepared, max_output_tokens=limit)
        return prepared

    async def _describe_image(
        self, context: CallContext, model: Model, request: ChatRequest
    ) -> str:
        async with aclosing(self.stream(context, request, purpose="vision")) as events:
            return "".join([event.text async for event in events if isinstance(event, TextDelta)])


def _settling(record: RecordCall, call: OpenCall) -> RecordCall:
    """Note in the entry of a call what follows from what was kept of it."""
    return lambda entry: record(call.settled(entry))


def _release(calls: Sequence[OpenCall]) -> None:
    """Take care of a call that got no entry."""
    for each in calls:
        each.release()


def _most_of(texts: Sequence[str]) -> Usage:
    """Return what reading some texts takes, about."""
    return Usage(input_tokens=ceil(sum(map(count_text, texts))))


def _unsettled(
    runtime: ModelRuntime,
    most: Callable[[], Usage],
    purpose: CallKind,
    number: int,
    begun_at: datetime,
) -> ModelCall:
    """Return the entry of a call of which nothing more is heard."""
    usage = most()
    charge = runtime.pricing.charge(usage)
    return ModelCall(
        model=runtime.model.name,
        provider=runtime.model.spec.kind,
        attempt=number,
        purpose=purpose,
        usage=msgspec.structs.replace(usage, estimated=True),
        outcome="unsettled",
        ended_at=begun_at,
        cost=charge.points,
        has_points=charge.has_points,
        money=charge.money,
        currency=charge.currency,
        price_version=charge.version,
    )


def _bound(runtime: ModelRuntime, usage: Usage) -> Bound:
    charge = runtime.pricing.charge(usage)
    return Bound(
        tokens=usage.input_tokens + usage.output_tokens,
        points=charge.points if charge.has_points else None,
        money=charge.money or None,
    )


def _able(chain: Sequence[Model], request: ChatRequest, purpose: Purpose) -> Sequence[Model]:
    """Leave out stand-ins that cannot do the request; raise ``ModelUnfit`` if the first cannot."""
    if purpose == "vision":  # a stand-in that cannot see would ask for a description again
        if not chain[0].capabilities.vision:
            raise ModelUnfit(f"The model {chain[0].name} cannot see.", model=chain[0].name)
        return [model for model in chain if model.capabilities.vision]
    if not request.tools:
        return chain
    if chain[0].capabilities.tools == _NO_TOOLS:
        raise ModelUnfit(f"The model {chain[0].name} cannot call tools.", model=chain[0].name)
    return [model for model in chain if model.capabilities.tools != _NO_TOOLS]


class CallPlan:
    """Walks through the attempts of one request: ``next``, and ``failed`` until one succeeds."""

    def __init__(self, chain: Sequence[Model], retry: RetryPolicy) -> None:
        """``chain`` begins with the model asked for."""
        self._chain = list(chain)
        self._retry = retry
        self._attempt = 1
        self._delay_s = 0.0

    async def next(self) -> tuple[Model, int]:
        """Wait as long as the policy wants; return the model and the attempt's number, from 1."""
        if self._delay_s > 0:
            await asyncio.sleep(self._delay_s)
        return self._chain[0], self._attempt

    def failed(self, failure: AppError) -> None:
        """Plan for the failed attempt; raise ``failure`` if nothing is left to try."""
        current = self._chain[0]
        delay_s = self._retry.delay_s(failure, attempt=self._attempt)
        if delay_s is not None:
            self._attempt, self._delay_s = self._attempt + 1, delay_s
        else:
            self._attempt, self._delay_s = 1, 0.0
            self._chain = self._stand_ins(current, failure)
        if not self._chain:
            raise failure
        _LOG.info(
            "Model call failed; next attempt.",
            extra={
                "model": current.name,
                "failure": failure.message,
                "next_model": self._chain[0].name,
                "attempt": self._attempt,
                "delay_s": round(self._delay_s, 3),
            },
        )

    def _stand_ins(self, current: Model, failure: AppError) -> list[Model]:
        if not falls_back(failure):
            return []
        others = self._chain[1:]
        if needs_larger_window(failure):
            return [model for model in others if model.window > current.window]
        return others


def _restricted(model: Model) -> ModelRestricted:
    return ModelRestricted(
        f"The model {model.name} is for members of certain groups only; choose another one, or ask "
        "an administrator to add you to a group.",
        model=model.name,
    )

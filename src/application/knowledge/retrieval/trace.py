"""What a search did, step by step: times, counts, and why a step gave less."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from crossdomain.knowledge.contract import RecallStage
from domain.shared.error import AppError
from domain.shared.tracing.span import NOTHING, SpanKind, begun

T = TypeVar("T")

_ORDER: Final = {
    name: at
    for at, name in enumerate(
        ("rewrite", "expand", "embed", "vector", "full_text", "nl2sql", "hydrate", "rerank")
    )
}
_KINDS: Final = {
    "rewrite": SpanKind.QUERY_REWRITE,
    "expand": SpanKind.QUERY_REWRITE,
    "vector": SpanKind.CHANNEL,
    "full_text": SpanKind.CHANNEL,
    "nl2sql": SpanKind.CHANNEL,
}
"""Steps that are spans of their own; calls of models are told by the models."""
_logger: Final = logging.getLogger(__name__)


class Trace:
    """The steps of one search."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._stages: list[RecallStage] = []

    @property
    def stages(self) -> tuple[RecallStage, ...]:
        """The steps in the order of the pipeline, whichever of them ended first."""
        last = len(_ORDER)
        return tuple(sorted(self._stages, key=lambda stage: _ORDER.get(stage.name, last)))

    async def step(
        self,
        name: str,
        work: Callable[[], Awaitable[T]],
        *,
        fallback: T,
        budget_s: float,
        count: Callable[[T], int],
        doubts: Callable[[T], Sequence[str]] = lambda _: (),
        shown: Callable[[T], object] = lambda _: None,
    ) -> T:
        """Do one step within its time; whatever fails gives the fallback and is noted.

        ``doubts`` are the reasons a result itself gives for being less than asked for, ``shown`` is
        what a trace of the run shows of it.
        """
        began = self._monotonic()
        reasons: Sequence[str] = ()
        kind = _KINDS.get(name)
        with begun(kind, name) if kind else NOTHING as span:
            try:
                async with asyncio.timeout(budget_s):
                    result = await work()
                reasons = doubts(result)
                if span.keeps_content:
                    span.gave(shown(result))
            except Exception as exc:  # noqa: BLE001 - a search goes on without the step
                result = fallback
                reasons = (reason(exc, budget_s=budget_s),)
            span.note(count=count(result))
            if reasons:
                span.fail("\n".join(dict.fromkeys(reasons)))
        self._stages.append(
            RecallStage(
                name=name,
                duration_ms=round(1000 * (self._monotonic() - began), 2),
                count=count(result),
                degraded="\n".join(f"{name}: {one}" for one in dict.fromkeys(reasons)),
            )
        )
        return result

    async def must(
        self, name: str, work: Callable[[], Awaitable[T]], *, count: Callable[[T], int]
    ) -> T:
        """Do a step that a search cannot do without."""
        began = self._monotonic()
        result = await work()
        duration_ms = round(1000 * (self._monotonic() - began), 2)
        self._stages.append(RecallStage(name=name, duration_ms=duration_ms, count=count(result)))
        return result


def reason(exc: Exception, *, budget_s: float) -> str:
    """Say why something failed, in words that a user may see; defects go to the log."""
    if isinstance(exc, AppError):
        return exc.message
    if isinstance(exc, TimeoutError):
        return f"took longer than {budget_s:g} s"
    _logger.error("A step of a search failed.", exc_info=exc)
    return "failed; the log says why"

"""Branches of a preparation: what it has to wait for, side by side, none of which fails a run."""

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from typing import Any, Final, Generic, TypeVar

from crossdomain.agent.contract import AgentWarned, EmitAgentEvent
from domain.agent.turn.group import first_error
from domain.agent.turn.meter import PreparationMeter
from domain.shared.tracing.span import SpanKind, begun

_LOG: Final = logging.getLogger(__name__)
T = TypeVar("T")


class Result(Generic[T]):
    """What a branch came to; what it would be without the branch, until then."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value


class Branches:
    """Work that is begun together once all of it is known."""

    def __init__(self, *, emit: EmitAgentEvent, meter: PreparationMeter) -> None:
        self._emit = emit
        self._meter = meter
        self._work: list[Coroutine[Any, Any, None]] = []

    def add(self, work: Awaitable[T], *, instead: T) -> Result[T]:
        """Have work done whose errors are the run's; ``instead`` is the result until then."""
        result = Result(instead)
        self._work.append(_put(work, result))
        return result

    def guard(self, name: str, seconds: float, work: Awaitable[T], *, instead: T) -> Result[T]:
        """Have work done under a deadline; whatever goes wrong is a warning, and ``instead``.

        Cancellation of the run passes through.
        """
        result = Result(instead)
        self._work.append(self._guarded(name, seconds, work, result))
        return result

    async def join(self) -> None:
        """Do all of it; what is alone needs no task of its own."""
        match self._work:
            case []:
                return
            case [alone]:
                await alone
            case several:
                with first_error():
                    async with asyncio.TaskGroup() as group:
                        for work in several:
                            group.create_task(work)

    async def _guarded(
        self, name: str, seconds: float, work: Awaitable[T], result: Result[T]
    ) -> None:
        with self._meter.timed(name) as branch, begun(SpanKind.PREPARE, name) as span:
            try:
                async with asyncio.timeout(seconds):
                    result.value = await work
            except TimeoutError:
                branch.outcome, text = "timeout", f"{name} took too long; left out."
            except Exception:  # noqa: BLE001 - a failing branch degrades the answer, never the run
                _LOG.exception("Preparation of %s failed.", name)
                branch.outcome, text = "failed", f"{name} failed; left out."
            else:
                return
            span.note(degraded=True)
            span.fail(text)
        await self._emit(AgentWarned(warning=f"{name}_{branch.outcome}", text=text))


async def _put(work: Awaitable[T], result: Result[T]) -> None:
    result.value = await work

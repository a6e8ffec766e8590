"""One call of a reranking model, with a place, breaker and ledger entry."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from domain.model.runtime import Caller, ModelRuntime, reranker_of
from domain.shared.chat import ModelCall, Usage
from infra.contract.chat_model import ModelCallFailed
from infra.contract.clock import Clock
from infra.contract.reranker import Reranking


@dataclass(kw_only=True)
class RerankCall:
    """Use once."""

    runtime: ModelRuntime
    caller: Caller
    record_call: Callable[[ModelCall], None]
    monotonic: Callable[[], float]
    clock: Clock

    async def run(self, query: str, documents: Sequence[str]) -> Reranking:
        """Score documents; raise ``ModelBusy``, ``ModelCallFailed`` or ``InvalidRequest``."""
        reranker = reranker_of(self.runtime)
        await self.runtime.enter(self.caller)
        try:
            self.runtime.breaker.enter()
            started_at = self.monotonic()
            try:
                result = await reranker.rerank(query, documents)
            except ModelCallFailed as exc:
                self.runtime.breaker.failed(exc.failure)
                exc.name_model(self.runtime.model.name, purpose="ranking")
                self._record("failed", started_at, error=f"{exc.failure.value}: {exc.message}")
                raise
            except asyncio.CancelledError:
                self.runtime.breaker.abandoned()
                self._record("canceled", started_at)
                raise
            except Exception:
                self.runtime.breaker.abandoned()  # refused before anything was sent
                raise
            self.runtime.breaker.succeeded()
            self._record("ok", started_at, usage=Usage(input_tokens=result.tokens))
            return result
        finally:
            self.runtime.leave(self.caller)

    def _record(
        self,
        outcome: Literal["ok", "failed", "canceled"],
        started_at: float,
        *,
        usage: Usage | None = None,
        error: str = "",
    ) -> None:
        model = self.runtime.model
        counted = usage or Usage()
        self.record_call(
            ModelCall(
                model=model.name,
                provider=model.spec.kind,
                attempt=1,
                purpose="rerank",
                usage=counted,
                outcome=outcome,
                error=error,
                total_ms=round((self.monotonic() - started_at) * 1000),
                ended_at=self.clock.now(),
                cost=str(model.spec.prices.cost(counted)),
            )
        )

"""Which model is called next, and when: retries within a model, then its stand-ins."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

from domain.model.entity import Model
from domain.model.retry import RetryPolicy, falls_back, needs_larger_window
from domain.shared.error import AppError

_LOG: Final = logging.getLogger(__name__)


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

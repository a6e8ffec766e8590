"""Starts a sandbox with the first code that is to be run."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from infra.contract.code_runner import CodeRequest, CodeResult, CodeRunner
from infra.contract.lifecycle import Managed


class ManagedRunner(CodeRunner, Managed, Protocol):
    """A runner with a life cycle."""


class CodeRunnerOnDemand:
    """Costs nothing until a code node runs: no image, no worker, no memory."""

    def __init__(self, make: Callable[[], ManagedRunner]) -> None:
        self._make = make
        self._runner: ManagedRunner | None = None
        self._starting = asyncio.Lock()

    @property
    def disabled_reason(self) -> str:
        return "" if self._runner is None else self._runner.disabled_reason

    async def start(self) -> None:
        """Do nothing yet."""

    async def aclose(self) -> None:
        """Stop the sandbox if it was ever started."""
        async with self._starting:
            if self._runner is not None:
                await self._runner.aclose()

    async def run(self, request: CodeRequest) -> CodeResult:
        runner = self._runner
        if runner is None:
            runner = await self._first()
        return await runner.run(request)

    async def _first(self) -> ManagedRunner:
        async with self._starting:
            if self._runner is None:
                runner = self._make()
                await runner.start()
                self._runner = runner
            return self._runner

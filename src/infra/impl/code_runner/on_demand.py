"""Starts a sandbox with the first code that is to be run."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Final, Protocol

from infra.contract.code_runner import CodeRequest, CodeResult, CodeRunner
from infra.contract.lifecycle import Managed


class ManagedRunner(CodeRunner, Managed, Protocol):
    """A runner with a life cycle."""


_LOG: Final = logging.getLogger(__name__)
_PAUSE_S: Final = 3.0
"""The process answers its first requests before anything else is made."""


class CodeRunnerOnDemand:
    """Costs no memory until a code node runs: no worker, no engine.

    ``prepare`` makes early what the sandbox needs, in a process of its own, once this one serves,
    and returns why code cannot run here, empty if it can.
    """

    def __init__(
        self,
        make: Callable[[], ManagedRunner],
        *,
        prepare: Callable[[], Awaitable[str]] | None = None,
        pause_s: float = _PAUSE_S,
    ) -> None:
        self._make = make
        self._prepare = prepare
        self._pause_s = pause_s
        self._stack = AsyncExitStack()
        self._preparing: asyncio.Task[None] | None = None
        self._runner: ManagedRunner | None = None
        self._found = ""
        self._starting = asyncio.Lock()

    @property
    def disabled_reason(self) -> str:
        return self._found if self._runner is None else self._runner.disabled_reason

    async def start(self) -> None:
        """Begin to prepare, where that is wanted; return at once."""
        if self._prepare is not None:
            group = await self._stack.enter_async_context(asyncio.TaskGroup())
            self._preparing = group.create_task(self._prepare_later(self._prepare))

    async def aclose(self) -> None:
        """Stop the sandbox if it was ever started, and what is being prepared."""
        if self._preparing is not None:
            self._preparing.cancel()
        await self._stack.aclose()
        async with self._starting:
            if self._runner is not None:
                await self._runner.aclose()

    async def run(self, request: CodeRequest) -> CodeResult:
        runner = self._runner
        if runner is None:
            runner = await self._first()
        return await runner.run(request)

    async def _prepare_later(self, prepare: Callable[[], Awaitable[str]]) -> None:
        await asyncio.sleep(self._pause_s)
        try:
            self._found = await prepare()
        except OSError:
            _LOG.warning("The sandbox of code nodes cannot be prepared.", exc_info=True)

    async def _first(self) -> ManagedRunner:
        async with self._starting:
            if self._runner is None:
                runner = self._make()
                await runner.start()
                self._runner = runner
            return self._runner

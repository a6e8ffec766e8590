"""Keeps the programs that callers use running: one process per program and owner."""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final

from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT, FairShare
from domain.shared.limits import Limits
from infra.contract.mcp import McpProgramNotFound, McpServer, McpUnavailable
from infra.impl.mcp.program import McpProgram, ProgramSession

_FIRST_PAUSE_S: Final = 1.0
_LONGEST_PAUSE_S: Final = 60.0
_KEPT: Final = 4
"""One process of so many is never of one workspace alone: they stay until they are idle."""
_HEALTHY_S: Final = 60.0
"""A process that lived this long ended for a new reason; the pauses begin anew."""
_log: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class _Place:
    """What is known of one program of one owner."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    session: ProgramSession | None = None
    failures: int = 0
    not_before: float = 0.0
    started_at: float = 0.0


class McpPrograms:
    """Starts programs on demand. One that keeps ending is started ever less often."""

    def __init__(self, programs: Iterable[McpProgram], *, limits: Limits) -> None:
        self._programs = {program.name: program for program in programs}
        self._limits = limits
        self._places: dict[tuple[str, str], _Place] = {}
        most = limits.mcp_programs
        self._rooms = FairShare(
            "MCP programs", capacity=most, kept=most // _KEPT, waiting=0, wait_s=0.0
        )
        self._stack = AsyncExitStack()
        self._group: asyncio.TaskGroup | None = None
        self._running: dict[asyncio.Task[None], ProgramSession] = {}

    async def start(self) -> None:
        """Nothing runs before it is asked for."""
        self._group = await self._stack.enter_async_context(asyncio.TaskGroup())

    async def aclose(self) -> None:
        """End every program."""
        for task, session in self._running.items():
            if not session.ended.is_set():  # others are tidying up, which takes a moment only
                task.cancel()
        self._group = None
        await self._stack.aclose()

    async def session(self, server: McpServer) -> ProgramSession:
        """Return the running program of a server, started if need be.

        Raises:
            McpProgramNotFound: the operator has configured none of this name.
            McpUnavailable: it does not start, or ended too often lately.
        """
        program = self._programs.get(server.program)
        if program is None:
            raise McpProgramNotFound(server.program)
        key = (server.program, server.owner)
        place = self._places.setdefault(key, _Place())
        async with place.lock:
            if place.session is not None and not place.session.ended.is_set():
                return place.session
            return await self._restart(program, place, key)

    async def _restart(
        self, program: McpProgram, place: _Place, key: tuple[str, str]
    ) -> ProgramSession:
        if self._group is None:
            raise McpUnavailable("This process runs no MCP programs.")
        clock = asyncio.get_running_loop().time
        pause = place.not_before - clock()
        if pause > 0:
            raise McpUnavailable(
                f"The MCP program {program.name!r} keeps ending; the next try is in {pause:.0f} s.",
                retry_after_s=pause,
            )
        owner = _number(key[1])
        if not self._rooms.try_acquire(owner):
            raise McpUnavailable("Too many MCP programs are running; try again later.")
        place.started_at = clock()
        try:
            session = await ProgramSession.spawn(program, self._limits)
        except BaseException:
            self._rooms.release(owner)
            raise
        task = self._group.create_task(
            session.serve(lambda: self._ended(place, program)), name=f"mcp {program.name}"
        )
        self._running[task] = session

        def over(done: asyncio.Task[None]) -> None:
            del self._running[done]
            self._rooms.release(owner)

        task.add_done_callback(over)
        try:
            await session.introduce()
        except BaseException as exc:
            session.kill()
            if isinstance(exc, TimeoutError):
                raise McpUnavailable(f"The MCP program {program.name!r} does not answer.") from exc
            raise
        place.session = session
        return session

    def _ended(self, place: _Place, program: McpProgram) -> None:
        now = asyncio.get_running_loop().time()
        lived = now - place.started_at
        if lived >= _HEALTHY_S:
            place.failures = 0
        pause = min(_FIRST_PAUSE_S * 2**place.failures, _LONGEST_PAUSE_S)
        place.failures += 1
        place.not_before = now + pause
        place.session = None
        _log.info("an MCP program ended", extra={"program": program.name, "lived_s": round(lived)})


def _number(owner: str) -> int:
    """Owners of programs are workspaces, by their numbers."""
    return int(owner) if owner.isdecimal() else OF_THE_DEPLOYMENT

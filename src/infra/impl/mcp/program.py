"""One MCP server that runs as a child process and speaks over its pipes, a line per message."""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec

import infra
from domain.shared.limits import Limits
from infra.contract.mcp import McpTool, McpUnavailable
from infra.impl.child_process import ChildProcess
from infra.impl.mcp import message
from infra.impl.mcp.confinement import Confinement, obstacle
from infra.impl.mcp.message import Rejection
from infra.impl.mcp.session import OnNotice, cancelling, ignore

_START: Final = (
    "import json, sys; sys.path.insert(0, json.loads(sys.argv.pop(1)));"
    " from infra.impl.mcp.launch import main; main()"
)
_ENVIRONMENT: Final = {"LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"}
_TAIL_BYTES: Final = 2000
_KILL_S: Final = 2.0
_PENDING: Final = 64
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class McpProgram:
    """A program that the operator allows: absolute path, fixed arguments, variables, reach."""

    name: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    confinement: Confinement | None = field(default_factory=Confinement)
    """None: the operator trusts it with all that the account of this process may do."""


@dataclass(slots=True)
class _Waiting:
    reply: asyncio.Future[dict[str, Any]]
    on_notice: OnNotice


class ProgramSession:
    """A running program. ``serve`` reads what it says until it ends, or nobody uses it."""

    mirrors = False

    def __init__(self, process: ChildProcess, program: McpProgram, limits: Limits):
        self._process = process
        self._name = program.name
        self._limits = limits
        self._numbers = count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._used_at = asyncio.get_running_loop().time()
        self._is_modern = False
        self._tail = b""
        self.ended = asyncio.Event()

    @classmethod
    async def spawn(cls, program: McpProgram, limits: Limits) -> "ProgramSession":
        """Start the program in a group of its own; raise ``McpUnavailable`` if that fails."""
        if program.confinement is not None and (reason := obstacle()):
            raise McpUnavailable(
                f"The MCP program {program.name!r} is not started, because it cannot be confined "
                f"here: {reason}. The operator may set jail = false for it under [[mcp_programs]]."
            )
        kept = "" if program.confinement is None else program.confinement.to_text()
        try:
            process = await ChildProcess.start(
                *(sys.executable, "-I", "-S", "-B", "-c", _START, json.dumps(_source_root())),
                *(str(os.getpid()), kept, program.command, *program.args),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**_ENVIRONMENT, **program.env},
                cwd="/",
                start_new_session=True,
                limit=limits.mcp_message_bytes,
            )
        except OSError as exc:
            raise McpUnavailable(
                f"The MCP program {program.name!r} does not start: {exc.strerror}."
            ) from exc
        return cls(process, program, limits)

    async def introduce(self) -> None:
        """Find out which era the program is of, and shake hands where that is the custom."""
        try:
            async with asyncio.timeout(self._limits.mcp_connect_s):
                found = await self.ask("server/discover", message.modern({}), on_notice=ignore)
            self._is_modern = message.speaks_modern(found)
        except (Rejection, TimeoutError):
            self._is_modern = False
        if self._is_modern:
            return
        async with asyncio.timeout(self._limits.mcp_connect_s):
            try:
                said = await self.ask("initialize", message.opening(), on_notice=ignore)
            except Rejection as exc:
                if not exc.is_modern:
                    raise
                self._is_modern = True  # it was only too slow to say so
                return
            message.agreed_version(said)
            await self._tell(message.notification("notifications/initialized"))

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        on_notice: OnNotice,
        tool: McpTool | None = None,
    ) -> dict[str, Any]:
        if self.ended.is_set():
            raise self._gone()
        if len(self._waiting) >= _PENDING:
            raise McpUnavailable("The MCP program is busy; try again.")
        number = next(self._numbers)
        reply: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = _Waiting(reply, on_notice)
        try:
            async with cancelling(self._tell, number):
                said = message.modern(params) if self._is_modern else params
                await self._tell(message.request(number, method, said))
                return message.outcome(await reply)
        finally:
            del self._waiting[number]
            self._used_at = asyncio.get_running_loop().time()

    async def serve(self, on_end: Callable[[], None]) -> None:
        """Read until the end; whatever happens, the whole group is killed and nobody waits on."""
        try:
            async with asyncio.TaskGroup() as group:
                errors = group.create_task(self._read_errors())
                await self._read()
                self.kill()
                errors.cancel()
        except* Exception:  # noqa: BLE001 - logged; other programs go on
            _log.warning("talking to an MCP program failed", exc_info=True)
        finally:
            self.kill()
            self.ended.set()
            on_end()
            for waiting in self._waiting.values():
                if not waiting.reply.done():
                    waiting.reply.set_exception(self._gone())
            await self._reap()

    async def _reap(self) -> None:
        """Take the dead process off the table, even if others that it started have its pipes."""
        self._process.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_KILL_S):
                await self._process.wait()

    def kill(self) -> None:
        """End the program and everything it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    async def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - a pipe, see spawn
        while True:
            try:
                async with asyncio.timeout(self._limits.mcp_program_idle_s):
                    line = await self._process.stdout.readline()
            except TimeoutError:
                if self._is_idle():
                    return
                continue
            except ValueError:  # longer than the limit of the stream
                self._tail = b"It sent a message that is larger than allowed."
                return
            if not line:
                return
            if line.strip():
                await self._take(line)

    async def _take(self, line: bytes) -> None:
        try:
            said = message.decode(line)
        except McpUnavailable:
            return  # programs also print what is no message
        number = said.get("id")
        # A program that gets no answer to its question may wait for it, and serve nobody meanwhile.
        if message.is_question(said):
            async with asyncio.timeout(self._limits.mcp_connect_s):
                await self._tell(message.refusal_of(said))
        elif "method" in said:
            for waiting in tuple(self._waiting.values()):
                waiting.on_notice(said)
        elif isinstance(number, int):
            found = self._waiting.get(number)
            if found is not None and not found.reply.done():
                found.reply.set_result(said)

    async def _read_errors(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 - a pipe, see spawn
        while chunk := await self._process.stderr.read(_TAIL_BYTES):
            self._tail = (self._tail + chunk)[-_TAIL_BYTES:]

    async def _tell(self, said: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None  # noqa: S101 - a pipe, see spawn
        try:
            self._process.stdin.write(msgspec.json.encode(said) + b"\n")
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError) as exc:
            raise self._gone() from exc

    def _is_idle(self) -> bool:
        now = asyncio.get_running_loop().time()
        return not self._waiting and now - self._used_at >= self._limits.mcp_program_idle_s

    def _gone(self) -> McpUnavailable:
        return McpUnavailable(
            f"The MCP program {self._name!r} has ended; its last words are in the log.",
            program=self._name,
            words=self._tail.decode("utf-8", "replace"),
        )


def _source_root() -> str:
    """Where this program is imported from; the child needs nothing else of it."""
    return str(Path(infra.__file__).resolve().parents[1])

"""Workers that run Python natively, locked in, one process for each run."""

import asyncio
import importlib.util
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from infra.contract.code_runner import MAX_TIMEOUT_MS, CodeLanguage
from infra.impl.code_runner.pool import NoWorker, SandboxBroken, expect_ready
from infra.impl.code_runner.wire import REPLY_BYTES
from infra.impl.sandbox.inspection import inspect
from infra.impl.sandbox.jail import Jail, JailedProcess, JailLimits, interpreter_paths

_READY_S: Final = 30.0
_LIMITS: Final = JailLimits(
    address_space_bytes=0,  # Set for each request, on top of what is loaded by then.
    cpu_s=MAX_TIMEOUT_MS // 1000 + 1,
    wall_s=7 * 24 * 3600.0,
    output_bytes=2 * REPLY_BYTES,
)


class JailSandbox:
    """The interpreter is the one of this program, in a process that may read its library only.

    Faster than WebAssembly, and able to offer installed packages such as numpy; the boundary is
    the kernel alone.
    """

    languages = frozenset({CodeLanguage.PYTHON})
    reuses_workers = False
    grace_s = 0.1

    def __init__(self, packages: Sequence[str] = ()) -> None:
        """Offer ``packages``, by import name, beside the standard library."""
        self._packages = tuple(packages)
        self._jail: Jail | None = None
        self._preparing = asyncio.Lock()

    def engine(self, language: CodeLanguage) -> str:
        return f"jail:{language.value}:{platform.python_version()}"

    async def start_worker(self) -> JailedProcess:
        jail = await self._prepare()
        try:
            process = await jail.spawn(
                "infra.impl.code_runner.jail.worker",
                self._packages,
                limits=_LIMITS,
                locks_itself=True,
            )
        except OSError as exc:
            raise NoWorker(f"No sandbox can be started: {exc}") from exc
        await expect_ready(process, within_s=_READY_S)
        return process

    async def _prepare(self) -> Jail:
        """Try the jail, once."""
        async with self._preparing:
            if self._jail is None:
                readable = await asyncio.to_thread(self._readable)
                jail = Jail(readable=readable)
                inspection = await inspect(jail)
                if not inspection.holds:
                    raise SandboxBroken(f"The sandbox does not hold here: {inspection.reason}")
                self._jail = jail
            return self._jail

    def _readable(self) -> tuple[Path, ...]:
        """The standard library, and the folders of the packages with their shared libraries."""
        folders = []
        for package in self._packages:
            found = importlib.util.find_spec(package)
            if found is None or not found.submodule_search_locations:
                raise SandboxBroken(f"The package {package!r} for code nodes is not installed.")
            for name in found.submodule_search_locations:
                folder = Path(name)
                folders += [folder, folder.with_name(f"{folder.name}.libs")]
        return (*interpreter_paths(), *folders)

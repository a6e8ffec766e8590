"""Workers that run Python and JavaScript in WebAssembly: the default sandbox."""

import asyncio
from pathlib import Path
from typing import Final

from infra.contract.code_runner import CodeLanguage
from infra.impl.code_runner.pool import NoWorker, SandboxBroken, expect_ready
from infra.impl.code_runner.wasm.images import Images, ImagesUnavailable, prepare
from infra.impl.sandbox.inspection import inspect
from infra.impl.sandbox.jail import Jail, JailedProcess, JailLimits

_READY_S: Final = 20.0
_LIMITS: Final = JailLimits(
    address_space_bytes=0,  # The engine reserves gigabytes and uses little; stores are limited.
    cpu_s=70_000,  # A worker's whole life: the longest run, as often as a worker serves.
    wall_s=7 * 24 * 3600.0,
    output_bytes=1 << 33,
)


class WasmSandbox:
    """The interpreter is an image for a WebAssembly engine, in a process that is locked as well.

    The process can open no file at all, and the guest reaches clocks and random bytes only. The
    images are made once per version, which takes some 20 seconds, in ``folder``; that must belong
    to the service user, because compiled images are trusted.
    """

    languages = frozenset(CodeLanguage)
    reuses_workers = True
    grace_s = 0.5

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._jail = Jail(readable=())
        self._images: Images | None = None
        self._preparing = asyncio.Lock()

    def engine(self, language: CodeLanguage) -> str:
        digest = self._images.digest if self._images else "none"
        return f"wasm:{language.value}:{digest}"

    async def start_worker(self) -> JailedProcess:
        images = await self._prepare()
        try:
            process = await self._jail.spawn(
                "infra.impl.code_runner.wasm.worker",
                [str(images.python), str(images.javascript)],
                limits=_LIMITS,
                locks_itself=True,
                is_spare=True,
            )
        except OSError as exc:
            raise NoWorker(f"No sandbox can be started: {exc}") from exc
        await expect_ready(process, within_s=_READY_S)
        return process

    async def _prepare(self) -> Images:
        """Make the images and try the jail, once."""
        async with self._preparing:
            if self._images is None:
                inspection = await inspect(self._jail)
                if not inspection.holds:
                    raise SandboxBroken(f"The sandbox does not hold here: {inspection.reason}")
                try:
                    self._images = await asyncio.to_thread(prepare, self._folder)
                except ImagesUnavailable as exc:
                    raise SandboxBroken(str(exc)) from exc
            return self._images

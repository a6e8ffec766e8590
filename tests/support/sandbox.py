"""Sandboxes for users' code, as tests start them."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from bootstrap.compose import code_images
from bootstrap.settings import CodeSettings
from infra.contract.code_runner import CodeLanguage, CodeRequest
from infra.impl.code_runner.jail.sandbox import JailSandbox
from infra.impl.code_runner.runner import Sandbox, SandboxedCodeRunner
from infra.impl.code_runner.wasm.sandbox import WasmSandbox

NOW_MS = 1_893_456_000_000
"""Midnight of the first of January 2030, UTC."""

WORKERS: Final = 2
SPACE: Final = 1


def images_folder(factory: pytest.TempPathFactory) -> Path:
    """Where servers keep compiled images too: making them takes a minute of processor time."""
    return code_images.images_folder(CodeSettings(), factory.getbasetemp())


@asynccontextmanager
async def running(
    kind: str, images: Path, *, workers: int = WORKERS
) -> AsyncGenerator[SandboxedCodeRunner, None]:
    """A started runner of this kind."""
    sandbox: Sandbox = WasmSandbox(images) if kind == "wasm" else JailSandbox()
    runner = SandboxedCodeRunner(sandbox, workers=workers, queue_wait_s=180.0)
    await runner.start()
    try:
        yield runner
    finally:
        await runner.aclose()


def python(
    code: str, params: Mapping[str, object] | None = None, *, timeout_ms: int = 10_000
) -> CodeRequest:
    """A run of Python code."""
    return CodeRequest(
        space_id=SPACE,
        language=CodeLanguage.PYTHON,
        code=code,
        params=params or {},
        now_ms=NOW_MS,
        seed=7,
        timeout_ms=timeout_ms,
    )


def javascript(
    code: str, params: Mapping[str, object] | None = None, *, timeout_ms: int = 10_000
) -> CodeRequest:
    """A run of JavaScript code."""
    return CodeRequest(
        space_id=SPACE,
        language=CodeLanguage.JAVASCRIPT,
        code=code,
        params=params or {},
        now_ms=NOW_MS,
        seed=7,
        timeout_ms=timeout_ms,
    )

"""Runners under attack: started once, because they must survive everything."""

from collections.abc import AsyncGenerator

import pytest

from infra.impl.code_runner.runner import SandboxedCodeRunner
from tests.support.sandbox import images_folder, running


@pytest.fixture(scope="session", params=["wasm", "jail"])
async def runner(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[SandboxedCodeRunner, None]:
    async with running(request.param, images_folder(tmp_path_factory)) as started:
        yield started


@pytest.fixture(scope="session")
async def wasm(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[SandboxedCodeRunner, None]:
    async with running("wasm", images_folder(tmp_path_factory)) as started:
        yield started

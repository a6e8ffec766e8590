"""Everything the container declares can be built: a wrong constructor call shows here."""

import asyncio
import base64
import os
from pathlib import Path

import pytest
from dependency_injector import providers

from bootstrap.compose.container import Container
from bootstrap.configuration import load
from bootstrap.server.app import create_app
from infra.impl.thread_affinity import processors

NOT_IN_EVERY_SERVER = {"audit_stream", "siblings", "span_export", "telemetry"}
"""Parts that a server may do without."""
KEY = base64.b64encode(bytes(range(32))).decode()


@pytest.fixture
def container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Container:
    monkeypatch.chdir(tmp_path)
    settings = load({"COTERIE_DATA_DIR": str(tmp_path), "COTERIE_MASTER_KEY": KEY})
    return Container(settings=settings)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, provider in Container.providers.items()
        if isinstance(provider, providers.Singleton)
    ],
)
async def test_each_part_can_be_built(container: Container, name: str) -> None:
    part = container.providers[name]()

    assert (part is None) is (name in NOT_IN_EVERY_SERVER)


def test_building_the_application_opens_nothing(container: Container, tmp_path: Path) -> None:
    create_app(container)

    assert not list(tmp_path.iterdir())


async def test_a_busy_server_keeps_its_threads_on_one_core(container: Container) -> None:
    processor = container.processor()
    processor.serve(asyncio.get_running_loop())

    processor.look(elapsed_s=1.0, used_s=0.9, waits=20_000)
    busy = os.sched_getaffinity(0)
    processor.look(elapsed_s=1.0, used_s=0.0)

    assert len(busy) == 1
    assert os.sched_getaffinity(0) == processors()

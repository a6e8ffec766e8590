"""A process without servers leaves their clients on the disk."""

import subprocess
import sys
from pathlib import Path
from typing import Final

HEAVY: Final = (
    "asyncpg",
    "elasticsearch",
    "grpc",
    "milvus_lite",
    "nats",
    "obstore",
    "onnxruntime",
    "pdfplumber",
    "pymilvus",
    "rapidocr",
)
"""Clients of servers, and libraries that only work beside the process needs."""

SERVE: Final = """
import asyncio, sys
from bootstrap.app import create_app
from bootstrap.configuration import load
from bootstrap.container import Container
from bootstrap.lifecycle import opened

async def main():
    environ = {"COTERIE_DATA_DIR": sys.argv[1], "COTERIE_CONFIG": sys.argv[2]}
    container = Container(settings=load({**environ, "COTERIE_CODE__PREPARE": "false"}))
    async with opened(container, serving=True):
        create_app(container)

asyncio.run(main())
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_the_embedded_profile_imports_no_client_of_a_server(tmp_path: Path) -> None:
    configuration = tmp_path / "coterie.toml"
    configuration.touch()
    done = subprocess.run(
        [sys.executable, "-c", SERVE, str(tmp_path / "data"), str(configuration)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "aiosqlite" in done.stdout.split()
    assert not set(HEAVY) & set(done.stdout.split())

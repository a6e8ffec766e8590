"""A process without servers leaves their clients on the disk, and what it never uses as well."""

import json
import subprocess
import sys
from typing import Any, Final

import pytest

SERVER_CLIENTS: Final = (
    "asyncpg",
    "elasticsearch",
    "grpc",
    "milvus_lite",
    "nats",
    "obstore",
    "opentelemetry",  # only where its variables ask for it
    "pymilvus",
)
WORK_BESIDE: Final = (
    "PIL",
    "aiohttp",
    "argon2",
    "componentize_py",
    "jsonpath",
    "markdown_it",
    "numpy",
    "onnxruntime",
    "pdfplumber",
    "pyjson5",
    "pypdfium2",
    "python_calamine",
    "quickjs_rs",
    "rapidocr",
    "re2",
    "selectolax",
    "sqlglot",
    "wasmtime",
)
"""Documents, code and SQL: loaded by their processes, or with the first use."""

OF_NO_USE: Final = (
    "attr",  # through the default plugins of the framework
    "alembic",  # a new file gets a ready-made schema, and one at head needs nothing
    "cryptography",  # comes with the first stored credential
    "mcp",
    "pygments",  # these two through the command line of httpx
    "rich",
    "sqlalchemy.dialects.postgresql",
    "sqlalchemy.orm",  # through the sessions beside the asynchronous engine
)
UNASKED: Final = (
    "api.admin.trace.trace",  # the room of traces opens when somebody asks for one
    "application.trace.service",
    "application.trace.telemetry",  # with a collector, or a trace that somebody takes along
    "application.trace.writer",
    "domain.trace.body",
    "infra.impl.repository.sql.trace.repository",
)
PRIVATE_KB: Final = 110_000
"""Resident memory without pages of files, and without tools of the development: 104,300 when this
was set; the allocator of another machine may want some more."""

START: Final = """
import asyncio, gc, json, sys, threading
gc.disable()  # as the command does

class Deployed:  # lacks tools of the development, which our libraries import where they find them
    def find_spec(self, name, path=None, target=None):
        if name in {"fastapi", "flask", "pydantic", "starlette", "werkzeug"}:
            raise ModuleNotFoundError(name=name)

sys.meta_path.insert(0, Deployed())
import bootstrap.cli
from bootstrap.server.app import create_asgi
from bootstrap.configuration import load
from bootstrap.compose.container import Container
from bootstrap.server.process import ensure_ready
from bootstrap.server.lifecycle import opened
import bootstrap.server.process

imported_by = {}

class Importing:  # notes which thread looks for a module
    def find_spec(self, name, path=None, target=None):
        imported_by[name] = threading.current_thread() is threading.main_thread()

def private_kb():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon:"))

async def main():
    environ = {"COTERIE_DATA_DIR": sys.argv[1], "COTERIE_CONFIG": sys.argv[2]}
    container = Container(settings=load({**environ, "COTERIE_CODE__PREPARE": "false"}))
    async with opened(container, serving=True):
        await ensure_ready(container)
        create_asgi(container)
        is_linux = sys.platform == "linux"
        found = {"modules": [*sys.modules], "private_kb": private_kb() if is_linux else None}
        sys.meta_path.insert(0, Importing())
        await container.trace().forget_words()
        return {**found, "imported_by": imported_by}

print(json.dumps(asyncio.run(main())))
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a process has loaded that just started on an empty directory."""
    folder = tmp_path_factory.mktemp("light")
    configuration = folder / "coterie.toml"
    configuration.touch()
    done = subprocess.run(
        [sys.executable, "-c", START, str(folder / "data"), str(configuration)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("heavy", [*SERVER_CLIENTS, *WORK_BESIDE, *OF_NO_USE, *UNASKED])
def test_the_embedded_profile_starts_without(heavy: str, started: dict[str, Any]) -> None:
    assert "aiosqlite" in started["modules"]
    assert heavy not in started["modules"]


def test_what_stores_traces_is_loaded_beside_the_requests(started: dict[str, Any]) -> None:
    is_in_loop = started["imported_by"]
    loaded = {name for name in UNASKED if name in is_in_loop}

    assert loaded >= set(UNASKED) - {"api.admin.trace.trace"}
    assert not any(is_in_loop[name] for name in loaded)


def test_help_comes_without_what_serves() -> None:
    script = "import json, sys, bootstrap.cli; print(json.dumps([*sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )

    serving = {"aiohttp", "bootstrap.compose.container", "litestar", "rich", "sqlalchemy"}
    assert not serving.intersection(json.loads(done.stdout))


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_started_process_is_small(started: dict[str, Any]) -> None:
    assert started["private_kb"] < PRIVATE_KB

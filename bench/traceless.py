"""One start for ``bench.traces_off``: ``python -m bench.traceless DIRECTORY STATE``.

In the state ``without`` the modules of traces are empty ones, whose every name is an empty class.
"""
# ruff: noqa: PLC0415 - importing is what is measured

import asyncio
import gc
import json
import sys
from enum import StrEnum
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any, Final

_TRACES: Final = (
    "api.admin.trace",
    "application.trace",
    "bootstrap.compose.part.trace",
    "domain.trace",
    "infra.impl.repository.sql.trace",
)
_SOURCES: Final = Path(__file__).parents[1] / "src"
_SETTINGS: Final = "application.trace.settings"
"""Read with all others, so it stays; the enumeration that it needs is a copy."""
_NO_PYDANTIC: Final = frozenset({"fastapi", "flask", "pydantic", "starlette", "werkzeug"})
"""Tools of the development, which libraries import where they find them."""

_OF_FUTURES: Final = frozenset({"_asyncio_future_blocking", "add_done_callback"})
"""By these names the container knows what it has to wait for."""


class Deployed(MetaPathFinder):
    """Hides what a deployment does not have."""

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        if name in _NO_PYDANTIC:
            raise ModuleNotFoundError(name=name)
        return None


class Capture(StrEnum):
    """All that settings need of traces."""

    OFF = "off"
    METADATA = "metadata"
    CONTENT = "content"


class _Class(type):
    """A class that has whatever it is asked for."""

    def __getattr__(cls, name: str) -> Any:
        if name in _OF_FUTURES or name.startswith("__"):
            raise AttributeError(name)
        found = _empty(name)
        setattr(cls, name, found)
        return found

    def __call__(cls, *_: Any, **__: Any) -> Any:
        return super().__call__()


async def _nothing(*_: Any, **__: Any) -> None:
    """What runs ask is not kept."""


def _empty(name: str) -> Any:
    members = dict.fromkeys(("start", "aclose", "begin", "learn", "sweep"), _nothing)
    return _Class(name, (), {**members, "__getattr__": _asked})


def _asked(_: object, name: str) -> Any:
    if name in _OF_FUTURES or name.startswith("__"):
        raise AttributeError(name)
    return _empty(name)()


class _Module(ModuleType):
    """A module that has whatever it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = Capture if name == "Capture" else _empty(name)
        setattr(self, name, found)
        return found


class Without(MetaPathFinder, Loader):
    """Finds empty modules where those of traces are."""

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        if name == _SETTINGS:
            return spec_from_file_location(name, _SOURCES / "application/trace/settings.py")
        if any(name == each or name.startswith(f"{each}.") for each in _TRACES):
            return ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: ModuleType) -> None: ...


async def start(folder: str) -> dict[str, float]:
    """Start as a server does, and tell what that took."""
    import bootstrap.cli
    import bootstrap.server.process  # noqa: F401 - as the command imports it
    from bootstrap.compose.container import Container
    from bootstrap.configuration import load
    from bootstrap.server.app import create_asgi
    from bootstrap.server.lifecycle import opened
    from bootstrap.server.process import ensure_ready

    environ = {
        "COTERIE_DATA_DIR": f"{folder}/data",
        "COTERIE_CONFIG": f"{folder}/coterie.toml",
        "COTERIE_CODE__PREPARE": "false",
        "COTERIE_TRACE__CAPTURE": "off",
    }
    container = Container(settings=load(environ))
    async with opened(container, serving=True):
        await ensure_ready(container)
        create_asgi(container)
        return {
            "modules": len(sys.modules),
            "processor_s": process_time(),
            "pss_kib": _kib("/proc/self/smaps_rollup", "Pss:"),
            "private_kib": _kib("/proc/self/status", "RssAnon:"),
        }


def _kib(path: str, name: str) -> int:
    lines = Path(path).read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


if __name__ == "__main__":
    gc.disable()  # as the command does
    sys.meta_path.insert(0, Deployed())
    if sys.argv[2] == "without":
        sys.meta_path.insert(0, Without())
    sys.stdout.write(json.dumps(asyncio.run(start(sys.argv[1]))))

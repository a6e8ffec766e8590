"""Entry of the WebAssembly image: loads every module it offers, then waits for its one request.

``componentize-py`` runs this file once and takes a picture of the memory; every instance starts
from that picture. What is not imported here does not exist in the sandbox: looking for it would
need files, and a call for files ends the instance.
"""

import base64
import io
import linecache
import sys
import time
import warnings
import zoneinfo
from typing import Any, NoReturn

import offered  # type: ignore[import-not-found]  # noqa: F401  (written when the image is built)
import wit_world  # type: ignore[import-not-found]  # made by componentize-py for this world
import zones  # type: ignore[import-not-found]  # written when the image is built

from infra.impl.code_runner.guest import loop, program


class WitWorld(wit_world.WitWorld):  # type: ignore[misc]  # its base is known to the image only
    """The exports of the image."""

    def run(self, request: str) -> str:
        return program.run(request, missing=_missing)


class _NothingElse:
    """Last finder of modules: says what is not there instead of looking for files."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> NoReturn:
        raise ModuleNotFoundError(f"No module named {name!r}.", name=name)


def _missing(name: str) -> str:
    return f"No module named {name!r} in the wasm sandbox; the jail sandbox can offer packages."


def _cannot_sleep(*_: Any) -> NoReturn:
    raise RuntimeError("Code nodes cannot sleep; asyncio.sleep costs no time.")


def _load_zone(key: str) -> io.BytesIO:
    try:
        return io.BytesIO(base64.b64decode(zones.ZONES[key]))
    except KeyError:
        raise zoneinfo.ZoneInfoNotFoundError(f"No time zone found with key {key}") from None


def _no_lines(*_: Any) -> list[str]:
    return []


def _no_check(*_: Any) -> None:
    """Source files cannot change where there are none."""


def _settle() -> None:
    loop.install()
    for module, name, stand_in in (
        (time, "sleep", _cannot_sleep),
        (linecache, "updatecache", _no_lines),
        (linecache, "checkcache", _no_check),
        (sys.modules["zoneinfo._common"], "load_tzdata", _load_zone),
    ):
        vars(module)[name] = stand_in
    warnings.simplefilter("ignore")
    zoneinfo.reset_tzpath(())
    sys.path.clear()
    sys.path_hooks.clear()
    finders = [finder for finder in sys.meta_path if "PathFinder" not in repr(finder)]
    sys.meta_path[:] = [*finders, _NothingElse]


_settle()

"""Python in WebAssembly: a fresh instance of the image for every run."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from wasmtime import Engine, WasmtimeError
from wasmtime.component import Component, Linker

from infra.impl.code_runner.wasm.engine import Stopped, Task, make_store, stop_reason

_RANDOM_BYTES: Final = 64 * 1024
_RESOLUTION_NS: Final = 1000
_OWN_BYTES: Final = 32 * 1024 * 1024
"""What the interpreter and its modules take before the code runs (22 MiB), and room to finish."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """The record ``datetime`` of ``wasi:clocks/wall-clock``."""

    seconds: int
    nanoseconds: int


class _Clock:
    """Shows the time of the request, and goes on from there."""

    def __init__(self) -> None:
        self._wall_ns = self._started_ns = 0

    def set(self, now_ms: int) -> None:
        self._wall_ns = now_ms * 1_000_000
        self._started_ns = time.monotonic_ns()

    def elapsed_ns(self) -> int:
        return time.monotonic_ns() - self._started_ns

    def wall(self) -> _Moment:
        return _Moment(*divmod(self._wall_ns + self.elapsed_ns(), 1_000_000_000))


class PythonInterpreter:
    """Runs requests for ``guest.program``; the guest reaches clocks, random bytes and no more.

    Every other import of the image, files, sockets and waiting included, ends the instance. The
    list of open directories exists, and is empty, so that code that looks for a file is told that
    there is none.
    """

    def __init__(self, engine: Engine, image: Path) -> None:
        self._engine = engine
        self._component = Component.deserialize_file(engine, str(image))
        self._clock = _Clock()
        self._linker = Linker(engine)
        self._linker.allow_shadowing = True
        self._linker.define_unknown_imports_as_traps(self._component)
        self._define()

    def run(self, task: Task) -> str:
        """Return the guest's reply.

        Raises:
            Stopped: the engine ended the run.
        """
        self._clock.set(task.now_ms)
        store = make_store(self._engine, task, own_bytes=_OWN_BYTES)
        try:
            instance = self._linker.instantiate(store, self._component)
            function = instance.get_func(store, "run")
            if function is None:
                raise RuntimeError("The image does not export run.")
            return str(function(store, task.request))
        except WasmtimeError as exc:
            raise Stopped(stop_reason(str(exc))) from None
        finally:
            store.close()

    def _define(self) -> None:
        clock = self._clock
        functions: Mapping[str, Mapping[str, Callable[..., object]]] = {
            "wasi:clocks/monotonic-clock": {
                "now": lambda _: clock.elapsed_ns(),
                "resolution": lambda _: _RESOLUTION_NS,
            },
            "wasi:clocks/wall-clock": {
                "now": lambda _: clock.wall(),
                "resolution": lambda _: _Moment(0, _RESOLUTION_NS),
            },
            "wasi:random/random": {"get-random-bytes": _random_bytes},
            "wasi:cli/environment": {
                "get-environment": lambda _: [],
                "get-arguments": lambda _: [],
            },
            "wasi:filesystem/preopens": {"get-directories": lambda _: []},
        }
        for name in self._component.type.imports(self._engine):
            known = functions.get(name.partition("@")[0], {})
            if not known:
                continue
            with self._linker.root() as root, root.add_instance(name) as interface:
                for function, body in known.items():
                    interface.add_func(function, body)


def _random_bytes(_: object, length: int) -> bytes:
    if length > _RANDOM_BYTES:
        raise ValueError("Too many random bytes at once.")
    return os.urandom(length)

"""JavaScript in WebAssembly: QuickJS, a fresh instance for every run."""

import os
import struct
import time
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from wasmtime import (
    Caller,
    Engine,
    Func,
    FuncType,
    Linker,
    Memory,
    Module,
    Store,
    Trap,
    ValType,
    WasmtimeError,
)

from infra.impl.code_runner import guest
from infra.impl.code_runner.wasm.engine import Stopped, StopReason, Task, make_store, stop_reason

_WASI: Final = "wasi_snapshot_preview1"
_OK: Final = 0
_BAD_DESCRIPTOR: Final = 8
_REFUSED: Final = -1
_PENDING: Final = 0
_STACK_BYTES: Final = 256 * 1024
_OWN_BYTES: Final = 8 * 1024 * 1024
"""Linear memory that the engine needs beside the heap it limits itself."""
_REALTIME: Final = 0
_RANDOM_BYTES: Final = 64 * 1024


class JavaScriptInterpreter:
    """Runs requests for ``guest/program.js``; the guest reaches a clock and random bytes only.

    The image is the guest of the ``quickjs-rs`` package, spoken to directly: values live in it
    behind handles, texts pass through its memory, and ``eval_code``, ``call_function`` and
    ``execute_pending_jobs`` do what their names say.
    """

    def __init__(self, engine: Engine, image: Path) -> None:
        self._engine = engine
        self._module = Module.deserialize_file(engine, str(image))
        self._program = (files(guest) / "program.js").read_bytes()
        self._now_ns = self._started_ns = 0
        self._linker = Linker(engine)
        self._define()
        self._linker.define_unknown_imports_as_traps(self._module)

    def run(self, task: Task) -> str:
        """Return the guest's reply.

        Raises:
            Stopped: the engine ended the run.
        """
        self._now_ns = task.now_ms * 1_000_000
        self._started_ns = time.monotonic_ns()
        store = make_store(self._engine, task, own_bytes=_OWN_BYTES)
        try:
            machine = _Machine(store, self._linker.instantiate(store, self._module))
            machine.call("set_memory_limit", task.memory_bytes)
            machine.call("set_max_stack_size", _STACK_BYTES)
            return _converse(machine, self._program, task.request.encode("utf-8"))
        except (Trap, WasmtimeError) as exc:
            raise Stopped(stop_reason(str(exc))) from None
        finally:
            store.close()

    def _define(self) -> None:
        i32, i64 = ValType.i32(), ValType.i64()

        def constant(module: str, name: str, parameters: list[ValType], value: int) -> None:
            kind = FuncType(parameters, [i32])
            self._linker.define_func(module, name, kind, lambda *_: value)

        constant("env", "host_interrupt", [], _OK)
        constant("env", "host_call", [i32] * 5, _REFUSED)
        constant("env", "host_module_normalize", [i32] * 5, _OK)
        constant("env", "host_module_load", [i32] * 3, _OK)
        constant(_WASI, "environ_get", [i32, i32], _OK)
        constant(_WASI, "fd_close", [i32], _BAD_DESCRIPTOR)
        constant(_WASI, "fd_fdstat_get", [i32, i32], _BAD_DESCRIPTOR)
        constant(_WASI, "fd_seek", [i32, i64, i32, i32], _BAD_DESCRIPTOR)
        constant(_WASI, "fd_write", [i32, i32, i32, i32], _BAD_DESCRIPTOR)
        for name, parameters, body in (
            ("environ_sizes_get", [i32, i32], self._environment_sizes),
            ("clock_time_get", [i32, i64, i32], self._clock),
            ("random_get", [i32, i32], self._random),
        ):
            kind = FuncType(parameters, [i32])
            self._linker.define_func(_WASI, name, kind, body, access_caller=True)

    def _environment_sizes(self, caller: Caller, count: int, size: int) -> int:
        _write(caller, count, bytes(4))
        _write(caller, size, bytes(4))
        return _OK

    def _clock(self, caller: Caller, kind: int, _: int, target: int) -> int:
        elapsed = time.monotonic_ns() - self._started_ns
        _write(
            caller, target, struct.pack("<Q", elapsed + (self._now_ns if kind == _REALTIME else 0))
        )
        return _OK

    def _random(self, caller: Caller, target: int, length: int) -> int:
        if not 0 <= length <= _RANDOM_BYTES:
            raise ValueError("Too many random bytes at once.")
        _write(caller, target, os.urandom(length))
        return _OK


def _write(caller: Caller, target: int, data: bytes) -> None:
    memory = caller["memory"]
    if not isinstance(memory, Memory):
        raise TypeError("The image does not export its memory.")
    # The binding checks the range and raises, which ends the instance.
    memory.write(caller, data, target & 0xFFFFFFFF)


class _Machine:
    """Calls the exports of one instance; every handle lives as long as the instance."""

    def __init__(self, store: Store, instance: Any) -> None:
        self._store = store
        self._exports = instance.exports(store)
        memory = self._exports["memory"]
        if not isinstance(memory, Memory):
            raise TypeError("The image does not export its memory.")
        self._memory = memory
        self._out = self.call("qjs_alloc", 8)

    def call(self, name: str, *arguments: int) -> int:
        function = self._exports[name]
        if not isinstance(function, Func):
            raise TypeError(f"The image does not export {name}.")
        return int(function(self._store, *arguments) or 0)

    def place(self, data: bytes) -> tuple[int, int]:
        """Copy into the instance; a full memory ends it."""
        address = self.call("qjs_alloc", len(data)) & 0xFFFFFFFF
        if address == 0:
            raise Stopped(StopReason.CRASHED)
        self._memory.write(self._store, data, address)
        return address, len(data)

    def handle(self, name: str, *arguments: int) -> int | None:
        """Call an export that puts a handle where its last argument points; null if it threw."""
        if self.call(name, *arguments, self._out) != _OK:
            return None
        return self.number()

    def number(self) -> int:
        raw = self._memory.read(self._store, self._out & 0xFFFFFFFF, (self._out & 0xFFFFFFFF) + 4)
        return int(struct.unpack("<i", bytes(raw))[0])

    def text(self, handle: int) -> bytes:
        """Copy a string out."""
        if self.call("get_string", handle) != _OK:
            raise Stopped(StopReason.CRASHED)
        length = self.call("qjs_last_len") & 0xFFFFFFFF
        start = self.call("qjs_last_ptr") & 0xFFFFFFFF
        return bytes(self._memory.read(self._store, start, start + length))


def _converse(machine: _Machine, program: bytes, request: bytes) -> str:
    """Hand the request to the guest's program and turn the crank until it answers.

    The program evaluates to a function: with the request it starts, without it goes on; it
    returns the reply once there is one, and an empty text before.
    """
    function = machine.handle("eval_code", *machine.place(program))
    if function is None:
        raise Stopped(StopReason.CRASHED)
    argument = machine.call("new_string", *machine.place(request))
    step = struct.pack("<i", argument)
    nothing = machine.call("new_undefined")
    while True:
        reply = machine.handle("call_function", function, nothing, machine.place(step)[0], 1)
        if reply is None:
            raise Stopped(StopReason.CRASHED)
        if text := machine.text(reply):
            return text.decode("utf-8", "replace")
        while machine.call("execute_pending_jobs") > 0:
            pass
        step = struct.pack("<i", nothing)

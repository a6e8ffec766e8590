"""The WebAssembly engine as images and workers share it: settings, limits, reasons to stop."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from wasmtime import Config, Engine, Store

TICK_S: Final = 0.05
_STACK_BYTES: Final = 1024 * 1024
"""Deep enough for a thousand frames of Python, far from the end of a thread's 8 MiB."""
_INSTANCES: Final = 64
_MEMORIES: Final = 16
_TABLES: Final = 32
_TABLE_ELEMENTS: Final = 100_000


class StopReason(StrEnum):
    """Why the engine ended a run that did not end itself."""

    INTERRUPTED = "interrupted"
    FORBIDDEN = "forbidden"
    STACK = "stack"
    CRASHED = "crashed"


class Stopped(Exception):
    """The instance was ended; it and its memory are gone."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One run: what to hand to the guest, and its limits."""

    request: str
    now_ms: int
    memory_bytes: int
    ticks: int


def make_engine(*, target: str = "") -> Engine:
    """Make an engine that can be interrupted and knows components.

    ``target`` names the processors that it compiles for, empty for the one of this machine.
    """
    config = Config()
    if target:
        config.target = target
    config.epoch_interruption = True
    config.wasm_component_model = True
    config.max_wasm_stack = _STACK_BYTES
    return Engine(config)


def make_store(engine: Engine, task: Task, *, own_bytes: int) -> Store:
    """Make the memory of one run; ``own_bytes`` is what the interpreter itself takes."""
    store = Store(engine)
    store.set_limits(
        memory_size=task.memory_bytes + own_bytes,
        instances=_INSTANCES,
        memories=_MEMORIES,
        tables=_TABLES,
        table_elements=_TABLE_ELEMENTS,
    )
    store.set_epoch_deadline(task.ticks)
    return store


def stop_reason(message: str) -> StopReason:
    """Read the engine's message, which is all it tells through this binding."""
    signs = {
        "unknown import": StopReason.FORBIDDEN,
        "wasm trap: interrupt": StopReason.INTERRUPTED,
        "call stack exhausted": StopReason.STACK,
    }
    found = [reason for sign, reason in signs.items() if sign in message]
    return found[0] if found else StopReason.CRASHED

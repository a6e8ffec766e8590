"""A worker process: loads the images, locks itself, then serves runs."""

import json
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Final

from wasmtime import Engine

from infra.impl.code_runner.frames import Channel, cost_since
from infra.impl.code_runner.wasm.engine import TICK_S, Stopped, Task, make_engine
from infra.impl.code_runner.wasm.javascript import JavaScriptInterpreter
from infra.impl.code_runner.wasm.python import PythonInterpreter
from infra.impl.sandbox.breakout import find_breaches
from infra.impl.sandbox.entry import leave_unlocked
from infra.impl.sandbox.kernel import LockFailed
from infra.impl.sandbox.lockdown import LockSettings, lock
from infra.impl.sandbox.step_back import stepped_back

Interpreters = dict[str, PythonInterpreter | JavaScriptInterpreter]

_WARM_UP: Final = {
    "python": "def main(args): return {}",
    "javascript": "function main() { return {} }",
}
_WARM_UP_TICKS: Final = 200
_BOUNDS: Final = {"stdout_bytes": 1, "result_bytes": 99, "result_depth": 2, "error_bytes": 99}


def main(python_image: Path, javascript_image: Path, settings: LockSettings) -> None:
    """Serve runs until the host closes the pipe."""
    engine = make_engine()
    interpreters = stepped_back(partial(_loaded, engine, python_image, javascript_image))

    def tick() -> None:
        while True:
            time.sleep(TICK_S)
            engine.increment_epoch()

    lock(settings, start_threads=threading.Thread(target=tick, daemon=True).start)
    if breaches := find_breaches(planted=python_image, port=9, memory_bytes=None):
        raise LockFailed(f"open: {', '.join(breaches)}")
    channel = Channel()
    channel.send(b"")
    while True:
        _serve(channel, interpreters)


def _loaded(engine: Engine, python_image: Path, javascript_image: Path) -> Interpreters:
    interpreters: Interpreters = {
        "python": PythonInterpreter(engine, python_image),
        "javascript": JavaScriptInterpreter(engine, javascript_image),
    }
    for language, code in _WARM_UP.items():
        interpreters[language].run(_warm_up(code))
    return interpreters


def _serve(channel: Channel, interpreters: Interpreters) -> None:
    """Answer one request: first whether the guest replied, and what it cost, then the reply."""
    asked = channel.receive_values()
    task = Task(
        request=channel.receive().decode("ascii"),
        now_ms=asked["now_ms"],
        memory_bytes=asked["memory_bytes"],
        ticks=int(asked["timeout_ms"] / 1000 / TICK_S) + 1,
    )
    started = time.process_time()
    reply, stopped = b"", ""
    try:
        reply = interpreters[asked["language"]].run(task).encode("utf-8", "replace")
    except Stopped as exc:
        stopped = exc.reason.value
    channel.send_values(stopped=stopped, **cost_since(started))
    channel.send(reply)


def _warm_up(code: str) -> Task:
    asked = {"code": code, "params": "{}", "seed": 0, "tz": "UTC", "bounds": _BOUNDS}
    asked |= {"convention": "", "only_compiles": False}
    return Task(
        request=json.dumps(asked), now_ms=0, memory_bytes=64 * 1024 * 1024, ticks=_WARM_UP_TICKS
    )


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]), LockSettings.from_text(sys.argv[-1]))
    except (LockFailed, OSError, ValueError) as exc:
        leave_unlocked(exc)

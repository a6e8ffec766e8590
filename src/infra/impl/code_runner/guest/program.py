"""Runs the user's ``main`` and describes the outcome; the same file natively and in WebAssembly.

Nothing here is a boundary: the user's code shares this interpreter and may change all of it. The
process or the WebAssembly instance around it is the boundary, and the host checks every reply.
"""

import builtins
import inspect
import io
import json
import linecache
import os
import random
import sys
import time
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from typing import Any, Final

from infra.impl.code_runner.guest.loop import IsolatedLoop

FILE_NAME: Final = "main.py"
REFUSED: Final = frozenset(
    {
        *("curses", "dbm", "ensurepip", "fcntl", "grp", "idlelib", "lib2to3", "msvcrt", "pwd"),
        *("resource", "syslog", "termios", "tkinter", "turtle", "venv", "winreg", "winsound"),
        *("multiprocessing", "threading", "socket", "subprocess", "sqlite3", "pty", "tty"),
    }
)
"""Modules that code nodes do not have; courtesy, not a defence."""


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """How much of each answer is kept."""

    stdout_bytes: int
    result_bytes: int
    result_depth: int
    error_bytes: int


class Params(dict[str, Any]):
    """An object whose members are keys and attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"The parameters have no {name!r}.") from None


class Args:
    """What ``main`` is called with."""

    def __init__(self, params: Params) -> None:
        self.params = params


class BadResult(Exception):
    """``main`` returned something that is not a JSON object within the limits."""


class ResultTooLarge(Exception):
    """The result has more bytes or levels than allowed."""


class Printed(io.TextIOBase):
    """Keeps the beginning of what the code prints."""

    def __init__(self, limit_bytes: int) -> None:
        self._left = limit_bytes
        self._parts: list[str] = []
        self.truncated = False

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        # Cut before encoding: the text may be as long as the memory is large.
        data = text[: self._left + 1].encode("utf-8", "backslashreplace")
        kept = data[: self._left].decode("utf-8", "ignore")
        self.truncated = self.truncated or len(data) > self._left
        self._left -= min(len(data), self._left)
        if kept:
            self._parts.append(kept)
        return len(text)

    def text(self) -> str:
        return "".join(self._parts)


class _Source(InspectLoader):
    """Loads a text as a module."""

    def __init__(self, code: str, file: str = FILE_NAME) -> None:
        self._code = code
        self._file = file

    def get_source(self, fullname: str) -> str:
        return self._code

    def get_code(self, fullname: str) -> types.CodeType:
        return self.source_to_code(self._code, self._file)


def run(request: str, *, missing: Callable[[str], str] | None = None) -> str:
    """Answer one request, both JSON texts; raise nothing.

    ``missing`` words the error for a module that is not there.
    """
    asked = json.loads(request)
    bounds = Bounds(**asked["bounds"])
    printed = Printed(bounds.stdout_bytes)
    reply: dict[str, object]
    encoded = None
    try:
        _prepare(asked, printed)
        params = json.loads(asked["params"], object_hook=Params)
        if asked["only_compiles"]:
            result: object = {}
            _Source(asked["code"]).get_code("main")
        else:
            result = _call_main(asked["code"], params, asked["convention"])
        encoded = _encode(result, bounds)
        reply = {"status": "ok"}
    except MemoryError:
        reply = {"status": "oom", "error": {"type": "MemoryError", "message": "Out of memory."}}
    except ResultTooLarge as exc:
        reply = {
            "status": "output_too_large",
            "error": {"type": "ResultTooLarge", "message": str(exc)},
        }
    except BaseException as exc:  # noqa: BLE001  (SystemExit and KeyboardInterrupt as well)
        reply = {"status": "user_error", "error": _describe(exc, bounds, missing)}
    reply |= {"stdout": printed.text(), "stdout_truncated": printed.truncated}
    members = json.dumps(reply)
    return members if encoded is None else f'{members[:-1]}, "result": {encoded}}}'


def _prepare(asked: Mapping[str, Any], printed: Printed) -> None:
    sys.stdout = sys.stderr = printed
    sys.stdin = io.StringIO()
    sys.argv = [FILE_NAME]
    if hasattr(time, "tzset"):
        os.putenv("TZ", asked["tz"])
        time.tzset()
    random.seed(asked["seed"])
    lines = asked["code"].splitlines(keepends=True)
    linecache.cache[FILE_NAME] = (len(asked["code"]), None, lines, FILE_NAME)


def _call_main(code: str, params: Params, convention: str) -> object:
    """Run the code and its ``main``, called as the text of another convention says, if any."""
    rules = types.ModuleType("convention")
    rules.__spec__ = ModuleSpec("convention", None)
    _Source(convention, "convention.py").exec_module(rules)
    loader = _Source(code)
    module = types.ModuleType("main")
    module.__spec__ = ModuleSpec("main", loader)
    module.__file__ = FILE_NAME
    names = {**vars(builtins), "__import__": _import}
    vars(module).update(Args=Args, Output=dict[str, Any], __builtins__=names)
    if convention:
        vars(module).update(vars(rules)["offered"](params))
    sys.modules["main"] = module
    loader.exec_module(module)
    main = vars(module).get("main")
    if not callable(main):
        raise NameError("The code defines no function main.")  # noqa: TRY004  (names what lacks)
    result = vars(rules)["call"](main, params) if convention else main(Args(params))
    if inspect.isawaitable(result):
        result = _finish(result)
    return {"value": result} if convention else result


def _import(name: str, *args: Any, **kwargs: Any) -> types.ModuleType:
    if name.partition(".")[0] in REFUSED:
        raise ModuleNotFoundError(f"Code nodes do not have the module {name!r}.", name=name)
    return builtins.__import__(name, *args, **kwargs)


def _finish(awaitable: Any) -> object:
    async def outcome() -> object:
        return await awaitable

    loop = IsolatedLoop()
    try:
        return loop.run_until_complete(outcome())
    finally:
        loop.close()


def _encode(result: object, bounds: Bounds) -> str:
    if not isinstance(result, Mapping):
        raise BadResult(f"main must return an object, not {type(result).__name__}.")
    _check_depth(result, bounds.result_depth)
    try:
        text = json.dumps(result, allow_nan=False, default=_refuse, ensure_ascii=False)
        try:
            size = len(text.encode("utf-8"))
        except UnicodeEncodeError:  # half of a surrogate pair, which only an escape can carry
            text = json.dumps(result, allow_nan=False, default=_refuse)
            size = len(text)
    except ValueError as exc:
        raise BadResult(f"The result is not JSON: {exc}") from exc
    if size > bounds.result_bytes:
        raise ResultTooLarge(f"The result is longer than {bounds.result_bytes} bytes.")
    return text


def _check_depth(value: object, levels: int) -> None:
    """Look before the encoder recurses; a cycle has no bottom and is found here too."""
    layer: list[Any] = [value]
    for _ in range(levels):
        inner: list[Any] = []
        for item in layer:
            if isinstance(item, Mapping):
                inner += item.values()
            elif isinstance(item, list | tuple):
                inner += item
        layer = [item for item in inner if isinstance(item, Mapping | list | tuple)]
        if not layer:
            return
    raise ResultTooLarge(f"The result is nested deeper than {levels} levels.")


def _refuse(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise BadResult(f"The result contains a {type(value).__name__}, which is not JSON.")


def _describe(
    exc: BaseException, bounds: Bounds, missing: Callable[[str], str] | None
) -> dict[str, object]:
    kind = type(exc).__name__[:100]
    try:
        message = exc.msg if isinstance(exc, SyntaxError) else str(exc)
        if isinstance(exc, ModuleNotFoundError) and missing and exc.name not in {None, *REFUSED}:
            message = missing(str(exc.name))
    except BaseException:  # noqa: BLE001  (the class may be the user's)
        message = "The exception cannot be printed."
    cut = message[: bounds.error_bytes].encode("utf-8", "backslashreplace")[: bounds.error_bytes]
    return {"type": kind, "message": cut.decode("utf-8", "ignore"), "line": _line(exc)}


def _line(exc: BaseException) -> int | None:
    """Line of the user's code that raised, or that does not compile."""
    line = None
    step = exc.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE_NAME:
            line = step.tb_lineno
        step = step.tb_next
    if isinstance(exc, SyntaxError) and exc.filename == FILE_NAME:
        return exc.lineno
    return line

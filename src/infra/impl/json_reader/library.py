"""JSON5 by pyjson5 and JSONPath by python-jsonpath, within bounds.

Measured on 0.4 MB of JSON5: pyjson5 7 ms, json5 (pure Python, recursive) 25 s. python-jsonpath
passes the compliance suite of RFC 9535. Both are imported with the first use.
"""

import asyncio
import math
import re
from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any, Final

from infra.contract.json_reader import PATH_CHARS, JsonRefused

_DEPTH: Final = 64
_RESULTS: Final = 10_000
_DESCENTS: Final = 1
_UNIONS: Final = 4
_COSTLY: Final = re.compile(r"=~|\b(?:match|search)\s*\(|(?<!^)\$")
"""Regular expressions, and queries from the root inside of filters."""
_BRACKETS: Final = re.compile(r"(\[[^\]]*\])")
_SEGMENT: Final = re.compile(r"(?<=\.)[^.\[\]*]+")
_NAME: Final = re.compile(r"[^\W\d][\w-]*")


async def read_json5(text: str) -> object:
    """Serve ``infra.contract.json_reader.ReadJson5`` beside the event loop."""
    return await asyncio.to_thread(_read, text)


async def select_json(document: object, paths: Sequence[str]) -> list[list[object] | JsonRefused]:
    """Serve ``infra.contract.json_reader.SelectJson`` beside the event loop."""
    return await asyncio.to_thread(lambda: [_select(document, path) for path in paths])


def _read(text: str) -> object:
    import pyjson5  # noqa: PLC0415 - a native module that few processes need

    try:
        return _finite(pyjson5.decode(text, maxdepth=_DEPTH))
    except (pyjson5.Json5DecoderException, ValueError) as error:
        raise JsonRefused(f"This is not JSON5: {str(error.args[0])[:200]}.") from error


def _finite(value: Any) -> object:
    """Give up what JSON cannot say; no deeper than the reader goes."""
    match value:
        case float(number) if not math.isfinite(number):
            return None
        case list(items):
            return [_finite(item) for item in items]
        case dict(members):
            return {str(name): _finite(member) for name, member in members.items()}
        case _:
            return value


def _select(document: object, path: str) -> list[object] | JsonRefused:
    import jsonpath  # noqa: PLC0415 - see above

    try:
        query = _environment().compile(_strict(_checked(path)))
        return list(islice((match.obj for match in query.finditer(document)), _RESULTS))
    except JsonRefused as refused:
        return refused
    except (jsonpath.JSONPathError, RecursionError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        return JsonRefused(f"The path {path[:80]} cannot be followed: {reason[:200]}")


@cache
def _environment() -> Any:
    import jsonpath  # noqa: PLC0415 - see above

    return jsonpath.JSONPathEnvironment()


def _checked(path: str) -> str:
    if len(path) > PATH_CHARS:
        raise JsonRefused(f"The path has more than {PATH_CHARS} characters.")
    if _COSTLY.search(path):
        raise JsonRefused(f"The path {path[:80]} uses regular expressions, or $ in a filter.")
    if path.count("..") > _DESCENTS or path.count(",") > _UNIONS:
        raise JsonRefused(f"The path {path[:80]} searches the document too often.")
    return path


def _strict(path: str) -> str:
    """Write names and comparisons of JavaScript as the RFC does."""
    path = path.replace("!==", "!=").replace("===", "==")
    if "?" in path:
        return path
    parts = _BRACKETS.split(path)
    parts[::2] = [_SEGMENT.sub(lambda found: _bracket(found[0]), part) for part in parts[::2]]
    return "".join(parts).replace(".[", "[").replace("..[", "..[")


def _bracket(name: str) -> str:
    if _NAME.fullmatch(name):
        return name
    if name.isdecimal():
        return f"[{name}]"
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{quoted}']"

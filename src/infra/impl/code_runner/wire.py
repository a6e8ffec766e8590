"""What host and sandbox say to each other; everything from inside is checked before it is used."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, NoReturn

from domain.shared.error import InvalidRequest, RequestTooLarge
from infra.contract.code_runner import (
    ERROR_BYTES,
    PARAMS_BYTES,
    RESULT_BYTES,
    RESULT_DEPTH,
    STDOUT_BYTES,
    CodeConvention,
    CodeError,
    CodeLanguage,
    CodeRequest,
    CodeResult,
    CodeStatus,
)
from infra.impl.code_runner import convention

_SUFFIXES: Final = {CodeLanguage.PYTHON: "py", CodeLanguage.JAVASCRIPT: "js"}
REPLY_BYTES: Final = RESULT_BYTES + 6 * (STDOUT_BYTES + ERROR_BYTES) + 4096
"""A whole reply: the result as it is, texts with every character escaped."""
_TYPE_CHARS: Final = 100
_FROM_GUEST: Final = frozenset(
    {CodeStatus.OK, CodeStatus.USER_ERROR, CodeStatus.OOM, CodeStatus.OUTPUT_TOO_LARGE}
)


class BadReply(Exception):
    """The sandbox sent something the protocol does not know."""


def encode_request(request: CodeRequest) -> bytes:
    """Write the request for the guest's program; raise ``InvalidRequest``, ``RequestTooLarge``."""
    try:
        params = json.dumps(request.params, allow_nan=False, ensure_ascii=False)
        size = len(params.encode("utf-8", "surrogatepass"))
    except (TypeError, ValueError, RecursionError) as exc:
        raise InvalidRequest("The parameters of a code node must be JSON values.") from exc
    if size > PARAMS_BYTES:
        raise RequestTooLarge("The parameters of a code node are longer than 1 MiB.")
    bounds = {
        "stdout_bytes": STDOUT_BYTES,
        "result_bytes": RESULT_BYTES,
        "result_depth": RESULT_DEPTH,
        "error_bytes": ERROR_BYTES,
    }
    asked = {
        "code": request.code,
        "params": params,
        "convention": _convention(request.convention, request.language),
        "only_compiles": request.only_compiles,
        "seed": request.seed,
        "tz": request.tz,
    }
    return json.dumps({**asked, "bounds": bounds}).encode("ascii")


@cache
def _convention(name: CodeConvention, language: CodeLanguage) -> str:
    if name is CodeConvention.ARGUMENTS:
        return ""
    file = files(convention) / f"{name.value}.{_SUFFIXES[language]}"
    return file.read_text("utf-8")


def decode_reply(data: bytes, *, engine: str) -> CodeResult:
    """Read what the guest's program, or hostile code in its place, sent.

    Raises:
        BadReply: not a reply within the limits.
    """
    try:
        reply = json.loads(data, parse_constant=_not_json)
    except (ValueError, RecursionError) as exc:
        raise BadReply("The reply is not JSON.") from exc
    if not isinstance(reply, dict):
        raise BadReply("The reply is not an object.")
    stdout = _text(reply, "stdout", STDOUT_BYTES)
    truncated = bool(reply.get("stdout_truncated"))
    status = reply.get("status")
    if not isinstance(status, str) or status not in _FROM_GUEST:
        raise BadReply("The reply has no known status.")
    if status == CodeStatus.OK:
        result = _result(reply.get("result"), len(data))
        return CodeResult(
            status=CodeStatus.OK,
            engine=engine,
            result=result,
            stdout=stdout,
            stdout_truncated=truncated,
        )
    return CodeResult(
        status=CodeStatus(status),
        engine=engine,
        stdout=stdout,
        stdout_truncated=truncated,
        error=_error(reply.get("error")),
    )


def _result(value: Any, reply_bytes: int) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise BadReply("The result is not an object.")
    if _is_deeper(value, RESULT_DEPTH):
        raise BadReply("The result is nested too deeply.")
    if reply_bytes > RESULT_BYTES:
        text = json.dumps(value, ensure_ascii=False)
        if len(text.encode("utf-8", "surrogatepass")) > RESULT_BYTES:
            raise BadReply("The result is too long.")
    return value


def _is_deeper(value: Any, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        inner = [
            member
            for item in layer
            for member in (item.values() if isinstance(item, dict) else item)
            if isinstance(member, dict | list)
        ]
        if not inner:
            return False
        layer = inner
    return True


def _error(value: Any) -> CodeError:
    if not isinstance(value, dict):
        raise BadReply("The error is not an object.")
    line = value.get("line")
    return CodeError(
        type=_text(value, "type", 4 * _TYPE_CHARS),
        message=_text(value, "message", ERROR_BYTES),
        line=line if isinstance(line, int) and line > 0 else None,
    )


def _text(values: Mapping[str, Any], name: str, limit_bytes: int) -> str:
    value = values.get(name)
    if not isinstance(value, str) or len(value.encode("utf-8", "surrogatepass")) > limit_bytes:
        raise BadReply(f"The reply has no proper {name}.")
    return value


def _not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON.")

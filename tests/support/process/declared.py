"""Failures that each operation declares, beside those that a server really answers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import msgspec

from tests.support.interface import interface

ANYWHERE: Final = frozenset({405, 408, 414, 415, 431, 499})
"""Refused before anybody knows which operation is meant, whatever it is."""


@dataclass(frozen=True)
class Declared:
    """An operation and, by status, the codes that it may answer with."""

    name: str
    method: str
    path: re.Pattern[str]
    codes: Mapping[int, frozenset[int]]


def undeclared(method: str, target: str, status: int, body: bytes) -> str:
    """Say what an answer tells that the description does not; empty if nothing."""
    path = target.partition("?")[0]
    operation = next(
        (each for each in _table() if each.method == method and each.path.fullmatch(path)), None
    )
    if operation is None or status < 400 or status in ANYWHERE:
        return ""
    hint = "add the operation to what it refuses in src/api/docs/failures.toml"
    if status not in operation.codes:
        return f"{operation.name} answers {status}, which is not described: {hint}."
    code, known = _code(body), operation.codes[status]
    if code and known and code not in known:
        return f"{operation.name} answers {status} with code {code}, not described: {hint}."
    return ""


@cache
def _table() -> tuple[Declared, ...]:
    """Read the document, once; literal paths come before those with places."""
    return tuple(sorted(_operations(interface()), key=lambda each: each.path.pattern.count("[^/]")))


def _operations(document: dict[str, Any]) -> Iterator[Declared]:
    known = document["components"]
    for path, item in document["paths"].items():
        pattern = re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)) + "/?")
        for method, operation in item.items():
            codes: dict[int, frozenset[int]] = {}
            for status, response in operation["responses"].items():
                name = response.get("$ref", "").rpartition("/")[2]
                shape = known["responses"][name] if name else response
                if status.isdigit() and status >= "400":
                    content = shape.get("content", {}).get("application/json", {})
                    codes[int(status)] = frozenset(_codes(content, known["examples"]))
            yield Declared(operation["operationId"], method.upper(), pattern, codes)


def _codes(content: Mapping[str, Any], examples: Mapping[str, Any]) -> Iterator[int]:
    for each in content.get("examples", {}).values():
        value = examples[each["$ref"].rpartition("/")[2]]["value"]
        if "code" in value:  # OpenAI's form has none
            yield value["code"]


def _code(body: bytes) -> int:
    try:
        found = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return 0
    code = found.get("code", 0) if isinstance(found, dict) else 0
    return code if isinstance(code, int) else 0

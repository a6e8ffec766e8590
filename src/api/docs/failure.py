"""Failures in the document: with which status and code each operation may refuse a request.

Most follow from the table of routes and from what an operation takes; what only some operations
refuse stands in ``failures.toml``, which is read when the document is made.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from api.docs.schema import REF
from api.entry.route import Access, Level
from api.entry.traffic import traffic_of
from api.error import STATUS, CozeError, Failure, OpenAIError, wire_code
from application.shared.traffic import Traffic
from domain.shared.error import (
    AppError,
    ErrorKind,
    Forbidden,
    InternalError,
    InvalidRequest,
    NotFound,
    RateLimited,
    RequestTooLarge,
    StaleRevision,
    Unauthenticated,
    Unavailable,
)

RESPONSES: Final = "#/components/responses/"
EXAMPLES: Final = "#/components/examples/"

_OF_FRAMEWORK: Final = "400"
"""What the framework describes of its own accord, in a form that nobody is sent."""
_OTHER: Final = "The request failed; the body says why."
_LOG_ID: Final = "20260105101500A1B2C3D4E5F60718293A"
_NAMES_SOMETHING: Final = re.compile(r"(^|_)ids?$|Ids?$|^model$|^name$|^version$")
"""Fields and parameters whose value may be of something that is not there."""

Body = type[CozeError] | type[OpenAIError]
"""What a surface sends in place of an answer."""


class UndeclaredFailure(Exception):
    """``failures.toml`` names an operation or a failure that there is not."""


def add_failures(
    document: dict[str, Any], accesses: Mapping[str, Access], openai: set[str]
) -> None:
    """Tell of each operation how it fails; ``openai`` names those that answer in OpenAI's form."""
    shared = Shared()
    schemas = document["components"]["schemas"]
    own = declared()
    unknown = set(own) - set(accesses)
    if unknown:
        raise UndeclaredFailure(f"failures.toml: there is no {', '.join(sorted(unknown))}.")
    for path, item in document["paths"].items():
        for method, operation in item.items():
            name = operation["operationId"]
            always = general(
                accesses.get(name, Access()),
                method=method.upper(),
                path=path,
                has_body="requestBody" in operation,
                names_something=_names_something(operation, schemas),
            )
            body: Body = OpenAIError if name in openai else CozeError
            served = {k: v for k, v in operation["responses"].items() if k != _OF_FRAMEWORK}
            operation["responses"] = {
                **served,
                **_responses([*always, *own.get(name, ())], body, shared),
                "default": shared.response(body),
            }
    document["components"]["responses"] = dict(sorted(shared.responses.items()))
    document["components"]["examples"] = dict(sorted(shared.examples.items()))


def general(
    access: Access, *, method: str, path: str, has_body: bool, names_something: bool
) -> Iterator[type[AppError]]:
    """Yield the failures that an operation has because of what it is."""
    yield InvalidRequest
    if access.level is not Level.PUBLIC or access.is_of_own_pages:
        yield Unauthenticated
        yield RateLimited
        is_for_all = access.is_open_to_browsers and not access.permissions | access.sometimes
        if not is_for_all:
            yield Forbidden
    elif access.is_counted:
        yield RateLimited
    if names_something or "{" in path:
        yield NotFound
    traffic = traffic_of(method, path)
    if method != "GET" and traffic is not Traffic.READ:
        yield StaleRevision
    if has_body:
        yield RequestTooLarge
    yield InternalError
    if traffic is not Traffic.HEALTH:
        yield Unavailable


@cache
def declared() -> Mapping[str, Sequence[type[AppError]]]:
    """Read ``failures.toml``: what each operation refuses besides."""
    text = files(__package__).joinpath("failures.toml").read_text(encoding="utf-8")
    kinds = msgspec.convert(tomllib.loads(text), dict[ErrorKind, dict[str, str]])
    known = _known()
    found: dict[str, list[type[AppError]]] = {}
    for kind, names in kinds.items():
        for name, operations in names.items():
            context, _, slug = name.rpartition(".")
            fitting = [
                each
                for each in known
                if each.kind is kind and slug_of(each) == slug and f".{context}" in each.__module__
            ]
            if len(fitting) != 1:
                raise UndeclaredFailure(
                    f"failures.toml: {name} of {kind} fits {len(fitting)} failures; name one, with "
                    "its context before it if need be."
                )
            for operation in operations.split():
                found.setdefault(operation, []).append(fitting[0])
    return found


def slug_of(kind: type[AppError]) -> str:
    """Return the stable name of a failure."""
    return kind.__new__(kind).slug  # which no value of it has a part in


def _known() -> set[type[AppError]]:
    """Return all failures that the process has loaded."""
    found: set[type[AppError]] = set()
    waiting: list[type[AppError]] = [AppError]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            if kind not in found:
                found.add(kind)
                waiting.append(kind)
    return found


class Shared:
    """Responses and examples that several operations have, by name."""

    def __init__(self) -> None:
        self.responses: dict[str, Any] = {}
        self.examples: dict[str, Any] = {}

    def response(self, body: Body, kind: type[AppError] | None = None) -> dict[str, str]:
        """Refer to the response that one failure, or an unknown one, has everywhere."""
        name = _surface(body) + (kind.__name__ if kind else "Failure")
        self.responses.setdefault(name, _response([kind] if kind else [], body, self))
        return {"$ref": RESPONSES + name}

    def example(self, body: Body, kind: type[AppError]) -> dict[str, str]:
        """Return a reference to the example of a failure."""
        context = kind.__module__.split(".")[1]
        prefix = "" if context == "shared" else context.capitalize()
        name = f"{_surface(body)}{prefix}{kind.__name__}"
        self.examples.setdefault(name, {"value": example(kind, body)})
        return {"$ref": EXAMPLES + name}


def _surface(body: Body) -> str:
    return body.__name__.removesuffix("Error")


def _responses(kinds: Iterable[type[AppError]], body: Body, shared: Shared) -> dict[str, Any]:
    by_status: dict[int, list[type[AppError]]] = {}
    for kind in kinds:
        by_status.setdefault(STATUS[kind.kind], []).append(kind)
    found: dict[str, Any] = {}
    for status, fitting in sorted(by_status.items()):
        is_shared = len(fitting) == 1 and fitting[0].__module__ == AppError.__module__
        found[str(status)] = (
            shared.response(body, fitting[0]) if is_shared else _response(fitting, body, shared)
        )
    return found


def _response(kinds: Sequence[type[AppError]], body: Body, shared: Shared) -> dict[str, Any]:
    lines = [f"``{slug_of(each)}``: {_meaning(each)}" for each in kinds]
    content: dict[str, Any] = {"schema": {"$ref": REF + body.__name__}}
    if kinds:
        content["examples"] = {slug_of(each): shared.example(body, each) for each in kinds}
    return {
        "description": "\n\n".join(lines) or _OTHER,
        "content": {"application/json": content},
    }


def _meaning(kind: type[AppError]) -> str:
    return (kind.__doc__ or "").split("\n\n")[0].replace("\n", " ").strip()


def example(kind: type[AppError], body: Body) -> Any:
    """Return what a failure of this kind looks like on a surface, with its words for a message."""
    code, subcode = wire_code(kind.kind, kind.code)
    failure = Failure(
        kind=kind.kind, code=code, subcode=subcode, message=_meaning(kind), slug=slug_of(kind)
    )
    return _with_log_id(msgspec.to_builtins(body.of(failure)))


def _with_log_id(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    return {k: _LOG_ID if k == "logid" else _with_log_id(v) for k, v in part.items()}


def _names_something(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> bool:
    names = {each["name"] for each in operation.get("parameters", ()) if each["in"] != "header"}
    names |= set(_fields(operation.get("requestBody", {}), schemas, set()))
    return any(_NAMES_SOMETHING.search(each) for each in names)


def _fields(part: Any, schemas: Mapping[str, Any], seen: set[str]) -> Iterator[str]:
    """Name every field of a body, however deep."""
    if isinstance(part, list):
        for each in part:
            yield from _fields(each, schemas, seen)
    elif isinstance(part, dict):
        name = str(part.get("$ref", "")).removeprefix(REF)
        if name and name not in seen:
            seen.add(name)
            yield from _fields(schemas.get(name, {}), schemas, seen)
        yield from part.get("properties", {})
        for each in part.values():
            yield from _fields(each, schemas, seen)

"""T04, T18, 7.1: hostile and broken input on every route gets a documented refusal."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest

from tests.integration.security.interface import operations
from tests.integration.security.operations import CALLS, Call, filled, perform, wire
from tests.integration.security.tenants import Tenant
from tests.support.process.in_process import ADMIN, Answer, Deployment, multipart

CODES: Final = {
    400: {4000, 6039},
    401: {4100},
    403: {4101},
    404: {4200},
    405: {4000},
    409: {4016, 4104, 4105, 4106},
    413: {4000},
    414: {4000},
    415: {4000},
    429: {4013},
    431: {4000},
    501: {4201},
    502: {5001},
}
"""What the contract knows, by status."""

WRONG: Final[list[Any]] = [
    [],
    {},
    {"a": {"b": []}},
    True,
    -1,
    1.5,
    10**400,
    "",
    "\ud800",
    "x" * 70_000,
    "\u0661\u0662\u0663",
    "1e3",
    " 1",
    "-1",
    "0",
    "9223372036854775808",
    [None],
    ["", {"id": []}],
    "__class__",
    "{{7*7}}",
    "'; DROP TABLE agent; --",
    "../../etc/passwd",
    None,
]
"""Values that hardly any field takes."""

SOME_WRONG: Final[list[Any]] = [[], {}, True, 10**400, "\ud800", "x" * 70_000]

PARTS: Final = 3
"""A place gets one part of the wrong values at a time; its neighbours get the others."""

BODIES: Final[dict[str, bytes]] = {
    "nothing but a brace": b"{",
    "cut": b'{"name": "x',
    "invalid utf-8": b'{"name": "\xff\xfe"}',
    "overlong utf-8": b'{"name": "\xc0\xaf"}',
    "byte order mark": b'\xef\xbb\xbf{"name": "x"}',
    "utf-16": '{"name": "x"}'.encode("utf-16"),
    "nul": b'{"name": "\x00"}',
    "escaped nul": b'{"name": "\\u0000"}',
    "nan": b'{"name": NaN}',
    "infinity": b'{"name": Infinity}',
    "single quotes": b"{'name': 'x'}",
    "two documents": b'{"name": "x"}{"name": "y"}',
    "comment": b'{"name": "x"} // no',
    "array": b"[]",
    "string": b'"x"',
    "number": b"1",
    "null": b"null",
    "true": b"true",
    "deep array": b"[" * 65 + b"]" * 65,
    "deep object": b'{"a":' * 65 + b"1" + b"}" * 65,
    "very deep": b"[" * 100_000,
    "very deep and closed": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
    "garbage": bytes(range(256)),
}
"""Bodies that are no JSON object we accept."""

JSON: Final = [("content-type", "application/json")]
WRITES: Final = [name for name, calls in CALLS.items() if isinstance(calls[0].body, dict)]
BODY_IS_OPTIONAL: Final = frozenset(
    {"conversations.create", "messages.list", "admin.workflows.validate"}
    | {"admin.datasets.reindex"}
)
"""``null`` equals absent on the wire."""

SEED: Final = 20261120
FUZZED: Final = 400


def _wrong(answer: Answer, *, openai: bool = False) -> str:
    """What breaks the contract of an answer; empty if nothing does."""
    if answer.status < 400:
        return ""
    if answer.status not in CODES:
        return f"undocumented status: {answer}"
    try:
        body = answer.json
    except ValueError:
        return f"no JSON: {answer}"
    if openai:
        is_right = isinstance(body.get("error"), dict) and body["error"]["message"]
        return "" if is_right else f"another body: {answer}"
    if body.get("code") not in CODES[answer.status] or not body.get("msg"):
        return f"another code: {answer}"
    return "" if body["detail"]["logid"] else f"no log id: {answer}"


def _is_openai(name: str) -> bool:
    return name.startswith("openai")


@pytest.mark.parametrize("operation", WRITES)
async def test_broken_bodies_are_refused_and_change_nothing(
    operation: str, deployment: Deployment, mallory: Tenant
) -> None:
    call = filled(CALLS[operation][0], mallory.ids)
    before = deployment.rows()
    query = "&".join(f"{name}={value}" for name, value in call.query.items())
    wrong: list[str] = []
    takes_any_object = operation == "admin.agents.set_display"
    for kind, body in BODIES.items():
        answer = await deployment.send(
            call.method,
            f"{call.path}?{query}",
            token=mallory.token,
            body=body,
            headers=JSON,
        )
        is_absent = kind == "null" and operation in BODY_IS_OPTIONAL
        if answer.status < 400 and not takes_any_object and not is_absent:
            wrong.append(f"{kind} was taken: {answer}")
        if found := _wrong(answer, openai=_is_openai(operation)):
            wrong.append(f"{kind}: {found}")
    await deployment.idle()
    assert not wrong, "\n".join(wrong)
    if not takes_any_object and operation not in BODY_IS_OPTIONAL:
        assert deployment.rows() == before


@pytest.fixture(params=[0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, PARTS))])
def part(request: pytest.FixtureRequest) -> int:
    """Which of the wrong values each place gets; all parts together are all values everywhere."""
    return int(request.param)


@pytest.mark.parametrize(
    "operation", [name for name in CALLS if name != "admin.agents.set_display"]
)
async def test_wrong_values_get_a_documented_answer(
    operation: str, part: int, deployment: Deployment, mallory: Tenant
) -> None:
    wrong: list[str] = []
    for call in CALLS[operation]:
        honest = filled(call, mallory.ids)
        if call.is_last:
            continue
        for place, changed in _changed(honest, part):
            answer = await perform(deployment, changed, token=mallory.token)
            if found := _wrong(answer, openai=_is_openai(operation)):
                wrong.append(f"{place}: {found}")
    await deployment.idle()
    assert not wrong, "\n".join(wrong[:20])


async def test_every_described_field_survives_every_wrong_value(
    part: int, deployment: Deployment, mallory: Tenant
) -> None:
    """Also the fields that no honest call sends."""
    described = operations(deployment.container)
    wrong: list[str] = []
    place = 0
    for name, operation in described.items():
        if name not in CALLS or name == "admin.agents.set_display":
            continue
        call = filled(CALLS[name][0], mallory.ids)
        if call.is_last or call.is_upload:
            continue
        token = (
            ADMIN if name.startswith("admin.models.") and call.method == "POST" else mallory.token
        )
        for field in sorted(operation.fields):
            where, _, rest = field.partition(".")
            if where not in {"body", "query"} or "[]" in rest:
                continue
            place += 1
            for value in _share(SOME_WRONG, place, part):
                changed = _set(call, where, rest.split("."), value)
                answer = await perform(deployment, changed, token=token)
                if found := _wrong(answer, openai=_is_openai(name)):
                    wrong.append(f"{name} {field}={str(value)[:40]!r}: {found}")
    await deployment.idle()
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize(
    ("operation", "field", "value"),
    [
        ("chats.create", "bot_id", "-1"),
        ("chats.create", "bot_id", None),
        ("chats.create", "additional_messages", "x"),
        ("chats.create", "additional_messages", [{"role": 1}]),
        ("chats.create", "meta_data", {"a": 5}),
        ("chats.create", "auto_save_history", "yes"),
        ("bots.create", "space_id", "x"),
        ("bots.create", "name", None),
        ("bots.create", "name", "x" * 51),
        ("bots.publish", "connector_ids", ["x"]),
        ("bots.update", "bot_id", {}),
        ("conversations.create", "messages", {}),
        ("conversations.create", "name", "x" * 101),
        ("conversations.update", "name", "x" * 101),
        ("messages.create", "role", "king"),
        ("messages.create", "meta_data", {"a": 5}),
        ("openai.chat_completions.create", "messages", []),
        ("openai.chat_completions.create", "temperature", 3),
        ("openai.chat_completions.create", "n", 2),
        ("openai.chat_completions.create", "max_tokens", 0),
        ("openai.chat_completions.create", "stop", ["a"] * 5),
        ("admin.agents.create", "name", ""),
        ("admin.agents.update", "icon_file_id", "x"),
        ("admin.tokens.create", "permissions", ["everything"]),
        ("admin.tokens.create", "duration_days", 31),
        ("admin.tokens.issue_for_browser", "duration_seconds", 86_401),
        ("admin.tokens.issue_for_browser", "bot_ids", []),
        ("admin.members.create", "role", "king"),
        ("admin.workspaces.create", "name", ""),
        ("members.create", "users", [{"user_id": "x"}]),
    ],
)
async def test_the_message_names_the_field(
    operation: str, field: str, value: Any, deployment: Deployment, mallory: Tenant
) -> None:
    call = filled(CALLS[operation][0], mallory.ids)
    answer = await perform(
        deployment, replace(call, body={**call.body, field: value}), token=mallory.token
    )

    assert answer.status in {400, 413}, str(answer)
    body = answer.json
    assert field in (body["error"]["message"] if _is_openai(operation) else body["msg"])


@pytest.mark.parametrize(
    "content_type",
    [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=" + "b" * 300,
        'multipart/form-data; boundary="b',
        "multipart/form-data; boundary=other",
        "multipart/mixed; boundary=b",
        "application/json",
        "application/octet-stream",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/v1/files/upload", "/admin/v1/files"])
async def test_broken_forms_are_refused_and_leave_nothing(
    content_type: str, path: str, deployment: Deployment, mallory: Tenant
) -> None:
    before = deployment.rows()
    objects = sorted((deployment.data / "objects").rglob("*"))
    for body in (
        b"",
        multipart(b"x")[:-8],
        multipart(b"x") * 2,
        b"--b\r\n" * 200,
        multipart(b""),
        json.dumps({"file": {"path": "/etc/passwd"}}).encode(),
        bytes(range(256)) * 8,
    ):
        answer = await deployment.send(
            "POST",
            path,
            token=mallory.token,
            body=body,
            headers=[("content-type", content_type)] if content_type else [],
        )
        assert answer.status in {400, 415}, str(answer)
        assert not _wrong(answer)
    assert deployment.rows() == before
    kept = sorted((deployment.data / "objects").rglob("*"))
    assert [each for each in kept if each.is_file()] == [o for o in objects if o.is_file()]


async def test_random_bytes_never_break_the_server(deployment: Deployment, mallory: Tenant) -> None:
    """A bounded fuzzer: valid requests with a few bytes changed, repeatable by its seed."""
    chance = random.Random(SEED)  # noqa: S311 - not for secrets
    calls = [
        (name, filled(call, mallory.ids))
        for name, calls in CALLS.items()
        for call in calls
        if isinstance(call.body, dict) and not call.is_last
    ]
    wrong: list[str] = []
    for _ in range(FUZZED):
        name, call = chance.choice(calls)
        body = _mutated(json.dumps(wire(call.body)).encode(), chance)
        query = _mutated("&".join(f"{k}={v}" for k, v in call.query.items()).encode(), chance)
        answer = await deployment.send(
            call.method,
            f"{call.path}?{query.decode('latin-1')}",
            token=mallory.token,
            body=body,
            headers=JSON,
        )
        if found := _wrong(answer, openai=_is_openai(name)):
            wrong.append(f"{name} {body!r} {query!r}: {found}")
    await deployment.idle()
    assert not wrong, "\n".join(wrong[:10])


async def test_random_paths_and_methods_never_break_the_server(
    deployment: Deployment, mallory: Tenant
) -> None:
    chance = random.Random(SEED)  # noqa: S311 - not for secrets
    paths = sorted({filled(call, mallory.ids).path for calls in CALLS.values() for call in calls})
    wrong: list[str] = []
    for _ in range(FUZZED):
        path = chance.choice(paths)
        target = "/" + _mutated(path[1:].encode(), chance).decode("latin-1").replace("?", "")
        method = chance.choice(["GET", "PUT", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get"])
        answer = await deployment.send(method, target, token=mallory.token)
        if answer.status in {500, 503}:
            wrong.append(f"{method} {target!r}: {answer}")
    assert not wrong, "\n".join(wrong[:10])


def _share(values: Sequence[Any], place: int, part: int) -> Sequence[Any]:
    """What a place gets of the values: neighbours get others, and in all parts each gets all."""
    return values[(place + part) % PARTS :: PARTS]


def _changed(call: Call, part: int) -> Iterator[tuple[str, Call]]:
    for place, name in enumerate(call.query):
        for value in _share(WRONG, place, part):
            if isinstance(value, str) and value.isascii() and "\x00" not in value:
                short = value[:100].replace(" ", "%20").replace("#", "%23").replace("&", "%26")
                yield f"query.{name}={short}", replace(call, query={**call.query, name: short})
        yield (
            f"query without {name}",
            replace(call, query={k: v for k, v in call.query.items() if k != name}),
        )
    if isinstance(call.body, dict):
        for place, route in enumerate(_leaves(call.body, ())):
            for value in _share(WRONG, place, part):
                body = _replaced(call.body, route, value)
                yield f"body {route}={str(value)[:40]!r}", replace(call, body=body)


def _leaves(tree: Any, route: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if route:
        yield route
    if isinstance(tree, dict):
        for name, value in tree.items():
            yield from _leaves(value, (*route, name))
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from _leaves(value, (*route, index))


def _replaced(tree: Any, route: tuple[str | int, ...], value: Any) -> Any:
    if not route:
        return value
    copy: Any = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[route[0]] = _replaced(copy[route[0]], route[1:], value)
    return copy


def _set(call: Call, where: str, steps: list[str], value: Any) -> Call:
    if where == "query":
        text = str(value)[:100] if str(value).isascii() else "x"
        short = text.replace(" ", "%20").replace("#", "%23").replace("&", "%26")
        return replace(call, query={**call.query, steps[0]: short})
    body: Any = dict(call.body or {})
    level = body
    for step in steps[:-1]:
        below = level.get(step)
        level[step] = dict(below) if isinstance(below, dict) else {}
        level = level[step]
    level[steps[-1]] = value
    return replace(call, body=body)


def _mutated(data: bytes, chance: random.Random) -> bytes:
    """Change, remove, repeat or insert a few bytes."""
    changed = bytearray(data)
    for _ in range(chance.randint(0, 4)):
        if not changed:
            break
        at = chance.randrange(len(changed))
        match chance.randrange(5):
            case 0:
                changed[at] = chance.randrange(256)
            case 1:
                del changed[at : at + chance.randint(1, 8)]
            case 2:
                changed[at:at] = changed[at : at + 20]
            case 3:
                changed[at:at] = chance.choice([b'"', b"{", b"\\u0000", b"1e999", b"\xff", b"%00"])
            case _:
                changed[at:at] = bytes(chance.randrange(256) for _ in range(4))
    return bytes(changed)

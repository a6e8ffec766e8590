"""Our own surface refuses unknown fields wherever they stand; foreign surfaces ignore them."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
import pytest
from litestar import Router

from api.admin.on_demand import TRACE_CONTROLLERS
from api.body.shape import OWN_SURFACE, BodyShape, shape_of
from bootstrap.server.routes import routes
from domain.shared.error import InvalidRequest

ODD = "zq_unheard_of"
Path = tuple[str | int, ...]
ALTERNATIVES = {Union, UnionType, Annotated}
PLAIN: Mapping[Any, Any] = {
    str: "1",
    int: 1,
    Decimal: "1",
    float: 1.0,
    bool: True,
    dict: {},
    list: [],
}
DEEPEST = 6


def shapes(*, own: bool) -> dict[str, tuple[Any, BodyShape]]:
    """The types of all bodies with their shapes, by method and route."""
    found = {}
    for route in Router("/", route_handlers=[*routes(), *TRACE_CONTROLLERS]).routes:
        if route.path_format.startswith(OWN_SURFACE) is not own:
            continue
        for handler in getattr(route, "route_handlers", ()):
            field = handler.parsed_data_field
            if field is not None:
                methods = ",".join(sorted(handler.http_methods))
                name = f"{methods} {route.path_format}"
                found[name] = (field.annotation, shape_of(handler, route.path_format))
    return dict(sorted(found.items()))  # each test process must find the same order


OWN, FOREIGN = shapes(own=True), shapes(own=False)


def is_struct(of: Any) -> bool:
    return isinstance(of, type) and issubclass(of, msgspec.Struct)


def example(of: Any, *, towards: type | None = None, depth: int = 0) -> Any:
    """A value that a type takes, with what is required, and ``towards`` wherever it fits."""
    origin, arguments = get_origin(of), get_args(of)
    if is_struct(of):
        tag = of.__struct_config__
        made = {tag.tag_field: tag.tag} if tag.tag is not None else {}
        for field in msgspec.structs.fields(of):
            leads = towards is not None and depth < DEEPEST and towards in set(structs(field.type))
            if field.required or leads:
                made[field.encode_name] = example(field.type, towards=towards, depth=depth + 1)
        return made
    if origin in ALTERNATIVES:
        best = next((each for each in arguments if towards in set(structs(each))), arguments[0])
        return example(best, towards=towards, depth=depth)
    if origin is Literal:
        return arguments[0]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"k": example(arguments[1], towards=towards, depth=depth)}
    if origin is not None:
        return [example(arguments[0], towards=towards, depth=depth)]
    is_enum = isinstance(of, type) and issubclass(of, Enum)
    return next(iter(of)).value if is_enum else PLAIN.get(of)


def structs(of: Any, seen: frozenset[Any] = frozenset()) -> Iterator[type[msgspec.Struct]]:
    """Every struct that a value of a type may hold."""
    if is_struct(of):
        if of not in seen:
            yield of
            for field in msgspec.structs.fields(of):
                yield from structs(field.type, seen | {of})
    elif get_origin(of) is not Literal:
        for each in get_args(of):
            yield from structs(each, seen)


def places(value: Any, of: Any, wanted: type, path: Path = ()) -> Iterator[Path]:
    """Where in an example a struct of the wanted type stands."""
    if is_struct(of) and isinstance(value, dict):
        if of is wanted:
            yield path
        for field in msgspec.structs.fields(of):
            if field.encode_name in value:
                inner = value[field.encode_name]
                yield from places(inner, field.type, wanted, (*path, field.encode_name))
    elif get_origin(of) in ALTERNATIVES:
        for each in get_args(of):
            yield from places(value, each, wanted, path)
    elif isinstance(value, dict) and len(get_args(of)) > 1:
        yield from places(value["k"], get_args(of)[1], wanted, (*path, "k"))
    elif isinstance(value, list) and value and get_args(of):
        yield from places(value[0], get_args(of)[0], wanted, (*path, 0))


def forged(value: Any, path: Path) -> Any:
    """The value with an unheard of field at a place."""
    if not path:
        return {**value, ODD: 1}
    head, *rest = path
    inner = forged(value[head], tuple(rest))
    return [inner] if isinstance(value, list) else {**value, head: inner}


CASES = [
    pytest.param(name, inner, id=f"{name}-{inner.__name__}")
    for name, (of, _) in OWN.items()
    for inner in sorted(set(structs(of)), key=lambda each: each.__qualname__)
]


def test_every_body_of_our_own_surface_is_looked_at() -> None:
    assert len(OWN) > 50
    looked_at = [case.values[0] for case in CASES]
    assert set(looked_at) == OWN.keys()
    assert len(looked_at) > len(OWN) + 50, "and into what they hold"


@pytest.mark.parametrize(("name", "inner"), CASES)
def test_an_unknown_field_is_refused_by_its_path(name: str, inner: type) -> None:
    of, shape = OWN[name]
    honest = example(of, towards=inner)
    found = sorted(set(places(honest, of, inner)), key=len)
    assert found, honest

    shape.decode(msgspec.json.encode(honest))
    with pytest.raises(InvalidRequest) as refused:
        shape.decode(msgspec.json.encode(forged(honest, found[0])))

    assert ODD in refused.value.message
    steps = [step for step in found[0] if isinstance(step, str) and step != "k"]
    assert all(step in str(refused.value.context["field"]) for step in steps)


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_surfaces_ignore_it(name: str) -> None:
    of, shape = FOREIGN[name]
    honest = example(of)
    if isinstance(honest, dict):
        shape.decode(msgspec.json.encode({**honest, ODD: {"a": [1]}}))


def decode(name: str, body: str) -> InvalidRequest:
    with pytest.raises(InvalidRequest) as refused:
        OWN[name][1].decode(body.encode())
    return refused.value


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        (
            "PATCH /admin/v1/agents/{agent_id}",
            '{"nmae": "x"}',
            "Unknown field `nmae`; did you mean `name`?",
        ),
        (
            "PATCH /admin/v1/agents/{agent_id}",
            '{"variables": [{"key": "a", "defalt_value": ""}]}',
            "Unknown field `variables[0].defalt_value`; did you mean `default_value`?",
        ),
        (
            "POST /admin/v1/tokens",
            '{"name": "x", "agent_ids": ["1"]}',
            "agent_ids",
        ),
        (
            "PATCH /admin/v1/agents/{agent_id}",
            '{"mode": "multi"}',
            "`mode` cannot be set or changed here; leave it out.",
        ),
        (
            "PATCH /admin/v1/workflows/{workflow_id}",
            '{"mode": 3}',
            "`mode` cannot be set or changed here; leave it out.",
        ),
    ],
)
def test_the_message_helps(name: str, body: str, words: str) -> None:
    assert words in decode(name, body).message


def test_long_names_are_cut_short() -> None:
    body = '{"%s": 1}' % ("x" * 100_000)

    assert len(decode("PATCH /admin/v1/agents/{agent_id}", body).message) < 1000

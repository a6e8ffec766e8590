"""Bodies as typed values: decoded straight into the type of the handler, or refused by path.

Our own surface refuses fields that it does not know: a misspelt restriction would otherwise be no
restriction. Foreign surfaces ignore them, as the products do whose clients they serve.
"""

import difflib
import re
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final, ForwardRef, Literal, Union, get_args, get_origin

import msgspec
from litestar.handlers import BaseRouteHandler

from domain.shared.error import InvalidRequest

OWN_SURFACE: Final = "/admin/v1/"

_PLACE: Final = re.compile(r"(.*) - at `\$\.?(.*)`", re.DOTALL)
"""How msgspec tells the place of a wrong value."""
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_STEP: Final = re.compile(r"\[[^\]]*\]|[^.\[]+")
_SHOWN_CHARS: Final = 64


class BodyShape:
    """What a body has to look like; ``response`` tells which fields are known but not to be set."""

    def __init__(self, wanted: Any, *, is_closed: bool = False, response: Any = None) -> None:
        self._wanted = wanted
        self._response = response
        self._decode = msgspec.json.Decoder(wanted, strict=False).decode
        self._check: Callable[[bytes | bytearray], Any] | None = None
        if is_closed and (closed := closed_type(wanted)) is not None:
            self._check = msgspec.json.Decoder(closed, strict=False).decode

    def decode(self, body: bytes | bytearray) -> Any:
        """Decode; every failure is an ``InvalidRequest`` that names the field."""
        try:
            if self._check is not None:
                self._check(body)
            return self._decode(body)
        except msgspec.ValidationError as exc:
            raise self._misfit(str(exc)) from exc
        except UnicodeDecodeError as exc:
            raise InvalidRequest("The body is not valid UTF-8.") from exc
        except msgspec.DecodeError as exc:
            raise InvalidRequest(f"The body is not valid JSON: {exc}.") from exc
        except RecursionError as exc:
            raise InvalidRequest("The body is nested too deeply.") from exc

    def _misfit(self, message: str) -> InvalidRequest:
        found = _PLACE.fullmatch(message)
        said, place = found.groups() if found else (message, "")
        if unknown := _UNKNOWN.fullmatch(said):
            return self._unknown(unknown[1], place)
        return InvalidRequest(f"{place or 'body'}: {said}", field=place or "data")

    def _unknown(self, name: str, place: str) -> InvalidRequest:
        path = f"{place}.{name}" if place else name
        shown = path if len(name) <= _SHOWN_CHARS else f"{path[: _SHOWN_CHARS + len(place)]}…"
        if name in _names_at(self._response, place):
            return InvalidRequest(
                f"`{shown}` cannot be set or changed here; leave it out.", field=shown
            )
        near = difflib.get_close_matches(
            name[:_SHOWN_CHARS], sorted(_names_at(self._wanted, place))
        )
        hint = f"; did you mean `{near[0]}`?" if near else "."
        return InvalidRequest(f"Unknown field `{shown}`{hint}", field=shown)


def shape_of(handler: BaseRouteHandler, route: str) -> BodyShape:
    """Return what the bodies of a handler look like."""
    field = handler.parsed_data_field
    wanted = Any if field is None else field.annotation
    if not route.startswith(OWN_SURFACE):
        return BodyShape(wanted)
    return BodyShape(wanted, is_closed=True, response=handler.parsed_return_field.annotation)


def closed_type(wanted: Any) -> Any:
    """Return a type that refuses unknown fields wherever ``wanted`` has structs; None without any.

    It only looks: whatever is no struct and holds none is skipped.
    """
    return _closed(wanted, ())


def _closed(wanted: Any, inside: tuple[type, ...]) -> Any:
    if _is_struct(wanted):
        return _closed_struct(wanted, inside)
    arguments = _arguments(wanted)
    closed = [_closed(each, inside) for each in arguments]
    if not any(each is not None for each in closed):
        return None
    origin = get_origin(wanted)
    if origin in {Union, types.UnionType}:
        kept = tuple(
            given if each is None else each for each, given in zip(closed, arguments, strict=True)
        )
        return Union[kept]  # noqa: UP007 - members that are only known here
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[arguments[0], closed[1]]  # type: ignore[valid-type]
    if len(closed) > 1 and origin is not Annotated:
        raise TypeError(f"No closed form of {wanted}.")
    return closed[0] if origin is Annotated else list[closed[0]]  # type: ignore[valid-type]


def _closed_struct(of: Any, inside: tuple[type, ...]) -> Any:
    if of in inside[:-1]:
        raise TypeError(f"No closed form of {of}, which holds itself by others.")
    if of in inside:
        return ForwardRef("_itself")
    fields = []
    for field in msgspec.structs.fields(of):
        closed = _closed(field.type, (*inside, of))
        kind: Any = msgspec.Raw if closed is None else Union[closed, msgspec.UnsetType]  # noqa: UP007
        absent: Any = msgspec.Raw() if closed is None else msgspec.UNSET
        fields.append((field.name, kind, msgspec.field(default=absent, name=field.encode_name)))
    config = of.__struct_config__
    made = msgspec.defstruct(
        of.__name__,
        fields,
        tag=config.tag,
        tag_field=config.tag_field,
        forbid_unknown_fields=True,
        kw_only=True,
    )
    made._itself = made  # type: ignore[attr-defined] # noqa: SLF001 - where msgspec looks it up
    return made


def _is_struct(of: Any) -> bool:
    return isinstance(of, type) and issubclass(of, msgspec.Struct)


def _arguments(of: Any) -> tuple[Any, ...]:
    origin = get_origin(of)
    if origin is Literal:
        return ()
    if origin is Annotated:
        return get_args(of)[:1]
    return tuple(each for each in get_args(of) if each is not Ellipsis)


def _names_at(of: Any, place: str) -> set[str]:
    """Return the names of fields that a type has at a place of its values."""
    found = list(_structs(of))
    for step in _STEP.findall(place):
        if not step.startswith("["):
            found = [
                inner
                for each in found
                for field in msgspec.structs.fields(each)
                if field.encode_name == step
                for inner in _structs(field.type)
            ]
    return {field.encode_name for each in found for field in msgspec.structs.fields(each)}


def _structs(of: Any) -> Iterator[type[msgspec.Struct]]:
    """Find the structs that values of a type are, or have as elements."""
    if _is_struct(of):
        yield of
    else:
        for each in _arguments(of):
            yield from _structs(each)

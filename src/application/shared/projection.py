"""Projection of values onto structs that take fields from them instead of repeating them.

``class Line(Projection, of=Loan, only=("id", "due_at"))`` has these two fields of ``Loan``;
``Line.of(loan)`` fills them. What a subclass declares itself has the type that it says, and comes
from the attribute of the same name; ``At`` names another one, ``given`` brings the rest.
"""

import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from inspect import getattr_static
from operator import attrgetter
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NewType,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import NODEFAULT, UNSET, UnsetType

Written = tuple[Any, Callable[[Any], Any]]
"""The type that a scalar is written as, and what writes it."""
Absent = Literal["default", "unset", "unset, never null"]
"""What a taken field is when it is left out: the default of its source, or UNSET."""
Spelling = Callable[[Any], Written | None]
"""How one vocabulary writes the scalars of another; None: as they are."""

_UNIONS: Final = (Union, types.UnionType)
_SCALARS: Final = (str, int, float, bool, bytes)


@dataclass(frozen=True, slots=True)
class At:
    """Where a field comes from: a path of attributes below the source; empty is the source."""

    path: str


@dataclass(frozen=True, slots=True)
class After:
    """The place of a declared field among the taken ones; without it they come last."""

    name: str


@dataclass(frozen=True, slots=True)
class By:
    """What writes a field, when its type alone does not tell."""

    write: Callable[[Any], Any]


def _plain(_: Any) -> None:
    return None


class Projected(msgspec.StructMeta):
    """Makes structs that take fields of ``of``: all, ``only`` some, or all ``without`` some.

    Taken fields are required unless ``absent`` says something else, in the order of ``of``, and
    spelled as the base class says.
    """

    projected_of: Any
    declared: dict[str, Any]
    renamed: dict[str, str]
    spelling: Spelling
    absent: "Absent | None"
    takes_positions: bool
    builders: dict[tuple[str, ...], Callable[..., Any]]

    def __new__(
        mcls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        /,
        *,
        of: Any = None,
        only: Iterable[str] | None = None,
        without: Iterable[str] = (),
        rename: Mapping[str, str] | None = None,
        spelling: Spelling | None = None,
        absent: Absent | None = None,
        frozen: bool = True,
        kw_only: bool = True,
        **config: Any,
    ) -> "Projected":
        """Make the struct; raise ``TypeError`` for names that ``of`` does not have."""
        parents = [base for base in bases if isinstance(base, Projected)]
        spell = spelling or next((each.spelling for each in parents), _plain)
        renamed = {k: v for each in parents for k, v in each.renamed.items()} | dict(rename or {})
        declared = own_annotations(namespace)
        fields = declared
        absent = absent or next((each.absent for each in parents), None)
        if of is not None:
            taken = _taken(of, only, tuple(without), spell)
            fields = _ordered(taken, declared)
            for key in fields.keys() & taken.keys() if absent else ():
                if key not in declared:
                    fields[key] = _given_default(of, key, fields[key], absent, namespace)
        namespace["__annotations__"] = {key: _unmarked(kind) for key, kind in fields.items()}
        is_positional = (  # the fastest way to fill it
            fields.keys().isdisjoint(namespace)
            and len(parents) == len(bases)
            and all(each.takes_positions for each in parents)
        )
        made = super().__new__(
            mcls,
            name,
            bases,
            namespace,
            rename=renamed,
            frozen=frozen,
            kw_only=not is_positional,
            **config,
        )
        made.takes_positions = is_positional or bases == (msgspec.Struct,)
        made.projected_of = of or next((each.projected_of for each in parents), None)
        made.declared = {k: v for each in parents for k, v in each.declared.items()} | fields
        made.renamed, made.spelling, made.builders = renamed, staticmethod(spell), {}
        made.absent = absent
        return made


def builder(
    made: Any, *, source_kind: Any = None, given: tuple[str, ...] = ()
) -> Callable[..., Any]:
    """Return what fills a struct; raise ``TypeError`` if a field has no source of its type.

    Everything is decided once: projecting reads all attributes in one call, and writes only those
    fields that are not taken as they are.
    """
    if given in made.builders:
        found: Callable[..., Any] = made.builders[given]
        return found
    made.builders[given] = made.of  # where the struct holds others of itself
    try:
        built = made.builders[given] = _built(made, made.projected_of or source_kind, given)
    except BaseException:
        del made.builders[given]
        raise
    return built


def _built(made: Any, kind: Any, given: tuple[str, ...]) -> Callable[..., Any]:
    names: list[str] = []
    paths: list[str] = []
    writers: list[tuple[int, Callable[[Any], Any]]] = []
    for field in msgspec.structs.fields(made):
        if field.name in given:
            continue
        target = made.declared.get(field.name, field.type)
        path = next((each.path for each in _marks(target) if isinstance(each, At)), field.name)
        try:
            present = _kind_at(kind, path)
        except AttributeError:
            if field.required:
                raise TypeError(
                    f"{made.__name__}.{field.name}: {kind.__name__} has no {path}; give it."
                ) from None
            continue
        try:
            write = _writer(present, target, made.spelling)
        except TypeError as exc:
            raise TypeError(f"{made.__name__}.{field.name}: {exc}") from None
        if write is not None:
            writers.append((len(names), write))
        names.append(field.name)
        paths.append(path)
    in_order = tuple(names) == made.__struct_fields__[: len(names)] and made.takes_positions

    read = _reader(paths)

    def build(source: Any, /, **others: Any) -> Any:
        values = [*read(source)]
        for at, write in writers:
            values[at] = write(values[at])
        if in_order:
            return made(*values, **others)
        return made(**dict(zip(names, values, strict=True)), **others)

    return build


def _reader(paths: Sequence[str]) -> Callable[[Any], Sequence[Any]]:
    if "" in paths:
        read_parts = _reader([path for path in paths if path])
        wholes = [at for at, path in enumerate(paths) if not path]

        def read_with_source(source: Any) -> Sequence[Any]:
            values = [*read_parts(source)]
            for at in wholes:
                values.insert(at, source)
            return values

        return read_with_source
    if len(paths) > 1:
        return attrgetter(*paths)
    if not paths:
        return lambda _: ()
    read = attrgetter(*paths)
    return lambda source: (read(source),)


def _writer(source: Any, target: Any, spelling: Spelling) -> Callable[[Any], Any] | None:
    """Return what makes a ``target`` of a ``source``; None if it is one."""
    for mark in _marks(target):
        if isinstance(mark, By):
            return mark.write
    target = _bare(target)
    if type(None) in get_args(source) and get_origin(source) in _UNIONS:
        write = _writer(_without_none(source), _without_none(target), spelling)
        return write and _optional(write)
    target = _without_none(target)
    written = spelling(source)
    if written is not None and written[0] == target:
        return written[1]
    source = _bare(source)
    if isinstance(target, Projected):
        return None if source is target else _filling(target, source)
    if get_args(source) and get_args(target) and isinstance(get_origin(target), type):
        return _collection(source, target, spelling)
    scalars = source in _SCALARS and target in _SCALARS and (source, target) != (int, float)
    if scalars and not issubclass(source, target):
        raise TypeError(f"{source.__name__} is no {target.__name__}.")
    return None


def _optional(write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else write(value)


def _collection(source: Any, target: Any, spelling: Spelling) -> Callable[[Any], Any] | None:
    origin = get_origin(target)
    is_map = issubclass(origin, Mapping)
    if not is_map and not issubclass(origin, Sequence | AbstractSet):
        return None
    at = -1 if is_map else 0
    write = _writer(get_args(source)[at], get_args(target)[at], spelling)
    if write is None:
        return None
    if is_map:
        return lambda values: {key: write(value) for key, value in values.items()}
    if issubclass(origin, list):
        return lambda values: [write(value) for value in values]
    return lambda values: origin(map(write, values))


def _filling(target: Any, source: Any) -> Callable[..., Any]:
    filling: Callable[..., Any] = (
        target.of if _is_own(target) else builder(target, source_kind=source)
    )
    return filling


def _is_own(made: Any) -> bool:
    """Whether a struct is filled by a method of its own."""
    return bool(made.of.__func__ is not Projection.of.__func__)  # type: ignore[attr-defined]


def spelled(kind: Any, spelling: Spelling) -> Any:
    """Return the type that values of ``kind`` are written as."""
    written = spelling(kind)
    if written is not None:
        return written[0]
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return spelled(parts[0], spelling)
    if not parts or origin is Literal or not (isinstance(origin, type) or origin in _UNIONS):
        return kind
    inner = tuple(each if each is Ellipsis else spelled(each, spelling) for each in parts)
    return _union(*inner) if origin in _UNIONS else origin[inner]


def _taken(
    of: Any, only: Iterable[str] | None, without: tuple[str, ...], spelling: Spelling
) -> dict[str, Any]:
    kinds = fields_of(of)
    names = [name for name in kinds if name not in without] if only is None else [*only]
    if unknown := {*names, *without} - kinds.keys():
        raise TypeError(f"{of.__name__} has no {', '.join(sorted(unknown))}.")
    return {name: spelled(kinds[name], spelling) for name in names}


def _given_default(
    of: Any, name: str, kind: Any, absent: Absent | None, namespace: dict[str, Any]
) -> Any:
    """Put the default of a taken field into the namespace; return its type with it."""
    if absent != "default":
        namespace[name] = UNSET
        return _union(kind, UnsetType, *([type(None)] if absent == "unset" else []))
    source = next(each for each in msgspec.structs.fields(of) if each.name == name)
    if source.default == ():
        namespace[name] = msgspec.field(default_factory=list)
    elif source.default is not NODEFAULT:
        namespace[name] = source.default
    elif source.default_factory is not NODEFAULT:
        namespace[name] = msgspec.field(default_factory=source.default_factory)
    return kind


def _ordered(taken: dict[str, Any], declared: dict[str, Any]) -> dict[str, Any]:
    """Declared fields replace taken ones of their name; the others follow, or stand after one."""
    following: dict[str, list[str]] = {}
    for name, kind in declared.items():
        if name not in taken:
            place = next((each.name for each in _marks(kind) if isinstance(each, After)), "")
            following.setdefault(place, []).append(name)
    ordered: dict[str, Any] = {}

    def add(name: str, kind: Any) -> None:
        ordered[name] = kind
        for each in following.pop(name, ()):
            add(each, declared[each])

    for name, kind in taken.items():
        add(name, declared.get(name, kind))
    for name in following.pop("", ()):
        add(name, declared[name])
    if following:
        raise TypeError(f"Fields are declared after {', '.join(following)}, which is none.")
    return ordered


@cache
def fields_of(kind: Any) -> dict[str, Any]:
    """Return the fields of a struct or a dataclass and their types."""
    hints = get_type_hints(kind, include_extras=True)
    names = getattr(kind, "__struct_fields__", None) or kind.__dataclass_fields__
    return {name: hints[name] for name in names}


def _kind_at(kind: Any, path: str) -> Any:
    for name in path.split(".") if path else ():
        kind = _bare(kind)
        hints = get_type_hints(kind, include_extras=True)
        found = getattr_static(kind, name, None)
        if isinstance(found, property):
            kind = get_type_hints(found.fget, include_extras=True).get("return", Any)
        elif name in hints:
            kind = hints[name]
        else:
            raise AttributeError(name)
    return kind


def _marks(kind: Any) -> tuple[Any, ...]:
    return getattr(kind, "__metadata__", ())


def _unmarked(kind: Any) -> Any:
    """Return the type without what only projections read."""
    if get_origin(kind) is not Annotated:
        return kind
    kept = tuple(mark for mark in _marks(kind) if not isinstance(mark, At | After | By))
    return Annotated[(get_args(kind)[0], *kept)] if kept else get_args(kind)[0]


def _bare(kind: Any) -> Any:
    while True:
        if get_origin(kind) is Annotated:
            kind = get_args(kind)[0]
        elif isinstance(kind, NewType):
            kind = kind.__supertype__
        else:
            return kind


def _union(*kinds: Any) -> Any:
    """Return the union; flat, as unions of the same members in another order are one to caches."""
    members = [m for k in kinds for m in (get_args(k) if get_origin(k) in _UNIONS else (k,))]
    return Union[tuple(members)]  # noqa: UP007 - known here only


def _without_none(kind: Any) -> Any:
    if get_origin(kind) not in _UNIONS:
        return kind
    kept = tuple(each for each in get_args(kind) if each is not type(None))
    return _union(*kept)


def own_annotations(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return what the body of a class that is being made annotates."""
    if sys.version_info >= (3, 14):
        import annotationlib  # noqa: PLC0415 - new there

        if annotate := annotationlib.get_annotate_from_class_namespace(namespace):
            return annotationlib.call_annotate_function(annotate, annotationlib.Format.VALUE)
    declared: dict[str, Any] = namespace.get("__annotations__", {})
    return declared


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Projection(msgspec.Struct, metaclass=Projected, frozen=True, kw_only=True):
    """Base of structs that are filled from other values."""

    @classmethod
    def of(cls, source: Any, /, **given: Any) -> Self:
        """Take what the fields say from ``source``; ``given`` are the other ones."""
        names = tuple(given)
        build = cls.builders.get(names) or builder(cls, source_kind=type(source), given=names)
        result: Self = build(source, **given)
        return result

    @classmethod
    def each(cls, sources: Iterable[Any]) -> list[Self]:
        """Make one of each source."""
        items = [*sources]
        if not items:
            return []
        build = cls.of if _is_own(cls) else builder(cls, source_kind=type(items[0]))
        return [build(item) for item in items]

    def taken(self) -> dict[str, Any]:
        """Return what the fields that the source has, too, hold here, if they hold anything."""
        known = fields_of(type(self).projected_of)
        held = msgspec.structs.asdict(self)
        return {name: held[name] for name in held if name in known and held[name] is not UNSET}

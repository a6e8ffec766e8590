"""Lists as use cases return them and surfaces answer them."""

from collections.abc import Sequence
from types import GenericAlias
from typing import Any, Generic, Protocol, Self, TypeVar, dataclass_transform, get_args, get_origin

import msgspec

from application.shared.projection import own_annotations

ItemT = TypeVar("ItemT")


class Numbered(Protocol):
    """What an id tells apart from others of its kind."""

    @property
    def id(self) -> int: ...


NumberedT = TypeVar("NumberedT", bound=Numbered)


class ListMeta(msgspec.StructMeta):
    """Writes out the type of the items: what describes the API reads no type variables."""

    def __new__(
        mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **config: Any
    ) -> "ListMeta":
        fields: dict[str, Any] = {}
        for base in namespace.get("__orig_bases__", ()):
            made: Any = get_origin(base)
            if isinstance(made, ListMeta) and not isinstance(get_args(base)[0], TypeVar):
                items = GenericAlias(Sequence, get_args(base))
                for each in msgspec.structs.fields(made):  # type: ignore[arg-type]
                    fields[each.name] = items if each.name == "items" else each.type
                    if not each.required:
                        namespace.setdefault(each.name, each.default)
        namespace["__annotations__"] = fields | own_annotations(namespace)
        config = {"frozen": True, "kw_only": True} | config
        return super().__new__(mcls, name, bases, namespace, **config)


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Listed(msgspec.Struct, Generic[ItemT], metaclass=ListMeta, frozen=True, kw_only=True):
    """Items, and how many there are in all."""

    items: Sequence[ItemT]
    total: int


class Part(Listed[ItemT], Generic[ItemT], frozen=True, kw_only=True):
    """One page, and whether there is another one."""

    has_more: bool


class Paged(Listed[ItemT], Generic[ItemT], frozen=True, kw_only=True):
    """One page; ``next_cursor`` asks for the next one, null on the last."""

    next_cursor: str | None


class Below(Listed[NumberedT], Generic[NumberedT], frozen=True, kw_only=True):
    """One page, newest first; ids of the next one are below ``next_before``, None on the last."""

    next_before: int | None

    @classmethod
    def cut(cls, found: Sequence[NumberedT], total: int, *, limit: int) -> Self:
        """Make a page of what has one item more, unless it is the last."""
        last = found[limit - 1].id if len(found) > limit else None
        return cls(items=found[:limit], total=total, next_before=last)


class Whole(Listed[ItemT], Generic[ItemT], frozen=True, kw_only=True):
    """All there is, spelled as a page."""

    next_cursor: str | None = None

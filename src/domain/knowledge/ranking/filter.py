"""Metadata filters: which documents a search may look into.

A filter is a tree of comparisons, as JSON. What only slices know (``page``, ``sheet``) is open for
a document as a whole: such comparisons neither let it in nor keep it out until a slice is there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, Protocol, assert_never

import msgspec

from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.value import Tags, TagValue
from domain.shared.error import AppError

Scalar = str | bool | int | float
Operand = Scalar | tuple[Scalar, ...]
Fact = Scalar | datetime | Sequence[str] | Sequence[int]

MAX_ITEMS: Final = 1000
_MAX_TEXT_CHARS: Final = 1000


class Operator(StrEnum):
    """How a field is compared."""

    EQ = "eq"
    NE = "ne"
    IN = "in"
    NIN = "nin"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    CONTAINS = "contains"
    EXISTS = "exists"


_OPPOSITES: Final = {Operator.NE: Operator.EQ, Operator.NIN: Operator.IN}
_ORDERS: Final[Mapping[Operator, Callable[[int], bool]]] = {
    Operator.GT: lambda sign: sign > 0,
    Operator.GTE: lambda sign: sign >= 0,
    Operator.LT: lambda sign: sign < 0,
    Operator.LTE: lambda sign: sign <= 0,
}


def checked_operand(
    raw: object, operator: Operator, *, is_id: bool, refuse: Callable[[str], AppError]
) -> Operand:
    """Return the operand if the operator can take it; raise what ``refuse`` makes of the rule.

    Ids may be written as texts, as everywhere on the wire.
    """
    match operator:
        case Operator.EXISTS:
            if raw is None or isinstance(raw, bool):
                return raw is not False
            raise refuse("expected true or false")
        case Operator.IN | Operator.NIN:
            if not isinstance(raw, list | tuple) or len(raw) > MAX_ITEMS:
                raise refuse(f"expected a list of up to {MAX_ITEMS} values")
            return tuple(_scalar(one, is_id=is_id, refuse=refuse) for one in raw)
        case Operator.GT | Operator.GTE | Operator.LT | Operator.LTE:
            value = _scalar(raw, is_id=is_id, refuse=refuse)
            if isinstance(value, bool):
                raise refuse("expected a number, a text or a moment")
            return value
        case Operator.EQ | Operator.NE | Operator.CONTAINS:
            return _scalar(raw, is_id=is_id, refuse=refuse)
        case _:
            assert_never(operator)


def _scalar(raw: object, *, is_id: bool, refuse: Callable[[str], AppError]) -> Scalar:
    if is_id:
        if isinstance(raw, str) and raw.isascii() and raw.isdecimal():
            return int(raw)
        if isinstance(raw, bool) or not isinstance(raw, int):
            raise refuse("expected an id")
    if not isinstance(raw, str | bool | int | float):
        raise refuse("expected a text, a number, true or false")
    if isinstance(raw, str) and len(raw) > _MAX_TEXT_CHARS:
        raise refuse(f"a text has up to {_MAX_TEXT_CHARS} characters")
    return raw


def compared(fact: Fact | None, operator: Operator, operand: Operand) -> bool:
    """Compare; what is absent or of another type equals nothing and is in no order.

    Of a list, one item is enough.
    """
    if (opposite := _OPPOSITES.get(operator)) is not None:
        return not compared(fact, opposite, operand)
    if operator is Operator.EXISTS:
        return (fact is not None) is operand
    if operator is Operator.CONTAINS and isinstance(fact, str):
        return isinstance(operand, str) and operand.casefold() in fact.casefold()
    if (order := _ORDERS.get(operator)) is not None:
        return any(order(sign) for one in _items(fact) for sign in _signs(one, operand))
    wanted = operand if isinstance(operand, tuple) else (operand,)
    return any(_is_equal(one, other) for one in _items(fact) for other in wanted)


def _items(fact: Fact | None) -> Sequence[Scalar | datetime]:
    if fact is None:
        return ()
    return (fact,) if isinstance(fact, str | bool | int | float | datetime) else tuple(fact)


def _is_equal(one: Scalar | datetime, other: Scalar) -> bool:
    if isinstance(one, datetime):
        return _moment(other) == one
    if isinstance(one, bool) is not isinstance(other, bool):
        return False  # true is not 1
    return one == other


def _signs(one: Scalar | datetime, other: Operand) -> tuple[int, ...]:
    """Return how two values are ordered, -1, 0 or 1; nothing if they are in no order."""
    if isinstance(one, bool) or isinstance(other, tuple | bool):
        return ()
    left: Any = _moment(one) if isinstance(one, str | datetime) else None
    right: Any = _moment(other) if left is not None else None
    if right is None:
        is_alike = isinstance(one, str) is isinstance(other, str)
        if isinstance(one, datetime) or not is_alike:
            return ()
        left, right = one, other
    if not (left <= right or left >= right):  # not a number
        return ()
    return ((left > right) - (left < right),)


def _moment(value: object) -> datetime | None:
    """Read a moment: ISO 8601, or Unix seconds; without a zone it is UTC."""
    if isinstance(value, datetime):
        moment = value
    elif isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            moment = datetime.fromtimestamp(value, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    else:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


MAX_DEPTH: Final = 5
MAX_LEAVES: Final = 50
_SLICE_FIELDS: Final = frozenset({"page", "sheet"})
_ID_FIELDS: Final = frozenset({"document_id", "creator_id"})
_TAG_PREFIX: Final = "tags."
_ANY_TAG: Final = "tags"
_FASTGPT_KEYS: Final = frozenset({"tags", "createTime"})
_FASTGPT_TIMES: Final[Mapping[str, Operator]] = {"$gte": Operator.GTE, "$lte": Operator.LTE}


class DocumentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What filters know of a document."""

    document_id: int
    name: str
    type: int
    source_type: int
    creator_id: int
    create_time: datetime
    update_time: datetime
    tags: Tags


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceFacts:
    """What filters know of a slice: the pages it covers, and its sheet."""

    pages: tuple[int, ...] = ()
    sheet: str = ""


class Condition(Protocol):
    """A filter or a part of one."""

    def holds(self, document: DocumentFacts, part: SliceFacts | None = None) -> bool | None:
        """Tell whether it holds; None if that depends on the slice and none is given."""
        ...

    @property
    def needs_slice(self) -> bool:
        """Whether any comparison is about slices."""
        ...


@dataclass(frozen=True, slots=True)
class Leaf:
    """One comparison; absent fields equal nothing."""

    field: str
    operator: Operator
    operand: TagValue | tuple[Scalar, ...]

    @property
    def needs_slice(self) -> bool:
        return self.field in _SLICE_FIELDS

    def holds(self, document: DocumentFacts, part: SliceFacts | None = None) -> bool | None:
        if self.needs_slice:
            if part is None:
                return None
            value: Fact | None = part.pages if self.field == "page" else part.sheet or None
            return compared(value or None, self.operator, self.operand)
        if self.field == _ANY_TAG:
            return compared(_tag_words(document.tags), self.operator, self.operand)
        return compared(_fact(document, self.field), self.operator, self.operand)


@dataclass(frozen=True, slots=True)
class Every:
    """Holds if all parts do."""

    parts: tuple[Condition, ...]

    @property
    def needs_slice(self) -> bool:
        return any(part.needs_slice for part in self.parts)

    def holds(self, document: DocumentFacts, part: SliceFacts | None = None) -> bool | None:
        found = [one.holds(document, part) for one in self.parts]
        return False if False in found else None if None in found else True


@dataclass(frozen=True, slots=True)
class Some:
    """Holds if any part does."""

    parts: tuple[Condition, ...]

    @property
    def needs_slice(self) -> bool:
        return any(part.needs_slice for part in self.parts)

    def holds(self, document: DocumentFacts, part: SliceFacts | None = None) -> bool | None:
        found = [one.holds(document, part) for one in self.parts]
        return True if True in found else None if None in found else False


@dataclass(frozen=True, slots=True)
class Unless:
    """Holds if its part does not."""

    part: Condition

    @property
    def needs_slice(self) -> bool:
        return self.part.needs_slice

    def holds(self, document: DocumentFacts, part: SliceFacts | None = None) -> bool | None:
        found = self.part.holds(document, part)
        return None if found is None else not found


def parse_filter(raw: Mapping[str, object]) -> Condition:
    """Read a filter, in our form or FastGPT's.

    Raises:
        KnowledgeInvalid: it is not well-formed; the message says where.
    """
    reader = _Reader()
    if raw and raw.keys() <= _FASTGPT_KEYS:
        return reader.fastgpt(raw)
    return reader.condition(raw, at="filter", depth=1)


class _Reader:
    """Reads one filter and counts its comparisons."""

    def __init__(self) -> None:
        self._leaves = 0

    def condition(self, raw: object, *, at: str, depth: int) -> Condition:
        if not isinstance(raw, Mapping):
            raise _malformed(at, "expected an object")
        if depth > MAX_DEPTH:
            raise _malformed(at, f"nested more than {MAX_DEPTH} deep")
        keys = set(raw)
        if len(keys) == 1 and keys <= {"and", "or"}:
            (key,) = keys
            parts = self._parts(raw[key], at=f"{at}.{key}", depth=depth)
            return Every(parts) if key == "and" else Some(parts)
        if keys == {"not"}:
            return Unless(self.condition(raw["not"], at=f"{at}.not", depth=depth + 1))
        return self._leaf(raw, at=at)

    def _parts(self, raw: object, *, at: str, depth: int) -> tuple[Condition, ...]:
        if not isinstance(raw, list | tuple) or not raw:
            raise _malformed(at, "expected a list with something in it")
        return tuple(
            self.condition(one, at=f"{at}[{number}]", depth=depth + 1)
            for number, one in enumerate(raw)
        )

    def _leaf(self, raw: Mapping[str, object], *, at: str) -> Leaf:
        if not {"field", "op"} <= raw.keys() <= {"field", "op", "value"}:
            raise _malformed(at, "expected field, op and value, or one of and, or, not")
        field, name = raw["field"], raw["op"]
        if not isinstance(field, str) or not field:
            raise _malformed(f"{at}.field", "expected a name")
        try:
            operator = Operator(name)  # type: ignore[arg-type]  # anything else is refused
        except ValueError as exc:
            known = ", ".join(Operator)
            raise _malformed(f"{at}.op", f"expected one of {known}") from exc
        self._count(at)
        operand = checked_operand(
            raw.get("value"),
            operator,
            is_id=field in _ID_FIELDS,
            refuse=lambda rule: _malformed(f"{at}.value", rule),
        )
        return Leaf(field, operator, operand)

    def fastgpt(self, raw: Mapping[str, object]) -> Condition:
        """Read tags by name, ``null`` for documents without any, and a time of creation."""
        parts: list[Condition] = []
        if (tags := raw.get("tags")) is not None:
            if not isinstance(tags, Mapping) or not tags.keys() <= {"$and", "$or"}:
                raise _malformed("filter.tags", "expected $and or $or with a list of tags")
            for key, join in (("$and", Every), ("$or", Some)):
                if tags.get(key) is not None:
                    parts.append(join(self._tags(tags[key], at=f"filter.tags.{key}")))
        if (times := raw.get("createTime")) is not None:
            if not isinstance(times, Mapping) or not times.keys() <= _FASTGPT_TIMES.keys():
                raise _malformed("filter.createTime", "expected $gte and $lte")
            for key, operator in _FASTGPT_TIMES.items():
                if times.get(key) is not None:
                    leaf = {"field": "create_time", "op": operator.value, "value": times[key]}
                    parts.append(self._leaf(leaf, at=f"filter.createTime.{key}"))
        if not parts:
            raise _malformed("filter", "expected at least one condition")
        return Every(tuple(parts))

    def _tags(self, raw: object, *, at: str) -> tuple[Condition, ...]:
        if not isinstance(raw, list | tuple) or not raw:
            raise _malformed(at, "expected a list of tags")
        return tuple(self._tag(one, at=at) for one in raw)

    def _tag(self, name: object, *, at: str) -> Condition:
        self._count(at)
        if name is None:
            return Leaf(_ANY_TAG, Operator.EXISTS, False)
        if not isinstance(name, str):
            raise _malformed(at, "a tag is a text, or null for documents without tags")
        return Leaf(_ANY_TAG, Operator.CONTAINS, name)

    def _count(self, at: str) -> None:
        self._leaves += 1
        if self._leaves > MAX_LEAVES:
            raise _malformed(at, f"more than {MAX_LEAVES} comparisons")


def _malformed(at: str, rule: str) -> KnowledgeInvalid:
    return KnowledgeInvalid(f"{at}: {rule}.", field="filter")


def _fact(document: DocumentFacts, field: str) -> TagValue | datetime | None:
    built_in = _BUILT_IN.get(field)
    if built_in is not None:
        return built_in(document)
    return document.tags.get(field.removeprefix(_TAG_PREFIX))


_BUILT_IN: Final[Mapping[str, Callable[[DocumentFacts], TagValue | datetime]]] = {
    "document_id": lambda facts: facts.document_id,
    "name": lambda facts: facts.name,
    "type": lambda facts: facts.type,
    "source_type": lambda facts: facts.source_type,
    "creator_id": lambda facts: facts.creator_id,
    "create_time": lambda facts: facts.create_time,
    "update_time": lambda facts: facts.update_time,
}


def _tag_words(tags: Tags) -> tuple[str, ...] | None:
    """Return names and texts of all tags; None if there are none."""
    words: list[str] = []
    for name, value in tags.items():
        words.append(name)
        if isinstance(value, str):
            words.append(value)
        elif isinstance(value, tuple):
            words.extend(value)
    return tuple(words) or None

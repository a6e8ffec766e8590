"""Texts with places for values: ``{{name.path[0]}}``, compiled once and rendered often."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

import msgspec

from domain.workflow.error import IndexIntoNull, IndexOutOfRange
from domain.workflow.graph import Slot, Template
from domain.workflow.text import to_text
from domain.workflow.value import Path, Value, kind_of

_SEGMENT: Final = re.compile(r"([^\[\]]+)((?:\[[0-9]{1,9}\])*)", re.ASCII)
_INDEX: Final = re.compile(r"\[([0-9]+)\]", re.ASCII)


class Variable(msgspec.Struct, frozen=True):
    """A place as it was written: the text between the braces, and what it means."""

    raw: str
    inner: str
    path: Path | None
    """None for brackets that do not match."""


Piece = str | Variable


def scan(text: str, *, keep_trailing_space: bool = False) -> tuple[Piece, ...]:
    """Cut a text into literal parts and variables, in one pass."""
    pieces: list[Piece] = []
    literal_from = position = 0
    while (start := text.find("{{", position)) >= 0:
        end = text.find("}", start + 2)
        if end < 0:
            break
        if text[end : end + 2] != "}}":
            position = end + 1
            continue
        inner = text[start + 2 : end].lstrip(" ")
        if not keep_trailing_space:
            inner = inner.rstrip(" ")
        if literal_from < start:
            pieces.append(text[literal_from:start])
        pieces.append(Variable(text[start : end + 2], inner, parse_path(inner)))
        literal_from = position = end + 2
    if literal_from < len(text):
        pieces.append(text[literal_from:])
    return tuple(pieces)


def parse_path(text: str) -> Path | None:
    """Read ``a.b[0].c``; None if it is malformed."""
    path: list[str | int] = []
    for segment in text.split("."):
        if not segment:
            path.append("")
            continue
        match = _SEGMENT.fullmatch(segment)
        if match is None:
            return None
        path.append(match[1])
        path.extend(int(index) for index in _INDEX.findall(match[2]))
    return tuple(path)


def compile_template(
    text: str, names: Collection[str], *, keep_trailing_space: bool = False
) -> Template:
    """Compile a template over the inputs called ``names``; other variables stay as they are."""
    parts: list[str | Slot] = []
    texts: list[str] = []
    for piece in scan(text, keep_trailing_space=keep_trailing_space):
        match piece:
            case Variable(path=None):
                texts.append(piece.inner)
            case Variable(path=(str(name), *rest)) if name in names:
                if texts:
                    parts.append("".join(texts))
                    texts.clear()
                parts.append(Slot(name, tuple(rest), piece.raw))
            case Variable():
                texts.append(piece.raw)
            case literal:
                texts.append(literal)
    if texts:
        parts.append("".join(texts))
    return Template(tuple(parts))


def unknown_variables(
    text: str, names: Collection[str], *, keep_trailing_space: bool = False
) -> tuple[str, ...]:
    """List the variables of a template that no input is called like, each once."""
    found = [
        str(piece.path[0])
        for piece in scan(text, keep_trailing_space=keep_trailing_space)
        if isinstance(piece, Variable) and piece.path is not None and piece.path[0] not in names
    ]
    return tuple(dict.fromkeys(found))


def render(
    template: Template,
    values: Mapping[str, Value],
    *,
    write: Callable[[Value], str] | None = None,
) -> str:
    """Render a template; a name without a value was skipped and renders as nothing."""
    return "".join(
        part if isinstance(part, str) else render_slot(part, values, write=write)
        for part in template.parts
    )


def render_slot(
    slot: Slot, values: Mapping[str, Value], *, write: Callable[[Value], str] | None = None
) -> str:
    """Render one place of a template; ``write`` overrides how the value becomes a text.

    Raises:
        IndexOutOfRange: the list is shorter.
        IndexIntoNull: there is null where a list is expected.
    """
    if slot.name not in values:
        return ""
    value = values[slot.name]
    for position, segment in enumerate(slot.path):
        if isinstance(segment, int):
            found = _element(value, segment, slot, position)
            if found is None:
                return slot.raw
            (value,) = found
        elif value is None:
            return ""
        elif not isinstance(value, dict) or segment not in value:
            return slot.raw
        else:
            value = value[segment]
    return written_text(value) if write is None else write(value)


def written_text(value: Value) -> str:
    """Write a value as templates do: structures as compact JSON with sorted keys."""
    return to_text(value, sort_keys=True)


def _element(value: Value, index: int, slot: Slot, position: int) -> tuple[Value] | None:
    where = _path_text(slot, position)
    if value is None:
        raise IndexIntoNull(f"{where} is null, so it has no element {index}.", path=where)
    if not isinstance(value, list):
        return None
    if index >= len(value):
        raise IndexOutOfRange(
            f"Index {index} is out of range: the {kind_of(value)} {where} has length {len(value)}.",
            path=where,
            index=index,
            length=len(value),
        )
    return (value[index],)


def _path_text(slot: Slot, upto: int) -> str:
    text = slot.name
    for segment in slot.path[:upto]:
        text += f"[{segment}]" if isinstance(segment, int) else f".{segment}"
    return text

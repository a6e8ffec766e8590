"""Shapes of traces, to be compared with what is expected."""

from collections.abc import Mapping, Sequence
from typing import Any


def shape_of(spans: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return kind and name of each span, indented below its parent, in the order of starts."""
    lines: list[str] = []

    def below(parent: str | None, depth: int) -> None:
        for span in spans:
            if span["parent_id"] == parent:
                state = "" if span["status"] == "ok" else f" ({span['status']})"
                lines.append(f"{'  ' * depth}{span['kind']} {span['name']}{state}")
                below(span["id"], depth + 1)

    below(None, 0)
    return lines

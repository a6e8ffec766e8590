"""Changes values of a JSON text and leaves every other character as it stands."""

import re
from typing import Final

import msgspec

from domain.workflow.text import encode_json
from domain.workflow.value import Value

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class _Open(msgspec.Struct):
    """An object or list that the scan is inside of, as it was and as it is to be."""

    before: Value
    after: Value
    index: int = 0
    key: str | None = None

    def pair(self) -> tuple[Value, Value]:
        """What stands at the place that the scan has come to, before and after."""
        return self._at(self.before), self._at(self.after)

    def _at(self, value: Value) -> Value:
        match value:
            case list(items) if self.index < len(items):
                return items[self.index]
            case dict(members) if self.key is not None:
                return members.get(self.key)
            case _:
                return None


def spliced(text: str, before: Value, after: Value) -> str:
    """Write into a valid text what differs between what it says and what it is to say.

    Both have the same shape: only texts, numbers and the like differ, no names and no lengths.
    """
    parts: list[str] = []
    written = 0
    around: list[_Open] = []
    old, new = before, after
    for found in _TOKEN.finditer(text):
        part = found.group()
        if part in "{[":
            around.append(_Open(before=old, after=new))
            if part == "[":
                old, new = around[-1].pair()
        elif part in "}]":
            around.pop()
        elif part == ",":
            around[-1].index += 1
            around[-1].key = None
            old, new = around[-1].pair()
        elif part != ":":
            inside = around[-1] if around else None
            if inside is not None and isinstance(inside.before, dict) and inside.key is None:
                inside.key = msgspec.json.decode(part, type=str)
                old, new = inside.pair()
            elif old != new and msgspec.json.decode(part) == old:
                parts += text[written : found.start()], encode_json(new)
                written = found.end()
    return "".join(parts) + text[written:]

"""Writes the tag protocol: elements whose text no reader can mistake for a tag."""

import re
from typing import Final, Protocol

_TEXT: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE: Final = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&#39;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)
_CLOSING: Final = ("</content>", "</step>", "</error>")
_CLOSING_TAG: Final = re.compile(r"<(?=/(?:content|step|error)>)")
_JOINER: Final = "\u200d"


class TagWriter(Protocol):
    """Spells the elements of a run; each call returns what to write."""

    def think(self, text: str) -> str: ...

    def open(self, kind: str, index: int, call: str) -> str:
        """Begin a step; kind ``content`` is the answer and has no index."""
        ...

    def text(self, text: str) -> str: ...

    def close(self) -> str: ...

    def error(self, code: int, text: str) -> str: ...


class MarkupWriter:
    """Tags; with ``escapes`` readers get every text back as it was.

    False is for clients that undo no escaping, which loses something: a closing tag in the text
    gets an invisible joiner, quotes in remarks become single ones.
    """

    def __init__(self, *, escapes: bool) -> None:
        self._escapes = escapes
        self._tag = ""
        self._held = ""

    def think(self, text: str) -> str:
        return f'<think content="{self._attribute(text)}"/>'

    def open(self, kind: str, index: int, call: str) -> str:
        if kind == "content":
            self._tag = "content"
            return "<content>"
        self._tag = "step"
        extra = f' call="{self._attribute(call)}"' if call else ""
        return f'<step type="{kind}" index="{index}"{extra}>'

    def text(self, text: str) -> str:
        if self._escapes:
            return text.translate(_TEXT)
        text = self._held + text
        keep = min(_tail(text, closing) for closing in _CLOSING)
        self._held = text[keep:]
        return _CLOSING_TAG.sub(f"<{_JOINER}", text[:keep])

    def close(self) -> str:
        held, self._held = self._held, ""
        return f"{held}</{self._tag}>"

    def error(self, code: int, text: str) -> str:
        body = text.translate(_TEXT) if self._escapes else _CLOSING_TAG.sub(f"<{_JOINER}", text)
        return f'<error code="{code}">{body}</error>'

    def _attribute(self, text: str) -> str:
        if self._escapes:
            return text.translate(_ATTRIBUTE)
        return " ".join(text.replace('"', "'").split())


def _tail(text: str, closing: str) -> int:
    """Return where the longest end of the text begins that may become a closing tag."""
    for size in range(min(len(closing) - 1, len(text)), 0, -1):
        if text.endswith(closing[:size]):
            return len(text) - size
    return len(text)

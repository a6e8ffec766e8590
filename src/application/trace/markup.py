"""Pages in what steps of runs took and gave."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.file.sniff import HEAD_BYTES, sniff

_PAGES = frozenset({"text/html", "image/svg+xml"})


def page_in(text: str) -> str | None:
    """Return the first HTML or SVG that a text is, or holds somewhere as JSON."""
    return next((each for each in _texts(text) if _is_page(each)), None)


def _texts(text: str) -> Iterator[str]:
    yield text
    if text.lstrip()[:1] not in {"{", "[", '"'}:
        return
    try:
        waiting = [msgspec.json.decode(text)]
    except (msgspec.DecodeError, RecursionError):
        return
    while waiting:
        value: Any = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting += reversed(value.values())
        elif isinstance(value, list):
            waiting += reversed(value)


def _is_page(text: str) -> bool:
    """Tell by the beginning, as browsers do."""
    if not text.lstrip().startswith("<"):
        return False
    return sniff(text[:HEAD_BYTES].encode()[:HEAD_BYTES]) in _PAGES

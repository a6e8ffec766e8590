"""Port: JSON as people write it, and parts of it by JSONPath."""

from collections.abc import Awaitable, Callable, Sequence

from domain.shared.error import InvalidRequest

PATH_CHARS = 512


class JsonRefused(InvalidRequest):
    """A text is not JSON5, or a path is none that may be asked for; the message says why."""


ReadJson5 = Callable[[str], Awaitable[object]]
"""Reads JSON5 (https://spec.json5.org); infinite numbers and NaN become null.

Raises ``JsonRefused`` for a text that is not JSON5, or nested too deeply.
"""

SelectJson = Callable[[object, Sequence[str]], Awaitable[list[list[object] | JsonRefused]]]
"""Finds the values that each path (RFC 9535, as strangers write it) leads to, in order.

What is wrong with a path is its result. Refused as well: paths of more than ``PATH_CHARS``
characters, and those whose cost could grow faster than the document.
"""

"""Port: JSON as people write it, and parts of it by JSONPath."""

from collections.abc import Sequence
from typing import Protocol

from domain.shared.error import InvalidRequest

PATH_CHARS = 512


class JsonRefused(InvalidRequest):
    """A text is not JSON5, or a path is none that may be asked for; the message says why."""


class JsonReader(Protocol):
    """Reads JSON5 and JSONPath; both may come from strangers."""

    async def read(self, text: str) -> object:
        """Read JSON5 (https://spec.json5.org); infinite numbers and NaN become null.

        Raises:
            JsonRefused: the text is not JSON5, or nested too deeply.
        """
        ...

    async def select(
        self, document: object, paths: Sequence[str]
    ) -> list[list[object] | JsonRefused]:
        """Find the values that each path (RFC 9535, as strangers write it) leads to, in order.

        What is wrong with a path is its result. Refused as well: paths of more than
        ``PATH_CHARS`` characters, and those whose cost could grow faster than the document.
        """
        ...

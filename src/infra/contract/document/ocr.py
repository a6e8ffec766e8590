"""Port: text in images."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrLine:
    """One line of text; ``bbox`` (left, top, right, bottom) in pixels, ``confidence`` 0 to 1."""

    text: str
    bbox: tuple[float, float, float, float]
    confidence: float = 1.0


class OcrEngine(Protocol):
    """Reads the text of an image, line by line from top to bottom."""

    async def read(self, image: bytes, mime: str, *, owner: int) -> list[OcrLine]:
        """Return the lines, none if there is no text; images of owners are kept apart.

        Raises:
            InvalidRequest: the engine cannot use this image.
            Unavailable: the engine does not answer; try again later.
        """
        ...

"""Documents to chunks: what is asked for, and what comes out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from domain.knowledge.text.size import SizeUnit


class BlockKind(StrEnum):
    """Parts of a document that chunking treats differently."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    CODE = "code"
    TABLE = "table"
    BREAK = "break"
    """An explicit split mark; has no text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One part of a document as text.

    Code carries its fences, a table its header: when they have to be split, the first
    ``header_lines`` and the last ``footer_lines`` are repeated in every part.
    """

    kind: BlockKind
    text: str = ""
    level: int = 1
    """Of a heading: 0 for the title, then 1 to 6."""
    header_lines: int = 0
    footer_lines: int = 0
    source: int = -1
    """Where it stands in the caller's list, for pages and positions."""


class ChunkMode(StrEnum):
    """How chunks come about."""

    AUTOMATIC = "automatic"
    CUSTOM = "custom"
    STRUCTURE = "structure"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkStrategy:
    """Sizes in ``unit``; ``overlap`` too. Build one by ``automatic``, ``custom``, ``structure``."""

    mode: ChunkMode
    size: int
    minimum: int
    overlap: int
    unit: SizeUnit
    stretch: float
    """Longest chunk with its overlap, as a multiple of the size."""
    separator: str = ""
    merges_small: bool = False
    max_level: int = 3
    saves_title: bool = False

    @classmethod
    def automatic(
        cls,
        *,
        size: int = 800,
        minimum: int = 100,
        overlap: int = 120,
        unit: SizeUnit = SizeUnit.CHARACTER,
    ) -> "ChunkStrategy":
        """Paragraphs, merged and cut to about ``size``."""
        return cls(
            mode=ChunkMode.AUTOMATIC,
            size=size,
            minimum=minimum,
            overlap=overlap,
            unit=unit,
            stretch=1.2,
        )

    @classmethod
    def custom(
        cls,
        *,
        separator: str,
        size: int,
        overlap: float = 0.0,
        unit: SizeUnit = SizeUnit.TOKEN,
        merges_small: bool | None = None,
    ) -> "ChunkStrategy":
        r"""Split at a separator; ``overlap`` is a fraction of ``size``, which is never exceeded.

        The separator is literal text with the escapes ``\n \t \r \\``, several joined by ``||``.
        Parts are merged up to the size if it is white space only, unless ``merges_small`` says.
        """
        if merges_small is None:
            merges_small = all(not mark.strip() for mark in separators(separator))
        return cls(
            mode=ChunkMode.CUSTOM,
            size=size,
            minimum=0,
            overlap=int(size * overlap),
            unit=unit,
            stretch=1.0,
            separator=separator,
            merges_small=merges_small,
        )

    @classmethod
    def structure(
        cls,
        *,
        max_level: int = 3,
        saves_title: bool = False,
        size: int = 800,
        minimum: int = 100,
        overlap: int = 120,
        unit: SizeUnit = SizeUnit.CHARACTER,
    ) -> "ChunkStrategy":
        """One section per heading down to ``max_level``; long ones are cut like ``automatic``."""
        return cls(
            mode=ChunkMode.STRUCTURE,
            size=size,
            minimum=minimum,
            overlap=overlap,
            unit=unit,
            stretch=1.2,
            max_level=max_level,
            saves_title=saves_title,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of a document.

    ``content[lead : len(content) - trail]`` is new; the rest repeats what other chunks have (an
    overlap, a table header, a title). ``glue`` stands between it and the chunk before it in the
    same ``section``, so that neighbours join to the original text.
    """

    content: str
    section: int
    heading_path: tuple[str, ...] = ()
    lead: int = 0
    trail: int = 0
    glue: str = ""
    first_source: int = -1
    last_source: int = -1

    @property
    def fresh(self) -> str:
        """The text no chunk before it has."""
        return self.content[self.lead : len(self.content) - self.trail]

    def titled(self) -> "Chunk":
        """Put the heading path in front of the content."""
        if not self.heading_path:
            return self
        title = " > ".join(self.heading_path) + "\n"
        return replace(self, content=title + self.content, lead=self.lead + len(title))


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


def separators(text: str) -> tuple[str, ...]:
    """Return the separators written in a setting, longest first."""
    return tuple(sorted({mark for mark in _unescaped(text) if mark}, key=lambda m: (-len(m), m)))


def _unescaped(text: str) -> Iterator[str]:
    for part in text.split("||"):
        out, at = [], 0
        while at < len(part):
            escape = _ESCAPES.get(part[at + 1 : at + 2]) if part[at] == "\\" else None
            out.append(part[at] if escape is None else escape)
            at += 1 if escape is None else 2
        yield "".join(out)


def blocks_of_text(text: str) -> list[Block]:
    """Return the paragraphs of plain text: what stands between blank lines."""
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.strip():
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [
        Block(kind=BlockKind.PARAGRAPH, text="\n".join(lines), source=at)
        for at, lines in enumerate(lines for lines in paragraphs if lines)
    ]


def joined(chunks: Sequence[Chunk]) -> str:
    """Return consecutive chunks of one section as the text they were cut from."""
    parts = []
    for at, chunk in enumerate(chunks):
        end = len(chunk.content) - (chunk.trail if at + 1 < len(chunks) else 0)
        parts.append(
            chunk.content[:end] if at == 0 else chunk.glue + chunk.content[chunk.lead : end]
        )
    return "".join(parts)

"""Answers as a platform shows them: Markdown in its dialect, in pieces that fit."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from infra.contract.channel import Capabilities, Dialect

_FENCE: Final = re.compile(r" {0,3}(```+|~~~+)(.*)")
_HEADING: Final = re.compile(r" {0,3}#{1,6}\s+(.*?)\s*#*")
_BULLET: Final = re.compile(r"(\s*)[-*+]\s+(.*)")
_RULE: Final = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_INLINE: Final = re.compile(
    r"(?P<code>`+)(?P<coded>.+?)(?P=code)"
    r"|!?\[(?P<text>[^\]\n]*)\]\((?P<url>[^()\s]+(?:\([^()\s]*\))?)(?:\s+\"[^\"]*\")?\)"
    r"|\*\*(?P<bold>(?!\s)[^*]+?)\*\*|__(?P<strong>(?!\s)[^_]+?)__"
    r"|~~(?P<strike>[^~]+?)~~"
)
_BREAKS: Final = ("\n\n", "\n", "。", "！", "？", ". ", "! ", "? ", "；", "; ", "，", ", ", " ")
"""Where a text may be cut, the best place first."""
_LATE: Final = 2
"""A cut is looked for in the last half of a piece."""
Size = Callable[[str], int]


def rendered(text: str, dialect: Dialect) -> str:
    """Return Markdown as the dialect writes it; what it cannot show is left as plain text."""
    lines: list[str] = []
    fence = ""
    source = text.split("\n")
    for at, line in enumerate(source):
        found = _FENCE.fullmatch(line)
        if fence:
            if found and found[1].startswith(fence) and not found[2].strip():
                fence = ""
                _add_fence(lines, dialect)
            else:
                lines.append(_escaped(line, dialect))
        elif found:
            fence = found[1]
            _add_fence(lines, dialect)
        else:
            following = source[at + 1] if at + 1 < len(source) else ""
            _add_line(lines, line, following, dialect)
    return "\n".join(lines).strip()


def pieces(text: str, capabilities: Capabilities) -> tuple[str, ...]:
    """Return a rendered text in pieces that the platform takes, cut where a reader would pause.

    A block of code that is cut ends in one piece and goes on in the next.
    """
    size: Size = len if capabilities.unit == "chars" else _bytes
    fence = "```" if capabilities.dialect.has_fences else ""
    found, rest, is_code = [], text, False
    while rest:
        opening = f"{fence}\n" if is_code else ""
        room = capabilities.piece - size(opening) - (size(fence) + 1 if fence else 0)
        if size(opening) + size(rest) <= capabilities.piece:
            found.append(opening + rest)
            break
        cut = _cut(rest, room, size)
        piece, rest = rest[:cut].rstrip(), rest[cut:].lstrip("\n" if is_code else None)
        inside = is_code ^ bool(fence and piece.count(fence) % 2)
        found.append(opening + piece + (f"\n{fence}" if inside else ""))
        is_code = inside
    return tuple(each for each in found if each.strip())


def _cut(text: str, room: int, size: Size) -> int:
    """Return how much of a text goes into a piece; at least one character."""
    most = _longest(text, room, size)
    for mark in _BREAKS:
        at = text.rfind(mark, most // _LATE, most)
        if at >= 0:
            return at + len(mark)
    return most


def _longest(text: str, room: int, size: Size) -> int:
    low, high = 1, min(len(text), room)
    while low < high:
        middle = (low + high + 1) // 2
        if size(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))


def _add_fence(lines: list[str], dialect: Dialect) -> None:
    if dialect.has_fences:
        lines.append("```")


def _add_line(lines: list[str], line: str, following: str, dialect: Dialect) -> None:
    if not dialect.has_tables and "|" in line:
        if _RULE.fullmatch(line):
            return
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.strip().startswith("|") or _RULE.fullmatch(following):
            lines.append(_inline(" | ".join(cells), dialect))
            return
    if (heading := _HEADING.fullmatch(line)) and not dialect.has_headings:
        bold = dialect.bold
        plain = re.sub(r"\*\*|__", "", heading[1])
        lines.append(f"{bold}{_inline(plain, dialect)}{bold}" if plain else "")
    elif bullet := _BULLET.fullmatch(line):
        lines.append(f"{bullet[1]}{dialect.bullet}{_inline(bullet[2], dialect)}")
    else:
        lines.append(_inline(line, dialect))


def _inline(text: str, dialect: Dialect) -> str:
    found: list[str] = []
    at = 0
    for match in _INLINE.finditer(text):
        found += [_escaped(text[at : match.start()], dialect), _marked(match, dialect)]
        at = match.end()
    found.append(_escaped(text[at:], dialect))
    return "".join(found)


def _marked(match: re.Match[str], dialect: Dialect) -> str:
    if (coded := match["coded"]) is not None:
        mark = "`" if dialect.has_code else ""
        return f"{mark}{_escaped(coded, dialect)}{mark}"
    if (url := match["url"]) is not None:
        shown = _escaped(match["text"], dialect)
        if not shown or shown == url:
            return _escaped(url, dialect)
        return dialect.link.format(text=shown, url=_escaped(url, dialect))
    bold = match["bold"] or match["strong"]
    mark, inner = (dialect.bold, bold) if bold else (dialect.strike, match["strike"])
    return f"{mark}{_inline(inner, dialect)}{mark}"


def _escaped(text: str, dialect: Dialect) -> str:
    for char, written in dialect.escapes.items():  # "&" comes first where it is among them
        text = text.replace(char, written)
    return text


def joined(answers: Sequence[str]) -> str:
    """Return the answers of a run as one text."""
    return "\n\n".join(filter(None, (each.strip() for each in answers)))

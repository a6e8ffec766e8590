"""Takes out of answers what a browser would load by itself from strangers' addresses.

A model that obeys a hostile document can put a secret into the address of an image; showing the
answer would send it. Ordinary links stay: nobody follows them but the reader.

Rather than parse Markdown, of which no two renderers have the same idea, the filter breaks every
construct that could load something: after ``![`` in a paragraph each ``](address)`` gets a space,
so does each definition ``[x]: address``, and the ``<`` of tags that load becomes ``&lt;``. Only
fenced code at the first column is left alone, as long as all renderers agree what is code.
"""

import html
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

MAX_HELD_CHARS: Final = 2048
"""An address or tag longer than this counts as a stranger's."""

_FENCE_LINE_CHARS: Final = 256
_OPENING: Final = re.compile(r"(?P<indent> {0,3})(?P<marks>`{3,}|~{3,})(?P<info>.*)", re.DOTALL)
_UNDECIDED: Final = " `~[]0123456789"
"""What may stand before the marks of code, and they themselves."""

_NAME_CHARS: Final = 64
_LOADING: Final = re.compile(
    "applet|audio|base|bgsound|body|embed|frame|frameset|iframe|image|img|input|link|math|meta"
    "|object|picture|plaintext|portal|pre|script|source|style|svg|template|textarea|track|video"
    "|xmp"
)
"""Tags that load something, or in which text is read by other rules than Markdown's."""

_LOADING_ATTRIBUTE: Final = re.compile(
    r"(?:^|[\s\"'/])(?:style|src|srcset|srcdoc|background|poster|data|ping|lowsrc|dynsrc"
    r"|xlink:href|on\w+)\s*=",
    re.IGNORECASE,
)
_TOKEN: Final = re.compile(r"!\[|\](?=[(:])|<(?=[A-Za-z/!?\[])|\r\n|\n|\r")
_BEGINNING: Final = re.compile(r"[!\]<\r\n]")
"""Where a token can begin."""
_UNFINISHED: Final = frozenset("!]<\r")
_NEWLINE: Final = re.compile(r"\r\n|\n|\r(?!\n)")
_GAP: Final = re.compile(r"[ \t]*(?:\r\n|\n|\r)?[ \t>]*")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_TAG_END: Final = re.compile(r"(?:[^\"'>]|\"[^\"]*\"|'[^']*')*>")
_MARK: Final = re.compile(r"\[[0-9]{1,3}\]")
"""Marks of sources, which some surfaces leave out: what is around them then stands together."""

_ADDRESS_END: Final = re.compile(r"[\s<>)]")
_PICTURE: Final = re.compile(
    r"data:image/(?:png|jpeg|jpg|gif|webp|bmp|avif);base64,", re.IGNORECASE
)
"""Begin of a picture that is in the text itself: whatever follows, nothing is loaded for it."""
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_AUTHORITY: Final = re.compile(r"https?://[^/?#)\s<>&\\\[]*[/?#)]", re.IGNORECASE)
_HTTP_PORTS: Final = {"http": ":80", "https": ":443"}
_BLANK: Final = frozenset(" \t")
_CONTROL: Final = re.compile(r"[\x00-\x20\x7f]")


ANY_HOST: Final = "*"


@dataclass(frozen=True, slots=True)
class LinkRules:
    """From which hosts readers of answers may load; ``ANY_HOST`` among them: no filter."""

    hosts: frozenset[str] = frozenset()

    def allowing(self, hosts: Iterable[str]) -> "LinkRules":
        """Return the rules with further hosts."""
        return LinkRules(self.hosts.union(hosts))

    def filter(self) -> "LinkFilter | None":
        """Return a filter for one answer, None if everything may be loaded."""
        return None if ANY_HOST in self.hosts else LinkFilter(self.hosts)

    def whole(self, text: str) -> str:
        """Filter a text that is complete."""
        links = self.filter()
        return text if links is None else links.whole(text)


STRICT: Final = LinkRules()
"""Nothing is loaded from any host."""


def host_of(url: str) -> str:
    """Return host and port of an address as ``LinkFilter`` takes them, empty if it has none."""
    parts = urlsplit(url)
    return _without_port(parts.scheme.lower(), parts.netloc.lower())


class LinkFilter:
    """Filters one answer, delta by delta; any split of a text gives the same.

    ``hosts`` are those that may be loaded from, with their port unless it is the usual one.
    Addresses without a host are the server's own.
    """

    def __init__(self, hosts: Collection[str]) -> None:
        self._hosts = frozenset(each.lower() for each in hosts)
        self._held = ""
        self._fence = ""
        self._nested: tuple[int, str] | None = None
        """Columns and marks of code that began with one to three blanks."""
        self._distrusts = False
        """Renderers may disagree where code begins and ends."""
        self._at_line_start = True
        self._is_blank_line = True
        self._has_image = False
        """The paragraph may be inside the text of an image."""
        self._has_tag = False
        """A line of this paragraph begins with a tag: what follows may be no Markdown."""

    def feed(self, delta: str) -> str:
        """Take a piece of the answer; return what may be shown."""
        is_inside = not (self._held or self._at_line_start)
        if is_inside and _BEGINNING.search(delta) is None:  # nearly always
            if self._is_blank_line and not (self._fence or _BLANK.issuperset(delta)):
                self._is_blank_line = False
            return delta
        return self._scan(self._held + delta, is_last=False)

    def finish(self) -> str:
        """Return what was held back at the end."""
        return self._scan(self._held, is_last=True)

    def whole(self, text: str) -> str:
        """Filter a text that is complete; for a filter that was fed nothing."""
        return self.feed(text) + self.finish()

    def _scan(self, text: str, *, is_last: bool) -> str:
        out: list[str] = []
        at = 0
        while at < len(text):
            if self._at_line_start:
                end = self._line(text, at, is_last=is_last)
            elif self._fence:
                end = self._code(text, at)
            else:
                end = self._token(text, at, out, is_last=is_last)
                if end > at:
                    at = end
                    continue
            if end < 0:
                break
            out.append(text[at:end])
            at = end
        self._held = text[at:]
        return "".join(out)

    def _line(self, text: str, at: int, *, is_last: bool) -> int:
        """Begin a line; return the end of one that opens or closes code, -1 to wait for more."""
        newline = _NEWLINE.search(text, at)
        line = text[at : newline.start() if newline else len(text)]
        is_whole = newline is not None or is_last or len(line) > _FENCE_LINE_CHARS
        line = line[: _FENCE_LINE_CHARS + 1]
        if self._fence:
            rest = _MARK.sub("", line).strip(" \t\r")
            if not is_whole and not rest.strip("`~[]0123456789"):
                return -1
            if len(rest) >= len(self._fence) and not rest.strip(self._fence[0]):
                self._fence = ""
                self._new_paragraph()
                return self._end_of_line(text, newline)
        else:
            bare = _MARK.sub("", line)
            opening = _OPENING.fullmatch(bare)
            if not is_whole and (opening or not line.strip(_UNDECIDED)):
                return -1
            is_plain = line == bare and newline is not None and len(line) <= _FENCE_LINE_CHARS
            if opening is None:
                self._pass_line(line)
            elif self._opens(opening, is_plain=is_plain):
                self._fence = opening["marks"]
                return self._end_of_line(text, newline)
        self._at_line_start = False
        self._is_blank_line = True
        return at

    def _opens(self, line: re.Match[str], *, is_plain: bool) -> bool:
        """Whether every renderer begins code with a line that looks like it, and all agreed before.

        Where they may differ nothing is taken for code from there on: for one of them the next
        such line would end what it begins for another.
        """
        indent, marks, info = len(line["indent"]), line["marks"], line["info"]
        if marks[0] == "`" and "`" in info:  # a span of code
            self._pass_line(line[0])
            return False
        if self._nested is not None:
            self._end_nested(indent, marks, has_info=bool(info.strip()))
            return False
        is_certain = is_plain and not self._has_tag and "|" not in info and not self._distrusts
        if is_certain and indent:
            self._nested = (indent, marks)  # of a list, or not: each ends elsewhere
        elif not is_certain:
            self._distrusts = True
        return is_certain and not indent

    def _end_nested(self, indent: int, marks: str, *, has_info: bool) -> None:
        """Meet a line like the begin of code inside of indented code, which is read as text."""
        assert self._nested is not None  # noqa: S101 - only asked then
        begin, opened = self._nested
        if indent < begin:
            self._distrusts, self._nested = True, None
        elif not has_info and marks[0] == opened[0] and len(marks) >= len(opened):
            self._nested = None
            self._new_paragraph()

    def _pass_line(self, line: str) -> None:
        """Meet any other line: one may leave a list, and its code, or end it in some renderers."""
        rest = line.expandtabs(4).lstrip(" ")
        if self._nested is None or not rest.strip():
            return
        is_left = len(line.expandtabs(4)) - len(rest) < self._nested[0]
        if is_left or not rest.strip(" \t\r" + self._nested[1][0]):
            self._distrusts, self._nested = True, None

    def _end_of_line(self, text: str, newline: re.Match[str] | None) -> int:
        self._at_line_start = newline is not None
        return newline.end() if newline else len(text)

    def _code(self, text: str, at: int) -> int:
        newline = _NEWLINE.search(text, at)
        return self._end_of_line(text, newline)

    def _token(self, text: str, at: int, out: list[str], *, is_last: bool) -> int:
        """Copy up to the next construct and through it; -1 to wait for more."""
        found = _TOKEN.search(text, at)
        if found is None:
            end = len(text)
            if not is_last and text[-1] in _UNFINISHED:
                end -= 1
            self._copy(text[at:end], out)
            return end if end > at else -1
        start = found.start()
        if start > at:
            self._copy(text[at:start], out)
            return start
        match text[start]:
            case "!":
                self._has_image = True
                self._is_blank_line = False
                out.append("![")
                return start + 2
            case "]":
                return self._address(text, start, out, is_last=is_last)
            case "<":
                return self._tag(text, start, out, is_last=is_last)
            case _:
                return self._newline(text, found, out, is_last=is_last)

    def _copy(self, text: str, out: list[str]) -> None:
        if self._is_blank_line and not _BLANK.issuperset(text):
            self._is_blank_line = False
        out.append(text)

    def _newline(self, text: str, found: re.Match[str], out: list[str], *, is_last: bool) -> int:
        if found[0] == "\r" and found.end() == len(text) and not is_last:
            return -1
        if self._is_blank_line:
            self._new_paragraph()
        self._at_line_start = True
        out.append(found[0])
        return found.end()

    def _new_paragraph(self) -> None:
        self._has_image = self._has_tag = False

    def _address(self, text: str, at: int, out: list[str], *, is_last: bool) -> int:
        """Break ``](address)`` of images and ``]: address`` if the address is a stranger's."""
        is_definition = text[at + 1] == ":"
        if self._has_image or is_definition:
            is_allowed = self._judge(text, at + 2, is_last=is_last)
            if is_allowed is None:
                return -1
            if not is_allowed:
                out.append("] ")
                return at + 1
        self._is_blank_line = False
        out.append(text[at : at + 2])
        return at + 2

    def _judge(self, text: str, at: int, *, is_last: bool) -> bool | None:
        """Tell whether the address that begins here may be loaded; None if more is needed."""
        gap = _GAP.match(text, at)
        start = gap.end() if gap else at
        if start - at > MAX_HELD_CHARS:
            return False
        if _PICTURE.match(text, start):
            return True
        if text.startswith("<", start):
            end = text.find(">", start, at + MAX_HELD_CHARS)
            address = text[start + 1 : end] if end >= 0 else None
        elif known := _AUTHORITY.match(text, start):
            address = known[0]
        else:
            found = _ADDRESS_END.search(text, start, at + MAX_HELD_CHARS)
            address = text[start : found.start()] if found else None
            if found is None and is_last:
                address = text[start:]
        if address is not None:
            return len(address) <= MAX_HELD_CHARS and self._is_allowed(address)
        if len(text) - at > MAX_HELD_CHARS:
            return False
        return True if is_last else None

    def _is_allowed(self, address: str) -> bool:
        joined = _MARK.sub("", address)
        return self._is_known(address) and (joined == address or self._is_known(joined))

    def _is_known(self, address: str) -> bool:
        """Judge an address as browsers would read it."""
        plain = _ESCAPE.sub(r"\1", html.unescape(address)).lower()
        if "\\" in plain or _CONTROL.search(plain):
            return False
        scheme = _SCHEME.match(plain)
        rest = plain[scheme.end() :] if scheme else plain
        if scheme is None and not rest.startswith("//"):
            return True
        name = scheme[0][:-1] if scheme else ""
        if name not in {"", "http", "https"} or not rest.startswith("//"):
            return False
        authority = re.split(r"[/?#)]", rest[2:], maxsplit=1)[0]
        return _without_port(name, authority) in self._hosts

    def _tag(self, text: str, at: int, out: list[str], *, is_last: bool) -> int:
        """Escape a tag that loads something, or that hides what follows from this filter."""
        is_loading = self._loads(text, at + 1, is_last=is_last)
        if is_loading is None:
            return -1
        if self._is_blank_line and not is_loading:
            self._has_tag = True
        self._is_blank_line = False
        out.append("&lt;" if is_loading else "<")
        return at + 1

    def _loads(self, text: str, at: int, *, is_last: bool) -> bool | None:
        """Tell whether the tag whose name begins here loads something; None to wait."""
        if text[at] in "!?[/":
            return text[at] != "/"
        name = _NAME.match(text, at)
        end = name.end() if name else at
        if end - at > _NAME_CHARS:
            return True
        if end == len(text):
            return False if is_last else None
        if text[end] not in " \t\r\n\f/>[":
            return False
        if text[end] == "[" or _LOADING.fullmatch(text[at:end].lower()):
            return True
        return self._attributes_load(text, at, end, is_last=is_last)

    @staticmethod
    def _attributes_load(text: str, at: int, end: int, *, is_last: bool) -> bool | None:
        close = _TAG_END.match(text, end, at + MAX_HELD_CHARS)
        if close is not None:
            found = (close[0], _MARK.sub("", close[0]))
            return any(_LOADING_ATTRIBUTE.search(each) is not None for each in found)
        if len(text) - at > MAX_HELD_CHARS:
            return True
        return False if is_last else None


def _without_port(scheme: str, authority: str) -> str:
    return authority.removesuffix(_HTTP_PORTS.get(scheme, ":443"))

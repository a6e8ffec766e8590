"""Reading of Markdown: CommonMark with tables, task lists, mathematics and front matter."""

import re
from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from infra.contract.document.parser import (
    Code,
    DocumentNotParsed,
    Formula,
    Heading,
    ListItem,
    Paragraph,
    ParseOptions,
    Row,
    Table,
)
from infra.impl.document_parser.encoding import decode_text
from infra.impl.document_parser.markup.html_blocks import BlockWriter, data_url_bytes
from infra.impl.document_parser.markup.html_tree import parse_markup
from infra.impl.document_parser.markup.prose import collapse, join_lines
from infra.impl.document_parser.output import Output, picture_of
from infra.impl.document_parser.picture import read_image

_PROPERTY: Final = re.compile(
    r"^(title|author|lang|language)\s*:\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE
)
_LINE_TAG: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_SECTION_CHARS: Final = 512 * 1024
"""Front matter and inline rules look at one text; longer ones are cut at an empty line."""


def read_markdown(data: bytes, options: ParseOptions, output: Output) -> None:
    """Write the structure as blocks; marks of emphasis go, links and code stay."""
    decoded = decode_text(data, charset=options.charset)
    output.metadata.encoding = decoded.encoding
    if decoded.is_guess:
        output.metadata.warn("encoding_guessed", decoded.encoding)
    sections = _sections(decoded.text)
    for number, section in enumerate(sections, start=1):
        tokens = _parser(is_first=number == 1).parse(section)
        _Writer(output, images=options.extracts_images).write(tokens)
        output.advance(number, len(sections))


def _parser(*, is_first: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.use(dollarmath_plugin, double_inline=True)
    return parser.use(front_matter_plugin) if is_first else parser


def _sections(text: str) -> list[str]:
    """Cut very long files before headings outside of fences."""
    if len(text) <= _SECTION_CHARS:
        return [text]
    sections: list[str] = []
    lines: list[str] = []
    size, fence = 0, ""
    for line in text.split("\n"):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~"):
            fence = "" if mark == fence else fence or mark
        if size > _SECTION_CHARS and not fence and (line.startswith("#") or not line):
            sections.append("\n".join(lines))
            lines, size = [], 0
        lines.append(line)
        size += len(line) + 1
    return [*sections, "\n".join(lines)]


class _Writer:
    def __init__(self, output: Output, *, images: bool) -> None:
        self._output = output
        self._images = images
        self._lists: list[_List] = []
        self._quotes = 0
        self._heading = 0
        self._rows: list[Row] = []
        self._row: list[str | None] | None = None
        self._header_rows = 0

    def write(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            match token.type:
                case "inline":
                    self._inline(token)
                case "fence" | "code_block":
                    language = token.info.strip().partition(" ")[0]
                    self._output.add(Code(text=token.content.rstrip("\n"), language=language))
                case "math_block" | "math_block_label":
                    self._output.add(Formula(text=token.content.strip()))
                case "html_block":
                    tree = parse_markup(token.content, max_depth=self._output.limits.nesting)
                    BlockWriter(self._output, images=self._images).write(tree)
                case "front_matter":
                    self._front_matter(token.content)
                case _:
                    self._structure(token)

    def _structure(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self._heading = int(token.tag[1:])
            case "heading_close":
                self._heading = 0
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "bullet_list_open":
                self._lists.append(_List(number=None))
            case "ordered_list_open":
                start = token.attrGet("start")
                self._lists.append(_List(number=int(start) if start is not None else 1))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._lists[-1].begin_item()
            case _:
                self._table(token)

    def _table(self, token: Token) -> None:
        match token.type:
            case "table_open":
                self._rows, self._header_rows = [], 0
            case "tr_open":
                self._row = []
            case "tr_close":
                self._rows.append(tuple(self._row or ()))
                self._row = None
            case "thead_close":
                self._header_rows = len(self._rows)
            case "table_close":
                self._output.add(Table(rows=tuple(self._rows), header_rows=self._header_rows))
            case _:
                pass  # Paragraphs and rules have no state of their own.

    def _inline(self, token: Token) -> None:
        text = self._text(token.children or [])
        if self._row is not None:
            self._row.append(collapse(text) or None)
        elif self._heading:
            self._output.add(Heading(text=collapse(text), level=self._heading))
        elif self._lists and (marker := self._lists[-1].take_marker()):
            self._output.add(ListItem(text=text, marker=marker, level=len(self._lists)))
        else:
            self._output.add(Paragraph(text=text, style="quote" if self._quotes else ""))

    def _text(self, tokens: Sequence[Token]) -> str:
        lines = [""]
        links: list[tuple[int, str]] = []
        hard: list[str] = []
        for token in tokens:
            match token.type:
                case "text" | "text_special":
                    lines[-1] += token.content
                case "code_inline":
                    lines[-1] += f"`{token.content}`"
                case "math_inline" | "math_inline_double":
                    lines[-1] += f"${token.content}$"
                case "softbreak":
                    lines.append("")
                case "hardbreak":
                    hard.append(join_lines(lines))
                    lines = [""]
                case "image":
                    lines[-1] += self._image(token)
                case "link_open":
                    links.append((len(lines[-1]), str(token.attrGet("href") or "")))
                case "link_close" if links:
                    begin, target = links.pop()
                    lines[-1] = _linked(lines[-1], begin, target)
                case "html_inline" if _LINE_TAG.fullmatch(token.content):
                    hard.append(join_lines(lines))
                    lines = [""]
                case _:
                    pass  # Marks of emphasis, and tags without a meaning for text.
        return "\n".join(line for line in (*hard, join_lines(lines)) if line)

    def _image(self, token: Token) -> str:
        source, alt = str(token.attrGet("src") or ""), collapse(token.content)
        if source.startswith("data:"):
            try:
                image = read_image(data_url_bytes(source), limits=self._output.limits)
            except (DocumentNotParsed, ValueError):
                self._output.metadata.warn("image_unreadable", alt)
                return alt
            if self._images:
                self._output.add_image(image)
                self._output.add(picture_of(image, alt=alt))
            return ""
        self._output.metadata.warn("image_not_fetched", source)
        return f"![{alt}]({source})"

    def _front_matter(self, content: str) -> None:
        for name, value in _PROPERTY.findall(content):
            match name:
                case "title":
                    self._output.metadata.title = value
                case "author":
                    self._output.metadata.author = value
                case _:
                    self._output.metadata.language = value


class _List:
    """An open list; the first text of an item carries its marker."""

    def __init__(self, *, number: int | None) -> None:
        self._number = number
        self._marker = ""

    def begin_item(self) -> None:
        if self._number is None:
            self._marker = "-"
        else:
            self._marker = f"{self._number}."
            self._number += 1

    def take_marker(self) -> str:
        marker, self._marker = self._marker, ""
        return marker


def _linked(line: str, begin: int, target: str) -> str:
    begin = min(begin, len(line))
    label = line[begin:]
    if not target or target.startswith("#") or target in (label, f"mailto:{label}"):
        return line
    return f"{line[:begin]}[{label}]({target})"

"""Reading of HTML pages: the part that is content, without navigation and advertisements."""

from collections.abc import Callable
from typing import Final
from xml.etree import ElementTree as ET

from infra.contract.document.parser import ParseOptions
from infra.impl.document_parser.markup.html_blocks import BlockWriter
from infra.impl.document_parser.markup.html_tree import decode_markup, parse_markup
from infra.impl.document_parser.markup.prose import collapse
from infra.impl.document_parser.output import Output

_BOILERPLATE: Final = frozenset({"nav", "header", "footer", "aside"})
_LANDMARKS: Final = frozenset({"navigation", "banner", "contentinfo", "complementary", "search"})
_LINKED_SHARE: Final = 0.6
"""A part with more of its text in links than this is a menu."""
_MENU_CHARS: Final = 20
"""Shorter parts are no menus, whatever they link to."""
_MAIN_SHARE: Final = 0.2
"""Less of the page's text than this cannot be its content."""


def read_html(data: bytes, options: ParseOptions, output: Output) -> None:
    """Write title, headings, text, lists, tables and code of the main content."""
    decoded = decode_markup(data, charset=options.charset)
    output.metadata.encoding = decoded.encoding
    if decoded.is_guess:
        output.metadata.warn("encoding_guessed", decoded.encoding)
    root = parse_markup(decoded.text, max_depth=output.limits.nesting)
    output.metadata.language = root.get("lang", "")
    output.metadata.title = _title(root)
    output.metadata.author = _meta(root, "author")
    body = root.find("body")
    if body is not None:
        BlockWriter(output, images=options.extracts_images).write(main_content(body))
    output.advance(1, 1)


def main_content(body: ET.Element) -> ET.Element:
    """Find ``main`` or the one ``article``; else the body, in both cases without boilerplate."""
    whole = _length(body)
    for tag in ("main", "article"):
        found = [part for part in body.iter(tag) if _length(part) >= whole * _MAIN_SHARE]
        if found:
            best = max(found, key=_length)
            articles = list(best.iter("article"))
            if tag == "main" and len(articles) == 1 and _length(articles[0]) * 2 > _length(best):
                best = articles[0]
            _prune(best, _is_boilerplate_inside)
            return best
    for form in list(body.iter("form")):
        if _length(form) * 2 > whole:
            form.tag = "div"  # The whole page is one form, as some frameworks make it.
    _prune(body, _is_boilerplate)
    return body


def _prune(element: ET.Element, is_dropped: Callable[[ET.Element], bool]) -> None:
    waiting = [element]
    while waiting:
        parent = waiting.pop()
        for child in list(parent):
            if not is_dropped(child):
                waiting.append(child)
                continue
            # Text behind a dropped element belongs to its parent.
            tail, at = child.tail, list(parent).index(child)
            parent.remove(child)
            if tail and at:
                parent[at - 1].tail = (parent[at - 1].tail or "") + tail
            elif tail:
                parent.text = (parent.text or "") + tail


def _is_boilerplate(element: ET.Element) -> bool:
    if element.tag in _BOILERPLATE:
        # A header may hold the title of what follows.
        return element.tag != "header" or element.find(".//h1") is None
    return _is_boilerplate_inside(element)


def _is_boilerplate_inside(element: ET.Element) -> bool:
    if element.tag in ("nav", "aside", "footer", "form"):
        return True
    if element.get("role", "") in _LANDMARKS:
        return True
    if element.tag not in ("div", "ul", "ol", "section"):
        return False
    length = _length(element)
    linked = sum(_length(link) for link in element.iter("a"))
    return (
        length >= _MENU_CHARS
        and linked > length * _LINKED_SHARE
        and element.find(".//p") is None
        and element.find(".//pre") is None
        and sum(1 for _ in element.iter("a")) > 1
    )


def _length(element: ET.Element) -> int:
    return len(collapse("".join(element.itertext())))


def _title(root: ET.Element) -> str:
    for element in root.iter("title"):
        if text := collapse("".join(element.itertext())):
            return text
    return _meta(root, "og:title")


def _meta(root: ET.Element, name: str) -> str:
    for element in root.iter("meta"):
        if name in (element.get("name"), element.get("property")):
            return collapse(element.get("content", ""))
    return ""

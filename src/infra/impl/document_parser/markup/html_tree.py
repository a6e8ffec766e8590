"""Markup to a tree: errors are mended as browsers do, nothing is fetched, depth is bounded."""

import re
from typing import Final
from xml.etree import ElementTree as ET

from selectolax.lexbor import LexborHTMLParser, LexborNode

from infra.contract.document.parser import DocumentNotParsed, ParseFailure
from infra.impl.document_parser.encoding import DecodedText, decode_text

_DROPPED: Final = frozenset(
    {
        *("script", "style", "noscript", "template", "iframe", "object", "embed", "svg", "canvas"),
        *("button", "select", "textarea", "input", "dialog", "audio", "video", "map"),
    }
)
_META_CHARSET: Final = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w:.-]{2,40})", re.IGNORECASE
)
_META_BYTES: Final = 4096


def decode_markup(data: bytes, *, charset: str = "") -> DecodedText:
    """Decode by transport, byte order mark, ``meta`` element, content, in this order."""
    if not charset and (found := _META_CHARSET.search(data[:_META_BYTES])):
        charset = found[1].decode("ascii")
    return decode_text(data, charset=charset)


def parse_markup(text: str, *, max_depth: int) -> ET.Element:
    """Return the ``html`` element without comments, scripts and hidden parts.

    Raises:
        DocumentNotParsed: nested deeper than ``max_depth``.
    """
    root = LexborHTMLParser(text).root
    if root is None:
        return ET.Element("html")
    top = ET.Element(root.tag or "html")
    waiting: list[tuple[LexborNode, ET.Element, int]] = [(root, top, 1)]
    while waiting:
        node, element, depth = waiting.pop()
        if depth > max_depth:
            raise DocumentNotParsed(ParseFailure.BOMB, "The page is nested too deeply.")
        last: ET.Element | None = None
        child = node.first_child
        while child is not None:
            if child.is_text_node:
                _append_text(element, last, child.text_content or "")
            elif child.is_element_node and not _is_dropped(child):
                last = ET.SubElement(
                    element,
                    child.tag or "",
                    {name: value or "" for name, value in child.attributes.items()},
                )
                waiting.append((child, last, depth + 1))
            child = child.next
    return top


def _append_text(parent: ET.Element, last: ET.Element | None, text: str) -> None:
    if last is None:
        parent.text = (parent.text or "") + text
    else:
        last.tail = (last.tail or "") + text


def _is_dropped(node: LexborNode) -> bool:
    if node.tag in _DROPPED:
        return True
    attributes = node.attributes
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        # Wrappers of whole pages carry it until a script runs; content never stays hidden there.
        return node.tag not in ("html", "body", "main", "article")
    return False

"""The content of one Word paragraph: text with links and notes, and what floats beside it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Final
from xml.etree import ElementTree as ET

from msgspec.structs import replace

from infra.contract.document.parser import ExtractedImage, ParseOptions
from infra.impl.document_parser.office.ooxml import (
    Package,
    Relationship,
    number_of,
    present,
    value_of,
)

_DROPPED: Final = frozenset({"del", "moveFrom", "delText", "instrText", "rPr", "pPr", "ruby"})
_SIGNS: Final = {"tab": "\t", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
_BREAKS: Final = {"page": "", "column": ""}

_SCAN_SHARE: Final = 0.5
_EMU_PER_TWIP: Final = 635  # units of drawings and of pages


@dataclass(slots=True)
class ParagraphContent:
    """What a paragraph holds; pictures and boxes have no place inside a text."""

    text: str = ""
    pictures: list[tuple[ExtractedImage, str]] = field(default_factory=list)
    """Images, marked where they are scans, and what stands for them."""
    boxes: list[ET.Element] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Kind (footnote, endnote) and id of notes in the order of their marks."""
    formulas: int = 0
    breaks_page: bool = False

    @property
    def is_formula(self) -> bool:
        """Whether there is one formula and nothing else."""
        text = self.text.strip()
        return self.formulas == 1 and text.startswith("$") and text.endswith("$")


class Scans:
    """Tells images that stand for the text of a page, as scanners put them into documents."""

    def __init__(self, body: ET.Element) -> None:
        self._has_no_text = not any((part.text or "").strip() for part in body.iter("t"))
        sizes = [
            number_of(size.get("w"), default=0) * number_of(size.get("h"), default=0)
            for size in body.iter("pgSz")
        ]
        self._least_area = max(sizes, default=0) * _EMU_PER_TWIP**2 * _SCAN_SHARE

    def has(self, drawing: ET.Element) -> bool:
        """Tell whether there is no text beside it, or no room for any on its page."""
        if self._has_no_text:
            return True
        extent = drawing.find(".//extent")
        if extent is None or not self._least_area:
            return False
        sides = (number_of(extent.get(name), default=0) for name in ("cx", "cy"))
        return prod(sides) >= self._least_area


class ParagraphReader:
    """Reads paragraphs of one part, whose references it knows."""

    def __init__(
        self,
        package: Package,
        references: dict[str, Relationship],
        *,
        scans: Scans,
        options: ParseOptions,
        warn: Callable[[str, str], None],
    ) -> None:
        """``warn`` takes a code and a detail."""
        self._package = package
        self._references = references
        self._scans = scans
        self._options = options
        self._warn = warn
        self._unread: set[ET.Element] = set()

    def read(self, paragraph: ET.Element) -> ParagraphContent:
        content = ParagraphContent()
        self._children(paragraph, content)
        return content

    def _children(self, element: ET.Element, content: ParagraphContent) -> None:
        for child in present(element):
            self._visit(child, content)

    def _visit(self, element: ET.Element, content: ParagraphContent) -> None:
        tag = element.tag
        match tag:
            case "t":
                content.text += element.text or ""
            case "br":
                kind = element.get("type", "")
                content.breaks_page = content.breaks_page or kind == "page"
                content.text += _BREAKS.get(kind, "\n")
            case "tab" | "cr" | "noBreakHyphen" | "ptab":
                content.text += _SIGNS[tag]
            case "hyperlink":
                self._link(element, content)
            case "footnoteReference" | "endnoteReference":
                content.notes.append((tag.removesuffix("Reference"), element.get("id", "")))
                content.text += f"[{element.get('id', '')}]"
            case "oMath":
                content.text += f"${latex(element)}$"
                content.formulas += 1
            case "drawing" | "pict" | "object":
                self._drawing(element, content)
            case _ if tag in _DROPPED:
                return
            case _:
                self._children(element, content)

    def _link(self, element: ET.Element, content: ParagraphContent) -> None:
        begin = len(content.text)
        self._children(element, content)
        target = self._references.get(element.get("r:id", ""))
        label = content.text[begin:].strip()
        if target is None or not target.is_external or not label:
            return
        if label not in (target.target, target.target.removeprefix("mailto:")):
            content.text = f"{content.text[:begin]}[{label}]({target.target})"

    def _drawing(self, element: ET.Element, content: ParagraphContent) -> None:
        boxes = list(element.iter("txbxContent"))
        content.boxes += boxes
        inside = {id(part) for box in boxes for part in box.iter()}
        is_scan = self._scans.has(element)
        if not (self._options.extracts_images or is_scan):
            return
        properties = element.find(".//docPr")
        alt = properties.get("descr", "") if properties is not None else ""
        for part in element.iter():
            if part.tag not in ("blip", "imagedata") or id(part) in inside:
                continue
            reference = part.get("r:embed") or part.get("r:id") or part.get("r:link") or ""
            if is_scan and not self._options.reads_scans:
                if part not in self._unread:  # cells of frames are looked at twice
                    self._unread.add(part)
                    self._warn("no_text_layer", f"image {reference}")
                if not self._options.keeps_scans:
                    continue
            image = self._package.image(self._references.get(reference))
            if image is not None:
                content.pictures.append((replace(image, is_scan=is_scan), alt))


_N_ARY: Final = {
    "\u2211": r"\sum",
    "\u220f": r"\prod",
    "\u222b": r"\int",
    "\u22c3": r"\bigcup",
    "\u22c2": r"\bigcap",
}


def latex(element: ET.Element) -> str:
    """Write an ``oMath`` element; unknown structures give their text."""
    match element.tag:
        case "t":
            written = element.text or ""
        case "f":
            written = rf"\frac{{{_part(element, 'num')}}}{{{_part(element, 'den')}}}"
        case "sSup" | "sSub" | "sSubSup":
            written = _part(element, "e") + _scripts(element)
        case "rad":
            degree = _part(element, "deg")
            written = rf"\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e')}}}"
        case "nary":
            sign = value_of(element, "naryPr/chr") or "\u222b"
            written = f"{_N_ARY.get(sign, sign)}{_scripts(element)} {_part(element, 'e')}"
        case "d":
            begin = value_of(element, "dPr/begChr") or "("
            close = value_of(element, "dPr/endChr") or ")"
            written = begin + ",".join(latex(part) for part in element.findall("e")) + close
        case _:
            written = "".join(latex(child) for child in element)
    return written


def _scripts(element: ET.Element) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    return (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _part(element: ET.Element, name: str) -> str:
    return "".join(latex(part) for part in element.findall(name))

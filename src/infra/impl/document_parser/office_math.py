"""Formulas of Office documents as LaTeX, as far as they have a plain equivalent."""

from typing import Final
from xml.etree import ElementTree as ET

from infra.impl.document_parser.ooxml import value_of

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

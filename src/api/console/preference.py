"""Language and theme of a browser: from its cookie, else from what it asks for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

COOKIE: Final = "coterie_ui"
LANGUAGES: Final = ("en", "zh", "en-XA")
"""``en-XA`` is English with accents and brackets, which finds texts that nobody can translate."""
THEMES: Final = ("system", "light", "dark")


@dataclass(frozen=True, slots=True)
class Preference:
    """How pages look and read before any script runs, so that nothing flashes."""

    language: str
    theme: str


def preference(cookies: Mapping[str, str], accept_language: str) -> Preference:
    """Read ``language.theme`` from the cookie; what is not known there is passed over."""
    language, _, theme = cookies.get(COOKIE, "").partition(".")
    return Preference(
        language if language in LANGUAGES else _accepted(accept_language),
        theme if theme in THEMES else THEMES[0],
    )


def _accepted(header: str) -> str:
    """Return the language that is wanted most of those there are (RFC 9110, 12.5.4)."""
    best, weight = LANGUAGES[0], 0.0
    for part in header.split(","):
        tag, _, parameter = part.strip().partition(";")
        primary = tag.strip().lower().split("-")[0]
        wanted = _quality(parameter)
        if primary in LANGUAGES and wanted > weight:
            best, weight = primary, wanted
    return best


def _quality(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def prefers_html(accept: str) -> bool:
    """Tell whether a client asks for pages rather than for data; most programs accept anything."""
    weights = {
        kind.strip().lower(): _quality(parameter)
        for kind, _, parameter in (part.partition(";") for part in accept.split(","))
    }
    return weights.get("text/html", 0.0) > weights.get("application/json", 0.0)

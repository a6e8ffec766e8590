"""Colours of a link, made readable: WCAG 2.2 contrast on what they are drawn on."""

from collections.abc import Iterable
from typing import Final

_READABLE: Final = 4.5
_LIGHT_GROUND: Final = (1.0, 1.0, 1.0)
_DARK_GROUND: Final = (0.071, 0.078, 0.094)
_STEP: Final = 0.06
_DARKEST: Final = 0.04045

Rgb = tuple[float, float, float]


def accents(text: str) -> tuple[str, str, str]:
    """Return a colour as ground of white or black signs, and as text on light and dark pages.

    The first is the colour itself, darkened as far as white signs need it.
    """
    colour = _read(text)
    return (
        _written(_toward(colour, (0.0, 0.0, 0.0), against=(1.0, 1.0, 1.0))),
        _written(_toward(colour, (0.0, 0.0, 0.0), against=_LIGHT_GROUND)),
        _written(_toward(colour, (1.0, 1.0, 1.0), against=_DARK_GROUND)),
    )


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2, 1.4.3)."""
    return _contrast(_read(one), _read(other))


def _toward(colour: Rgb, end: Rgb, *, against: Rgb) -> Rgb:
    """Mix a colour with another in steps until it can be read."""
    share = 0.0
    while share < 1:
        mixed = _triple(a + (b - a) * share for a, b in zip(colour, end, strict=True))
        shown = _read(_written(mixed))
        if _contrast(shown, against) >= _READABLE:
            return shown
        share += _STEP
    return end


def _contrast(one: Rgb, other: Rgb) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (
        each / 12.92 if each <= _DARKEST else ((each + 0.055) / 1.055) ** 2.4 for each in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _read(text: str) -> Rgb:
    return _triple(int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))


def _triple(values: Iterable[float]) -> Rgb:
    red, green, blue = values
    return red, green, blue


def _written(colour: Rgb) -> str:
    return "#" + "".join(f"{round(each * 255):02x}" for each in colour)

"""Colours of the page of a link, as a style sheet."""

from dataclasses import dataclass

from domain.share.colour import accents


@dataclass(frozen=True, slots=True)
class PageColours:
    """What a link's own colour changes."""

    css: str


def page_colours(accent: str) -> PageColours | None:
    """Return the style of a link with a colour of its own; it is readable in both themes."""
    if not accent:
        return None
    ground, on_light, on_dark = accents(accent)
    dark = f"--accent:{ground};--accent-text:{on_dark}"
    return PageColours(
        f":root{{--accent:{ground};--accent-text:{on_light}}}:root.dark{{{dark}}}"
        f"@media (prefers-color-scheme:dark){{:root.system{{{dark}}}}}"
    )

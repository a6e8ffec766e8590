"""Working calls in five languages, for whoever connects for the first time."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from domain.shared.error import InvalidRequest

LANGUAGES: Final[Mapping[str, str]] = {
    "curl": "sh",
    "python": "py",
    "typescript": "ts",
    "go": "go",
    "java": "java",
}
"""Suffix of each language's template."""

KINDS: Final = ("chat", "stream", "workflow", "upload")


def example(language: str, kind: str, values: Mapping[str, str]) -> str:
    """Return a program that does this in a language; the token is read from ``COTERIE_TOKEN``.

    ``values`` has ``base_url``, ``agent``, ``workflow`` and ``file``. Raises ``InvalidRequest`` for
    values that would not stay inside a quoted text of all languages.
    """
    for name, value in values.items():
        if not value.isprintable() or set(value) & set("\"'\\`${}"):
            raise InvalidRequest(f"{name}: quotes, $, {{}} and \\ cannot be shown.", field=name)
    template = files(__package__).joinpath("template", f"{kind}.{LANGUAGES[language]}.tmpl")
    text = template.read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text

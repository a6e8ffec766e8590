"""Whatever Markdown a model writes, no renderer makes a page of it that loads from a stranger."""

from html.parser import HTMLParser
from typing import Final

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from domain.shared.text.link_filter import LinkFilter

_ADDRESSES: Final = ("http://evil.example/S", "//evil.example", "<http://evil.example/S>", "evil:x")
_LOADING: Final = frozenset({"src", "srcset", "background", "poster", "data", "style", "srcdoc"})
_PIECES: Final = (
    *(f"![x]({address})" for address in _ADDRESSES),
    *(f"<img src='{address.strip('<>')}'>" for address in _ADDRESSES[:2]),
    *(f"[r]: {address}\n" for address in _ADDRESSES[:3]),
    *("`", "``", "```", "````", "~", "~~", "~~~", "~~~~", "|", "a|b", "--|--", ":-:|--", "|-|\n"),
    *("\n", "\n\n", "\r\n", "\r", " ", "   ", "    ", "\t", "> ", "- ", "1. ", "# ", "***"),
    *(
        "![r]",
        "![r][]",
        "![a",
        "](",
        ")",
        "[",
        "]",
        "!",
        "\\",
        "x",
        "<div>",
        "</div>",
        "<!--",
        "-->",
    ),
    *(
        "<pre>",
        "</pre>",
        "<?",
        "?>",
        "<![CDATA[",
        "]]>",
        "<a b='",
        "'>",
        "&#33;",
        "&lt;",
        "[1]",
        "==",
    ),
)
_gfm: Final = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def by_cmark(text: str) -> str:
    return str(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))


def by_markdown_it(text: str) -> str:
    return str(_gfm.render(text))


class _Loads(HTMLParser):
    """What a page loads by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            f"{tag} {name}={value}" for name, value in attrs if name in _LOADING and value
        ]


def loaded(page: str) -> list[str]:
    parser = _Loads()
    parser.feed(page)
    parser.close()
    return [each for each in parser.found if "evil" in each]


def _check(pieces: list[str]) -> None:
    shown = LinkFilter(()).whole("".join(pieces))
    for render in (by_cmark, by_markdown_it):
        assert not loaded(render(shown)), (render.__name__, shown)


@pytest.mark.parametrize("render", [by_cmark, by_markdown_it])
def test_renderers_load_what_is_not_filtered(render: object) -> None:
    assert callable(render)
    assert loaded(render(_PIECES[0]))


@given(st.lists(st.sampled_from(_PIECES), max_size=14))
def test_no_renderer_loads_from_a_stranger(pieces: list[str]) -> None:
    _check(pieces)


@pytest.mark.long
@settings(max_examples=30_000, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=24))
def test_no_renderer_loads_from_a_stranger_for_long(pieces: list[str]) -> None:
    _check(pieces)

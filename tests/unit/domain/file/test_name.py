"""File names are metadata: whatever a client sends, the result is harmless."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.file.name import MAX_NAME_BYTES, extension, sanitise_name

CORPUS = [
    ("../../etc/passwd", "passwd"),
    ("..\\..\\boot.ini", "boot.ini"),
    ("%2e%2e%2f", "%2e%2e%2f"),
    ("..%c0%af", "%c0%af"),
    ("/etc/passwd", "passwd"),
    ("C:\\x", "x"),
    ("C:x", "x"),
    ("\\\\host\\share", "share"),
    ("file:///", "upload"),
    ("a/./b", "b"),
    ("a//b", "b"),
    ("trailing.", "trailing"),
    ("trailing ", "trailing"),
    ("CON", "_CON"),
    ("con.txt", "_con.txt"),
    ("a\0b.txt", "ab.txt"),
    ("cod\u202etxt.exe", "codtxt.exe"),
    ("~", "upload"),
    (".env", "env"),
    ("..", "upload"),
    ("", "upload"),
    ("   ", "upload"),
    ('a"b;c\r\nd.txt', "a_b;c d.txt"),
    ("line\u2028break.txt", "line break.txt"),
    ("\ud800.txt", "txt"),
    ("报告 (1).pdf", "报告 (1).pdf"),
    ("e\u0301.txt", "é.txt"),
    ("👩\u200d🚀.png", "👩\u200d🚀.png"),
    ("page.html.jpg", "page.html.jpg"),
]


@pytest.mark.parametrize(("name", "expected"), CORPUS)
def test_names_become_harmless(name: str, expected: str) -> None:
    assert sanitise_name(name) == expected


def test_long_names_keep_their_extension() -> None:
    name = sanitise_name("汉" * 300 + ".docx")

    assert len(name.encode()) <= MAX_NAME_BYTES
    assert name.endswith("汉.docx")


def test_a_long_extension_is_cut_too() -> None:
    assert len(sanitise_name("a." + "b" * 400).encode()) == MAX_NAME_BYTES


@given(st.text())
def test_no_name_escapes_or_hides(name: str) -> None:
    result = sanitise_name(name)

    assert result
    assert len(result.encode()) <= MAX_NAME_BYTES
    assert not set(result) & set('/\\<>:"|?*\0\r\n')
    assert result not in {".", ".."}
    assert all(unicodedata.category(c) not in {"Cc", "Zl", "Zp"} for c in result)
    assert not set(result) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@given(st.text())
def test_a_sanitised_name_stays_as_it_is(name: str) -> None:
    once = sanitise_name(name)

    assert sanitise_name(once) == once


@pytest.mark.parametrize(
    ("name", "expected"), [("a.PDF", ".pdf"), ("a", ""), ("a.", ""), ("a.tar.gz", ".gz")]
)
def test_extensions_are_lower_case_with_a_dot(name: str, expected: str) -> None:
    assert extension(name) == expected

"""Tokens: what is found by what."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.knowledge.text.analyzer import Analyzer
from domain.knowledge.text.porter import porter_stem

ALLOWED = re.compile(r"(?:[a-z0-9.\-_@/]|[^\x00-\x7f\ud800-\udfff])+")


@pytest.fixture
def analyzer() -> Analyzer:
    return Analyzer()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The oil crises", ["the", "oil", "crise"]),
        ("gpt-4.1", ["gpt-4.1", "gpt", "4", "1"]),
        ("a_b me@example.org", ["a_b", "a", "b", "me@example.org", "me", "exampl", "org"]),
        ("getElementById", ["getelementbyid", "get", "element", "by", "id"]),
        ("HTTPServer2", ["httpserver2", "http", "server", "2"]),
        ("Luther's café", ["luther", "cafe"]),
        ("２０２４年ＡＢＣ", ["2024", "年", "abc"]),
        ("石油危机", ["石", "石油", "油", "油危", "危", "危机", "机"]),
        ("用GPT写代码", ["用", "gpt", "写", "写代", "代", "代码", "码"]),
        ("のテスト", ["の", "のテ", "テ", "テス", "ス", "スト", "ト"]),
        ("한국어 검색", ["한국어", "한국", "국어", "검색"]),
        ("Привет, мир!", ["привет", "мир"]),
        ("हिन्दी है। สวัสดี", ["हिन्दी", "है", "สวัสดี"]),
        ("", []),
        (" \n!?。", []),
    ],
)
def test_texts_become_tokens(analyzer: Analyzer, text: str, tokens: list[str]) -> None:
    assert analyzer.index_tokens(text) == tokens


def test_a_question_loses_its_stop_words(analyzer: Analyzer) -> None:
    english = analyzer.query_terms("What was the price of oil?")
    chinese = analyzer.query_terms("石油是什么")

    assert [term.token for term in english] == ["price", "oil"]
    assert {term.token for term in chinese} == {"石", "石油", "油", "油是"}


def test_a_question_of_stop_words_keeps_them(analyzer: Analyzer) -> None:
    terms = analyzer.query_terms("What is this?")

    assert [term.token for term in terms] == ["what", "is", "this"]
    assert all(term.is_stopword for term in terms)


def test_terms_of_a_question_are_distinct(analyzer: Analyzer) -> None:
    assert [term.token for term in analyzer.query_terms("oil, oils and Oil")] == ["oil"]


def test_single_characters_count_half_beside_pairs(analyzer: Analyzer) -> None:
    weights = {term.token: term.weight for term in analyzer.query_terms("石油")}

    assert weights == {"石": 0.5, "石油": 1.0, "油": 0.5}
    assert [(t.token, t.weight) for t in analyzer.query_terms("油")] == [("油", 1.0)]


def test_long_runs_are_cut(analyzer: Analyzer) -> None:
    assert max(map(len, analyzer.index_tokens("x" * 5000 + " " + "ж" * 5000))) <= 128


@given(st.text(max_size=300))
def test_every_token_fits_the_indexes(text: str) -> None:
    for token in Analyzer().index_tokens(text):
        assert ALLOWED.fullmatch(token), token


@given(st.text(max_size=200))
def test_question_and_text_are_analysed_alike(text: str) -> None:
    analyzer = Analyzer()

    assert {term.token for term in analyzer.query_terms(text)} <= set(analyzer.index_tokens(text))


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("cats", "cat"),
        ("feed", "feed"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("conflated", "conflat"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("happy", "happi"),
        ("sky", "sky"),
        ("relational", "relat"),
        ("rational", "ration"),
        ("digitizer", "digit"),
        ("hopefulness", "hope"),
        ("formalize", "formal"),
        ("electrical", "electr"),
        ("goodness", "good"),
        ("revival", "reviv"),
        ("adjustable", "adjust"),
        ("replacement", "replac"),
        ("adoption", "adopt"),
        ("effective", "effect"),
        ("probate", "probat"),
        ("rate", "rate"),
        ("cease", "ceas"),
        ("controll", "control"),
        ("roll", "roll"),
        ("generalizations", "gener"),
        ("oscillators", "oscil"),
        ("as", "as"),
    ],
)
def test_english_words_lose_their_endings(word: str, stem: str) -> None:
    """Examples of the paper, after all steps."""
    assert porter_stem(word) == stem


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=40))
def test_stems_are_never_empty_or_longer(word: str) -> None:
    stem = porter_stem(word)

    assert bool(stem) == bool(word)
    assert len(stem) <= len(word) + 1


def test_words_are_taken_apart_once(analyzer: Analyzer) -> None:
    text = "Luther's getElementById oil " + "a" * 200
    first = analyzer.index_tokens(text)

    assert list(analyzer._runs) == ["Luther's", "getElementById", "oil"]  # what texts repeat
    assert analyzer.index_tokens(text) == first

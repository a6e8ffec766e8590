"""Text in the encodings that files really have."""

# ruff: noqa: RUF001 - letters of one script that look like those of another

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.contract.document.parser import DocumentNotParsed, ParseFailure
from infra.impl.document_parser.encoding import decode_text

SAMPLES = [
    ("gb18030", "知识库的检索质量取决于分词和排序。"),
    ("gb18030", "姓名,年龄\n张三,20\n李四,30\n"),
    ("gb18030", "发表"),
    ("big5", "知識庫的檢索品質取決於斷詞與排序。"),
    ("cp932", "名前,年齢,住所\n佐藤太郎,30,東京\n髙橋淳,35,名古屋"),
    ("euc_jp", "これは日本語のテキストです。漢字も含む。"),
    ("euc_kr", "안녕하세요, 세계! 한국어 문서입니다."),
    ("cp1252", "Café à la crème \u2013 très bon"),
    ("cp1252", "Übergröße für Mädchen: schön"),
    *(
        (encoding, text)
        for encoding in ("cp1251", "koi8_r", "cp866", "iso8859_5", "mac_cyrillic")
        for text in (
            "Привет, мир! Это простой текст на русском языке.",
            "ВНИМАНИЕ: проверьте накладную 17, затем отправьте её в Москву.",
            "имя; город; Иван; Тула; Мария; Пермь",
            "Срок гарантии на насос составляет двадцать четыре месяца.",
            "Здравствуйте! Меня зовут Иван.",
            "Название;Цена;Остаток\nНасос;120;5\nЯщик;80;7",
        )
    ),
    ("cp1251", "Я думаю, что «Анна Каренина» \u2014 великая книга Л. Н. Толстого."),
    ("cp1251", "яблоко"),
    ("cp1251", "Ми любимо українську мову, її пісні та звичаї."),
    ("koi8_u", "Ми любимо українську мову, її пісні та звичаї."),
    ("cp1251", "Тяхната съвест ги задължава да се отнасят помежду си братски."),
    ("cp1251", "Сва људска бића рађају се слободна и једнака у достојанству."),
    ("cp1253", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια."),
    ("cp1255", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם."),
    ("cp1256", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق."),
    ("iso8859_6", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق."),
    ("cp874", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ"),
    ("cp1254", "Bütün insanlar hür, haysiyet ve haklar bak\u0131m\u0131ndan eşit doğarlar."),
    *(
        (encoding, text)
        for encoding in ("cp1250", "iso8859_2")
        for text in (
            "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności.",
            "Příliš žluťoučký kůň úpěl ďábelské ódy.",
        )
    ),
    ("cp1250", "Minden ember egyenlő méltósággal születik, tűz és őr között."),
    ("cp1257", "Visi cilvēki piedzimst brīvi un vienlīdzīgi savā pašcieņā un tiesībās."),
    ("cp1252", "Müller; García; Ångström; Françoise; Þór"),
]


@pytest.mark.parametrize(("encoding", "text"), SAMPLES)
def test_legacy_encodings_are_told_apart(encoding: str, text: str) -> None:
    decoded = decode_text(text.encode(encoding))

    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert decoded.is_guess


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_and_is_no_text(encoding: str) -> None:
    decoded = decode_text("名前\r\nx".encode(encoding))

    assert decoded.text == "名前\nx"
    assert not decoded.is_guess


def test_a_declared_charset_comes_before_the_guess() -> None:
    assert decode_text("発表".encode("euc_jp"), charset="EUC-JP").text == "発表"
    assert decode_text("知识".encode("gb18030"), charset="GB2312").text == "知识"


@pytest.mark.parametrize("charset", ["zlib", "hex", "rot13", "undefined", "idna", "x" * 50])
def test_a_declared_charset_that_is_none_is_ignored(charset: str) -> None:
    assert decode_text(b"plain", charset=charset).text == "plain"


def test_a_single_bad_byte_does_not_ruin_a_text() -> None:
    text = "知识库的检索质量取决于分词和排序。" * 20

    assert decode_text(text.encode()[:-1]).text.startswith(text[:-1])


def test_binary_content_is_no_text() -> None:
    with pytest.raises(DocumentNotParsed) as caught:
        decode_text(b"ab\x00\x00cd")

    assert caught.value.failure is ParseFailure.UNSUPPORTED


@given(st.text())
def test_utf_8_comes_back_unchanged(text: str) -> None:
    if text.count("\x00") * 100 <= len(text.encode()) and not text.startswith("\ufeff"):
        expected = text.replace("\r\n", "\n").replace("\r", "\n")
        assert decode_text(text.encode()).text == expected


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        assert isinstance(decode_text(data).text, str)
    except DocumentNotParsed as exc:
        assert exc.failure is ParseFailure.UNSUPPORTED  # noqa: PT017 (either is right)


def random_bytes(size: int, seed: int) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - the same in every run


@pytest.mark.parametrize("size", [40, 300, 5000])
@pytest.mark.parametrize("seed", range(5))
def test_random_bytes_are_no_text(size: int, seed: int) -> None:
    with pytest.raises(DocumentNotParsed) as caught:
        decode_text(random_bytes(size, seed))
    assert caught.value.failure is ParseFailure.UNSUPPORTED


@pytest.mark.parametrize("seed", range(5))
def test_high_bytes_alone_are_no_text_either(seed: int) -> None:
    data = bytes(128 + byte % 128 for byte in random_bytes(2000, seed))
    with pytest.raises(DocumentNotParsed, match="UTF-8"):
        decode_text(data)


def test_colours_of_a_terminal_are_text() -> None:
    text = "\x1b[31mred\x1b[0m\tplain\x0cnext page"
    assert decode_text(text.encode()).text == text

"""In which letters a text mostly is."""

import pytest

from domain.knowledge.health import script_of
from domain.knowledge.value import Script


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Refunds take five days.", Script.LATIN),
        ("Rückgabe für 30 €", Script.LATIN),
        ("退款需要五个工作日。See FAQ", Script.CHINESE),
        ("返金には五営業日かかります", Script.JAPANESE),
        ("환불에는 5일이 걸립니다", Script.KOREAN),
        ("Возврат занимает пять дней", Script.CYRILLIC),
        ("يستغرق الاسترداد خمسة أيام", Script.ARABIC),
        ("η επιστροφή", Script.OTHER),
        ("12.5 % (2024)", Script.OTHER),
        ("", Script.OTHER),
    ],
)
def test_letters_tell_the_script(text: str, script: Script) -> None:
    assert script_of(text) is script


def test_a_single_kana_among_chinese_characters_does_not_make_it_japanese() -> None:
    assert script_of("中文文章里偶尔出现の这样的一个日文字母并不奇怪") is Script.CHINESE

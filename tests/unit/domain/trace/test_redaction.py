"""Rules of what is masked before a trace is stored."""

import pytest

from domain.shared.secret import MASK
from domain.trace.redaction import masked


@pytest.mark.parametrize(
    "secret",
    [
        "AKIA" + "ABCDEFGHIJKLMNOP",
        "ASIA" + "ABCDEFGHIJKLMNOP",
        *(f"gh{kind}_" + "a1B2" * 9 for kind in "pousr"),
        "github_pat_" + "a1B2_" * 9,
        "glpat-" + "a1B2" * 5,
        "xoxb-" + "1234567890-abcdef",
        "AIza" + "a1B2c" * 7,
        "sk_live_" + "a1B2" * 5,
        "rk_test_" + "a1B2" * 5,
        "npm_" + "a1B2" * 9,
        "eyJ" + "a" * 20 + ".eyJ" + "b" * 20 + "." + "c" * 20,
        "-----BEGIN PRIVATE KEY-----\n" + "A" * 64 + "\n-----END PRIVATE KEY-----",
        "4111111111111111",
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "5555555555554444",
        "378282246310005",
        "3782 822463 10005",
        "6011111111111117",
        "4222222222222",
    ],
)
@pytest.mark.parametrize(
    "around", ["{}", "see {} here", '{{"value":"{}"}}', r'{{"value":"a\n{}\n"}}', "密钥{}。"]
)
def test_keys_and_card_numbers_are_masked(secret: str, around: str) -> None:
    assert masked([around.format(secret)]) == [around.format(MASK)]


@pytest.mark.parametrize(
    "harmless",
    [
        "4111111111111112",  # a wrong check digit
        "7530529796107796481",  # an id
        "41111111111111111111",
        "1.4111111111111111",
        "5222222222221",  # right as such, but no network has 13 digits and this beginning
        "4" + "\uff11" * 15,  # no digits of cards
        "2026-11-23",
        "AKIA",
        "ghp_short",
    ],
)
def test_other_numbers_and_words_stay(harmless: str) -> None:
    assert masked([harmless]) == [harmless]


def test_texts_are_masked_each_by_itself() -> None:
    texts = ["4111 1111", "1111 1111", "a\x00b", ""]
    assert masked(texts) == texts
    assert masked(["a", "b"], masks=(str.upper,)) == ["A", "B"]
    assert masked([]) == []

"""Texts and grants of tokens."""

import re
import zlib
from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.identity.entity import ApiToken
from domain.identity.error import InvalidIdentity
from domain.identity.value import (
    TokenKind,
    could_be_token,
    given_token,
    has_valid_checksum,
    kind_of_token,
    new_token_text,
)
from domain.shared.access import Grant
from domain.shared.ids import TokenId, UserId
from domain.shared.secret import Secret
from tests.support.clock import FrozenClock


def test_a_personal_token_has_a_prefix_256_bits_and_a_checksum() -> None:
    text = new_token_text(TokenKind.PERSONAL).reveal()

    assert text.startswith("pat_")
    assert len(text) == 4 + 43 + 6
    assert text[4:].isalnum()
    assert has_valid_checksum(text)
    assert could_be_token(text)


@pytest.mark.parametrize(
    ("kind", "prefix"),
    [
        (TokenKind.PERSONAL, "pat_"),
        (TokenKind.SHORT_LIVED, "cst_"),
        (TokenKind.SERVICE, "czs_"),
        (TokenKind.OAUTH, "cztei_"),
        (TokenKind.REFRESH, "czr_"),
    ],
)
def test_each_kind_has_a_prefix_of_its_own(kind: TokenKind, prefix: str) -> None:
    text = new_token_text(kind).reveal()

    assert re.fullmatch(prefix + "[0-9A-Za-z]{49}", text)
    assert kind_of_token(text) is kind
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    number = 0
    for char in text[-6:]:
        number = number * 62 + digits.index(char)
    assert number == zlib.crc32(text[:-6].encode()), "as the page for secret scanners says"


def test_every_kind_has_a_prefix() -> None:
    assert len({new_token_text(kind).reveal().partition("_")[0] for kind in TokenKind}) == len(
        TokenKind
    )


def test_tokens_do_not_repeat_and_use_all_characters_evenly() -> None:
    texts = [new_token_text(TokenKind.PERSONAL).reveal() for _ in range(2_000)]
    counts = Counter("".join(text[4:47] for text in texts))

    assert len(set(texts)) == len(texts)
    expected = 2_000 * 43 / 62
    chi_square = sum((counts[char] - expected) ** 2 / expected for char in counts)
    assert len(counts) == 62
    assert chi_square < 150, "61 degrees of freedom: p is below 1e-8 beyond 150"


@given(st.integers(min_value=4, max_value=52), st.characters(codec="ascii", categories=["L", "N"]))
def test_a_changed_character_breaks_the_checksum(place: int, char: str) -> None:
    text = "pat_" + "a" * 43
    valid = new_token_text(TokenKind.PERSONAL).reveal()
    changed = valid[:place] + char + valid[place + 1 :]

    assert changed == valid or not has_valid_checksum(changed)
    assert not has_valid_checksum(text)


@pytest.mark.parametrize("text", ["", "pat_short", "sk-" + "a" * 30, "pat_" + "ä" * 20, "x" * 40])
def test_an_operator_cannot_choose_a_weak_token(text: str) -> None:
    with pytest.raises(InvalidIdentity):
        given_token(Secret(text))


def test_an_operator_may_choose_a_token_without_checksum() -> None:
    assert given_token(Secret("pat_for_automation_2026")).reveal() == "pat_for_automation_2026"


def test_a_token_is_valid_until_it_expires_or_is_revoked(clock: FrozenClock) -> None:
    token = ApiToken.create(
        id=TokenId(1),
        user_id=UserId(2),
        kind=TokenKind.PERSONAL,
        name="Laptop",
        text="pat_" + "a" * 49,
        grant=Grant(),
        expires_at=clock.now() + timedelta(days=1),
        actor_id=UserId(2),
        now=clock.now(),
    )
    assert token.is_valid(clock.now())
    assert "a" * 10 not in repr(token)

    clock.advance(days=1)
    assert not token.is_valid(clock.now())

    clock.advance(days=-1)
    token.revoke(actor_id=UserId(2), now=clock.now())
    assert not token.is_valid(clock.now())

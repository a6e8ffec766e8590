"""Sealing credentials: bound to their place, never equal, readable across a key change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.contract.security.secret_box import SecretUnreadable
from infra.impl.secret_box.aes_gcm import AesGcmSecretBox

OLD, NEW = bytes(range(32)), bytes(range(1, 33))


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_what_is_sealed_opens_in_its_place(plaintext: bytes, place: bytes) -> None:
    box = AesGcmSecretBox(OLD)
    sealed = box.seal(plaintext, aad=place)
    assert box.open(sealed, aad=place) == plaintext
    with pytest.raises(SecretUnreadable):
        box.open(sealed, aad=place + b"!")


def test_equal_secrets_never_look_equal() -> None:
    box = AesGcmSecretBox(OLD)
    assert box.seal(b"sk-1", aad=b"") != box.seal(b"sk-1", aad=b"")


def test_a_new_key_opens_what_a_previous_one_sealed() -> None:
    sealed = AesGcmSecretBox(OLD).seal(b"sk-1", aad=b"a")
    assert AesGcmSecretBox(NEW, previous=[OLD]).open(sealed, aad=b"a") == b"sk-1"
    with pytest.raises(SecretUnreadable, match="another master key"):
        AesGcmSecretBox(NEW).open(sealed, aad=b"a")


@pytest.mark.parametrize("sealed", [b"", b"\x01", b"\x02" * 60])
def test_damaged_bytes_are_refused(sealed: bytes) -> None:
    with pytest.raises(SecretUnreadable, match="damaged"):
        AesGcmSecretBox(OLD).open(sealed, aad=b"")


def test_a_flipped_bit_is_noticed() -> None:
    box = AesGcmSecretBox(OLD)
    sealed = bytearray(box.seal(b"sk-1", aad=b""))
    sealed[-1] ^= 1
    with pytest.raises(SecretUnreadable):
        box.open(bytes(sealed), aad=b"")


def test_a_master_key_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32"):
        AesGcmSecretBox(b"short")

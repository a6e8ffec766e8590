"""A secret leaves only through ``reveal`` (ST-9)."""

import copy
import json
import pickle
from collections.abc import Callable

import msgspec
import pytest

from domain.shared.secret import Secret

CANARY = "canary-0123456789"


class Holder(msgspec.Struct):
    key: Secret


@pytest.mark.parametrize("show", [repr, str, "{}".format, lambda s: f"{s!r:>30}"])
def test_text_forms_show_a_mask(show: Callable[[object], str]) -> None:
    assert "canary" not in show(Secret(CANARY))
    assert "canary" not in show(Holder(key=Secret(CANARY)))
    assert "canary" not in show({"k": [Secret(CANARY)]})


@pytest.mark.parametrize("encode", [json.dumps, msgspec.json.encode, msgspec.msgpack.encode])
def test_encoders_refuse_a_secret(encode: Callable[[object], object]) -> None:
    with pytest.raises(TypeError):
        encode({"key": Secret(CANARY)})


@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_secret_cannot_be_copied_out(duplicate: Callable[[object], object]) -> None:
    with pytest.raises(TypeError):
        duplicate(Secret(CANARY))


def test_the_hint_shows_four_characters_of_long_secrets_only() -> None:
    assert Secret(CANARY).hint == "…6789"
    assert "short" not in Secret("short").hint


def test_secrets_compare_by_text() -> None:
    assert Secret(CANARY) == Secret(CANARY)
    assert Secret(CANARY) != Secret("")
    assert Secret(CANARY) != CANARY
    assert not Secret("")

"""The configuration page names every key and every default of a limit."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bootstrap.settings import settings_type
from domain.shared.limits import Limits

PAGE = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text("utf-8")


def _keys(kind: Any, prefix: str = "") -> Iterator[str]:
    for field in msgspec.structs.fields(kind):
        if field.name in {"limits", "providers", "models", "defaults"}:
            continue
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from _keys(field.type, f"{prefix}{field.name}.")
        else:
            yield prefix + field.name


@pytest.mark.parametrize("key", list(_keys(settings_type())))
def test_each_setting_is_documented(key: str) -> None:
    assert f"| `{key}` |" in PAGE


def test_each_table_of_models_is_documented_with_its_keys() -> None:
    for table in ("providers", "models", "defaults"):
        (row,) = re.findall(rf"^\| `{table}` \| (.*) \|$", PAGE, re.MULTILINE)
        (field,) = (f for f in msgspec.structs.fields(settings_type()) if f.name == table)
        struct: Any = field.type if table == "defaults" else field.type.__args__[0]
        assert {f.name for f in msgspec.structs.fields(struct)} == set(re.findall(r"`(\w+)`", row))


def test_the_table_of_limits_is_complete_and_true() -> None:
    section = PAGE[PAGE.index("## Limits") :]
    documented = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+)", section, re.MULTILINE))

    assert {name: float(value) for name, value in documented.items()} == {
        field.name: float(getattr(Limits(), field.name)) for field in msgspec.structs.fields(Limits)
    }

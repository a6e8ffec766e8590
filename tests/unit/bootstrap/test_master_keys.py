"""Master keys of a data directory: the first one seals, former ones open."""

import base64
import stat
from pathlib import Path

import pytest

from bootstrap.configuration import load
from bootstrap.safety import (
    load_master_key,
    load_master_keys,
    new_master_key,
    replace_master_keys,
)
from bootstrap.settings import configured_secrets
from domain.shared.error import SettingsInvalid


def test_a_new_key_comes_before_those_of_the_directory(tmp_path: Path) -> None:
    settings = load({"COTERIE_DATA_DIR": str(tmp_path)})
    former = load_master_keys(settings)
    new = new_master_key()

    replace_master_keys(settings, (new, *former))

    assert load_master_keys(settings) == (new, *former)
    assert load_master_key(settings) == new
    assert stat.S_IMODE((tmp_path / "master.key").stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["master.key"]


def test_former_keys_of_the_configuration_are_known_and_kept_secret() -> None:
    new, old, older = (base64.b64encode(bytes(range(n, n + 32))).decode() for n in (1, 2, 3))
    settings = load({"COTERIE_MASTER_KEY": new, "COTERIE_FORMER_MASTER_KEYS": f"{old},{older}"})

    assert [key.reveal() for key in load_master_keys(settings)] == [new, old, older]
    assert {old, older} <= {secret.reveal() for secret in configured_secrets(settings)}
    with pytest.raises(SettingsInvalid, match="COTERIE_FORMER_MASTER_KEYS"):
        replace_master_keys(settings, [new_master_key()])

"""The process refuses to start on unsafe settings, one test per condition (ST-10)."""

import base64
import stat
from pathlib import Path

import pytest

from bootstrap.configuration import load
from bootstrap.safety import check, key_bytes, load_master_key
from domain.shared.error import SettingsInvalid

KEY = base64.b64encode(bytes(range(32))).decode()


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _check(**environ: str) -> None:
    variables = {f"COTERIE_{name}": value for name, value in environ.items()}
    check(load(variables), variables)


def test_the_defaults_are_safe() -> None:
    _check()


@pytest.mark.parametrize(
    "key",
    [
        "",
        "short",
        "changeme",
        "A" * 43 + "=",
        "00" * 32,
        base64.b64encode(b"change-me-change-me-change-me-32").decode()[:20],
        "change-me" + "x" * 35,
        base64.b64encode(bytes(range(31))).decode(),
        "ü" * 44,
    ],
)
def test_an_empty_short_or_sample_master_key_is_refused(key: str) -> None:
    with pytest.raises(SettingsInvalid, match=r"[Mm]aster|MASTER"):
        _check(MASTER_KEY=key)


@pytest.mark.parametrize("key", [KEY, bytes(range(32)).hex()])
def test_a_real_master_key_is_accepted_in_base64_and_hex(key: str) -> None:
    _check(MASTER_KEY=key)

    assert key_bytes(load_master_key(load({"COTERIE_MASTER_KEY": key}))) == bytes(range(32))


def test_a_world_readable_key_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(KEY)
    path.chmod(0o644)

    with pytest.raises(SettingsInvalid, match="chmod 600"):
        _check(MASTER_KEY_FILE=str(path))

    path.chmod(0o600)
    _check(MASTER_KEY_FILE=str(path))


def test_debug_is_refused_where_others_can_reach_it() -> None:
    with pytest.raises(SettingsInvalid, match="debug"):
        _check(DEBUG="true", HOST="0.0.0.0")  # noqa: S104

    _check(DEBUG="true")


def test_a_wildcard_origin_is_refused() -> None:
    with pytest.raises(SettingsInvalid, match="wildcard"):
        _check(CORS__ORIGINS="*")


@pytest.mark.parametrize(
    "token",
    [
        "",
        "pat_short",
        "no-prefix-0123456789abcdef",
        "pat_changeme-changeme-1",
        "pat_CHANGE_ME_0123456789",
        "pat_your_token_0123456789",
        "pat_with space 0123456789",
    ],
)
def test_a_short_or_placeholder_bootstrap_token_is_refused(token: str) -> None:
    with pytest.raises(SettingsInvalid, match="bootstrap_token"):
        _check(BOOTSTRAP_TOKEN=token)


@pytest.mark.parametrize(
    "token", ["pat_q7Zk2mV9xT4bN8rL", "pat_sample_of_a_pipeline", "pat_" + "0" * 16]
)
def test_a_bootstrap_token_of_an_automation_is_accepted(token: str) -> None:
    _check(BOOTSTRAP_TOKEN=token)


def test_the_first_start_makes_a_key_only_the_owner_can_read(tmp_path: Path) -> None:
    settings = load({"COTERIE_DATA_DIR": str(tmp_path)})

    first = load_master_key(settings)

    assert load_master_key(settings) == first
    assert len(key_bytes(first)) == 32
    assert stat.S_IMODE((tmp_path / "master.key").stat().st_mode) == 0o600


def test_a_stored_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    settings = load({"COTERIE_DATA_DIR": str(tmp_path)})
    load_master_key(settings)
    (tmp_path / "master.key").chmod(0o604)

    with pytest.raises(SettingsInvalid, match="chmod"):
        load_master_key(settings)


def test_a_damaged_stored_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    path.write_text("")
    path.chmod(0o600)

    with pytest.raises(SettingsInvalid, match="master key"):
        load_master_key(load({"COTERIE_DATA_DIR": str(tmp_path)}))

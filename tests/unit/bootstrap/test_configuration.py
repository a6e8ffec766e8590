"""Where settings come from, which source wins, and what is refused."""

from pathlib import Path

import pytest

from bootstrap.configuration import CLIENT_VARIABLES, load
from domain.shared.error import SettingsInvalid


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_without_any_source_the_defaults_need_no_server() -> None:
    settings = load({})

    assert settings.database_url.startswith("sqlite+aiosqlite:////")
    assert settings.external_url == "http://127.0.0.1:8000"
    assert settings.has_local_operations


def test_command_line_beats_environment_beats_file(tmp_path: Path) -> None:
    (tmp_path / "coterie.toml").write_text('port = 1\nhost = "::1"\nnode = 3\n')

    settings = load(
        {"COTERIE_PORT": "2", "COTERIE_HOST": "127.0.0.2"},
        overrides={"port": 4, "host": None},
    )

    assert (settings.port, settings.host, settings.node) == (4, "127.0.0.2", 3)


def test_double_underscore_descends_and_text_becomes_the_right_type() -> None:
    settings = load(
        {
            "COTERIE_LIMITS__JSON_DEPTH": "12",
            "COTERIE_LIMITS__MODEL_IDLE_S": "1.5",
            "COTERIE_LOG__ACCESS": "false",
            "COTERIE_CORS__ORIGINS": "https://a.example, https://b.example",
        }
    )

    assert settings.limits.json_depth == 12
    assert settings.limits.model_idle_s == 1.5
    assert not settings.log.access
    assert settings.cors.origins == ("https://a.example", "https://b.example")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("COTERIE_DATADIR", "COTERIE_DATA_DIR"),
        ("COTERIE_DATABASE_URL", "COTERIE_DATABASE__URL"),
        ("COTERIE_LIMITS__JSON_DEPHT", "COTERIE_LIMITS__JSON_DEPTH"),
        ("COTERIE_MASTER_KEY_FIEL", "COTERIE_MASTER_KEY_FILE"),
    ],
)
def test_an_unknown_variable_names_the_one_that_was_meant(name: str, meant: str) -> None:
    with pytest.raises(SettingsInvalid, match=f"{name}.*{meant}") as refused:
        load({name: "x"})

    assert refused.value.message.endswith(f"Did you mean {meant}?")


def test_a_variable_cannot_set_a_whole_section() -> None:
    with pytest.raises(SettingsInvalid, match="COTERIE_DATABASE"):
        load({"COTERIE_DATABASE": "sqlite://"})


def test_an_unknown_key_of_the_file_is_refused_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "coterie.toml").write_text("[limits]\njson_deph = 3\n")

    with pytest.raises(SettingsInvalid, match=r"unknown key limits\.json_deph\. .*json_depth"):
        load({})


def test_an_unknown_key_inside_a_list_of_tables_is_refused(tmp_path: Path) -> None:
    (tmp_path / "coterie.toml").write_text('[[models]]\nid = "m"\nwindows = 1\n')

    with pytest.raises(SettingsInvalid, match=r"models\.windows\. Did you mean window\?"):
        load({})


def test_a_malformed_value_names_its_key() -> None:
    with pytest.raises(SettingsInvalid, match=r"\$\.port"):
        load({"COTERIE_PORT": "eighty"})


def test_secrets_come_from_files_without_the_line_break(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("pat_abc\n")

    settings = load({"COTERIE_BOOTSTRAP_TOKEN_FILE": str(tmp_path / "token")})

    assert settings.bootstrap_token.reveal() == "pat_abc"


def test_a_secret_and_its_file_together_are_refused(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a")

    with pytest.raises(SettingsInvalid, match="not both"):
        load(
            {
                "COTERIE_BOOTSTRAP_TOKEN": "b",
                "COTERIE_BOOTSTRAP_TOKEN_FILE": str(tmp_path / "token"),
            }
        )


def test_an_unreadable_secret_file_is_named() -> None:
    with pytest.raises(SettingsInvalid, match="nowhere"):
        load({"COTERIE_MASTER_KEY_FILE": "nowhere"})


def test_the_file_refers_to_the_environment(tmp_path: Path) -> None:
    (tmp_path / "coterie.toml").write_text(
        '[[providers]]\nid = "main"\nbase_url = "http://x/${PART}"\napi_key = "${KEY}"\n'
    )

    (provider,) = load({"PART": "v1", "KEY": "k-123"}).providers

    assert provider.base_url == "http://x/v1"
    assert provider.api_key.reveal() == "k-123"
    with pytest.raises(SettingsInvalid, match="KEY"):
        load({"PART": "v1"})


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"other\.toml"):
        load({"COTERIE_CONFIG": str(tmp_path / "other.toml")})


def test_a_broken_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "coterie.toml").write_text("port = ")

    with pytest.raises(SettingsInvalid, match=r"coterie\.toml"):
        load({})


@pytest.mark.parametrize("value", ["true", "10.0.0.1", "host:", "host:port", "::1:80", "a b:80"])
def test_an_exception_from_the_egress_policy_is_a_host_and_a_port(value: str) -> None:
    with pytest.raises(SettingsInvalid, match=r"egress\.allow_private"):
        load({"COTERIE_EGRESS__ALLOW_PRIVATE": value})


def test_exceptions_from_the_egress_policy_are_kept_as_given() -> None:
    given = "models.internal:8000, [::1]:80"

    assert load({"COTERIE_EGRESS__ALLOW_PRIVATE": given}).egress.allow_private == (
        "models.internal:8000",
        "[::1]:80",
    )


@pytest.mark.parametrize("name", sorted(CLIENT_VARIABLES))
def test_a_shell_that_has_the_variables_of_a_client_may_start_a_server(name: str) -> None:
    assert load({name: "of the client"}) == load({})


def test_openai_variables_make_the_default_endpoint() -> None:
    settings = load(
        {"OPENAI_BASE_URL": "http://up/v1", "OPENAI_API_KEY": "sk-1", "OPENAI_MODEL": "m"}
    )

    assert settings.openai.base_url == "http://up/v1"
    assert settings.openai.model == "m"
    assert load({"OPENAI_BASE_URL": ""}).openai.base_url == ""


def test_models_can_come_as_json_in_a_variable() -> None:
    (model,) = load({"COTERIE_MODELS": '[{"id": "m", "window": 1000}]'}).models

    assert (model.id, model.window) == ("m", 1000)
    with pytest.raises(SettingsInvalid, match="COTERIE_MODELS"):
        load({"COTERIE_MODELS": "m"})


def test_printing_settings_shows_no_secret() -> None:
    settings = load({"OPENAI_API_KEY": "sk-canary-1", "COTERIE_BOOTSTRAP_TOKEN": "pat_canary-2"})

    assert "canary" not in repr(settings)


@pytest.mark.parametrize(
    ("host", "loopback", "url"),
    [
        ("127.0.0.1", True, "http://127.0.0.1:8000"),
        ("::1", True, "http://[::1]:8000"),
        ("localhost", True, "http://localhost:8000"),
        ("0.0.0.0", False, "http://127.0.0.1:8000"),  # noqa: S104
        ("10.0.0.1", False, "http://10.0.0.1:8000"),
    ],
)
def test_operational_pages_are_public_only_where_nobody_else_can_ask(
    host: str, loopback: bool, url: str
) -> None:
    settings = load({"COTERIE_HOST": host})

    assert settings.has_local_operations is loopback
    assert settings.external_url == url
    for name, value in (("PUBLIC_URL", "https://a.example"), ("TRUSTED_PROXIES", "127.0.0.1")):
        assert not load({"COTERIE_HOST": host, f"COTERIE_{name}": value}).has_local_operations

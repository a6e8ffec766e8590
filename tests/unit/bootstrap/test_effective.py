"""The configuration in effect: where each value comes from, and no secret in it."""

from pathlib import Path
from typing import Any

from application.operation.overview import SettingView
from bootstrap.configuration import load
from bootstrap.effective import effective
from infra.impl.logging.redaction import Redactor

KEY = "sk-canary-of-the-settings"


def listed(
    tmp_path: Path, file: str, overrides: dict[str, Any] | None = None, **environ: str
) -> dict[str, SettingView]:
    place = tmp_path / "coterie.toml"
    place.write_text(file)
    variables = {"COTERIE_CONFIG": str(place), **environ}
    settings = load(variables, overrides=overrides)
    found = effective(settings, variables, mask=Redactor().clean)
    return {each.name: each for each in found}


def test_each_value_names_where_it_comes_from(tmp_path: Path) -> None:
    found = listed(
        tmp_path,
        "[limits]\nruns_per_process = 7\n",
        {"port": 9001},
        COTERIE_LIMITS__RUNS_PER_SPACE="5",
        COTERIE_DATA_DIR=str(tmp_path),
    )

    assert (found["limits.runs_per_process"].value, found["limits.runs_per_process"].source) == (
        7,
        "file",
    )
    assert found["limits.runs_per_space"].source == "environment"
    assert found["limits.run_lease_s"].source == "default"
    assert (found["port"].value, found["port"].source) == (9001, "command line")


def test_secrets_show_only_whether_they_are_set(tmp_path: Path) -> None:
    found = listed(
        tmp_path,
        '[database]\nurl = "postgresql+asyncpg://ann:canary-of-ann@db/x"\n',
        OPENAI_API_KEY=KEY,
        COTERIE_MASTER_KEY="bWFzdGVyLWtleS1tYXN0ZXIta2V5LW1hc3Rlci1rZXk=",
    )

    assert found["openai.api_key"].is_secret
    assert found["openai.api_key"].source == "environment"
    told = str([each.value for each in found.values()])
    assert KEY not in told
    assert "canary-of-ann" not in told
    assert "bWFzdGVyLWtleS1" not in told


def test_a_file_that_no_start_would_take_any_more_hides_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / "coterie.toml"
    place.write_text("")
    variables = {"COTERIE_CONFIG": str(place)}
    settings = load(variables)
    place.write_text("not toml")

    found = effective(settings, variables, mask=Redactor().clean)

    assert {each.source for each in found} == {"default"}

"""Models of ``coterie.toml`` and the environment, as the registry gets them."""

from decimal import Decimal
from pathlib import Path

import pytest

from bootstrap.compose.part.model import static_models
from bootstrap.configuration import load
from domain.model.catalog import ModelRegistry
from domain.model.value import ModelType
from domain.shared.error import SettingsInvalid
from domain.shared.limits import Limits

FILE = """
[[providers]]
id = "main"
base_url = "http://models.test/v1"
api_key = "key-of-main"
timeouts = { idle_s = 7 }

[[models]]
id = "large"
provider = "main"
name = "vendor-large"
aliases = ["big"]
window = 128000
capabilities = { vision = true }
params = { rename = { max_tokens = "max_completion_tokens" } }
prices = { unit = 1000, tiers = [{ upto_input = 10, input = "2", output = "8.5" }, { input = 3 }] }
fallbacks = ["small"]

[[models]]
id = "small"
base_url = "http://other.test/v1"
api_key = "own-key"

[defaults]
chat = "big"
vision = "large"
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _registry(environ: dict[str, str] | None = None) -> ModelRegistry:
    return ModelRegistry(static_models(load(environ or {})))


def test_without_configuration_the_offline_models_answer() -> None:
    registry = _registry()

    assert registry.get("", ModelType.CHAT).is_offline
    assert registry.get("", ModelType.EMBEDDING).is_offline


def test_a_model_takes_from_its_provider_what_it_leaves_open(tmp_path: Path) -> None:
    (tmp_path / "coterie.toml").write_text(FILE)
    large, small = (_registry().get(name, ModelType.CHAT) for name in ("big", "small"))

    endpoint = large.endpoint(Limits())
    assert (endpoint.base_url, endpoint.model) == ("http://models.test/v1", "vendor-large")
    assert endpoint.api_key.reveal() == "key-of-main"
    assert endpoint.timeouts.idle_s == 7
    assert large.spec.prices.tiers[0].output == Decimal("8.5")
    assert small.endpoint(Limits()).api_key.reveal() == "own-key"


def test_defaults_name_models_by_alias(tmp_path: Path) -> None:
    (tmp_path / "coterie.toml").write_text(FILE)
    registry = _registry()

    assert registry.get("", ModelType.CHAT).name == "large"
    assert registry.vision is not None
    assert registry.vision.name == "large"


def test_the_environment_becomes_the_default() -> None:
    registry = _registry({"OPENAI_BASE_URL": "http://up.test/v1", "OPENAI_MODEL": "m"})

    assert registry.get("", ModelType.CHAT).name == "m"
    assert registry.get("", ModelType.EMBEDDING).is_offline  # that address may have none


def test_an_embedding_model_in_the_environment_is_the_default() -> None:
    registry = _registry({"OPENAI_BASE_URL": "http://up.test/v1", "OPENAI_EMBEDDING_MODEL": "e"})

    assert registry.get("", ModelType.EMBEDDING).name == "e"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[[models]]\nid = "a"\nprovider = "x"', "unknown provider"),
        ('[[models]]\nid = "a"\nbase_url = "ftp://x"', "base_url"),
        ('[[models]]\nid = "123"', "digits"),
        ('[defaults]\nchat = "nowhere"', "nowhere"),
        ('[[providers]]\nid = "a"\n[[providers]]\nid = "a"', "only once"),
        ('[[models]]\nid = "a"\ntype = "smell"', "smell"),
    ],
)
def test_a_mistake_stops_the_start_and_is_named(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "coterie.toml").write_text(text)

    with pytest.raises(SettingsInvalid, match=problem):
        static_models(load({}))

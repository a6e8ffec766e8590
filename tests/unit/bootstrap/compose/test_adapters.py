"""Registration of adapters: settings, wiring, examination and moves find what registered."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import cast

import pytest

from application.operation.examination.doctor import Examination
from bootstrap.compose.adapters import adapters_of, place_of, vector_adapter
from bootstrap.compose.container import Container
from bootstrap.configuration import load
from bootstrap.maintenance.doctor import SettingsCheck
from bootstrap.maintenance.transfer import is_apart
from bootstrap.settings import Settings, configured_secrets, settings_type
from domain.shared.error import SettingsInvalid
from domain.shared.registry import Registry
from domain.shared.secret import Secret
from infra.contract.adapter import AdapterSettings, ManagedVectorIndexes, Place, VectorAdapter
from infra.contract.storage.transfer import VectorSource
from infra.impl.search_index import VECTOR_INDEXES

Vectors = Registry[type[VectorAdapter]]


class Store:
    def __init__(self, address: str, folder: Path) -> None:
        self.address, self.folder = address, folder


class PlantedVectors(AdapterSettings, frozen=True, kw_only=True):
    """Vectors on a server that no code of ours names."""

    address: str = "db://here"
    password: Secret = Secret("")
    prefix: str = "coterie_"

    def build(self, place: Place) -> ManagedVectorIndexes:
        return cast(ManagedVectorIndexes, Store(self.address, place.data))

    def source(self, store: ManagedVectorIndexes, place: Place) -> VectorSource:
        return cast(VectorSource, store)

    def warnings(self) -> Sequence[str]:
        return [] if self.password else ["vector_index has no password."]

    def identity(self, place: Place) -> tuple[object, ...] | None:
        return (self.address,)


class OtherPrefix(PlantedVectors, frozen=True, kw_only=True):
    prefix: str = "another"


@pytest.fixture
def registry(
    monkeypatch: pytest.MonkeyPatch,
) -> Generator[Vectors, None, None]:
    """That of the vector stores, which forgets at the end what is registered here."""
    known = {name: VECTOR_INDEXES.get(name) for name in VECTOR_INDEXES.names()}
    monkeypatch.setattr(VECTOR_INDEXES, "_members", known)
    settings_type.cache_clear()
    yield VECTOR_INDEXES
    settings_type.cache_clear()


@pytest.fixture
def planted(registry: Vectors) -> None:
    registry.register("planted")(PlantedVectors)


def configured(folder: Path, **variables: str) -> Settings:
    (folder / "coterie.toml").write_text('[vector_index]\nkind = "planted"\n')
    return load(
        {
            "COTERIE_DATA_DIR": str(folder),
            "COTERIE_CONFIG": str(folder / "coterie.toml"),
            **{f"COTERIE_VECTOR_INDEX__{name}": value for name, value in variables.items()},
        }
    )


@pytest.mark.usefixtures("planted")
def test_its_settings_are_read_and_it_is_built(tmp_path: Path) -> None:
    settings = configured(tmp_path, ADDRESS="db://there", PASSWORD="p" * 20)

    store = cast(Store, Container(settings=settings).vectors())

    assert (store.address, store.folder) == ("db://there", tmp_path)
    assert Secret("p" * 20).reveal() in [each.reveal() for each in configured_secrets(settings)]


@pytest.mark.usefixtures("planted")
async def test_the_examination_asks_it(tmp_path: Path) -> None:
    found = await SettingsCheck(configured(tmp_path)).run(Examination())

    assert "vector_index has no password." in [each.message for each in found]


@pytest.mark.usefixtures("planted")
def test_a_move_asks_it_whether_the_store_is_shared(tmp_path: Path) -> None:
    here, there, files = (
        Container(settings=settings)
        for settings in (
            configured(tmp_path),
            configured(tmp_path, ADDRESS="db://there"),
            load({"COTERIE_DATA_DIR": str(tmp_path)}),
        )
    )

    assert is_apart("vector_index", here, there)
    assert is_apart("vector_index", here, files)
    assert is_apart("vector_index", files, files), "files never serve two deployments"
    assert not is_apart("vector_index", here, here)


def test_without_a_kind_the_usual_one_is_meant(tmp_path: Path) -> None:
    (tmp_path / "coterie.toml").write_text('[vector_index]\nprefix = "mine_"\n')

    settings = load({"COTERIE_CONFIG": str(tmp_path / "coterie.toml")})

    assert settings.vector_index.kind == Settings().vector_index.kind
    assert vector_adapter(settings) == vector_adapter(Settings())


@pytest.mark.parametrize("table", ["bus", "objects", "text_index", "vector_index"])
def test_an_unknown_kind_or_key_is_refused_with_its_place(table: str) -> None:
    with pytest.raises(SettingsInvalid, match=rf"\$\.{table}\.kind"):
        load({f"COTERIE_{table.upper()}__KIND": "pigeons"})
    with pytest.raises(SettingsInvalid, match=f"COTERIE_{table.upper()}__COOPS"):
        load({f"COTERIE_{table.upper()}__COOPS": "3"})


def test_a_key_means_the_same_to_all_adapters_of_a_table(
    registry: Vectors,
) -> None:
    registry.register("planted")(OtherPrefix)

    with pytest.raises(TypeError, match=r"vector_index\.prefix"):
        settings_type()


def test_defaults_are_built_without_a_configuration(tmp_path: Path) -> None:
    settings = Settings(data_dir=str(tmp_path))

    found = [each.identity(place_of(settings)) for each in adapters_of(settings).values()]
    assert found == [None] * 4, "all of it lies in the data directory"

"""Words on the server of the vectors: which settings go together."""

from pathlib import Path

import pytest

from bootstrap.compose.adapters import place_of, text_adapter
from bootstrap.configuration import load
from domain.shared.error import SettingsInvalid


def build(folder: Path, **variables: str) -> None:
    environ = {"COTERIE_DATA_DIR": str(folder), "COTERIE_TEXT_INDEX__KIND": "milvus"}
    settings = load(environ | {f"COTERIE_VECTOR_INDEX__{k}": v for k, v in variables.items()})
    text_adapter(settings).build(place_of(settings))


def test_words_on_milvus_need_vectors_on_milvus(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"vector_index\.kind"):
        build(tmp_path)


@pytest.mark.parametrize("prefix", ["", "text_", "text_coterie_"])
def test_collections_of_words_are_not_named_like_those_of_vectors(
    tmp_path: Path, prefix: str
) -> None:
    with pytest.raises(SettingsInvalid, match=r"vector_index\.prefix"):
        build(tmp_path, KIND="milvus", URI="http://127.0.0.1:19530", PREFIX=prefix)

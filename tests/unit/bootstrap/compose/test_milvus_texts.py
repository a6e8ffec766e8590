"""Words on the server of the vectors: which settings go together."""

from pathlib import Path

import pytest

from bootstrap.compose.adapters import text_indexes
from bootstrap.configuration import SettingsInvalid
from bootstrap.settings import TextIndexSettings, VectorIndexSettings

WORDS = TextIndexSettings(kind="milvus")


def test_words_on_milvus_need_vectors_on_milvus(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"vector_index\.kind"):
        text_indexes(tmp_path, WORDS, VectorIndexSettings())


@pytest.mark.parametrize("prefix", ["", "text_", "text_coterie_"])
def test_collections_of_words_are_not_named_like_those_of_vectors(
    tmp_path: Path, prefix: str
) -> None:
    vectors = VectorIndexSettings(kind="milvus", uri="http://127.0.0.1:19530", prefix=prefix)

    with pytest.raises(SettingsInvalid, match=r"vector_index\.prefix"):
        text_indexes(tmp_path, WORDS, vectors)

"""The promises of every index, of vectors and of texts."""

import asyncio
import math
import random
import shutil
import time
from array import array
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest
from pymilvus import MilvusClient

from domain.shared.error import Unavailable
from infra.contract.storage.search_index import (
    MAX_BATCH,
    MAX_TERMS,
    CollectionDiffers,
    CollectionNotFound,
    EntryKey,
    QueryTerm,
    TermStats,
    TextCollection,
    TextEntry,
    TextIndex,
    TextIndexes,
    UnfitEntry,
    VectorCollection,
    VectorEntry,
    VectorIndex,
    VectorIndexes,
    Where,
)
from infra.impl.search_index.elasticsearch.text import ElasticsearchTextIndexes
from infra.impl.search_index.embedded import IndexesOnDemand
from infra.impl.search_index.embedded.text import SqliteTextIndexes
from infra.impl.search_index.embedded.vector import SqliteVectorIndexes
from infra.impl.search_index.milvus.text import MilvusTextIndexes
from infra.impl.search_index.milvus.vector import MilvusVectorIndexes
from tests.support.process.port import free_port
from tests.support.service.elasticsearch import ElasticsearchNode, running_elasticsearch
from tests.support.service.java import require_java
from tests.support.service.milvus import MilvusServer, require_milvus, running_milvus

BIG = 2**62


def changed_at(folder: Path) -> int:
    """When a name was last added to a folder or taken out of it."""
    return folder.stat().st_mtime_ns


def key(number: int, *, document: int = 1, creator: int = 9) -> EntryKey:
    return EntryKey(
        id=number, document_id=document, slice_id=number + 1000, generation=1, creator_id=creator
    )


def text(number: int, words: str, *, document: int = 1, creator: int = 9) -> TextEntry:
    return TextEntry(key=key(number, document=document, creator=creator), tokens=words.split())


def vector(number: int, *values: float, document: int = 1, creator: int = 9) -> VectorEntry:
    return VectorEntry(key=key(number, document=document, creator=creator), vector=values)


def terms(words: str) -> list[QueryTerm]:
    return [QueryTerm(token=word) for word in words.split()]


@pytest.fixture(scope="module")
def elasticsearch() -> Iterator[ElasticsearchNode]:
    require_java()
    with running_elasticsearch() as node:
        yield node


@pytest.fixture(params=["sqlite", "sqlite, held", "elasticsearch", "milvus-lite"])
async def texts(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncGenerator[TextIndexes, None]:
    """Each store; the embedded one in its file, and in memory from the first search on."""
    indexes: (
        IndexesOnDemand[TextCollection, TextIndex]
        | SqliteTextIndexes
        | ElasticsearchTextIndexes
        | MilvusTextIndexes
    )
    root = tmp_path / "search"
    if request.param == "sqlite, held":
        indexes = SqliteTextIndexes(root, searches=0)
    elif request.param == "sqlite":
        indexes = IndexesOnDemand(
            lambda: SqliteTextIndexes(root), has_any=lambda: any(root.glob("*"))
        )
    elif request.param == "milvus-lite":
        indexes = MilvusTextIndexes(str(root / "text-milvus.db"), prefix=f"t{uuid4().hex}_")
    else:
        node: ElasticsearchNode = request.getfixturevalue("elasticsearch")
        indexes = ElasticsearchTextIndexes(node.url, prefix=f"t{uuid4().hex}_", replicas=0)
    await indexes.start()
    yield indexes
    for name in await indexes.names():
        await indexes.drop(name)
    await indexes.aclose()


@pytest.fixture(scope="class")
def milvus() -> Iterator[MilvusServer]:
    """A server for one class: while nobody asks it, it takes a tenth of a core."""
    require_milvus()
    with running_milvus() as server:
        yield server


def milvus_indexes(uri: str) -> MilvusVectorIndexes:
    return MilvusVectorIndexes(uri, prefix=f"t{uuid4().hex}_")


async def released(indexes: MilvusVectorIndexes | MilvusTextIndexes, name: str) -> None:
    """Wait until a collection is not in the server's memory."""

    def is_out(client: MilvusClient) -> bool:
        return str(client.get_load_state(name)["state"].name) == "NotLoad"

    deadline = time.monotonic() + 60
    while not await indexes._calls.run(is_out):
        assert time.monotonic() < deadline, "The collection is still loaded."
        await indexes.release_idle()


SERVER = pytest.param("milvus", marks=pytest.mark.long)
"""What the adapter does is seen on Milvus Lite for each change."""


@pytest.fixture(params=["memory", "mapped", "lists", SERVER, "milvus-lite"])
async def vectors(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncGenerator[VectorIndexes, None]:
    """Milvus, and the embedded index: in memory, beyond its budget, with lists from the start."""
    indexes: (
        SqliteVectorIndexes | MilvusVectorIndexes | IndexesOnDemand[VectorCollection, VectorIndex]
    )
    root = tmp_path / "search"
    match request.param:
        case "milvus":
            indexes = milvus_indexes(request.getfixturevalue("milvus").uri)
        case "milvus-lite":
            indexes = milvus_indexes(str(tmp_path / "search" / "milvus.db"))
        case "mapped":
            indexes = SqliteVectorIndexes(tmp_path / "search", budget_bytes=1)
        case "lists":
            indexes = SqliteVectorIndexes(tmp_path / "search", exact_bytes=1)
        case _:
            indexes = IndexesOnDemand(
                lambda: SqliteVectorIndexes(root), has_any=lambda: any(root.glob("*"))
            )
    await indexes.start()
    yield indexes
    for name in await indexes.names():
        await indexes.drop(name)
    await indexes.aclose()


@pytest.fixture
async def words(texts: TextIndexes) -> TextIndex:
    await texts.create(TextCollection(name="kb_1", analyzer="a1"))
    return await texts.open("kb_1")


@pytest.fixture
async def plane(vectors: VectorIndexes) -> VectorIndex:
    await vectors.create(VectorCollection(name="kb_1", dimensions=2))
    return await vectors.open("kb_1")


async def found(index: TextIndex, query: str, where: Where | None = None) -> list[int]:
    hits = await index.search(terms(query), limit=10, where=where or Where())
    return [hit.id for hit in hits]


async def nearest(index: VectorIndex, *values: float, where: Where | None = None) -> list[int]:
    return [hit.id for hit in await index.search(values, limit=10, where=where or Where())]


class TestCollections:
    async def test_creating_an_equal_collection_again_changes_nothing(
        self, texts: TextIndexes, words: TextIndex
    ) -> None:
        await words.upsert([text(1, "oil")])

        await texts.create(TextCollection(name="kb_1", analyzer="a1"))

        assert await (await texts.open("kb_1")).count() == 1

    async def test_a_collection_keeps_its_properties(
        self, texts: TextIndexes, vectors: VectorIndexes, words: TextIndex, plane: VectorIndex
    ) -> None:
        with pytest.raises(CollectionDiffers):
            await texts.create(TextCollection(name="kb_1", analyzer="a2"))
        with pytest.raises(CollectionDiffers):
            await vectors.create(VectorCollection(name="kb_1", dimensions=3))

    async def test_names_are_listed_by_prefix(self, texts: TextIndexes) -> None:
        for name in ("kb_2", "kb_1", "other"):
            await texts.create(TextCollection(name=name, analyzer="a1"))

        assert await texts.names("kb_") == ["kb_1", "kb_2"]

    @pytest.mark.parametrize("name", ["", "../x", "KB", "a" * 65, "a.b", "a/b", "ä"])
    async def test_only_generated_names_are_taken(
        self, texts: TextIndexes, vectors: VectorIndexes, name: str
    ) -> None:
        with pytest.raises(UnfitEntry):
            await texts.create(TextCollection(name=name, analyzer="a1"))
        with pytest.raises(UnfitEntry):
            await vectors.open(name)

    async def test_a_dropped_collection_is_gone_and_can_come_back_empty(
        self, texts: TextIndexes, vectors: VectorIndexes, words: TextIndex, plane: VectorIndex
    ) -> None:
        await words.upsert([text(1, "oil")])
        await plane.upsert([vector(1, 1, 0)])
        assert await nearest(plane, 1, 0) == [1]

        for _ in range(2):
            await texts.drop("kb_1")
            await vectors.drop("kb_1")

        with pytest.raises(CollectionNotFound):
            await texts.open("kb_1")
        with pytest.raises(CollectionNotFound):
            await plane.search((1, 0), limit=1)
        await vectors.create(VectorCollection(name="kb_1", dimensions=2))
        assert await nearest(plane, 1, 0) == []

    async def test_entries_survive_a_restart(self, tmp_path: Path) -> None:
        for last in (False, True):
            indexes = SqliteVectorIndexes(tmp_path)
            await indexes.start()
            if not last:
                await indexes.create(VectorCollection(name="kb_1", dimensions=2))
                await (await indexes.open("kb_1")).upsert([vector(1, 1, 0)])
            else:
                assert await nearest(await indexes.open("kb_1"), 1, 0) == [1]
            await indexes.aclose()

    async def test_asking_again_for_a_collection_writes_nothing(self, tmp_path: Path) -> None:
        indexes = SqliteVectorIndexes(tmp_path)
        await indexes.start()
        wanted = VectorCollection(name="kb_1", dimensions=2)
        await indexes.create(wanted)
        await indexes.create(wanted)  # opens it
        before = changed_at(tmp_path)
        await indexes.create(wanted)
        after = changed_at(tmp_path)
        await indexes.aclose()

        assert after == before

    async def test_milvus_lite_keeps_entries_over_a_restart(self, tmp_path: Path) -> None:
        for last in (False, True):
            indexes = MilvusVectorIndexes(str(tmp_path / "milvus.db"))
            await indexes.start()
            if not last:
                await indexes.create(VectorCollection(name="kb_1", dimensions=2))
                await (await indexes.open("kb_1")).upsert([vector(1, 1, 0)])
            else:
                assert await indexes.names() == ["kb_1"]
                assert await nearest(await indexes.open("kb_1"), 1, 0) == [1]
            await indexes.aclose()

    async def test_writes_of_another_process_are_seen(self, tmp_path: Path) -> None:
        first, second = SqliteVectorIndexes(tmp_path), SqliteVectorIndexes(tmp_path)
        await first.start()
        await first.create(VectorCollection(name="kb_1", dimensions=2))
        reader, writer = await first.open("kb_1"), await second.open("kb_1")
        await writer.upsert([vector(1, 1, 0), vector(2, 0, 1)])
        assert await nearest(reader, 1, 0) == [1, 2]

        await writer.upsert([vector(1, -1, 0), vector(3, 1, 0)])
        await writer.delete(ids=[2])

        assert await nearest(reader, 1, 0) == [3, 1]
        await second.drop("kb_1")
        with pytest.raises(CollectionNotFound):
            await first.open("kb_1")
        await second.create(VectorCollection(name="kb_1", dimensions=2))
        assert await nearest(reader, 1, 0) == []
        await first.aclose()
        await second.aclose()

    async def test_whoever_can_be_searched_says_so(
        self, texts: TextIndexes, vectors: VectorIndexes
    ) -> None:
        await texts.probe()
        await vectors.probe()

    async def test_without_a_collection_nothing_is_opened(self, tmp_path: Path) -> None:
        def fails() -> SqliteTextIndexes:
            raise AssertionError("Nobody asked for a collection.")

        indexes: IndexesOnDemand[TextCollection, TextIndex] = IndexesOnDemand(
            fails, has_any=lambda: any(tmp_path.glob("*.text.db"))
        )
        await indexes.start()

        assert await indexes.names() == []
        await indexes.probe()
        await indexes.aclose()

    async def test_a_directory_that_is_gone_is_told(self, tmp_path: Path) -> None:
        for indexes in (SqliteTextIndexes(tmp_path / "a"), SqliteVectorIndexes(tmp_path / "b")):
            await indexes.start()
            shutil.rmtree(tmp_path / ("a" if isinstance(indexes, SqliteTextIndexes) else "b"))

            with pytest.raises(Unavailable):
                await indexes.probe()
            await indexes.aclose()

    async def test_a_damaged_file_is_unavailable(self, tmp_path: Path) -> None:
        texts = SqliteTextIndexes(tmp_path)
        await texts.start()
        (tmp_path / "kb_2.text.db").write_bytes(b"no database at all" * 100)

        with pytest.raises(Unavailable):
            await (await texts.open("kb_2")).count()
        await texts.aclose()

    async def test_a_server_that_does_not_answer_is_unavailable(self) -> None:
        address = f"http://127.0.0.1:{free_port()}"
        texts = ElasticsearchTextIndexes(address)
        words = MilvusTextIndexes(address, timeout_s=0.2)
        vectors = MilvusVectorIndexes(address, timeout_s=0.2)
        await words.start()
        for call in (
            *(words.open("kb_1"), words.names(), words.drop("kb_1"), words.probe()),
            *(texts.open("kb_1"), texts.names(), texts.drop("kb_1"), texts.probe()),
            *(vectors.open("kb_1"), vectors.names(), vectors.drop("kb_1"), vectors.probe()),
        ):
            with pytest.raises(Unavailable):
                await call
        await texts.aclose()
        await words.aclose()
        await vectors.aclose()

    async def test_a_server_without_sparse_vectors_is_refused_for_words(
        self, milvus: MilvusServer
    ) -> None:
        indexes = MilvusTextIndexes(milvus.uri)

        with pytest.raises(Unavailable, match=r"Milvus 2\.4 or newer"):
            await indexes.start()
        with pytest.raises(Unavailable, match=r"Milvus 2\.4 or newer"):
            await indexes.create(TextCollection(name="kb_1", analyzer="a1"))
        assert await indexes.names() == []
        await indexes.aclose()

    @pytest.mark.parametrize("kind", [SERVER, "milvus-lite"])
    async def test_idle_vectors_leave_the_memory_and_come_back_for_a_search(
        self, kind: str, tmp_path: Path, request: pytest.FixtureRequest
    ) -> None:
        is_lite = kind == "milvus-lite"
        uri = str(tmp_path / "milvus.db") if is_lite else request.getfixturevalue("milvus").uri
        prefix = f"t{uuid4().hex}_"
        indexes = MilvusVectorIndexes(uri, prefix=prefix, idle_s=0.001)
        await indexes.start()
        await indexes.create(VectorCollection(name="kb_1", dimensions=2))
        index = await indexes.open("kb_1")
        await index.upsert([vector(1, 1, 0)])

        await released(indexes, f"{prefix}kb_1")
        searches = await asyncio.gather(*(nearest(index, 1, 0) for _ in range(40)))

        assert searches == [[1]] * 40
        await released(indexes, f"{prefix}kb_1")
        await index.upsert([vector(2, 0, 1)])
        assert await index.count() == 2
        await released(indexes, f"{prefix}kb_1")
        assert await index.delete(ids=[1]) == 1
        await indexes.drop("kb_1")
        assert await indexes.release_idle() == []
        await indexes.aclose()

    async def test_idle_words_leave_the_memory_and_come_back_for_a_search(
        self, tmp_path: Path
    ) -> None:
        indexes = MilvusTextIndexes(str(tmp_path / "milvus.db"), prefix="t_", idle_s=0.001)
        await indexes.start()
        await indexes.create(TextCollection(name="kb_1", analyzer="a1"))
        index = await indexes.open("kb_1")
        await index.upsert([text(1, "oil")])

        await released(indexes, "text_t_kb_1")

        assert await asyncio.gather(*(found(index, "oil") for _ in range(10))) == [[1]] * 10
        await indexes.aclose()

    async def test_words_and_vectors_share_a_server(self, tmp_path: Path) -> None:
        path = str(tmp_path / "milvus.db")
        texts, vectors = MilvusTextIndexes(path), MilvusVectorIndexes(path)
        await texts.create(TextCollection(name="kb_1", analyzer="a1"))
        await vectors.create(VectorCollection(name="kb_1", dimensions=2))
        await (await texts.open("kb_1")).upsert([text(1, "oil")])

        assert await texts.names() == await vectors.names() == ["kb_1"]
        await vectors.drop("kb_1")
        assert await found(await texts.open("kb_1"), "oil") == [1]
        await texts.aclose()
        await vectors.aclose()

    async def test_more_collections_than_stay_open_work(self, tmp_path: Path) -> None:
        indexes = SqliteTextIndexes(tmp_path)
        await indexes.start()
        await indexes.create(TextCollection(name="kb_0", analyzer="a1"))
        for number in range(1, 70):
            shutil.copy(tmp_path / "kb_0.text.db", tmp_path / f"kb_{number}.text.db")

        for number in range(70):
            index = await indexes.open(f"kb_{number}")
            await index.upsert([text(number + 1, "oil")])

        assert await found(await indexes.open("kb_0"), "oil") == [1]
        await indexes.aclose()


class TestText:
    async def test_rare_words_and_short_texts_rank_higher(self, words: TextIndex) -> None:
        await words.upsert(
            [
                text(1, "oil crisis of the year"),
                text(2, "oil oil price of the year and of the year before and after"),
                text(3, "the year"),
                text(4, "the price"),
            ]
        )

        assert await found(words, "oil crisis") == [1, 2]
        assert await found(words, "the year") == [3, 1, 2, 4]

    async def test_scores_are_those_of_the_formula(self, words: TextIndex) -> None:
        documents = {1: "a b a", 2: "a c c c c", 3: "b d"}
        await words.upsert([text(number, words_) for number, words_ in documents.items()])

        hits = await words.search([QueryTerm(token="a"), QueryTerm(token="b", weight=0.5)], limit=9)

        split = {number: words_.split() for number, words_ in documents.items()}
        gain = {"a": math.log(1 + 1.5 / 2.5), "b": 0.5 * math.log(1 + 1.5 / 2.5)}
        average = sum(map(len, split.values())) / 3
        for hit in hits:
            counts = Counter(split[hit.id])
            damping = 1.2 * (0.25 + 0.75 * len(split[hit.id]) / average)
            expected = sum(gain[t] * counts[t] * 2.2 / (counts[t] + damping) for t in gain)
            assert hit.raw == pytest.approx(expected)
            share = {"a": 1.0, "b": 0.5}  # both words in two of three entries
            covered = sum(share[t] for t in share if counts[t]) / sum(share.values())
            assert hit.coverage == pytest.approx(covered)
        assert [hit.id for hit in hits] == [1, 2, 3]
        assert (hits[0].document_id, hits[0].slice_id) == (1, 1001)

    async def test_one_entry_does_not_make_its_words_common(self, words: TextIndex) -> None:
        await words.upsert([text(1, "warranty of three years")])

        (hit,) = await words.search(terms("long warranty"), limit=5)

        known, unknown = math.log(1 + 50.5 / 1.5), math.log(1 + 51.5 / 0.5)
        assert hit.coverage == pytest.approx(known / (known + unknown))

    async def test_unknown_words_lower_the_coverage(self, words: TextIndex) -> None:
        await words.upsert([text(1, "oil"), text(2, "gas")])

        (hit,) = await words.search(terms("oil xyzzy"), limit=5)

        assert hit.coverage is not None
        assert hit.coverage < 0.5

    async def test_hints_never_count_against_an_entry(self, words: TextIndex) -> None:
        await words.upsert([text(1, "alpha"), text(2, "price price price"), text(3, "beta price")])

        with_hint = [*terms("alpha"), QueryTerm(token="price", is_hint=True)]
        hits = await words.search(with_hint, limit=5)

        assert hits[0].id == 1
        assert [hit.coverage for hit in hits] == [1.0, 0.0, 0.0]

    async def test_hints_tell_entries_with_the_same_words_apart(self, words: TextIndex) -> None:
        await words.upsert([text(1, "new york"), text(2, "new york city"), text(3, "oslo city")])

        asked = [*terms("new york"), QueryTerm(token="city", is_hint=True)]
        hits = await words.search(asked, limit=5)

        assert [hit.id for hit in hits] == [2, 1, 3]

    async def test_hints_are_searched_for_where_nothing_else_is_found(
        self, words: TextIndex
    ) -> None:
        await words.upsert([text(1, "alpha price"), text(2, "beta price sale")])

        hints = [QueryTerm(token="price", is_hint=True), QueryTerm(token="sale", is_hint=True)]
        alone = await words.search(hints, limit=5)
        beside = await words.search([*terms("gamma"), *hints], limit=5)

        assert [hit.id for hit in alone] == [hit.id for hit in beside] == [2, 1]
        assert alone[0].coverage == pytest.approx(1.0)
        assert beside[1].coverage is not None
        assert beside[1].coverage < 0.25

    async def test_a_pair_inside_a_long_chinese_sentence_is_found(self, words: TextIndex) -> None:
        await words.upsert(
            [text(1, "石 石油 油 油危 危 危机 机 gpt-4.1 gpt 4 1"), text(2, "水 水油 油")]
        )

        assert await found(words, "石油") == [1]
        assert await found(words, "gpt-4.1") == [1]

    @pytest.mark.parametrize(
        "token", ["a_b", "me@x.org", "a/b", "3.14", "-", "café", "हिन्दी", "👍", "\u00a0", "near"]
    )
    async def test_tokens_are_neither_split_nor_folded(self, words: TextIndex, token: str) -> None:
        await words.upsert([text(1, "other"), TextEntry(key=key(2), tokens=[token])])

        assert [h.id for h in await words.search([QueryTerm(token=token)], limit=5)] == [2]
        assert (await words.term_stats([token])).frequencies == {token: 1}

    @pytest.mark.parametrize("token", ["", "A", "a b", 'a"b', "a'b", "*", "a\x00", "(", "\ud800"])
    async def test_characters_outside_the_alphabet_are_refused(
        self, words: TextIndex, token: str
    ) -> None:
        with pytest.raises(UnfitEntry):
            await words.upsert([TextEntry(key=key(1), tokens=[token])])

        assert await words.search([QueryTerm(token=token)], limit=5) == []

    async def test_equal_scores_go_by_id(self, words: TextIndex) -> None:
        await words.upsert([text(n, "oil") for n in (5, 3, BIG, 4)])

        assert await found(words, "oil") == [3, 4, 5, BIG]

    async def test_writing_an_entry_again_replaces_it(self, words: TextIndex) -> None:
        await words.upsert([text(1, "oil gas"), text(2, "gas")])

        for _ in range(2):
            await words.upsert([text(1, "coal coal", document=7)])

        assert await found(words, "oil") == []
        assert await found(words, "coal", Where(documents=frozenset({7}))) == [1]
        stats = await words.term_stats(["oil", "gas", "coal"])
        assert stats == TermStats(entries=2, tokens=3, frequencies={"oil": 0, "gas": 1, "coal": 1})

    async def test_deleted_entries_are_gone_at_once(self, words: TextIndex) -> None:
        await words.upsert([text(n, "oil", document=n % 3) for n in range(1, 10)])

        assert await words.delete(ids=[1, 77], document_ids=[0]) == 4

        assert await found(words, "oil") == [2, 4, 5, 7, 8]
        assert (await words.term_stats(["oil"])) == TermStats(
            entries=5, tokens=5, frequencies={"oil": 5}
        )
        assert await words.delete(ids=[1]) == 0

    async def test_searches_can_be_restricted(self, words: TextIndex) -> None:
        await words.upsert([text(n, "oil", document=n, creator=n % 2) for n in range(1, 7)])

        assert await found(words, "oil", Where(documents=frozenset({2, 3, 99}))) == [2, 3]
        assert await found(words, "oil", Where(documents=frozenset())) == []
        assert await found(words, "oil", Where(without_documents=frozenset({1, 2}))) == [3, 4, 5, 6]
        assert await found(words, "oil", Where(creator_id=0)) == [2, 4, 6]
        everything = Where(
            documents=frozenset(range(3, 9)), without_documents=frozenset({4}), creator_id=0
        )
        assert await found(words, "oil", everything) == [6]

    async def test_scores_compare_over_collections_by_common_statistics(
        self, texts: TextIndexes, words: TextIndex
    ) -> None:
        await texts.create(TextCollection(name="kb_2", analyzer="a1"))
        other = await texts.open("kb_2")
        await words.upsert([text(n, "oil gas") for n in range(1, 9)])
        await other.upsert([text(11, "oil gas")])

        stats = (await words.term_stats(["oil"])).plus(await other.term_stats(["oil"]))
        here = await words.search(terms("oil"), limit=1, stats=stats)
        there = await other.search(terms("oil"), limit=1, stats=stats)

        assert stats == TermStats(entries=9, tokens=18, frequencies={"oil": 9})
        assert here[0].raw == pytest.approx(there[0].raw)

    async def test_many_terms_count_up_to_the_limit(self, words: TextIndex) -> None:
        many = " ".join(f"w{n}" for n in range(3 * MAX_TERMS))
        await words.upsert([text(1, many), text(2, "w1")])

        hits = await words.search([*terms(many), *terms(many)], limit=5)

        assert hits[0].id == 1
        assert hits[0].coverage == pytest.approx(1.0)

    async def test_nothing_asked_finds_nothing(self, words: TextIndex) -> None:
        await words.upsert([text(1, "oil")])

        assert await words.search([], limit=5) == []
        assert await words.search(terms("oil"), limit=0) == []

    async def test_batches_are_bounded(self, words: TextIndex) -> None:
        with pytest.raises(UnfitEntry):
            await words.upsert([text(n, "oil") for n in range(MAX_BATCH + 1)])

    async def test_a_refused_batch_writes_nothing(self, words: TextIndex) -> None:
        with pytest.raises(UnfitEntry):
            await words.upsert([text(1, "oil"), TextEntry(key=key(2), tokens=["A"])])

        assert await words.count() == 0

    async def test_frequent_words_do_not_hide_what_a_narrow_search_wants(
        self, words: TextIndex
    ) -> None:
        """Candidates come from rare words first; a restricted search looks further."""
        for start in range(0, 16_000, MAX_BATCH):
            batch = [text(start + n + 1, "common", document=2) for n in range(MAX_BATCH)]
            await words.upsert(batch)
        await words.upsert([text(20_000, "common", document=3), text(20_001, "rare", document=2)])

        only = Where(documents=frozenset({3}))
        assert await found(words, "rare common", only) == [20_000]
        assert (await found(words, "rare common"))[0] == 20_001
        assert await words.term_stats(["common", "rare"]) == TermStats(
            entries=16_002, tokens=16_002, frequencies={"common": 16_001, "rare": 1}
        )


class TestVector:
    async def test_the_nearest_come_first_whatever_their_length(self, plane: VectorIndex) -> None:
        await plane.upsert(
            [vector(1, 10, 0), vector(2, 0.1, 0.1), vector(3, 0, 3), vector(4, -1, 0)]
        )

        hits = await plane.search((2, 0.1), limit=3)

        assert [hit.id for hit in hits] == [1, 2, 3]
        assert hits[0].raw == pytest.approx(2 / math.hypot(2, 0.1), abs=1e-6)
        assert (hits[0].document_id, hits[0].slice_id, hits[0].coverage) == (1, 1001, None)

    async def test_equal_vectors_go_by_id(self, plane: VectorIndex) -> None:
        await plane.upsert([vector(n, 1, 1) for n in (7, 3, BIG, 5)])

        assert [h.id for h in await plane.search((1, 1), limit=3)] == [3, 5, 7]

    @pytest.mark.parametrize(
        "values", [(), (1.0,), (1.0, 2.0, 3.0), (0.0, 0.0), (math.nan, 1.0), (math.inf, 1.0)]
    )
    async def test_misshapen_vectors_are_refused_before_anything_is_written(
        self, plane: VectorIndex, values: Sequence[float]
    ) -> None:
        with pytest.raises(UnfitEntry):
            await plane.upsert([vector(1, 1, 0), VectorEntry(key=key(2), vector=values)])
        with pytest.raises(UnfitEntry):
            await plane.search(values, limit=1)

        assert await plane.count() == 0

    async def test_arrays_are_taken_as_vectors(self, plane: VectorIndex) -> None:
        await plane.upsert([VectorEntry(key=key(1), vector=array("f", [1, 0]))])

        assert await nearest(plane, 1, 0) == [1]

    async def test_writing_an_entry_again_replaces_it(self, plane: VectorIndex) -> None:
        await plane.upsert([vector(1, 1, 0), vector(2, 0, 1)])
        assert await nearest(plane, 1, 0) == [1, 2]

        await plane.upsert([vector(1, 0, -1), vector(1, -1, 0, document=5)])

        assert await nearest(plane, 1, 0) == [2, 1]
        assert await nearest(plane, 1, 0, where=Where(documents=frozenset({5}))) == [1]
        assert await plane.count() == 2

    async def test_deleted_entries_are_gone_at_once(self, plane: VectorIndex) -> None:
        await plane.upsert([vector(n, 1, n, document=n % 3) for n in range(1, 10)])
        assert len(await nearest(plane, 1, 1)) == 9

        assert await plane.delete(ids=[1, 77], document_ids=[0]) == 4

        assert sorted(await nearest(plane, 1, 1)) == [2, 4, 5, 7, 8]
        assert await plane.delete(ids=[1]) == 0
        await plane.upsert([vector(1, 1, 1)])
        assert (await nearest(plane, 1, 1))[0] == 1

    async def test_searches_can_be_restricted(self, plane: VectorIndex) -> None:
        await plane.upsert([vector(n, 1, n / 100, document=n, creator=n % 2) for n in range(1, 60)])

        assert await nearest(plane, 1, 0, where=Where(documents=frozenset({2, 3, 99}))) == [2, 3]
        assert await nearest(plane, 1, 0, where=Where(documents=frozenset())) == []
        hidden = Where(without_documents=frozenset(range(1, 50)))
        assert (await nearest(plane, 1, 0, where=hidden))[0] == 50
        assert (await nearest(plane, 1, 0, where=Where(creator_id=0)))[:2] == [2, 4]

    async def test_restrictions_may_name_very_many_documents(self, plane: VectorIndex) -> None:
        await plane.upsert([vector(n, 1, n / 100, document=n) for n in range(1, 60)])
        most = frozenset(range(15, 25_000))

        assert (await nearest(plane, 1, 0, where=Where(documents=most)))[:2] == [15, 16]
        assert len(await nearest(plane, 1, 0, where=Where(without_documents=most))) == 10
        assert await plane.delete(document_ids=sorted(most)) == 45
        assert await plane.count() == 14

    async def test_an_empty_collection_finds_nothing(self, plane: VectorIndex) -> None:
        assert await nearest(plane, 1, 0) == []
        assert await plane.search((1, 0), limit=0) == []

    async def test_entries_are_scanned_by_id(self, plane: VectorIndex) -> None:
        await plane.upsert([vector(n, 1, 0, document=n) for n in (3, 1, BIG)])

        page = await plane.scan(after=0, limit=2)

        assert page == [key(1, document=1), key(3, document=3)]
        assert [k.id for k in await plane.scan(after=3, limit=2)] == [BIG]

    async def test_batches_are_bounded(self, plane: VectorIndex) -> None:
        with pytest.raises(UnfitEntry):
            await plane.upsert([vector(n, 1, 0) for n in range(MAX_BATCH + 1)])

    async def test_random_changes_end_like_in_a_model(self, vectors: VectorIndexes) -> None:
        """Thousands of writes, replacements and deletions against a dictionary."""
        rng = random.Random(7)  # noqa: S311 - data, not secrets
        await vectors.create(VectorCollection(name="kb_m", dimensions=8))
        index = await vectors.open("kb_m")
        model: dict[int, np.ndarray] = {}
        for round_ in range(40):
            batch = {}
            for _ in range(MAX_BATCH):
                values = np.array([rng.gauss(0, 1) for _ in range(8)])
                batch[rng.randrange(2000)] = values / np.linalg.norm(values)
            await index.upsert(
                [VectorEntry(key=key(n), vector=v.tolist()) for n, v in batch.items()]
            )
            model |= batch
            gone = rng.sample(sorted(model), 40)
            await index.delete(ids=gone)
            for number in gone:
                del model[number]
            if round_ % 8 == 0:
                await nearest(index, *([1.0] * 8))

        question = np.ones(8) / math.sqrt(8)
        ids = sorted(model, key=lambda n: -float(model[n] @ question))[:10]
        hits = await nearest(index, *question.tolist())
        assert await index.count() == len(model)
        assert len(set(hits) & set(ids)) >= 9
        assert not set(hits) - model.keys()

    async def test_reading_while_writing_sees_whole_batches(self, plane: VectorIndex) -> None:
        async def write() -> None:
            for start in range(0, 1000, 50):
                await plane.upsert([vector(start + n, 1, 0) for n in range(50)])

        async def read() -> None:
            for _ in range(40):
                hits = await plane.search((1, 0), limit=2000)
                assert len(hits) % 50 == 0

        async with asyncio.TaskGroup() as group:
            group.create_task(write())
            group.create_task(read())
            group.create_task(read())

        assert len(await plane.search((1, 0), limit=2000)) == 1000

    async def test_a_cancelled_write_locks_nothing(self, plane: VectorIndex) -> None:
        task = asyncio.ensure_future(plane.upsert([vector(n, 1, 0) for n in range(100)]))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        await plane.upsert([vector(500, 1, 0)])

        assert await plane.count() in {1, 101}


async def test_lists_find_nearly_all_true_neighbours(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    centres = generator.standard_normal((60, 32))
    rows = centres[generator.integers(0, 60, 3000)] + 0.5 * generator.standard_normal((3000, 32))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    indexes = SqliteVectorIndexes(tmp_path, exact_bytes=1)
    await indexes.start()
    await indexes.create(VectorCollection(name="kb_1", dimensions=32))
    index = await indexes.open("kb_1")
    for start in range(0, len(rows), MAX_BATCH):
        batch = rows[start : start + MAX_BATCH].tolist()
        await index.upsert(
            [VectorEntry(key=key(start + n), vector=values) for n, values in enumerate(batch)]
        )

    found = 0
    for row in rows[::60]:
        question = row + 0.1 * generator.standard_normal(32)
        true = set(np.argsort(-(rows @ question))[:10].tolist())
        hits = await index.search(question.tolist(), limit=10)
        found += len(true & {hit.id for hit in hits})

    assert found >= 0.95 * 10 * len(rows[::60])
    await indexes.aclose()


async def test_collections_beyond_the_budget_take_turns(tmp_path: Path) -> None:
    indexes = SqliteVectorIndexes(tmp_path, budget_bytes=2000)
    await indexes.start()
    names = [f"kb_{number}" for number in range(4)]
    for name in names:
        await indexes.create(VectorCollection(name=name, dimensions=2))
        await (await indexes.open(name)).upsert([vector(n, 1, n) for n in range(1, 50)])

    for name in [*names, *names]:
        assert (await nearest(await indexes.open(name), 1, 0))[0] == 1
    await indexes.aclose()


async def test_searching_leaves_the_event_loop_free(tmp_path: Path) -> None:
    indexes = SqliteVectorIndexes(tmp_path)
    await indexes.start()
    await indexes.create(VectorCollection(name="kb_1", dimensions=64))
    index = await indexes.open("kb_1")
    for start in range(0, 1000, MAX_BATCH):
        await index.upsert(
            [VectorEntry(key=key(start + n), vector=[1.0] * 64) for n in range(MAX_BATCH)]
        )
    beats = 0
    searching = True

    async def beat() -> None:
        nonlocal beats
        while searching:
            beats += 1
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        group.create_task(beat())
        for _ in range(5):
            before = beats
            await index.search([1.0] * 64, limit=10)
            assert beats > before
        searching = False
    await indexes.aclose()


async def test_an_import_keeps_no_vectors_in_memory_and_a_search_does(tmp_path: Path) -> None:
    indexes = SqliteVectorIndexes(tmp_path, exact_bytes=1)
    await indexes.start()
    await indexes.create(VectorCollection(name="kb_1", dimensions=2))
    index = await indexes.open("kb_1")
    for begin in range(0, 60, 20):
        await index.upsert([vector(n, 1, n / 100) for n in range(begin, begin + 20)])
        assert not indexes._memory.holds("kb_1")

    assert (await nearest(index, 1, 0))[0] == 0
    assert indexes._memory.holds("kb_1")
    await index.upsert([vector(n, 1, -n / 100) for n in range(60, 120)])
    assert indexes._memory.holds("kb_1")
    assert (await nearest(index, 1, -1.19))[0] == 119
    await indexes.aclose()


def _corpus(chance: random.Random) -> list[TextEntry]:
    """Texts of common and rare words, some of them of one length."""
    words = [f"w{number}" for number in range(60)]
    return [
        text(
            number,
            " ".join(
                chance.choices(
                    words, [1 / (at + 1) for at in range(60)], k=chance.choice((5, 5, 12, 40))
                )
            ),
            document=number % 7,
            creator=number % 3,
        )
        for number in range(1, 401)
    ]


async def test_texts_in_memory_and_in_their_file_are_found_alike(tmp_path: Path) -> None:
    chance = random.Random(7)  # noqa: S311 - data, not secrets
    filed, held = (
        SqliteTextIndexes(tmp_path, searches=10**9),
        SqliteTextIndexes(tmp_path, searches=0),
    )
    await filed.create(TextCollection(name="kb", analyzer="a"))
    entries = _corpus(chance)
    for at in range(0, len(entries), MAX_BATCH):
        await (await filed.open("kb")).upsert(entries[at : at + MAX_BATCH])
    in_file, in_memory = await filed.open("kb"), await held.open("kb")

    for _ in range(60):
        asked = terms(" ".join(f"w{chance.randrange(70)}" for _ in range(chance.randint(1, 8))))
        where = chance.choice(
            (
                Where(),
                Where(documents=frozenset({1, 4})),
                Where(without_documents=frozenset({2})),
                Where(creator_id=1),
            )
        )
        limit = chance.choice((3, 20, 100))
        assert await in_memory.search(asked, limit=limit, where=where) == await in_file.search(
            asked, limit=limit, where=where
        )
    await filed.aclose()
    await held.aclose()


async def test_texts_are_held_once_they_are_searched_more_than_written(tmp_path: Path) -> None:
    indexes = SqliteTextIndexes(tmp_path, searches=3)
    await indexes.create(TextCollection(name="kb", analyzer="a"))
    index = await indexes.open("kb")
    for number in range(1, 11):  # an import, with searches between its writes
        await index.upsert([text(number, "gold")])
        for _ in range(3):
            assert len(await index.search(terms("gold"), limit=20)) == number
    assert not indexes._memory.holds("kb")

    await index.search(terms("gold"), limit=20)
    assert indexes._memory.holds("kb")

    await index.delete(ids=[1])
    assert len(await index.search(terms("gold"), limit=20)) == 9
    await indexes.drop("kb")
    assert not indexes._memory.holds("kb")
    await indexes.aclose()

"""Searches find what they should, in spite of failing parts, and nothing they must not."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from application.knowledge.table.channel import SqlHit
from crossdomain.knowledge.contract import Recall, RecallRequest, RetrievalStrategy
from domain.knowledge.document import Document
from domain.knowledge.error import KnowledgeInvalid, RetrievalFailed
from domain.knowledge.slice import Place, Slice
from domain.knowledge.value import DatasetId, DocumentId, FormatType, SliceId
from domain.shared.chat import ChatMessage
from domain.shared.ids import UserId
from infra.contract.storage.object_store import ObjectKey
from infra.contract.storage.search_index import EntryKey, TextEntry
from tests.support.knowledge.library import CONTEXT, Fault, Library, ScriptedModels
from tests.support.knowledge.sample import FOREIGN, OTHER_SPACE, SCOPE, SPACE
from tests.support.knowledge.world import World

FOX, WHALE, PARROT = "The red fox runs.", "A blue whale swims.", "Green parrots fly."


@pytest.fixture
def library(world: World) -> Library:
    return Library(world)


async def animals(library: Library) -> None:
    await library.shelve(await library.base(1), 11, FOX, WHALE, PARROT)


def asking(query: str = "red fox", **changes: Any) -> RecallRequest:
    """Ask base 1; changes are of the request, or of how it is searched."""
    names = RetrievalStrategy.__struct_fields__
    how = {"min_score": 0.3, "top_k": 2} | {k: v for k, v in changes.items() if k in names}
    changes = {k: v for k, v in changes.items() if k not in names}
    request = RecallRequest(query=query, dataset_ids=(1,), strategy=RetrievalStrategy(**how))
    return replace(request, **changes)


async def ask(library: Library, query: str = "red fox", **changes: Any) -> Recall:
    return await library.service.retrieve(CONTEXT, asking(query, **changes))


def contents(recall: Recall) -> list[str]:
    return [item.content for item in recall.items]


async def test_a_search_tells_what_it_found_and_how(library: Library) -> None:
    await animals(library)
    recall = await ask(library)
    first = recall.items[0]
    assert (first.content, first.source, first.slice_id) == (FOX, "both", 1101)
    assert (first.document_name, first.dataset_name, first.score) == ("a.txt", "base 1", 1.0)
    assert set(first.scores) == {"embedding", "full_text", "rrf"}
    assert [stage.name for stage in recall.stages] == ["embed", "vector", "full_text", "hydrate"]
    assert (recall.degraded, recall.queries, recall.skipped) == ((), ("red fox",), ())
    assert recall.usage.input_tokens == 1


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Which animal runs?", [FOX]),
        ("How do I change my password?", []),
        ("怎样修改密码", []),
    ],
)
async def test_the_built_in_embedder_calls_nothing_relevant_that_is_not(
    library: Library, query: str, found: list[str]
) -> None:
    await animals(library)
    recall = await ask(library, query, search_type="semantic", min_score=0.5)
    assert contents(recall) == found


@pytest.mark.parametrize("query", ["", " \n\t"])
async def test_blank_questions_find_nothing(library: Library, query: str) -> None:
    await animals(library)
    assert await ask(library, query) == Recall()


@pytest.mark.parametrize("fault", ["fails", "hangs", "breaks"])
@pytest.mark.parametrize(
    ("part", "budget", "changes", "degraded", "source"),
    [
        ("embed", "embed_s", {}, "embed", "full_text"),
        ("vectors", "store_s", {}, "vector", "full_text"),
        ("texts", "store_s", {}, "full_text", "embedding"),
        ("stream", "rewrite_s", {"rewrites": True}, "rewrite", "both"),
        ("stream", "rewrite_s", {"expansion": 2}, "expand", "both"),
        ("rerank", "rerank_s", {"reranks": True}, "rerank", "both"),
        ("tables", "sql_s", {"uses_sql": True}, "nl2sql", "both"),
    ],
)
async def test_a_search_goes_on_without_a_part_that_fails(
    *,
    library: Library,
    part: str,
    budget: str,
    fault: Fault,
    changes: dict[str, Any],
    degraded: str,
    source: str,
) -> None:
    if fault == "hangs":  # its neighbour has the same time: enough to answer
        library.settings = msgspec.structs.replace(library.settings, **{budget: 1.0})
    is_table = part == "tables"
    format_type = FormatType.TABLE if is_table else FormatType.TEXT
    await library.shelve(await library.base(1, format_type=format_type), 11, FOX, WHALE)
    library.models.scores = {"fox": 0.9} if part == "rerank" else None
    if part in {"vectors", "texts", "tables"}:
        getattr(library, part).fault = fault
    else:
        library.models.faults = {part: fault}

    history = (ChatMessage.of_text("user", "What is a fox?"),)
    recall = await ask(library, history=history, min_score=0.0, top_k=1, **changes)

    assert [(item.content, item.source) for item in recall.items] == [(FOX, source)]
    (reason,) = recall.degraded
    assert reason.startswith(f"{degraded}: ")
    assert "RuntimeError" not in reason


@pytest.mark.parametrize(
    ("faults", "search_type"),
    [
        (("embed",), "semantic"),
        (("vectors",), "semantic"),
        (("texts",), "full_text"),
        (("embed", "texts"), "hybrid"),
        (("vectors", "texts"), "hybrid"),
    ],
)
async def test_a_search_fails_if_nothing_could_be_searched(
    library: Library, faults: Sequence[str], search_type: str
) -> None:
    await animals(library)
    for part in faults:
        if part == "embed":
            library.models.faults = {"embed": "fails"}
        else:
            getattr(library, part).fault = "fails"
    with pytest.raises(RetrievalFailed, match="The part is away") as caught:
        await ask(library, search_type=search_type)
    assert caught.value.code == 105000032


async def test_a_store_that_fails_once_is_asked_again(library: Library) -> None:
    await animals(library)
    library.texts.fault, library.texts.left = "fails", 1
    recall = await ask(library, search_type="full_text")
    assert (contents(recall), recall.degraded) == ([FOX], ())


async def test_one_base_that_fails_leaves_the_others(library: Library) -> None:
    await animals(library)
    await library.base(2, model="gone")
    async with library.world.store.transaction() as uow:
        second = await uow.datasets.get(SCOPE, DatasetId(2))
        second.embedding_dimensions = 8
        await uow.datasets.save(SCOPE, second)
        await uow.commit()
    recall = await ask(library, dataset_ids=(1, 2))
    assert (contents(recall)[0], recall.degraded) == (FOX, ())  # nothing is indexed there


async def test_hidden_foreign_and_unknown_things_are_not_found(library: Library) -> None:
    base = await library.base(1)
    await library.shelve(base, 11, FOX)
    await library.shelve(base, 12, "Another fox runs.", change=disabled)
    recall = await ask(library, dataset_ids=(1, 99), min_score=0.0, top_k=9)
    assert (contents(recall), recall.skipped) == ([FOX], (99,))

    stranger = replace(CONTEXT, scope=FOREIGN, space_id=OTHER_SPACE)
    result = await library.service.retrieve(stranger, asking())
    assert (result.items, result.skipped) == ((), (1,))

    async with library.world.store.transaction() as uow:
        known = await uow.datasets.get(SCOPE, base.id)
        known.switch(is_enabled=False, now=library.world.clock.now(), actor_id=UserId(1))
        await uow.datasets.save(SCOPE, known)
        await uow.commit()
    recall = await ask(library)
    assert (recall.items, recall.skipped) == ((), (1,))


def disabled(document: Document) -> None:
    document.switch(is_enabled=False, now=document.created_at, actor_id=UserId(1))
    document.pull_events()


async def test_entries_without_slices_do_not_crowd_out_what_may_be_shown(
    library: Library,
) -> None:
    await animals(library)
    index = await library.world.texts.open("kb_1")
    for start in range(5000, 5200, 100):
        await index.upsert(
            [
                TextEntry(
                    key=EntryKey(id=at, document_id=11, slice_id=at, generation=1, creator_id=1),
                    tokens=["red", "fox"],
                )
                for at in range(start, start + 100)
            ]
        )
    recall = await ask(library, search_type="full_text", min_score=0.0)
    assert contents(recall) == [FOX]
    assert [stage.name for stage in recall.stages].count("full_text") == 2


async def test_filters_choose_documents_and_slices(library: Library) -> None:
    base = await library.base(1)

    def english(document: Document) -> None:
        document.tags = {"lang": "en"}

    def second_page(item: Slice) -> None:
        item.place = Place(page_from=item.ordinal, page_to=item.ordinal)

    await library.shelve(base, 11, FOX, WHALE, change=english, slices=second_page)
    await library.shelve(base, 12, "Der rote fox.")

    async def found(condition: dict[str, Any], **changes: Any) -> list[str]:
        recall = await ask(library, filter=condition, min_score=0.0, top_k=9, **changes)
        return contents(recall)

    assert await found({"field": "lang", "op": "eq", "value": "en"}) == [FOX, WHALE]
    assert await found({"tags": {"$or": [None]}}) == ["Der rote fox."]
    assert await found({"field": "page", "op": "eq", "value": 2}) == [WHALE]
    assert await found({"field": "lang", "op": "eq", "value": "fr"}) == []
    assert await found({"field": "document_id", "op": "exists"}, document_ids=(12,)) == [
        "Der rote fox."
    ]
    with pytest.raises(KnowledgeInvalid):
        await found({"field": "lang"})


async def test_personal_searches_see_own_documents_only(library: Library) -> None:
    base = await library.base(1)

    def of_another(document: Document) -> None:
        document.creator_id = UserId(5)

    await library.shelve(base, 11, FOX, change=of_another)
    await library.shelve(base, 12, "My own fox.")
    assert contents(await ask(library, is_personal_only=True, min_score=0.0)) == ["My own fox."]


async def test_scores_compare_over_bases(library: Library) -> None:
    """A word that is rare in one base only must not win there."""
    first, second = await library.base(1), await library.base(2)
    await library.shelve(first, 11, "common word here", "common again", "common once more")
    await library.shelve(second, 21, "common and seldom", "nothing", "else")
    both = await ask(
        library, "common", dataset_ids=(1, 2), search_type="full_text", min_score=0.0, top_k=9
    )
    alone = await ask(library, "common", dataset_ids=(2,), search_type="full_text", min_score=0.0)
    assert len(both.items) == 4
    assert contents(alone) == ["common and seldom"]
    assert {item.score for item in both.items} == {1.0}


async def test_bases_of_different_models_are_searched_by_their_own(library: Library) -> None:
    library.models.dimensions = {"small": 64, "large": 128}
    await library.shelve(await library.base(1, model="small"), 11, FOX)
    await library.shelve(await library.base(2, model="large"), 21, "A fox sleeps.")
    recall = await ask(library, dataset_ids=(1, 2), search_type="semantic", min_score=0.0)
    assert sorted(contents(recall)) == ["A fox sleeps.", FOX]
    assert recall.degraded == ()


async def test_an_index_of_another_model_says_so(library: Library) -> None:
    await animals(library)
    library.models.dimensions = {"offline": 64}
    recall = await ask(library)
    assert contents(recall) == [FOX]
    assert "index it anew" in recall.degraded[0]


async def test_a_rewritten_question_is_asked_beside_the_original(library: Library) -> None:
    await animals(library)
    library.models.reply = 'Question: "Where does the blue whale swim?"'
    history = (
        ChatMessage.of_text("user", "Tell me about whales."),
        ChatMessage.of_text("assistant", "They are large."),
    )
    recall = await ask(library, "Where does it go?", rewrites=True, history=history)
    assert recall.queries == ("Where does it go?", "Where does the blue whale swim?")
    assert contents(recall)[0] == WHALE
    assert (recall.usage.input_tokens, recall.usage.output_tokens) == (8, 3)
    (request,) = library.models.requests
    assert "Q: Tell me about whales.\nA: They are large." in request.messages[-1].text


async def test_the_built_in_model_writes_nothing(library: Library) -> None:
    await animals(library)
    library.models = ScriptedModels(is_offline=True)
    recall = await ask(library, expansion=3)
    assert (recall.queries, recall.degraded) == (("red fox",), ())
    assert library.models.requests == []


async def test_an_expansion_asks_several_ways_at_most_so_many(library: Library) -> None:
    await animals(library)
    library.models.reply = (
        '["running fox", "Red fox!", "fox that runs", "parrots in green", "vulpes vulpes"]'
    )
    recall = await ask(library, expansion=2, min_score=0.0)
    assert len(recall.queries) == 3
    assert recall.queries[0] == "red fox"
    assert "Red fox!" not in recall.queries


async def test_a_reranking_model_decides_order_and_score(library: Library) -> None:
    await animals(library)
    library.models.scores = {"whale": 0.8, "fox": 0.4, "parrots": 0.1}
    recall = await ask(library, reranks=True, min_score=0.3)
    assert [(item.content, item.score) for item in recall.items] == [(WHALE, 0.8), (FOX, 0.4)]
    assert recall.usage.input_tokens == 12


async def test_a_reranking_of_too_few_texts_counts_nothing(library: Library) -> None:
    await animals(library)
    library.models.scores = {"parrots": 0.9}
    recall = await ask(library, reranks=True)
    assert contents(recall)[0] == FOX
    assert recall.degraded == ("rerank: the model scored too few of the texts",)


async def test_without_a_reranking_model_pairs_of_words_decide(library: Library) -> None:
    base = await library.base(1)
    await library.shelve(base, 11, "The fox is not red, the hen is.", "The red fox and the hen.")
    plain = await ask(library, "red fox", search_type="full_text", reranks=True, min_score=0.0)
    assert contents(plain)[0] == "The red fox and the hen."


async def test_rows_count_as_half_of_what_is_shown_and_are_guarded(library: Library) -> None:
    base = await library.base(1, format_type=FormatType.TABLE)
    await library.shelve(base, 11, FOX, "red fox two", "red fox three")

    def row(slice_id: int, content: str) -> SqlHit:
        return SqlHit(
            slice_id=slice_id, document_id=11, dataset_id=1, content=content, sql="SELECT"
        )

    library.tables.rows = (row(0, "| n |\n| 3 |"), row(9999, "gone"), row(1102, '{"a": 2}'))
    recall = await ask(library, uses_sql=True, top_k=3)
    assert [(item.source, item.slice_id) for item in recall.items if item.source == "nl2sql"] == [
        ("nl2sql", 1102),
        ("nl2sql", 0),
    ]
    assert len(recall.items) == 3
    assert all(item.score == 1.0 for item in recall.items if item.source == "nl2sql")
    assert "gone" not in contents(recall)


async def test_doubles_are_shown_once(library: Library) -> None:
    base = await library.base(1)
    await library.shelve(base, 11, FOX)
    await library.shelve(base, 12, FOX.upper().lower().capitalize())
    recall = await ask(library, min_score=0.0)
    first = recall.items[0]
    assert len(recall.items) + len(first.also_in) == 2


async def test_tokens_cut_what_is_shown(library: Library) -> None:
    base = await library.base(1)
    await library.shelve(base, 11, "A red fox runs. " * 100)
    (content,) = contents(await ask(library, max_tokens=100, min_score=0.0))
    assert content == ("A red fox runs. " * 19).rstrip()

    await library.shelve(base, 12, "red fox den")
    request = asking("red fox den", max_tokens=100, min_score=0.0)
    result = await library.service.search(CONTEXT, request, explains=True)
    assert contents(result.recall) == ["red fox den"]
    assert {one.key: one.cut for one in result.candidates} == {1101: "tokens", 1201: ""}


async def test_neighbours_join_without_their_overlap(library: Library) -> None:
    base = await library.base(1)
    await library.shelve(base, 11, "One whale. Two", "Two foxes are red.", "Three birds.")
    search = asking("foxes", top_k=1, min_score=0.0, neighbours=1)
    result = await library.service.search(CONTEXT, search)
    assert contents(result.recall) == ["One whale. Two foxes are red.\nThree birds."]


async def test_parts_of_a_section_are_shown_as_one(library: Library) -> None:
    base = await library.base(1)

    def in_section(item: Slice) -> None:
        item.parent_id = SliceId(77)

    await library.shelve(base, 11, "The fox is red.", "The fox is quick.", slices=in_section)
    recall = await ask(library, "fox", min_score=0.0, top_k=5)
    assert contents(recall) == ["The fox is red.\nThe fox is quick."]


async def test_of_a_long_section_a_part_is_shown_with_those_beside_it(library: Library) -> None:
    base = await library.base(1)
    title = "Animals > Foxes\n"
    parts = [f"{title}{word} {'is a word of this part. ' * 30}" for word in ("One", "Two", "Three")]

    def in_section(item: Slice) -> None:
        item.parent_id, item.heading_path = SliceId(77), ("Animals", "Foxes")

    await library.shelve(
        base, 11, *parts, f"{title}The fox is here.", f"{title}The end.", slices=in_section
    )
    (content,) = contents(await ask(library, "fox", min_score=0.0, top_k=1))
    assert content.startswith(f"{title}Three")
    assert content.endswith("part. \nThe fox is here.\nThe end.")
    assert content.count(title) == 1


async def test_images_get_addresses_only_if_they_belong_to_the_document(library: Library) -> None:
    base = await library.base(1)
    own, foreign = f"kb/1/11/images/{'a' * 64}", f"kb/2/9/images/{'b' * 64}"
    text = f'A red fox <img src="" data-tos-key="{own}"> <img src="" data-tos-key="{foreign}">'
    await library.shelve(base, 11, text)
    async with library.world.store.transaction() as uow:
        document = await uow.documents.get(SCOPE, DocumentId(11))
        await uow.objects.note(SCOPE, document, ObjectKey(own))
        await uow.commit()
    (content,) = contents(await ask(library, min_score=0.0))
    assert content.count("http://here/knowledge/images/") == 1
    assert f'<img src="" data-tos-key="{foreign}">' in content
    token = content.split("/knowledge/images/")[1].split('"')[0]
    assert library.links.verify(token, now=library.world.clock.now()).object_key == own


async def test_what_agents_are_shown_is_counted_and_tests_are_not(library: Library) -> None:
    await animals(library)
    await library.service.search(CONTEXT, asking())
    await ask(library)
    await ask(library)
    await library.hits.aclose()
    async with library.world.store.snapshot() as uow:
        fox, whale = await uow.slices.get_many(SCOPE, [SliceId(1101), SliceId(1102)])
        document = await uow.documents.get(SCOPE, DocumentId(11))
    assert (fox.hit_count, whale.hit_count, document.hit_count) == (2, 0, 2)


async def test_a_question_is_embedded_once(library: Library) -> None:
    await animals(library)
    await ask(library)
    again = await ask(library)
    assert library.models.embedded == [("red fox",)]
    assert again.usage.input_tokens == 0
    await library.service.retrieve(replace(CONTEXT, space_id=SPACE), asking("blue whale"))
    assert len(library.models.embedded) == 2


async def test_a_search_asks_few_stores_at_once(library: Library) -> None:
    for number in range(1, 9):
        await library.shelve(await library.base(number), number, f"fox {number}")
    recall = await ask(library, "fox", dataset_ids=tuple(range(1, 9)), min_score=0.0, top_k=9)
    assert len(recall.items) == 8
    assert library.vectors.most + library.texts.most <= 8
    assert max(library.vectors.most, library.texts.most) <= 4


async def test_an_explanation_names_every_candidate_and_its_fate(library: Library) -> None:
    base = await library.base(1)
    await library.shelve(base, 11, FOX, "Red fox, red fox.", "red FOX runs the.", WHALE)
    request = asking(top_k=1, min_score=0.5)
    result = await library.service.search(CONTEXT, request, explains=True)
    assert len(result.recall.items) == 1
    fates = {one.key: one.cut for one in result.candidates}
    assert fates[result.recall.items[0].slice_id] == ""
    assert fates[1104] == "threshold"
    assert sorted(fates.values()) == ["", "threshold", "top_k", "top_k"]


@pytest.mark.parametrize(
    "changes",
    [
        {"top_k": 0},
        {"top_k": 101},
        {"min_score": 1.5},
        {"max_tokens": 0},
        {"expansion": 6},
        {"rerank_weight": -1.0},
        {"search_type": "exact"},
    ],
)
async def test_parameters_out_of_range_are_refused(
    library: Library, changes: dict[str, Any]
) -> None:
    with pytest.raises(KnowledgeInvalid, match=next(iter(changes))):
        await ask(library, **changes)

"""Previews: cut, edited, committed; and documents cut or fetched anew."""

import pytest

from application.knowledge.dto import CreateDocuments, NewDocument
from application.knowledge.ingest.worker import IngestWorker
from application.knowledge.work import WorkRunner
from domain.knowledge.error import (
    UNKNOWN_FAULT,
    KnowledgeInvalid,
    PreviewNotFound,
    PreviewNotReady,
    ResegmentRefused,
    SourceUnavailable,
)
from domain.knowledge.preview import Preview, PreviewState
from domain.knowledge.value import (
    ChunkRule,
    ChunkType,
    DocumentId,
    SourceType,
    UpdateRule,
    UpdateType,
)
from domain.shared.access import Principal, Role, TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import TokenId, UserId
from tests.integration.knowledge.upkeep import (
    FixedPage,
    held,
    preview_kind,
    previews,
    reading_previews,
    reconcile,
    refresher,
    resegmenting,
    search,
)
from tests.support.knowledge.sample import OTHER_SPACE, SCOPE
from tests.support.knowledge.world import LINES, OWNER, TEXT, Died, World

STRANGER = Principal(
    user_id=UserId(2),
    token_id=TokenId(2),
    roles={OTHER_SPACE: Role.OWNER},
    personal_space_id=OTHER_SPACE,
)
FILE = NewDocument(name="b.txt", source_type=SourceType.CUSTOM_TEXT, content=TEXT.encode())


async def preview_of(world: World) -> int:
    await world.accept()
    await world.work(rounds=1)
    (view,) = await previews(world).create(OWNER, 1, [FILE], chunking=LINES.chunking)
    return view.id


async def test_a_document_is_made_of_exactly_the_saved_chunks(world: World) -> None:
    preview_id = await preview_of(world)
    with pytest.raises(PreviewNotReady):
        await previews(world).commit(OWNER, preview_id)
    await reading_previews(world).run_due()
    view = await previews(world).get(OWNER, preview_id)
    assert (view.state, [chunk.text for chunk in view.chunks]) == (
        PreviewState.READY,
        TEXT.split("##"),
    )
    assert await held(world) == (3, 3)  # nothing of it is indexed

    edits = [(3, "Green parrots shout."), (1, "The red fox sleeps.")]
    view = await previews(world).save(OWNER, preview_id, edits)
    assert [(chunk.id, chunk.text) for chunk in view.chunks] == edits
    with pytest.raises(KnowledgeInvalid, match="no chunk 9"):
        await previews(world).save(OWNER, preview_id, [(9, "?")])
    document = await previews(world).commit(OWNER, preview_id)
    await world.work(rounds=1)

    assert document.id == preview_id
    assert await search(world, "shout") == ["Green parrots shout."]
    assert await search(world, "whale") == ["A blue whale swims."]  # of the other document
    async with world.store.snapshot() as uow:
        made = await uow.documents.get(SCOPE, DocumentId(preview_id))
    assert made.slice_count == 2
    with pytest.raises(PreviewNotFound):
        await previews(world).get(OWNER, preview_id)
    assert not any((await reconcile(world)).findings.values())

    # Cut anew it is made of its source again, which was read once.
    await world.documents.resegment(OWNER, preview_id, LINES)
    await world.work(rounds=1)
    assert (await world.load(DocumentId(preview_id))).slice_count == 3
    assert await search(world, "shout") == []


async def test_a_preview_of_nothing_fails_with_its_reason(world: World) -> None:
    await world.accept()
    empty = NewDocument(name="c.txt", source_type=SourceType.CUSTOM_TEXT, content=b"  \n ")
    (made,) = await previews(world).create(OWNER, 1, [empty])
    await reading_previews(world).run_due()
    view = await previews(world).get(OWNER, made.id)
    assert (view.state, view.fail_reason) == (PreviewState.FAILED, "The document has no text.")
    with pytest.raises(PreviewNotReady, match="no text"):
        await previews(world).commit(OWNER, made.id)


async def test_previews_of_others_do_not_exist(world: World) -> None:
    preview_id = await preview_of(world)
    await reading_previews(world).run_due()
    with pytest.raises(PreviewNotFound):
        await previews(world).get(STRANGER, preview_id)
    with pytest.raises(PreviewNotFound):
        await previews(world).save(STRANGER, preview_id, [(1, "x")])
    with pytest.raises(PreviewNotFound):
        await previews(world).commit(STRANGER, preview_id)
    with pytest.raises(NotFound):
        await previews(world).create(STRANGER, 1, [FILE])


async def test_previews_expire_with_their_objects(world: World) -> None:
    preview_id = await preview_of(world)
    await reading_previews(world).run_due()
    world.clock.advance(days=7, seconds=1)
    await preview_kind(world).expire()
    with pytest.raises(PreviewNotFound):
        await previews(world).get(OWNER, preview_id)
    async with world.store.snapshot() as uow:
        assert await uow.objects.of(SCOPE, [DocumentId(preview_id)], limit=9) == []
    assert not any((await reconcile(world)).findings.values())


async def test_documents_are_cut_anew_all_or_none(world: World) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    command = CreateDocuments(dataset_id=1, documents=(FILE,), rule=LINES)
    (busy,) = await world.documents.create(OWNER, command)
    rule = ChunkRule(chunk_type=ChunkType.CUSTOM, separator="whale", max_tokens=500)
    with pytest.raises(ResegmentRefused):
        await resegmenting(world).resegment(OWNER, 1, [document_id, busy.id], chunking=rule)
    assert not (await world.load(document_id)).is_busy

    await resegmenting(world).resegment(
        OWNER, 1, [document_id, busy.id], chunking=rule, is_forced=True
    )
    assert await search(world, "whale") == ["A blue whale swims."]
    await world.work(rounds=1)
    for key in (document_id, DocumentId(busy.id)):
        document = await world.load(key)
        assert (document.slice_count, document.rule.chunking) == (2, rule)
        assert document.rule.reading == LINES.reading
    with pytest.raises(NotFound):
        await resegmenting(world).resegment(STRANGER, 1, [document_id], chunking=rule)


async def test_a_page_is_indexed_again_only_when_it_changed(world: World) -> None:
    await world.accept()
    page = FixedPage(TEXT)
    rule = UpdateRule(type=UpdateType.AUTOMATIC, interval_hours=24)
    web = NewDocument(
        name="page", source_type=SourceType.WEB_PAGE, url="https://example.org/", update_rule=rule
    )
    (made,) = await world.documents.create(
        OWNER, CreateDocuments(dataset_id=1, documents=(web,), rule=LINES)
    )
    key = DocumentId(made.id)
    worker: IngestWorker = world.worker(readers={SourceType.WEB_PAGE: page})
    while await worker.run_once():
        pass

    async def a_day_later() -> int:
        world.clock.advance(hours=24)
        await refresher(world, page).refresh_due()
        while await worker.run_once():
            pass
        return (await world.load(key)).active_generation or 0

    assert await a_day_later() == 1
    page.text = "A white whale sings."
    page.error = SourceUnavailable("down")
    assert await a_day_later() == 1
    page.error = None
    world.clock.advance(hours=-22)  # an hour after the failure, not a day
    assert await a_day_later() == 2
    assert "A white whale sings." in await search(world, "whale")
    assert await a_day_later() == 2

    assert (await world.load(key)).refresh_at is not None


async def test_a_file_that_takes_every_process_along_is_given_up(world: World) -> None:
    preview_id = await preview_of(world)
    kind = preview_kind(world)

    async def die(work: Preview, scope: TenantScope) -> None:
        raise Died

    kind.proceed = die  # type: ignore[method-assign]
    for _ in range(3):
        with pytest.raises(BaseExceptionGroup):
            await WorkRunner(kind, store=world.store, clock=world.clock).run_once()
        world.clock.advance(seconds=61)
    await reading_previews(world).run_due()

    view = await previews(world).get(OWNER, preview_id)
    assert (view.state, view.fail_code) == (PreviewState.FAILED, UNKNOWN_FAULT)


async def test_a_document_of_another_base_is_previewed_from_what_it_was_made_of(
    world: World,
) -> None:
    made = await world.accept()
    new = NewDocument(name="c.txt", source_type=SourceType.LOCAL_FILE, document_id=made)
    (preview,) = await previews(world).create(OWNER, 1, [new], chunking=LINES.chunking)
    await reading_previews(world).run_due()
    view = await previews(world).get(OWNER, preview.id)
    assert [chunk.text for chunk in view.chunks] == TEXT.split("##")

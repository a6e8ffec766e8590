"""Images: found by what a model or a person says they show."""

import pytest

from application.knowledge.document.image_service import ImageQuery
from application.knowledge.dto import CreateDocuments, NewDocument
from domain.knowledge.error import (
    CaptionUnsupported,
    DocumentNotFound,
    FormatUnsupported,
    KnowledgeInvalid,
    NothingParsed,
)
from domain.knowledge.value import (
    CaptionType,
    ChunkRule,
    DocumentId,
    DocumentStatus,
    FormatType,
    ParseRule,
    ReadRule,
    SourceType,
)
from domain.shared.access import Principal, Role
from domain.shared.error import AppError, InvalidRequest, Unavailable
from domain.shared.ids import TokenId, UserId
from tests.support.knowledge.sample import OTHER_SPACE, SCOPE, new_dataset
from tests.support.knowledge.world import OWNER, World

MANUAL = ParseRule(chunking=ChunkRule(caption_type=CaptionType.MANUAL))
AUTOMATIC = ParseRule()
STRANGER = Principal(
    user_id=UserId(2),
    token_id=TokenId(2),
    roles={OTHER_SPACE: Role.OWNER},
    personal_space_id=OTHER_SPACE,
)


async def image(
    world: World, rule: ParseRule, *, name: str = "a.png", caption: str = "", is_first: bool = True
) -> DocumentId:
    if is_first:
        dataset = new_dataset(now=world.clock.now())
        dataset.format_type = FormatType.IMAGE
        async with world.store.transaction() as uow:
            await uow.datasets.save(SCOPE, dataset)
            await uow.commit()
    new = NewDocument(
        name=name,
        source_type=SourceType.LOCAL_FILE,
        content=b"GIF89a " + name.encode(),
        extension="png",
        caption=caption,
    )
    command = CreateDocuments(dataset_id=1, documents=(new,), rule=rule)
    (view,) = await world.documents.create(OWNER, command)
    await world.work(rounds=1)
    return DocumentId(view.id)


async def captions(world: World, **wanted: object) -> list[tuple[str, str]]:
    query = ImageQuery(dataset_id=1, **wanted)  # type: ignore[arg-type]
    page = await world.images.page(OWNER, query)
    assert page.total == len(page.items)
    return [(item.document.name, item.caption) for item in page.items]


async def test_a_model_that_sees_writes_the_caption(world: World) -> None:
    world.models.sight = "A red fox \n in the snow. " + "!" * 400
    document_id = await image(world, AUTOMATIC)

    document = await world.load(document_id)
    ((_, caption),) = await captions(world)
    assert (document.status, document.slice_count) == (DocumentStatus.ENABLED, 1)
    assert caption.startswith("A red fox in the snow. !!")
    assert len(caption) == 300
    (content,) = await world.find("fox")
    assert content == f'<img src="" data-tos-key="{document.source.object_key}">\n{caption}'
    assert len(world.models.looked_at) == 1


async def test_without_such_a_model_the_document_fails_until_somebody_writes(world: World) -> None:
    document_id = await image(world, AUTOMATIC)
    document = await world.load(document_id)
    assert (document.status, document.fail_code) == (DocumentStatus.FAILED, 105000027)
    with pytest.raises(CaptionUnsupported):
        await world.images.extract_caption(OWNER, document_id)

    await world.images.set_caption(OWNER, 1, document_id, "A grey wolf.")
    await world.work(rounds=1)

    assert (await world.load(document_id)).status is DocumentStatus.ENABLED
    assert await captions(world) == [("a.png", "A grey wolf.")]
    assert len(await world.find("wolf")) == 1


async def test_without_such_a_model_the_text_in_an_image_is_enough(world: World) -> None:
    document_id = await image(world, AUTOMATIC, name="a.png##Closed on Monday")

    assert (await world.load(document_id)).status is DocumentStatus.ENABLED
    assert await captions(world) == [("a.png##Closed on Monday", "")]
    assert len(await world.find("monday")) == 1


async def test_a_person_may_caption_later_change_and_take_back(world: World) -> None:
    document_id = await image(world, MANUAL)
    document = await world.load(document_id)
    assert (document.status, document.slice_count) == (DocumentStatus.ENABLED, 0)
    assert await captions(world) == [("a.png", "")]

    await world.images.set_caption(OWNER, 1, document_id, "A brown bear.")
    await world.clean(times=2)
    assert len(await world.find("bear")) == 1
    await world.images.set_caption(OWNER, 1, document_id, "A black raven.")
    await world.clean(times=2)
    assert (await world.find("bear"), len(await world.find("raven"))) == ([], 1)
    assert (await world.load(document_id)).slice_count == 1

    await world.images.set_caption(OWNER, 1, document_id, " ")
    await world.clean(times=2)
    assert await world.find("raven") == []
    assert await world.entries() == (0, 0)
    assert await captions(world) == [("a.png", "")]


async def test_the_text_in_an_image_finds_it_and_is_no_caption(world: World) -> None:
    document_id = await image(world, MANUAL, name="a.png##Closed on Monday")

    assert [caption for _, caption in await captions(world)] == [""]
    assert await captions(world, has_caption=True) == []
    assert len(await world.find("monday")) == 1

    await world.images.set_caption(OWNER, 1, document_id, "A door.")
    await world.clean(times=2)
    assert [caption for _, caption in await captions(world, has_caption=True)] == ["A door."]
    assert await captions(world, has_caption=False) == []
    assert len(await world.find("monday")) == len(await world.find("door")) == 1

    await world.images.set_caption(OWNER, 1, document_id, "")
    await world.clean(times=2)
    assert (len(await world.find("monday")), await world.find("door")) == (1, [])


async def test_a_proposed_caption_is_not_saved(world: World) -> None:
    document_id = await image(world, MANUAL)
    world.models.sight = "A red fox."

    assert await world.images.extract_caption(OWNER, document_id) == "A red fox."
    assert await captions(world) == [("a.png", "")]


async def test_a_written_caption_survives_indexing_anew(world: World) -> None:
    world.models.sight = "Something else."
    document_id = await image(world, AUTOMATIC, caption="A brown bear.")
    await world.images.set_caption(OWNER, 1, document_id, "A black raven.")
    rule = (await world.load(document_id)).rule
    await world.documents.resegment(OWNER, document_id, rule)
    await world.work(rounds=1)

    assert await captions(world) == [("a.png", "A black raven.")]
    assert world.models.looked_at == []


async def test_images_are_listed_by_name_caption_and_whether_they_have_one(world: World) -> None:
    await image(world, MANUAL, name="first.png", caption="A Blue whale")
    await image(world, MANUAL, name="second.png", is_first=False)
    world.clock.advance(seconds=1)

    assert {name for name, _ in await captions(world)} == {"first.png", "second.png"}
    assert await captions(world, has_caption=True) == [("first.png", "A Blue whale")]
    assert await captions(world, has_caption=False) == [("second.png", "")]
    assert await captions(world, keyword="blue") == [("first.png", "A Blue whale")]
    assert await captions(world, keyword="SECOND") == [("second.png", "")]
    assert await captions(world, keyword="tos-key") == []


async def test_strangers_and_texts_are_refused(world: World) -> None:
    document_id = await image(world, MANUAL)
    with pytest.raises(DocumentNotFound):
        await world.images.set_caption(STRANGER, 1, document_id, "mine")
    with pytest.raises(DocumentNotFound):
        await world.images.extract_caption(STRANGER, document_id)
    with pytest.raises(DocumentNotFound):
        await world.images.set_caption(OWNER, 2, document_id, "elsewhere")
    with pytest.raises(KnowledgeInvalid):
        await world.images.set_caption(OWNER, 1, document_id, "x" * 2001)


async def test_a_base_of_texts_has_no_images(world: World) -> None:
    document_id = await world.accept()
    with pytest.raises(FormatUnsupported):
        await world.images.page(OWNER, ImageQuery(dataset_id=1))
    with pytest.raises(FormatUnsupported):
        await world.images.set_caption(OWNER, 1, document_id, "text")


WITH_PICTURES = ReadRule(image_extraction=True)
ILLUSTRATED = "The red fox runs.\n@owl\n@barn\n@owl\n"


async def illustrated(
    world: World, *, text: str = ILLUSTRATED, reading: ReadRule = WITH_PICTURES
) -> DocumentId:
    async with world.store.transaction() as uow:
        await uow.datasets.save(SCOPE, new_dataset(now=world.clock.now()))
        await uow.commit()
    new = NewDocument(name="a.txt", source_type=SourceType.CUSTOM_TEXT, content=text.encode())
    rule = ParseRule(reading=reading)
    command = CreateDocuments(dataset_id=1, documents=(new,), rule=rule)
    (view,) = await world.documents.create(OWNER, command)
    await world.work(rounds=1)
    return DocumentId(view.id)


async def test_pictures_of_a_document_are_found_by_what_a_model_sees(world: World) -> None:
    world.models.sight = "A hawk in flight."

    document = await world.load(await illustrated(world))

    assert document.status is DocumentStatus.ENABLED
    (content,) = await world.find("hawk")
    assert content.count("A hawk in flight.") == content.count("<img") == 3
    assert world.models.looked_at == [b"@owl", b"@barn"]  # each once


@pytest.mark.parametrize("sight", [None, ""])
async def test_a_document_needs_no_model_that_sees(world: World, sight: str | None) -> None:
    world.models.sight = sight

    document = await world.load(await illustrated(world))

    assert document.status is DocumentStatus.ENABLED
    (content,) = await world.find("fox")
    assert content.count("<img") == 3


@pytest.mark.parametrize(
    ("fault", "looks"), [(InvalidRequest("no"), 2), (Unavailable("late"), 1)], ids=["one", "all"]
)
async def test_a_picture_that_cannot_be_described_fails_no_document(
    world: World, fault: AppError, looks: int
) -> None:
    world.models.sight, world.models.blindness = "A hawk.", fault

    document = await world.load(await illustrated(world))

    assert document.status is DocumentStatus.ENABLED
    assert len(world.models.looked_at) == looks


async def test_pictures_that_nobody_asked_for_are_not_looked_at(world: World) -> None:
    world.models.sight = "A hawk."

    await illustrated(world, reading=ReadRule())

    assert not world.models.looked_at


@pytest.mark.parametrize("kept", [True, False])
async def test_a_scanned_page_is_found_by_what_a_model_sees_of_it(world: World, kept: bool) -> None:
    world.models.sight = "A deed of gift."

    document = await world.load(
        await illustrated(world, text="%page\n", reading=ReadRule(image_extraction=kept))
    )

    assert document.status is DocumentStatus.ENABLED
    (content,) = await world.find("deed")
    assert content.endswith("A deed of gift.")
    assert world.models.looked_at == [b"%page"]


@pytest.mark.parametrize("sight", [None, ""])
async def test_a_scanned_page_without_words_is_no_document(world: World, sight: str | None) -> None:
    world.models.sight = sight

    document = await world.load(await illustrated(world, text="%page\n", reading=ReadRule()))

    assert document.status is DocumentStatus.FAILED
    assert document.fail_code == NothingParsed.code

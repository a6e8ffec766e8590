"""Questions that name columns of a table find the rows that those without the names find."""

import json
from dataclasses import dataclass

import pytest

from application.knowledge.dto import ColumnSpec, CreateDocuments, NewDocument
from crossdomain.knowledge.contract import Recall, RecallRequest, RetrievalStrategy, SearchType
from domain.knowledge.tables.column import ColumnType
from domain.knowledge.value import FormatType, SourceType
from tests.support.knowledge.library import CONTEXT, Library
from tests.support.knowledge.sample import SCOPE, new_dataset
from tests.support.knowledge.world import OWNER, World


@dataclass(frozen=True)
class Sheet:
    """A table whose first column says what a row is about."""

    rows: tuple[str, ...]
    with_name: tuple[str, ...]
    without: str
    unknown: str

    @property
    def columns(self) -> list[str]:
        return self.rows[0].split(",")

    @property
    def things(self) -> list[str]:
        return [row.split(",")[0] for row in self.rows[1:]]


ENGLISH = Sheet(
    rows=(
        "Product,Price,Stock level,supplier_city,Delivery time",
        "Golden Apple,12,40,Lima,3 days",
        "Alpha-2000 lamp with a long shade,80,7,Oslo,9 days",
        "Price tag gun,15,2,Rome,1 day",  # words of other columns
        "City map,5,90,Lima,2 days",
        "Silver Apple,11,35,Quito,3 days",
    ),
    with_name=("What is the {column} of {thing}?", "{thing} {column}", "{column} for {thing}"),
    without="What is {thing}?",
    unknown="Zebra",
)
CHINESE = Sheet(
    rows=(
        "商品名称,价格,库存数量,供应商城市,交货时间",
        "红富士苹果,12,40,利马,三天",
        "和平牌台灯,80,7,奥斯陆,九天",
        "价格标签机,15,2,罗马,一天",
        "城市地图,5,90,利马,两天",
        "青苹果,11,35,基多,三天",
    ),
    with_name=("{thing}的{column}是多少", "请问{thing}的{column}", "{thing}{column}多少"),
    without="{thing}是什么",
    unknown="斑马",
)


async def library_of(world: World, sheet: Sheet, *, indexed: str) -> Library:
    dataset = new_dataset(now=world.clock.now())
    dataset.format_type = FormatType.TABLE
    async with world.store.transaction() as uow:
        await uow.datasets.save(SCOPE, dataset)
        await uow.commit()
    columns = tuple(
        ColumnSpec(
            name=name,
            type=ColumnType.TEXT.value,
            is_semantic=not number or indexed == "all",
            sequence=number,
        )
        for number, name in enumerate(sheet.columns)
    )
    new = NewDocument(
        name="t.csv",
        source_type=SourceType.LOCAL_FILE,
        content="\n".join(sheet.rows).encode(),
        extension="csv",
        columns=columns,
    )
    await world.documents.create(OWNER, CreateDocuments(dataset_id=1, documents=(new,)))
    await world.work(rounds=1)
    return Library(world)


async def ask(
    library: Library, question: str, kind: SearchType, *, min_score: float = 0.0
) -> Recall:
    how = RetrievalStrategy(search_type=kind, min_score=min_score, top_k=5)
    request = RecallRequest(query=question, dataset_ids=(1,), strategy=how)
    return await library.service.retrieve(CONTEXT, request)


@pytest.mark.parametrize("forms", ["dealt", pytest.param("every", marks=pytest.mark.long)])
@pytest.mark.parametrize("indexed", ["first", "all"])
@pytest.mark.parametrize("sheet", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_the_name_of_a_column_never_lowers_the_row_that_is_asked_about(
    world: World, sheet: Sheet, indexed: str, forms: str
) -> None:
    library = await library_of(world, sheet, indexed=indexed)
    turn = 0
    for kind in ("semantic", "hybrid", "full_text"):
        for thing in sheet.things:
            plain = await ask(library, sheet.without.format(thing=thing), kind)
            for column in sheet.columns:
                turn += 1
                dealt = (sheet.with_name[turn % len(sheet.with_name)],)
                for form in sheet.with_name if forms == "every" else dealt:
                    question = form.format(column=column, thing=thing)
                    recall = await ask(library, question, kind)
                    first = recall.items[0]
                    found = json.loads(first.content)[sheet.columns[0]]
                    assert found == thing, (kind, question)
                    assert first.score >= plain.items[0].score - 1e-6, (kind, question)


@pytest.mark.parametrize("sheet", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_the_name_of_a_column_makes_no_row_relevant(world: World, sheet: Sheet) -> None:
    library = await library_of(world, sheet, indexed="all")
    for column in sheet.columns:
        question = sheet.with_name[0].format(column=column, thing=sheet.unknown)
        recall = await ask(library, question, "hybrid", min_score=0.5)
        found = [json.loads(item.content)[sheet.columns[0]] for item in recall.items]
        # Rows that have the word as a value may be what is meant.
        assert not set(found) & {sheet.things[0], sheet.things[1], sheet.things[4]}, question


async def test_a_question_of_names_alone_searches_for_them(world: World) -> None:
    library = await library_of(world, ENGLISH, indexed="first")
    recall = await ask(library, "price?", "full_text")
    assert json.loads(recall.items[0].content)["Product"] == "Price tag gun"

"""Questions to table bases, through a scripted model or none at all."""

import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from application.knowledge.dto import ColumnSpec, CreateDocuments, EditDocument, NewDocument
from application.knowledge.table.answers import TableAnswers
from application.knowledge.table.channel import SqlHits
from crossdomain.model.contract import ModelDescription
from domain.knowledge.dataset import Dataset
from domain.knowledge.value import DatasetId, DocumentId, FormatType, SourceType
from domain.shared.access import CONNECTOR_API
from domain.shared.call import CallContext
from domain.shared.chat import (
    Capabilities,
    ChatRequest,
    FinishReason,
    ModelEvent,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    Usage,
    UsageReported,
)
from domain.shared.error import Unavailable
from domain.shared.limits import Limits
from infra.impl.sql_guard.guard import SqlglotGuard
from tests.support.knowledge.sample import SCOPE, SPACE, new_dataset
from tests.support.knowledge.world import OWNER, World
from tests.support.sql.table import FIXTURES

CASES = json.loads((FIXTURES / "cases.json").read_text())
CONTEXT = CallContext(scope=SCOPE, space_id=SPACE, connector_id=CONNECTOR_API)
TYPES = {"text": 1, "number": 2}


@dataclass
class ScriptedModels:
    """A model that answers a question by ``reply``, or the offline one."""

    reply: Callable[[str], str] = lambda _: ""
    is_offline: bool = False
    asked: list[str] = field(default_factory=list)

    async def describe(self, model: str, *, space_id: int = 0) -> ModelDescription:
        return ModelDescription(
            id="m",
            name="m",
            capabilities=Capabilities(),
            window=9,
            max_output=9,
            is_offline=self.is_offline,
        )

    async def stream(
        self, context: CallContext, request: ChatRequest, *, purpose: str = "chat"
    ) -> AsyncGenerator[ModelEvent, None]:
        assert (context, purpose) == (CONTEXT, "nl2sql")
        text = request.messages[-1].text
        self.asked.append(text)
        yield ReplyStarted("r", "m")
        yield TextDelta(self.reply(text))
        yield UsageReported(Usage(input_tokens=7, output_tokens=1))
        yield ReplyFinished(FinishReason.STOP)


def answers(world: World, models: ScriptedModels) -> TableAnswers:
    limits = Limits()
    return TableAnswers(
        store=world.store,
        tables=world.tables,
        rows=world.rows,
        models=models,  # type: ignore[arg-type]  # only chat is asked of it
        open_guard=lambda: SqlglotGuard(dialect=world.tables.dialect, limits=limits),
        clock=world.clock,
        limits=limits,
    )


async def base(
    world: World, number: int, name: str, content: bytes, columns: tuple[ColumnSpec, ...] = ()
) -> tuple[Dataset, DocumentId]:
    dataset = new_dataset(number, now=world.clock.now(), name=name)
    dataset.format_type = FormatType.TABLE
    async with world.store.transaction() as uow:
        await uow.datasets.save(SCOPE, dataset)
        await uow.commit()
    new = NewDocument(
        name="t.csv",
        source_type=SourceType.LOCAL_FILE,
        content=content,
        extension="csv",
        columns=columns,
    )
    command = CreateDocuments(dataset_id=number, documents=(new,))
    (view,) = await world.documents.create(OWNER, command)
    await world.work(rounds=1)
    async with world.store.snapshot() as uow:
        return await uow.datasets.get(SCOPE, DatasetId(number)), DocumentId(view.id)


async def countries(world: World) -> tuple[Dataset, DocumentId]:
    columns = tuple(
        ColumnSpec(
            name=column["name"],
            type=TYPES[column["type"]],
            description=column["desc"],
            is_semantic=column["indexing"],
            sequence=number,
        )
        for number, column in enumerate(CASES["table"]["columns"])
    )
    content = (FIXTURES / "countries.csv").read_bytes()
    return await base(world, 1, CASES["table"]["virtual_name"], content, columns)


def shown(hits: SqlHits) -> str:
    return "".join(item.content for item in hits.items)


async def test_every_gold_case_gives_its_rows(world: World) -> None:
    dataset, document_id = await countries(world)
    for case in CASES["cases"]:
        models = ScriptedModels(reply=lambda _, case=case: json.dumps(case["model_reply"]))  # type: ignore[misc]

        hits = await answers(world, models).answer(CONTEXT, [dataset], case["question"])

        assert hits.failed == ()
        assert all(str(cell) in shown(hits) for row in case["rows"] for cell in row), case["id"]
        if any(item.slice_id for item in hits.items):
            assert len(hits.items) == len(case["rows"])
            assert all(item.slice_id for item in hits.items)
        else:
            assert len(hits.items) == 1
            assert hits.items[0].content.count("\n") == len(case["rows"]) + 1
        assert {item.document_id for item in hits.items} == {document_id}
        assert {item.sql for item in hits.items} == {case["model_reply"]["sql"]}
        assert hits.usage.total_tokens == 8
        assert case["question"] in models.asked[0]


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("How many rows are there?", "| count |\n| --- |\n| 3 |"),
        ("What is the average people?", "| avg_people |\n| --- |\n| 4500.0 |"),
        ("一共有多少条记录", "| count |\n| --- |\n| 3 |"),
    ],
)
async def test_simple_questions_need_no_model(world: World, question: str, table: str) -> None:
    dataset, _ = await base(world, 2, "cities", b"city,people\nOslo,700\nRome,2800\nLima,10000")

    hits = await answers(world, ScriptedModels(is_offline=True)).answer(
        CONTEXT, [dataset], question
    )

    assert [(item.slice_id, item.content) for item in hits.items] == [(0, table)]


async def test_the_best_row_is_cited_without_a_model(world: World) -> None:
    dataset, _ = await base(world, 2, "cities", b"city,people\nOslo,700\nRome,2800\nLima,10000")

    hits = await answers(world, ScriptedModels(is_offline=True)).answer(
        CONTEXT, [dataset], "Which city has the most people?"
    )

    (item,) = hits.items
    assert json.loads(item.content) == {"city": "Lima", "people": 10000}
    async with world.store.snapshot() as uow:
        (found,) = await uow.retrieval.hydrate(SCOPE, [item.slice_id])  # type: ignore[list-item]
    assert found.document_id == item.document_id


async def test_a_table_without_a_query_says_so(world: World) -> None:
    dataset, _ = await base(world, 2, "cities", b"city,people\nOslo,700")
    nothing = json.dumps({"sql": "", "err_code": 3002, "err_msg": "no such thing"})
    models = ScriptedModels(reply=lambda _: nothing)

    unread = await answers(world, ScriptedModels(is_offline=True)).answer(
        CONTEXT, [dataset], "Tell me something about the sea."
    )
    refused = await answers(world, models).answer(CONTEXT, [dataset], "Who?")

    assert unread.failed == ("cities: Without a model only simple questions are read.",)
    assert refused.failed == ("cities: no such thing",)


async def test_one_failing_table_does_not_touch_the_others(world: World) -> None:
    good, _ = await base(world, 2, "cities", b"city,people\nOslo,700")
    bad, _ = await base(world, 3, "rivers", b"river,km\nNile,6650")

    def reply(prompt: str) -> str:
        if "`rivers`" in prompt:
            raise Unavailable("busy")
        return json.dumps({"sql": "SELECT COUNT(*) AS n FROM `cities`"})

    hits = await answers(world, ScriptedModels(reply=reply)).answer(CONTEXT, [good, bad], "?!")

    assert [item.dataset_id for item in hits.items] == [2]
    assert hits.failed == ("rivers: busy",)


async def test_a_refused_query_is_not_repaired_unless_configured(world: World) -> None:
    dataset, _ = await base(world, 2, "cities", b"city,people\nOslo,700")
    models = ScriptedModels(reply=lambda _: json.dumps({"sql": "SELECT * FROM users"}))

    hits = await answers(world, models).answer(CONTEXT, [dataset], "who?")

    assert (hits.items, hits.failed, len(models.asked)) == ((), ("cities: unknown_table",), 1)


async def test_a_disabled_table_is_not_even_described(world: World) -> None:
    dataset, document_id = await base(world, 2, "cities", b"city,people\nOslo,700")
    await world.documents.edit(OWNER, document_id, EditDocument(is_enabled=False))
    models: Any = ScriptedModels()

    hits = await answers(world, models).answer(CONTEXT, [dataset], "How many rows are there?")

    assert (hits, models.asked) == (SqlHits(), [])


async def test_rows_whose_slices_are_gone_are_no_hits(world: World) -> None:
    dataset, document_id = await base(world, 2, "cities", b"city,people\nOslo,700")
    document = await world.load(document_id)
    (row,) = await world.tables.scan(world.rows.active(document), after=0, limit=9)
    await world.slices.delete(OWNER, [row.key])
    await world.tables.upsert(world.rows.active(document), [row])  # as if it had stayed behind
    models = ScriptedModels(reply=lambda _: json.dumps({"sql": "SELECT `city` FROM `cities`"}))

    hits = await answers(world, models).answer(CONTEXT, [dataset], "cities?")

    assert hits.items == ()

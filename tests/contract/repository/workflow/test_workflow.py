"""What the store of workflow definitions promises, on every database."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import FileId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.workflow.canvas.text import Canvas, Dialect
from domain.workflow.definition.error import (
    SavedInputNotFound,
    WorkflowInvalid,
    WorkflowNotFound,
    WorkflowNotPublished,
)
from domain.workflow.definition.repository import (
    Callee,
    ReferenceSource,
    WorkflowQuery,
    WorkflowState,
)
from domain.workflow.definition.role import ChatflowRole, RoleOnboarding
from domain.workflow.definition.rules import WorkflowRules
from domain.workflow.definition.saved_input import SavedInput, SavedInputId
from domain.workflow.definition.version import WorkflowId, WorkflowVersion, WorkflowVersionId
from domain.workflow.definition.workflow import Workflow, WorkflowMode
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.workflow.definition import SqlWorkflowStore
from tests.support.clock import FrozenClock

RULES = WorkflowRules(Limits())
USER = UserId(7)
SPACE, OTHER = SpaceId(2), SpaceId(3)
SCOPE = TenantScope(USER, frozenset({SPACE}))
FOREIGN = TenantScope(UserId(8), frozenset({OTHER}))
TEXT = Canvas.of(' {"nodes": [ "Grüße 城 \\u0001" ],\r\n "edges":[]}\t', Dialect.FASTGPT)


@pytest.fixture
def store(database: Database) -> SqlWorkflowStore:
    return SqlWorkflowStore(database)


def make(
    clock: FrozenClock,
    number: int = 1,
    *,
    space: SpaceId = SPACE,
    name: str = "Flow",
    canvas: Canvas = TEXT,
    mode: WorkflowMode = WorkflowMode.CHATFLOW,
) -> Workflow:
    return Workflow.create(
        WorkflowId(number),
        space_id=space,
        creator_id=USER,
        name=name,
        description=f"about {name}",
        icon_file_id=FileId(9),
        mode=mode,
        app_id=2**62,
        draft=canvas.stamp,
        rules=RULES,
        now=clock.now(),
    )


async def save(store: SqlWorkflowStore, *workflows: Workflow, canvas: Canvas = TEXT) -> None:
    async with store.transaction() as uow:
        for each in workflows:
            scope = TenantScope(USER, frozenset({each.space_id}))
            await uow.workflows.save(scope, each)
            await uow.canvases.put(scope, each, canvas)
        await uow.commit()


async def load(store: SqlWorkflowStore, number: int = 1) -> Workflow:
    async with store.snapshot() as uow:
        return await uow.workflows.get(SCOPE, WorkflowId(number))


async def publish(store: SqlWorkflowStore, workflow: Workflow, clock: FrozenClock) -> None:
    version = workflow.publish(
        WorkflowVersionId(int(clock.now().timestamp() * 1000) * 100 + workflow.id),
        label="",
        note="n",
        is_forced=True,
        actor_id=USER,
        rules=RULES,
        now=clock.now(),
    )
    async with store.transaction() as uow:
        await uow.workflows.save(SCOPE, workflow)
        await uow.versions.add(SCOPE, version)
        await uow.commit()


async def test_a_workflow_comes_back_as_it_was(store: SqlWorkflowStore, clock: FrozenClock) -> None:
    workflow = make(clock)
    role = ChatflowRole(
        name="Host",
        onboarding=RoleOnboarding(suggested_questions=("Why?",)),
        background={"a": [1, {"b": None}]},
    )
    workflow.play(role, actor_id=USER, rules=RULES, now=clock.now())
    workflow.pass_test_run(TEXT.stamp.digest)
    await save(store, workflow)

    found = await load(store)

    assert vars(found) == vars(workflow)
    assert found.test_run_passed
    with pytest.raises(WorkflowNotFound):
        async with store.snapshot() as uow:
            await uow.workflows.get(FOREIGN, WorkflowId(1))


async def test_one_of_two_writers_is_told(store: SqlWorkflowStore, clock: FrozenClock) -> None:
    await save(store, make(clock))
    first, second = await load(store), await load(store)
    first.pass_test_run("x")
    await save(store, first)
    with pytest.raises(StaleRevision):
        await save(store, second)


async def test_texts_are_kept_while_draft_or_version_name_them(
    store: SqlWorkflowStore, clock: FrozenClock
) -> None:
    workflow = make(clock)
    await save(store, workflow)
    await publish(store, workflow, clock)
    drafts = [Canvas.of(f'{{"nodes": [{number}]}}') for number in range(2)]
    for each in drafts:
        workflow.save_canvas(each.stamp, actor_id=USER, now=clock.now())
        await save(store, workflow, canvas=each)

    async with store.snapshot() as uow:
        assert await uow.canvases.get(SCOPE, workflow.id, TEXT.stamp) == TEXT
        assert await uow.canvases.get(SCOPE, workflow.id, drafts[1].stamp) == drafts[1]
        for scope, stamp in ((SCOPE, drafts[0].stamp), (FOREIGN, TEXT.stamp)):
            with pytest.raises(WorkflowNotFound):
                await uow.canvases.get(scope, workflow.id, stamp)


async def test_versions_are_found_by_label_newest_first(
    store: SqlWorkflowStore, clock: FrozenClock
) -> None:
    workflow = make(clock)
    await save(store, workflow)
    for _ in range(3):
        clock.advance(seconds=1)
        await publish(store, workflow, clock)

    async with store.snapshot() as uow:
        page, total = await uow.versions.page(SCOPE, workflow.id, offset=1, limit=2)
        found = await uow.versions.get(SCOPE, workflow.id, "v0.0.2")
        with pytest.raises(WorkflowNotPublished, match="v9"):
            await uow.versions.get(SCOPE, workflow.id, "v9.9.9")
        with pytest.raises(WorkflowNotFound):
            await uow.versions.get(FOREIGN, workflow.id, "v0.0.2")
        assert await uow.versions.page(FOREIGN, workflow.id, offset=0, limit=9) == ([], 0)
    assert _labels(page) == ["v0.0.2", "v0.0.1"]
    assert (total, found.canvas, found.note) == (3, TEXT.stamp, "n")


async def test_lists_filter_and_page(store: SqlWorkflowStore, clock: FrozenClock) -> None:
    for number, name in enumerate(["100%", "Wetter 天气", "third"], start=1):
        clock.advance(seconds=1)
        mode = WorkflowMode.WORKFLOW if number == 3 else WorkflowMode.CHATFLOW
        await save(store, make(clock, number, name=name, mode=mode))
    await save(store, make(clock, 4, space=OTHER))
    await publish(store, await load(store, 2), clock)
    gone = await load(store, 1)

    async def ids(**filters: object) -> list[int]:
        async with store.snapshot() as uow:
            query = WorkflowQuery(limit=10, **filters)  # type: ignore[arg-type]
            found, total = await uow.workflows.search(SCOPE, query)
        assert total == len(found) or "after_id" in filters
        return [each.id for each in found]

    assert await ids() == [3, 2, 1]
    assert await ids(by_id=True, descending=False) == [1, 2, 3]
    assert await ids(by_id=True, after_id=3) == [2, 1]
    assert await ids(by_id=True, after_id=1, descending=False) == [2, 3]
    assert await ids(state=WorkflowState.PUBLISHED) == [2]
    assert await ids(state=WorkflowState.UNPUBLISHED) == [3, 1]
    assert await ids(mode=WorkflowMode.WORKFLOW) == [3]
    assert await ids(text="0%") == [1]
    assert await ids(text="天") == [2]
    assert await ids(text="ABOUT TH") == [3]
    assert await ids(app_id=2**62, creator_id=USER) == [3, 2, 1]
    assert await ids(app_id=1) == []
    gone.delete(actor_id=USER, now=clock.now())
    await save(store, gone)
    assert await ids() == [3, 2]
    async with store.snapshot() as uow:
        wanted = [WorkflowId(each) for each in (1, 2, 4)]
        assert [each.id for each in await uow.workflows.find(SCOPE, wanted)] == [2]


async def test_who_names_a_plugin_is_found_by_draft_and_newest_version(
    store: SqlWorkflowStore, clock: FrozenClock
) -> None:
    plugin_id = 7528041100000000105
    naming = Canvas.of(f'{{"nodes": [{{"pluginID": "{plugin_id}"}}]}}')
    older, newer = make(clock, 1), make(clock, 2)
    for each in (older, newer):
        each.save_canvas(naming.stamp, actor_id=USER, now=clock.now())
        await save(store, each, canvas=naming)
    await publish(store, older, clock)
    foreign = make(clock, 3, space=OTHER)
    foreign.save_canvas(naming.stamp, actor_id=USER, now=clock.now())
    await save(store, foreign, canvas=naming)

    async def ids() -> list[int]:
        async with store.snapshot() as uow:
            query = WorkflowQuery(limit=10, plugin_id=plugin_id)
            found, _ = await uow.workflows.search(SCOPE, query)
        return sorted(each.id for each in found)

    assert await ids() == [1, 2]
    for each in (older, newer):
        each.save_canvas(TEXT.stamp, actor_id=USER, now=clock.now())
        await save(store, each)
    assert await ids() == [1]


async def test_callers_and_callees_are_kept_per_canvas(
    store: SqlWorkflowStore, clock: FrozenClock
) -> None:
    caller, child = make(clock, 1, name="Caller"), make(clock, 2, name="Child")
    await save(store, caller, child)
    frozen, draft = Callee(workflow_id=2, version="v1.0.0"), Callee(workflow_id=2)
    async with store.transaction() as uow:
        await uow.references.replace(SCOPE, caller, ReferenceSource.DRAFT, [draft, frozen, draft])
        await uow.references.replace(SCOPE, caller, ReferenceSource.PUBLISHED, [frozen])
        await uow.commit()

    async with store.snapshot() as uow:
        callers = await uow.references.callers(SCOPE, child.id)
        starts = [Callee(workflow_id=1), Callee(workflow_id=1, version="v1.0.0"), draft]
        callees = await uow.references.callees(SCOPE, starts)
        assert await uow.references.callers(FOREIGN, child.id) == []
        assert await uow.references.callees(FOREIGN, starts) == {}
    assert [(each.workflow.name, each.source.value, each.version) for each in callers] == [
        ("Caller", "draft", ""),
        ("Caller", "draft", "v1.0.0"),
        ("Caller", "published", "v1.0.0"),
    ]
    assert callees == {starts[0]: (draft, frozen), starts[1]: (frozen,)}
    async with store.snapshot() as uow:
        counts = await uow.references.count_callers(SCOPE, [caller.id, child.id])
        assert await uow.references.count_callers(FOREIGN, [child.id]) == {}
    assert counts == {child.id: 1}  # one workflow, however often it calls

    async with store.transaction() as uow:
        await uow.references.replace(SCOPE, caller, ReferenceSource.DRAFT, [])
        await uow.commit()
    async with store.snapshot() as uow:
        assert len(await uow.references.callers(SCOPE, child.id)) == 1


async def test_a_deleted_workflow_is_found_for_a_while_with_what_it_calls(
    store: SqlWorkflowStore, clock: FrozenClock
) -> None:
    caller, child = make(clock, 1, name="Caller"), make(clock, 2, name="Child")
    await save(store, caller, child)
    async with store.transaction() as uow:
        callee = Callee(workflow_id=child.id)
        await uow.references.replace(SCOPE, caller, ReferenceSource.DRAFT, [callee])
        caller.delete(actor_id=USER, now=clock.now())
        await uow.workflows.save(SCOPE, caller)
        await uow.commit()
    deleted_at = clock.now()

    async with store.snapshot() as uow:
        assert await uow.references.callers(SCOPE, child.id) == []
        with pytest.raises(WorkflowNotFound):
            await uow.workflows.get_deleted(FOREIGN, caller.id, since=deleted_at)
        with pytest.raises(WorkflowNotFound):
            await uow.workflows.get_deleted(SCOPE, child.id, since=deleted_at)
        later = deleted_at + timedelta(seconds=1)
        with pytest.raises(WorkflowNotFound):
            await uow.workflows.get_deleted(SCOPE, caller.id, since=later)
        found = await uow.workflows.get_deleted(SCOPE, caller.id, since=deleted_at)

    found.bring_back(actor_id=USER, now=later)
    async with store.transaction() as uow:
        await uow.workflows.save(SCOPE, found)
        await uow.commit()
    async with store.snapshot() as uow:
        (back,) = await uow.references.callers(SCOPE, child.id)
    assert back.workflow.name == "Caller"


async def test_saved_inputs_are_those_of_one_person_and_what_others_share(
    store: SqlWorkflowStore, clock: FrozenClock
) -> None:
    workflow = make(clock)
    await save(store, workflow)
    colleague = UserId(8)

    def keep(number: int, name: str, *, by: UserId = USER, is_shared: bool = False) -> SavedInput:
        return SavedInput.create(
            SavedInputId(number),
            space_id=SPACE,
            workflow_id=workflow.id,
            creator_id=by,
            name=name,
            is_shared=is_shared,
            inputs={"q": number},
            mocks={"n": {"out": [1, "ü"]}},
            limits=Limits(),
            now=clock.now(),
        )

    first = keep(1, " long  question ")
    async with store.transaction() as uow:
        for each in (first, keep(2, "own", by=colleague), keep(3, "ours", by=colleague)):
            await uow.saved_inputs.put(SCOPE, each)
        await uow.saved_inputs.put(SCOPE, keep(4, "ours", by=colleague, is_shared=True))
        with pytest.raises(SavedInputNotFound):
            await uow.saved_inputs.put(FOREIGN, first)
        await uow.commit()

    async with store.transaction() as uow:
        mine = await uow.saved_inputs.of(SCOPE, workflow.id, USER)
        assert await uow.saved_inputs.of(FOREIGN, workflow.id, USER) == []
        for number, scope in ((2, SCOPE), (1, FOREIGN)):
            with pytest.raises(SavedInputNotFound):
                await uow.saved_inputs.delete(scope, workflow.id, SavedInputId(number), USER)
        await uow.saved_inputs.delete(SCOPE, workflow.id, SavedInputId(4), USER)
        left = await uow.saved_inputs.of(SCOPE, workflow.id, colleague)

    assert mine[0] == replace(first, name="long question")
    assert [(each.id, each.name, each.inputs) for each in mine[1:]] == [(4, "ours", {"q": 4})]
    assert [each.name for each in left] == ["own"]


@pytest.mark.parametrize("name", ["", " ", "a\u0007b", "x" * 101])
def test_names_of_saved_inputs_are_short_and_printable(name: str, clock: FrozenClock) -> None:
    with pytest.raises(WorkflowInvalid, match="name"):
        SavedInput.create(
            SavedInputId(1),
            space_id=SPACE,
            workflow_id=WorkflowId(1),
            creator_id=USER,
            name=name,
            is_shared=False,
            inputs={},
            mocks={},
            limits=Limits(),
            now=clock.now(),
        )


async def test_nothing_is_written_into_a_foreign_space(
    store: SqlWorkflowStore, clock: FrozenClock
) -> None:
    workflow = make(clock)
    async with store.transaction() as uow:
        with pytest.raises(WorkflowNotFound):
            await uow.workflows.save(FOREIGN, workflow)
        with pytest.raises(WorkflowNotFound):
            await uow.canvases.put(FOREIGN, workflow, TEXT)
        with pytest.raises(WorkflowNotFound):
            await uow.references.replace(FOREIGN, workflow, ReferenceSource.DRAFT, [])


def _labels(versions: Sequence[WorkflowVersion]) -> list[str]:
    return [each.label for each in versions]

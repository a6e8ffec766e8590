"""Loading what is to be run: versions, drafts, tenants, and how often a canvas is read."""

import asyncio
import json

import pytest

from application.workflow.definition.catalog import WorkflowCatalog
from application.workflow.definition.plan_cache import PlanCache
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from domain.workflow.canvas.text import Canvas
from domain.workflow.definition.error import WorkflowNotFound, WorkflowNotPublished
from domain.workflow.definition.rules import WorkflowRules
from domain.workflow.definition.version import WorkflowId, WorkflowVersionId
from domain.workflow.definition.workflow import Workflow, WorkflowMode
from domain.workflow.error import NotCompilable
from domain.workflow.graph import Flags
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.check import Checker, Reading
from domain.workflow.lint.surroundings import NOTHING_KNOWN, Surroundings
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.workflow.definition import SqlWorkflowStore
from tests.support.clock import FrozenClock
from tests.support.workflow.canvas import canvas, edge, text

USER, SPACE = UserId(7), SpaceId(2)
SCOPE = TenantScope(USER, frozenset({SPACE}))
FOREIGN = TenantScope(USER, frozenset({SpaceId(3)}))
LIMITS, RULES = Limits(), WorkflowRules(Limits())


class CountingChecker(Checker):
    """Counts how many canvases it reads."""

    def __init__(self) -> None:
        super().__init__(limits=WorkflowLimits(), flags=Flags())
        self.count = 0

    def check(
        self, text: str, *, dialect: str = "coze", surroundings: Surroundings = NOTHING_KNOWN
    ) -> Reading:
        self.count += 1
        return super().check(text, dialect=dialect, surroundings=surroundings)


class Shelf:
    """A store with one workflow, and a catalog beside it."""

    def __init__(self, database: Database, clock: FrozenClock, *, entries: int = 8) -> None:
        self.store = SqlWorkflowStore(database)
        self.clock = clock
        self.checker = CountingChecker()
        plans = PlanCache(checker=self.checker, entries=entries, size=10_000)
        self.catalog = WorkflowCatalog(store=self.store, plans=plans, clock=clock, limits=LIMITS)

    async def put(self, number: int, made: object) -> None:
        """Make the workflow, or give it another draft."""
        draft = Canvas.of(json.dumps(made))
        async with self.store.transaction() as uow:
            found = await uow.workflows.find(SCOPE, [WorkflowId(number)])
            if found:
                workflow = found[0]
                workflow.save_canvas(draft.stamp, actor_id=USER, now=self.clock.now())
            else:
                workflow = Workflow.create(
                    WorkflowId(number),
                    space_id=SPACE,
                    creator_id=USER,
                    name=f"Flow {number}",
                    description="d",
                    icon_file_id=None,
                    mode=WorkflowMode.CHATFLOW,
                    app_id=4,
                    draft=draft.stamp,
                    rules=RULES,
                    now=self.clock.now(),
                )
            await uow.workflows.save(SCOPE, workflow)
            await uow.canvases.put(SCOPE, workflow, draft)
            await uow.commit()

    async def publish(self, number: int) -> None:
        async with self.store.transaction() as uow:
            workflow = await uow.workflows.get(SCOPE, WorkflowId(number))
            self.clock.advance(milliseconds=1)
            version = workflow.publish(
                WorkflowVersionId(int(self.clock.now().timestamp() * 1000)),
                label="",
                note="",
                is_forced=True,
                actor_id=USER,
                rules=RULES,
                now=self.clock.now(),
            )
            await uow.workflows.save(SCOPE, workflow)
            await uow.versions.add(SCOPE, version)
            await uow.commit()


@pytest.fixture
async def shelf(sqlite_database: Database, clock: FrozenClock) -> Shelf:
    shelf = Shelf(sqlite_database, clock)
    await shelf.put(1, canvas(text("2", "first")))
    return shelf


async def test_versions_and_drafts_are_loaded_side_by_side(shelf: Shelf) -> None:
    with pytest.raises(WorkflowNotPublished):
        await shelf.catalog.load(SCOPE, 1)
    await shelf.publish(1)
    await shelf.put(1, canvas(text("2", "second"), text("3")))

    released = await shelf.catalog.load(SCOPE, 1)
    draft = await shelf.catalog.load(SCOPE, 1, draft=True)

    assert (released.version, released.plan.node_count) == ("v0.0.1", 3)
    assert (draft.version, draft.plan.node_count) == ("", 4)
    assert (draft.name, draft.mode, draft.app_id, draft.space_id) == ("Flow 1", 3, 4, SPACE)
    assert "second" in draft.canvas
    assert draft.can_be_published
    with pytest.raises(WorkflowNotPublished):
        await shelf.catalog.load(SCOPE, 1, version="v9.0.0")


async def test_a_canvas_is_read_once_however_many_want_it(shelf: Shelf) -> None:
    await shelf.publish(1)
    loads = [shelf.catalog.load(SCOPE, 1, draft=bool(number % 2)) for number in range(20)]

    loaded = await asyncio.gather(*loads)

    assert shelf.checker.count == 1
    assert len({id(each.plan) for each in loaded}) == 1


async def test_what_is_new_shows_at_once_here_and_soon_elsewhere(
    shelf: Shelf, clock: FrozenClock
) -> None:
    await shelf.publish(1)
    assert (await shelf.catalog.load(SCOPE, 1)).version == "v0.0.1"
    await shelf.publish(1)
    assert (await shelf.catalog.load(SCOPE, 1)).version == "v0.0.1"
    clock.advance(seconds=LIMITS.definition_cache_s)
    assert (await shelf.catalog.load(SCOPE, 1)).version == "v0.0.2"
    await shelf.publish(1)
    shelf.catalog.forget(1)
    assert (await shelf.catalog.load(SCOPE, 1)).version == "v0.0.3"


async def test_a_kept_workflow_stays_unknown_to_others(shelf: Shelf) -> None:
    await shelf.publish(1)
    await shelf.catalog.load(SCOPE, 1)
    await shelf.catalog.load(SCOPE, 1, version="v0.0.1")

    for version, draft in (("", False), ("v0.0.1", False), ("", True)):
        with pytest.raises(WorkflowNotFound):
            await shelf.catalog.load(FOREIGN, 1, version=version, draft=draft)


async def test_a_canvas_that_cannot_run_tells_why(shelf: Shelf) -> None:
    await shelf.put(1, canvas(text("2"), edges=[edge("100001", "404")]))

    with pytest.raises(NotCompilable, match="WF105") as refused:
        await shelf.catalog.load(SCOPE, 1, draft=True)

    assert "WF105" in str(refused.value.context["codes"])
    read = await shelf.catalog.read(SCOPE, 1, draft=True)
    assert read.plan is None
    assert not read.reading.can_run


async def test_the_ones_unused_for_longest_make_room(
    sqlite_database: Database, clock: FrozenClock
) -> None:
    shelf = Shelf(sqlite_database, clock, entries=2)
    for number in (1, 2, 3):
        await shelf.put(number, canvas(text("2", f"text {number}")))

    async def read(*numbers: int) -> int:
        before = shelf.checker.count
        for number in numbers:
            await shelf.catalog.load(SCOPE, number, draft=True)
        return shelf.checker.count - before

    assert await read(1, 2, 1) == 2
    assert await read(3) == 1
    assert await read(1) == 0
    assert await read(2) == 1
    await shelf.put(9, canvas(text("2", "x" * 20_000)))
    assert await read(9, 9) == 2, "larger than the whole cache"
    assert await read(2) == 0

"""Runs over the life of processes: queued, handed on, lapsed, given up."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from application.run.registry import Stop
from application.workflow.definition.dto import ImportWorkflow
from application.workflow.run.dto import (
    ResumeWorkflow,
    RunMode,
    RunPhase,
    StartWorkflow,
    WorkflowRunView,
)
from application.workflow.run.event import RunEnded
from bootstrap.compose.container import Container
from bootstrap.server.lifecycle import opened
from bootstrap.settings import EgressSettings, Settings
from domain.shared.access import CONNECTOR_API, Principal
from domain.shared.error import NotFound
from domain.shared.ids import RunId
from domain.shared.limits import Limits
from domain.workflow.definition.version import WorkflowId
from domain.workflow.limit import WorkflowLimits
from tests.support.workflow.canvas import canvas, exit_, node, ref

WAIT_S = 60.0
REPLY = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nin"


class Door:
    """An address that answers once it is open."""

    def __init__(self) -> None:
        self.is_open = asyncio.Event()
        self.knocks = asyncio.Semaphore(0)
        self.port = 0

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.knocks.release()
        await self.is_open.wait()
        writer.write(REPLY)
        writer.close()


@pytest.fixture
async def door() -> AsyncGenerator[Door, None]:
    door = Door()
    server = await asyncio.start_server(door.meet, "127.0.0.1", 0)
    door.port = server.sockets[0].getsockname()[1]
    yield door
    door.is_open.set()
    server.close()


class Process:
    """What one process offers, to its operator."""

    def __init__(self, container: Container, principal: Principal) -> None:
        self.container = container
        self.principal = principal
        self.runs = container.workflow_runs()

    async def make(self, made: dict[str, Any]) -> int:
        command = ImportWorkflow(
            space_id=self.principal.personal_space_id, text=json.dumps(made), name="flow"
        )
        report = await self.container.workflow().imports.bring(self.principal, command)
        return int(report.workflow.id)

    async def start(self, workflow_id: int, mode: RunMode = RunMode.ASYNC) -> WorkflowRunView:
        command = StartWorkflow(
            workflow_id=workflow_id,
            parameters={"q": "me"},
            mode=mode,
            is_draft=True,
            connector_id=CONNECTOR_API,
        )
        view: WorkflowRunView = await self.runs.service.start(self.principal, command)
        return view

    async def get(self, run_id: int) -> WorkflowRunView:
        view: WorkflowRunView = await self.runs.service.get(self.principal, run_id)
        return view

    async def over(self, run_id: int) -> WorkflowRunView:
        async with asyncio.timeout(WAIT_S):
            view: WorkflowRunView = await self.runs.service.wait(self.principal, run_id)
        return view

    async def answer(self, run: WorkflowRunView, text: str) -> None:
        command = ResumeWorkflow(run_id=run.id, event_id=run.pending[0].id, data=text)
        await self.runs.answers.resume(self.principal, command)


@asynccontextmanager
async def process(
    data: Path, door: Door | None = None, **limits: Any
) -> AsyncGenerator[Process, None]:
    settings = Settings(
        data_dir=str(data),
        egress=EgressSettings(allow_private=(f"127.0.0.1:{door.port}",) if door else ()),
        limits=Limits(shutdown_grace_s=0.1),
        workflow=WorkflowLimits(**limits),
    )
    container = Container(settings=settings)
    async with opened(container, serving=True):
        await container.identity().bootstrap.ensure(None)
        yield Process(container, await container.identity().bootstrap.operator())


def knocking(port: int) -> dict[str, Any]:
    return canvas(
        node(
            "door",
            "45",
            outputs=[{"type": "string", "name": "body"}],
            apiInfo={"method": "GET", "url": f"http://127.0.0.1:{port}/"},
            body={"bodyType": "EMPTY", "bodyData": {}},
            headers=[],
            params=[],
            auth={"authOpen": False},
            setting={"timeout": 30, "retryTimes": 0},
        ),
        exit_(said=ref("door", "body")),
    )


ASKING = canvas(
    node(
        "ask",
        "30",
        outputSchema=json.dumps([{"name": "age", "type": "string", "required": True}]),
        outputs=[{"name": "age", "type": "string"}],
    ),
    exit_(age=ref("ask", "age")),
)


async def test_more_runs_than_room_wait_in_the_database(tmp_path: Path, door: Door) -> None:
    async with process(tmp_path, door, background_runs=1) as here:
        workflow_id = await here.make(knocking(door.port))
        runs = [await here.start(workflow_id) for _ in range(3)]
        await door.knocks.acquire()
        phases = [(await here.get(run.id)).phase for run in runs]
        door.is_open.set()
        ended = [await here.over(run.id) for run in runs]

    assert phases == [RunPhase.RUNNING, RunPhase.CREATED, RunPhase.CREATED]
    assert [run.phase for run in ended] == [RunPhase.SUCCESS] * 3


async def test_a_process_that_stops_hands_its_runs_on(tmp_path: Path, door: Door) -> None:
    async with process(tmp_path, door) as here:
        run = await here.start(await here.make(knocking(door.port)))
        await door.knocks.acquire()
    async with process(tmp_path, door) as there:
        await door.knocks.acquire()
        door.is_open.set()
        ended = await there.over(run.id)

    assert ended.phase is RunPhase.SUCCESS
    assert json.loads(ended.output) == {"said": "in"}


async def test_a_draft_may_change_while_its_run_waits(tmp_path: Path, door: Door) -> None:
    async with process(tmp_path, door) as here:
        run = await here.start(await here.make(ASKING))
        waiting = await here.over(run.id)
        async with here.container.workflow().store.transaction() as uow:
            workflow = await uow.workflows.get(here.principal.scope, WorkflowId(run.workflow_id))
            workflow.delete(actor_id=here.principal.user_id, now=here.container.clock().now())
            await uow.workflows.save(here.principal.scope, workflow)
            await uow.commit()
        here.container.workflow().catalog.forget(run.workflow_id)
    async with process(tmp_path, door) as there:
        await there.answer(waiting, '{"age": "7"}')
        ended = await there.over(run.id)

    assert waiting.phase is RunPhase.INTERRUPTED
    assert json.loads(ended.output) == {"age": "7"}


async def test_of_two_answers_one_is_taken(tmp_path: Path, door: Door) -> None:
    async with process(tmp_path, door) as here:
        waiting = await here.over((await here.start(await here.make(ASKING))).id)
        outcomes = await asyncio.gather(
            *(here.answer(waiting, json.dumps({"age": str(age)})) for age in range(5)),
            return_exceptions=True,
        )
        ended = await here.over(waiting.id)

    assert sum(each is None for each in outcomes) == 1
    assert sum(isinstance(each, NotFound) for each in outcomes) == 4
    assert ended.phase is RunPhase.SUCCESS


async def test_a_question_nobody_answers_fails_the_run(tmp_path: Path, door: Door) -> None:
    async with process(tmp_path, door, interrupt_ttl_s=0.01) as here:
        waiting = await here.over((await here.start(await here.make(ASKING))).id)
        await asyncio.sleep(0.02)
        await here.runs.worker.tidy()
        ended = await here.get(waiting.id)
        records = await here.runs.follower.logged(here.principal.scope, waiting.id)

    assert ended.phase is RunPhase.FAILED
    assert ended.fault is not None
    assert "answered" in ended.fault.message
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    assert isinstance(last := records[-1].event, RunEnded)
    assert last.phase is RunPhase.FAILED


async def test_a_run_that_kills_its_workers_is_given_up(tmp_path: Path, door: Door) -> None:
    async with process(tmp_path, door, run_attempts=2) as here:
        store, clock = here.runs.store, here.container.clock()
        run = await here.start(await here.make(knocking(door.port)))
        await door.knocks.acquire()
        live = here.runs.registry.find(run.id)
        assert live is not None
        live.stop(Stop.LEASE_LOST)
        async with store.transaction() as uow:
            stored = await uow.runs.get(here.principal.scope, RunId(run.id))
            stored.attempt = 2
            stored.lease_owner, stored.lease_until = "gone", clock.now() - timedelta(seconds=1)
            await uow.queue.save(stored)
            await uow.commit()
        ended = await here.over(run.id)

    assert ended.phase is RunPhase.FAILED
    assert ended.fault is not None
    assert "given up" in ended.fault.message


@pytest.mark.parametrize("durability", ["sync", "batched"])
async def test_both_durabilities_give_the_same(tmp_path: Path, door: Door, durability: str) -> None:
    door.is_open.set()
    async with process(tmp_path, door, durability=durability) as here:
        workflow_id = await here.make(knocking(door.port))
        run = await here.start(workflow_id, RunMode.STREAM)
        batches = [batch async for batch in here.runs.follower.follow(here.principal, run.id)]
        ended = await here.over(run.id)
        logged = await here.runs.follower.logged(here.principal.scope, run.id)

    assert json.loads(ended.output) == {"said": "in"}
    assert [record for batch in batches for record in batch] == logged

"""Runs that cannot be recorded: they end as failed with their cause, are listed, and are told."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any, Final

import pytest

from application.workflow.run.dto import ListRuns, RunMode, RunPhase, StartWorkflow, WorkflowRunView
from domain.shared.access import CONNECTOR_API
from domain.shared.error import InvalidRequest
from domain.workflow.engine.error import RunNotRecorded
from tests.integration.workflow.test_run_life import Process, process
from tests.support.workflow.canvas import (
    canvas,
    condition,
    edge,
    exit_,
    field,
    list_ref,
    lit,
    loop,
    node,
    param,
    ref,
    selector,
    text,
)

ECHO: Final = canvas(exit_(q=ref("100001", "q")))
HELD: Final = {"type": "object", "schema": [param("in", ref("21", "v", "object"))]}
NESTING: Final = canvas(
    loop(
        "21",
        node(
            "20",
            "20",
            inputParameters=[
                {
                    "left": ref("21", "v", "object"),
                    "right": {**HELD, "value": {"type": "object_ref"}},
                }
            ],
        ),
        loopCount=lit("1500", "integer"),
        variableParameters=[param("v", lit("{}", "object"))],
        outputs=[param("v", ref("21", "v", "object"))],
    ),
    exit_(v=ref("21", "v", "object")),
)
SKIPPED: Final = canvas(
    selector("8", condition(1, ref("100001", "q"), lit("go"))),
    node(
        "45",
        "45",
        outputs=[field("headers", "string")],
        apiInfo={"method": "GET", "url": "http://nowhere.example/"},
    ),
    text("15", "{{l}}", l=list_ref("45", "headers")),
    exit_(l=list_ref("45", "headers"), o=ref("45", "headers", "object"), t=ref("15", "output")),
    edges=[
        edge("100001", "8"),
        edge("8", "45", "true"),
        edge("8", "15", "false"),
        edge("45", "15"),
        edge("15", "900001"),
    ],
)


async def run(here: Process, made: dict[str, Any], **inputs: object) -> WorkflowRunView:
    command = StartWorkflow(
        workflow_id=await here.make(made),
        parameters={"q": "me", **inputs},
        mode=RunMode.SYNC,
        is_draft=True,
        connector_id=CONNECTOR_API,
    )
    view: WorkflowRunView = await here.runs.service.run(here.principal, command)
    return view


async def listed(here: Process, workflow_id: int) -> list[WorkflowRunView]:
    page = await here.runs.queries.page(here.principal, ListRuns(workflow_id=workflow_id))
    return list(page.items)


def refuse(data: Path, table: str, when: str) -> None:
    """Let the database itself refuse what runs write."""
    with sqlite3.connect(data / "coterie.db", timeout=60) as database:
        for event in ("INSERT", "UPDATE"):
            database.execute(
                f"CREATE TRIGGER no_{table}_{event} BEFORE {event} ON {table} "
                f"WHEN {when} BEGIN SELECT RAISE(ABORT, 'the disk says no'); END"
            )


async def test_what_was_skipped_leaves_a_record_like_any_other(tmp_path: Path) -> None:
    async with process(tmp_path) as here:
        ended = await run(here, SKIPPED)
        (known,) = await listed(here, ended.workflow_id)

    assert ended.phase is RunPhase.SUCCESS
    assert json.loads(ended.output) == {"l": None, "o": None, "t": ""}
    assert known.id == ended.id


async def test_a_value_that_has_no_stored_form_fails_the_run_by_name(tmp_path: Path) -> None:
    async with process(tmp_path) as here:
        ended = await run(here, NESTING)
        (known,) = await listed(here, ended.workflow_id)

    for view in (ended, known):
        assert view.phase is RunPhase.FAILED
        assert view.fault is not None
        assert view.fault.code == 5000
        assert "cannot be stored" in view.fault.message
        assert view.fault.node_id in {"20", "21"}


async def test_parameters_that_no_record_can_hold_are_refused(tmp_path: Path) -> None:
    async with process(tmp_path) as here:
        with pytest.raises(InvalidRequest, match="parameters"):
            await run(here, ECHO, deep={"n": 10**30})


@pytest.mark.parametrize(
    ("table", "when"),
    [("workflow_run_log", "length(NEW.entries) > 0"), ("workflow_run", "NEW.output <> ''")],
)
async def test_what_the_storage_refuses_becomes_the_cause(
    tmp_path: Path, table: str, when: str
) -> None:
    async with process(tmp_path) as here:
        await asyncio.to_thread(refuse, tmp_path, table, when)
        ended = await run(here, ECHO)
        (known,) = await listed(here, ended.workflow_id)

    for view in (ended, known):
        assert view.phase is RunPhase.FAILED
        assert view.fault is not None
        assert view.fault.code == 5000
        assert "the disk says no" in view.fault.message


async def test_where_nothing_at_all_can_be_stored_the_caller_learns_why(tmp_path: Path) -> None:
    async with process(tmp_path) as here:
        await asyncio.to_thread(refuse, tmp_path, "workflow_run", "1")
        with pytest.raises(RunNotRecorded, match="the disk says no"):
            await run(here, ECHO)

"""A small healthy deployment as rows, and ways to break it, one by one."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa

from application.conversation.run.event import (
    MessageCompleted,
    MessageDelta,
    MessageStarted,
    RunCompleted,
    RunEvent,
    RunRecord,
)
from application.conversation.view import message_view, run_view
from domain.shared.chat import TextPart, Usage
from domain.workflow.engine.event import NodeFinished
from domain.workflow.engine.state import Outcome
from infra.contract.storage.inspection import CheckGroup
from infra.impl.repository.sql.conversation.table import MESSAGES, RUNS
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.mapping.all_tables import complete_metadata
from infra.impl.repository.sql.mapping.column import Instant, IntMember, Json, StrMember

TABLES = complete_metadata().tables
SPACE, USER, AGENT, CONVERSATION, RUN, ANSWER, QUESTION = 1, 2, 3, 4, 5, 6, 7
DATASET, DOCUMENT, WORKFLOW, FLOW_RUN, FILE = 8, 9, 10, 11, 12
SAID = "Good morning."
KEY = "files/a"
SHA = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"
CONTENT = b"hello world"

Values = Mapping[str, Any]
_JSON: Mapping[str, Any] = {"usage": Usage(input_tokens=7, output_tokens=3)}


_THEMES = {
    "lost_reference": CheckGroup.REFERENCES,
    "second_answer": CheckGroup.ANSWERS,
    "key_without_run": CheckGroup.ANSWERS,
    "event_gap": CheckGroup.ORDER,
    "event_start": CheckGroup.ORDER,
    "journal_gap": CheckGroup.ORDER,
    "workflow_event_gap": CheckGroup.ORDER,
    "half_generation": CheckGroup.DOCUMENTS,
    "deleted_document": CheckGroup.DOCUMENTS,
    "workflow_unbooked": CheckGroup.SPEND,
    "upload_left": CheckGroup.LEFT_OVER,
    "log_left": CheckGroup.LEFT_OVER,
    "key_left": CheckGroup.LEFT_OVER,
    "preview_expired": CheckGroup.LEFT_OVER,
    "call_expired": CheckGroup.LEFT_OVER,
    "response_expired": CheckGroup.LEFT_OVER,
}


@dataclass(frozen=True)
class Break:
    """A change that makes one thing odd: a row that is added, or one that is changed."""

    finding: str
    table: str
    values: Values
    changes: Values | None = None
    """Key of the row that is changed; None: a row is added."""

    @property
    def theme(self) -> CheckGroup:
        """What the question is about that finds it."""
        return _THEMES.get(self.finding, CheckGroup.UNFINISHED)


def breaks(now: datetime) -> list[Break]:
    """One way to bring about each finding about rows."""
    long_ago = now - timedelta(days=3)
    lately = now + timedelta(seconds=30)
    job = {"document_id": DOCUMENT, "generation": 2, "id": 40}
    live_run = {"id": 41, "conversation_id": CONVERSATION, "phase": "x", "attempt": 1}
    flow = {"id": 42, "workflow_id": WORKFLOW}
    return [
        Break("lost_reference", "membership", {"space_id": 99, "user_id": USER}),
        Break("lost_reference", "message", {"id": 43, "conversation_id": 99}),
        Break("lost_reference", "inbox", {"consumer": "c", "event_id": "e", "due_at": now}),
        Break("second_answer", "message", answer(44)),
        Break("key_without_run", "run_idempotency", {"key": "lost", "digest": "d", "run_id": 99}),
        Break(
            "key_without_run", "workflow_run_request", {"key": "lost", "digest": "d", "run_id": 99}
        ),
        Break("chat_left", "run", {**live_run, "status": "created"}),
        Break(
            "chat_overdue",
            "run",
            {
                **live_run,
                "status": "in_progress",
                "started_at": long_ago,
                "lease_until": lately,
            },
        ),
        Break(
            "question_expired",
            "run",
            {**live_run, "status": "requires_action", "lease_until": long_ago},
        ),
        Break(
            "call_left",
            "client_wait",
            {"call_id": "call_a", "run_id": RUN, "state": "pending", "expires_at": lately},
        ),
        Break("workflow_left", "workflow_run", {**flow, "phase": "running"}),
        Break(
            "workflow_overdue",
            "workflow_run",
            {**flow, "phase": "running", "deadline_at": long_ago, "lease_until": lately},
        ),
        Break(
            "interrupt_expired",
            "workflow_run",
            {**flow, "phase": "interrupted", "expires_at": long_ago},
        ),
        Break("job_left", "knowledge_job", {**job, "state": "running", "lease_until": long_ago}),
        Break("job_waiting", "knowledge_job", {**job, "state": "waiting"}),
        Break(
            "document_left",
            "knowledge_document",
            {"id": 45, "dataset_id": DATASET, "status": 4},
        ),
        Break("rebuild_left", "knowledge_rebuild", {"id": 46, "state": "building"}),
        Break("copy_left", "knowledge_copy", {"id": 47, "status": 2}),
        Break("preview_left", "knowledge_preview", {"id": 48, "expires_at": lately}),
        Break(
            "import_left", "memory_import", {"id": 49, "status": "waiting", "updated_at": long_ago}
        ),
        Break("event_unpublished", "outbox", {"position": 50, "event_id": "e"}),
        Break("event_gap", "run_event", {"run_id": RUN, "first_seq": 8, "last_seq": 9}),
        Break("event_start", "run_event", {"first_seq": 2}, {"run_id": RUN, "first_seq": 1}),
        Break(
            "journal_gap",
            "workflow_run_log",
            {"entries_after": 0},
            {"run_id": FLOW_RUN, "number": 2},
        ),
        Break(
            "workflow_event_gap",
            "workflow_run_log",
            {"first_seq": 7, "last_seq": 7},
            {"run_id": FLOW_RUN, "number": 2},
        ),
        Break("half_generation", "knowledge_document", {"slice_count": 3}, {"id": DOCUMENT}),
        Break(
            "deleted_document",
            "knowledge_document",
            {"id": 51, "dataset_id": DATASET, "status": 3, "deleted_at": long_ago},
        ),
        Break("workflow_unbooked", "workflow_run", {"input_tokens": 5}, {"id": FLOW_RUN}),
        Break(
            "upload_left",
            "file",
            {"id": 52, "object_key": "b", "status": "uploading", "created_at": long_ago},
        ),
        Break("log_left", "run_event", {"created_at": long_ago}, {"run_id": RUN, "first_seq": 1}),
        Break("key_left", "run_idempotency", {"key": "old", "run_id": RUN, "created_at": long_ago}),
        Break(
            "call_expired",
            "client_wait",
            {"call_id": "call_b", "run_id": RUN, "state": "expired", "expires_at": long_ago},
        ),
        Break(
            "response_expired",
            "stored_response",
            {"id": 54, "run_id": RUN, "expires_at": long_ago},
        ),
        Break(
            "preview_expired", "knowledge_preview", {"id": 53, "state": 1, "expires_at": long_ago}
        ),
        Break(
            "delivery_waiting",
            "inbox",
            {"consumer": "c", "event_id": "told", "due_at": long_ago},
        ),
    ]


def answer(key: int) -> dict[str, Any]:
    """An answer of the run that is whole."""
    return {
        "id": key,
        "conversation_id": CONVERSATION,
        "run_id": RUN,
        "agent_id": AGENT,
        "seq": key,
        "kind": "answer",
        "status": "available",
        "finish_reason": "stop",
        "is_text": True,
        "parts": (TextPart(text=SAID),),
    }


@asynccontextmanager
async def broken(database: Database, damage: Break, now: datetime) -> AsyncGenerator[None, None]:
    """Break one thing, and mend it afterwards."""
    table = TABLES[damage.table]
    if damage.changes is None:
        values = row(damage.table, now - timedelta(minutes=10), **damage.values)
        before: Values = {}
        is_it = sa.and_(*(column == values[column.name] for column in table.primary_key))
        await write(database, [sa.insert(table).values(**values)])
    else:
        is_it = sa.and_(*(table.c[name] == value for name, value in damage.changes.items()))
        names = [table.c[name] for name in damage.values]
        async with database.read() as connection:
            found = await connection.execute(sa.select(*names).where(is_it))
            before = dict(found.mappings().one())
        await write(database, [sa.update(table).where(is_it).values(**damage.values)])
        after = {**damage.changes, **damage.values}
        is_it = sa.and_(*(table.c[name] == after[name] for name in damage.changes))
    try:
        yield
    finally:
        undo = sa.update(table).values(**before) if before else sa.delete(table)
        await write(database, [undo.where(is_it)])


def row(table: str, now: datetime, **values: Any) -> dict[str, Any]:
    """A row whose other columns say nothing."""
    found: dict[str, Any] = {}
    for column in TABLES[table].columns:
        if column.name in values:
            found[column.name] = values[column.name]
        elif column.name in _JSON and isinstance(column.type, Json):
            found[column.name] = _JSON[column.name]
        elif column.nullable or column.autoincrement is True:
            continue
        elif isinstance(column.type, Instant):
            found[column.name] = now
        elif isinstance(column.type, Json):
            found[column.name] = _empty(column.type)
        elif isinstance(column.type, StrMember | IntMember):
            found[column.name] = next(iter(column.type.of))
        elif isinstance(column.type, sa.LargeBinary):
            found[column.name] = b""
        elif isinstance(column.type, sa.Boolean):
            found[column.name] = False
        elif isinstance(column.type, sa.String | sa.Text):
            found[column.name] = ""
        else:
            found[column.name] = SPACE if column.name == "space_id" else 0
    return found


def _empty(kind: Json) -> Any:
    """The smallest document that can be read again."""
    for candidate in (b"{}", b"[]"):
        try:
            return msgspec.json.decode(candidate, type=kind.of)
        except msgspec.ValidationError:
            continue
    return {"type": 0}


async def write(database: Database, statements: Sequence[sa.Executable]) -> None:
    async with database.write() as connection:
        for statement in statements:
            await connection.execute(statement)
        await connection.commit()


async def fill(database: Database, now: datetime) -> None:
    """Write some of everything, all of it as it should be."""
    ended = now - timedelta(minutes=10)

    def add(table: str, **values: Any) -> sa.Executable:
        return sa.insert(TABLES[table]).values(**row(table, ended, **values))

    await write(
        database,
        [
            add("user_account", id=USER),
            add("space", id=SPACE),
            add("membership", space_id=SPACE, user_id=USER, role="owner"),
            add("agent", id=AGENT),
            add("conversation", id=CONVERSATION, scene="api", section_id=1, next_seq=9),
            add(
                "run",
                id=RUN,
                conversation_id=CONVERSATION,
                agent_id=AGENT,
                status="completed",
                phase="finishing",
                is_saved=True,
                attempt=1,
                completed_at=ended + timedelta(seconds=5),
            ),
            add(
                "message",
                id=QUESTION,
                conversation_id=CONVERSATION,
                run_id=RUN,
                seq=1,
                kind="question",
                status="available",
            ),
            add("message", **answer(ANSWER)),
            add("outbox", position=1, event_id="told", published_at=ended),
            add(
                "model_call",
                run_id=RUN,
                call_no=1,
                purpose="chat",
                input_tokens=7,
                output_tokens=3,
                outcome="ok",
                ended_at=ended + timedelta(seconds=4),
            ),
            add("run_idempotency", principal_id=USER, key="k", run_id=RUN),
            add("workflow", id=WORKFLOW),
            add("workflow_run", id=FLOW_RUN, workflow_id=WORKFLOW, phase="success"),
            *(_batch(ended, number) for number in (1, 2)),
            add("knowledge_dataset", id=DATASET),
            add(
                "knowledge_document",
                id=DOCUMENT,
                dataset_id=DATASET,
                status=1,
                active_generation=1,
                generation=1,
                slice_count=2,
            ),
            *(
                add(
                    "knowledge_slice",
                    id=DOCUMENT * 100 + number,
                    dataset_id=DATASET,
                    document_id=DOCUMENT,
                    generation=1,
                    ordinal=number,
                    status=1,
                )
                for number in (1, 2)
            ),
            add(
                "file",
                id=FILE,
                object_key=KEY,
                size=len(CONTENT),
                sha256=SHA,
                status="ready",
            ),
        ],
    )
    await write(database, [await _log(database, ended)])


def _batch(now: datetime, number: int) -> sa.Executable:
    finished = NodeFinished(path=(f"node {number}",), outcome=Outcome(output={}))
    return sa.insert(TABLES["workflow_run_log"]).values(**journal(now, number, finished))


def journal(now: datetime, number: int, finished: NodeFinished) -> dict[str, Any]:
    """What was committed of a node, as the ``number``-th batch."""
    return row(
        "workflow_run_log",
        now,
        run_id=FLOW_RUN,
        number=number,
        entries_after=number - 1,
        entries_to=number,
        entries=msgspec.msgpack.encode([msgspec.msgpack.encode(finished)]),
        first_seq=number,
        last_seq=number,
    )


async def _log(database: Database, now: datetime) -> sa.Executable:
    async with database.read() as connection:
        runs, messages = TABLES["run"], TABLES["message"]
        found = await connection.execute(sa.select(runs).where(runs.c.id == RUN))
        run = RUNS.read(found.one())
        stored = await connection.execute(sa.select(messages).where(messages.c.id == ANSWER))
        answer = MESSAGES.read(stored.one())
    events: list[RunEvent] = [
        MessageStarted(message_id=ANSWER),
        MessageDelta(message_id=ANSWER, text=SAID[:5]),
        MessageDelta(message_id=ANSWER, text=SAID[5:]),
        MessageCompleted(message_view(answer)),
        RunCompleted(run_view(run)),
    ]
    records = [
        RunRecord(seq=seq, at_ms=0, event=event) for seq, event in enumerate(events, start=1)
    ]
    values = log_row(now, records)
    return sa.insert(TABLES["run_event"]).values(**values)


def log_row(now: datetime, records: Sequence[RunRecord]) -> dict[str, Any]:
    """Some events as they are stored."""
    return row(
        "run_event",
        now,
        run_id=RUN,
        first_seq=records[0].seq,
        last_seq=records[-1].seq,
        payload=msgspec.json.encode(records),
    )

"""The questions by which a deployment is examined, each about rows that should not be like this."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from domain.conversation.client_wait import WaitState
from domain.conversation.value import MessageKind, MessageStatus, RunStatus
from domain.file.entity import FileStatus
from domain.knowledge.copying import CopyStatus
from domain.knowledge.job import LIVE, JobState
from domain.knowledge.preview import PreviewState
from domain.knowledge.rebuild import UNFINISHED
from domain.knowledge.value import DocumentStatus
from domain.memory.database import ImportStatus
from domain.shared.chat import FinishReason
from domain.workflow.run.workflow_run import RunPhase
from infra.contract.storage.inspection import CheckGroup, Retention
from infra.impl.repository.sql.agent.table import agents, publications
from infra.impl.repository.sql.agent.table import versions as agent_versions
from infra.impl.repository.sql.conversation.table import (
    accepted_requests,
    client_waits,
    conversations,
    messages,
    run_events,
    runs,
    stored_responses,
)
from infra.impl.repository.sql.event.outbox import inbox, is_open
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.file.table import files
from infra.impl.repository.sql.identity.table import memberships, spaces, users
from infra.impl.repository.sql.knowledge.table import datasets, documents, jobs, slices
from infra.impl.repository.sql.knowledge.upkeep_table import copies, previews, rebuilds
from infra.impl.repository.sql.mapping.lease import Lease
from infra.impl.repository.sql.memory.database import imports
from infra.impl.repository.sql.model.call import model_call
from infra.impl.repository.sql.plugin.table import plugins, tools
from infra.impl.repository.sql.workflow.definition_table import versions as workflow_versions
from infra.impl.repository.sql.workflow.definition_table import workflows
from infra.impl.repository.sql.workflow.run_table import (
    run_log,
    run_requests,
    run_states,
    workflow_runs,
)

GRACE: Final = timedelta(seconds=90)
"""Leases end after at most a minute, and half a minute later their work is taken up."""
PATIENCE: Final = timedelta(hours=1)
"""How long what tidies up may be late; it comes round every few minutes."""
PIECE: Final = 20_000
"""Rows that one query looks at: far less than a statement may take."""
_FEW: Final = 500
"""Documents that one query looks at: each has many slices."""
IMPORT_S: Final = 900
"""An import that moved nothing for so long is worked on by nobody."""
REFERENCES: Final[Sequence[tuple[sa.Column[Any], sa.Column[Any]]]] = (
    (memberships.c.space_id, spaces.c.id),
    (memberships.c.user_id, users.c.id),
    (agent_versions.c.agent_id, agents.c.id),
    (publications.c.agent_id, agents.c.id),
    (workflow_versions.c.workflow_id, workflows.c.id),
    (tools.c.plugin_id, plugins.c.id),
    (messages.c.conversation_id, conversations.c.id),
    (run_events.c.run_id, runs.c.id),
    (run_log.c.run_id, workflow_runs.c.id),
    (run_states.c.run_id, workflow_runs.c.id),
    (documents.c.dataset_id, datasets.c.id),
    (slices.c.document_id, documents.c.id),
    (jobs.c.document_id, documents.c.id),
)
"""Columns whose values must be keys of another table; what is deleted in two steps is not here.

Runs outlive their conversation for the accounts, and some never had one.
"""
_FINAL_REASONS: Final = (
    FinishReason.STOP.value,
    FinishReason.LENGTH.value,
    FinishReason.CONTENT_FILTER.value,
    FinishReason.REFUSAL.value,
)


Conditions = Sequence[sa.ColumnElement[bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Selects the keys of odd rows.

    ``along`` is the column by which a large table is walked through, ``piece`` rows at a time:
    each row of the answer must be found from the rows of one value of it. None: an index finds
    the answer. ``narrow`` builds the query with more conditions where they belong further inside.
    """

    id: str
    query: sa.Select[Any]
    along: sa.Column[Any] | None = None
    piece: int = PIECE
    where: str = ""
    narrow: Callable[[Conditions], sa.Select[Any]] | None = None

    def within(self, conditions: Conditions) -> sa.Select[Any]:
        """Return the query for some of the rows."""
        if self.narrow is not None:
            return self.narrow(conditions)
        return self.query.where(*conditions)


def questions(theme: CheckGroup, *, now: datetime, retention: Retention) -> list[Question]:
    """Return the questions of a theme, as of now."""
    asked = {
        CheckGroup.REFERENCES: lambda: [*map(_reference, REFERENCES), _delivery()],
        CheckGroup.UNFINISHED: lambda: [
            *_chats(now, retention),
            *_workflow_runs(now),
            *_knowledge(now),
            *_rest(now),
        ],
        CheckGroup.ANSWERS: lambda: [_answers(), *_keys()],
        CheckGroup.ORDER: lambda: [*_chat_order(now, retention), *_workflow_order()],
        CheckGroup.DOCUMENTS: lambda: _documents(now),
        CheckGroup.SPEND: lambda: [_workflow_spend()],
        CheckGroup.LEFT_OVER: lambda: _left_over(now, retention),
    }
    return asked[theme]()


def _reference(pair: tuple[sa.Column[Any], sa.Column[Any]]) -> Question:
    child, parent = pair
    missing = (
        sa.select(child)
        .outerjoin(parent.table, parent == child)
        .where(child.is_not(None), parent.is_(None))
    )
    along = next(iter(child.table.primary_key))
    return Question(
        id="lost_reference", where=f"{child.table.name}.{child.name}", query=missing, along=along
    )


def _delivery() -> Question:
    undelivered = (
        sa.select(inbox.c.event_id)
        .outerjoin(outbox, outbox.c.event_id == inbox.c.event_id)
        .where(is_open, outbox.c.event_id.is_(None))
    )
    return Question(id="lost_reference", where="inbox.event_id", query=undelivered)


def _chats(now: datetime, retention: Retention) -> list[Question]:
    live = (RunStatus.CREATED.value, RunStatus.IN_PROGRESS.value)
    kept = runs.c.deleted_at.is_(None)
    longest = now - timedelta(seconds=retention.run_s) - GRACE
    return [
        Question(
            id="chat_left",
            query=sa.select(runs.c.id).where(
                runs.c.status.in_(live), kept, _is_left(runs, now - GRACE)
            ),
        ),
        Question(
            id="chat_overdue",
            query=sa.select(runs.c.id).where(
                runs.c.status.in_(live),
                kept,
                runs.c.attempt == 1,  # one that waited for its user began earlier
                runs.c.started_at < longest,
                sa.not_(_is_left(runs, now - GRACE)),
            ),
        ),
        Question(
            id="question_expired",
            query=sa.select(runs.c.id).where(
                runs.c.status == RunStatus.REQUIRES_ACTION.value,
                kept,
                runs.c.lease_until < now - GRACE,
            ),
        ),
        Question(
            id="call_left",
            query=sa.select(client_waits.c.call_id)
            .outerjoin(runs, runs.c.id == client_waits.c.run_id)
            .where(
                client_waits.c.state == WaitState.PENDING.value,
                client_waits.c.created_at < now - GRACE,
                runs.c.status.is_distinct_from(RunStatus.REQUIRES_ACTION.value),
            ),
        ),
    ]


def _workflow_runs(now: datetime) -> list[Question]:
    column = workflow_runs.c
    phases = (RunPhase.CREATED.value, RunPhase.RUNNING.value)
    is_left = _is_left(workflow_runs, now - GRACE)
    return [
        Question(
            id="workflow_left",
            query=sa.select(column.id).where(column.phase.in_(phases), is_left),
        ),
        Question(
            id="workflow_overdue",
            query=sa.select(column.id).where(
                column.phase.in_(phases), column.deadline_at < now - GRACE, sa.not_(is_left)
            ),
        ),
        Question(
            id="interrupt_expired",
            query=sa.select(column.id).where(
                column.phase == RunPhase.INTERRUPTED.value, column.expires_at < now - GRACE
            ),
        ),
    ]


def _knowledge(now: datetime) -> list[Question]:
    before = now - GRACE
    due = (
        ("rebuild_left", rebuilds, rebuilds.c.state.in_([each.value for each in UNFINISHED])),
        ("copy_left", copies, copies.c.status == CopyStatus.PROCESSING),
        (
            "preview_left",
            previews,
            (previews.c.state == PreviewState.PROCESSING) & (previews.c.expires_at > now),
        ),
    )
    working = jobs.alias()
    # A line that is worked on may be long.
    is_worked_on = sa.exists().where(
        working.c.state == JobState.RUNNING.value, working.c.lease_until >= before
    )
    return [
        Question(
            id="job_waiting",
            query=sa.select(jobs.c.id).where(
                jobs.c.state == JobState.WAITING.value,
                jobs.c.next_run_at < before,
                sa.not_(is_worked_on),
            ),
        ),
        Question(
            id="job_left",
            query=sa.select(jobs.c.id).where(
                jobs.c.state == JobState.RUNNING.value, jobs.c.lease_until < before
            ),
        ),
        Question(
            id="document_left",
            query=sa.select(documents.c.id).where(
                documents.c.status != DocumentStatus.DELETED,
                documents.c.pending_generation.is_not(None)
                | (documents.c.status == DocumentStatus.CHUNKING),
                documents.c.updated_at < before,
                sa.not_(_is_worked_on()),
            ),
            along=documents.c.id,
        ),
        *(
            Question(
                id=name,
                query=sa.select(table.c.id).where(
                    is_due, table.c.next_run_at < before, Lease(table).is_free(before)
                ),
            )
            for name, table, is_due in due
        ),
    ]


def _rest(now: datetime) -> list[Question]:
    open_imports = (ImportStatus.WAITING.value, ImportStatus.RUNNING.value)
    return [
        Question(
            id="import_left",
            query=sa.select(imports.c.id).where(
                imports.c.status.in_(open_imports),
                imports.c.updated_at < now - timedelta(seconds=IMPORT_S),
            ),
        ),
        Question(
            id="event_unpublished",
            query=sa.select(outbox.c.event_id).where(
                outbox.c.published_at.is_(None), outbox.c.created_at < now - GRACE
            ),
        ),
        Question(
            id="delivery_waiting",
            query=sa.select(inbox.c.event_id).where(
                is_open,
                inbox.c.due_at < now - PATIENCE,
                sa.func.coalesce(inbox.c.leased_until, inbox.c.due_at) < now - GRACE,
            ),
        ),
    ]


def _answers() -> Question:
    """Runs of agents; in those of workflows every message node gives an answer."""
    second = (
        sa.select(runs.c.id)
        .join(messages, messages.c.run_id == runs.c.id)
        .where(
            runs.c.workflow_run_id == 0,
            messages.c.kind == MessageKind.ANSWER.value,
            messages.c.status == MessageStatus.AVAILABLE.value,
            messages.c.finish_reason.in_(_FINAL_REASONS),
        )
        .group_by(runs.c.id, messages.c.agent_id)
        .having(sa.func.count() > 1)
    )
    return Question(id="second_answer", query=second, along=runs.c.id)


def _keys() -> list[Question]:
    # Keys without a digest are of messages, which their author may delete.
    pairs = ((accepted_requests, runs), (run_requests, workflow_runs))
    return [
        Question(
            id="key_without_run",
            where=table.name,
            query=sa.select(table.c.run_id)
            .outerjoin(of, of.c.id == table.c.run_id)
            .where(of.c.id.is_(None), table.c.digest != ""),
        )
        for table, of in pairs
    ]


def _chat_order(now: datetime, retention: Retention) -> list[Question]:
    since = now - timedelta(seconds=retention.event_log_s)
    begun_late = (
        sa.select(run_events.c.run_id)
        .join(runs, runs.c.id == run_events.c.run_id)
        .where(runs.c.created_at > since)
        .group_by(run_events.c.run_id)
        .having(sa.func.min(run_events.c.first_seq) != 1)
    )
    return [
        _gap(run_events, "event_gap", run_events.c.first_seq, run_events.c.last_seq),
        Question(id="event_start", query=begun_late, along=run_events.c.run_id),
    ]


def _workflow_order() -> list[Question]:
    column = run_log.c
    return [
        # A batch without events has 0 for both numbers.
        _gap(run_log, "workflow_event_gap", sa.func.nullif(column.first_seq, 0), column.last_seq),
        _gap(run_log, "journal_gap", column.number, column.number, start=1),
        _gap(run_log, "journal_gap", column.entries_after + 1, column.entries_to, start=1),
    ]


def _gap(
    table: sa.Table,
    name: str,
    first: sa.ColumnElement[int],
    last: sa.ColumnElement[int],
    *,
    start: int | None = None,
) -> Question:
    """Runs with a batch that does not begin where the one before it ended."""
    previous = sa.func.lag(last).over(partition_by=table.c.run_id, order_by=(last, first))

    def broken(conditions: Conditions) -> sa.Select[Any]:
        numbered = sa.select(table.c.run_id, first.label("first"), previous.label("previous"))
        inner = numbered.where(last >= first, *conditions).subquery()
        wanted: sa.ColumnElement[Any] = inner.c.previous + 1
        if start is not None:
            wanted = sa.func.coalesce(wanted, start)
        return sa.select(inner.c.run_id).where(inner.c.first != wanted).distinct()

    return Question(
        id=name, where=table.name, query=broken(()), along=table.c.run_id, narrow=broken
    )


def _documents(now: datetime) -> list[Question]:
    found = (
        sa.select(sa.func.count())
        .where(
            slices.c.document_id == documents.c.id,
            slices.c.generation == documents.c.active_generation,
        )
        .scalar_subquery()
    )
    is_shown = slices.c.generation == documents.c.active_generation
    is_made = slices.c.generation == documents.c.pending_generation
    has_litter = sa.exists().where(
        slices.c.document_id == documents.c.id,
        sa.not_(sa.func.coalesce(is_shown | is_made, sa.false())),
    )
    lives = documents.c.status != DocumentStatus.DELETED
    return [
        Question(
            id="half_generation",
            query=sa.select(documents.c.id).where(
                lives,
                documents.c.active_generation.is_not(None),
                documents.c.pending_generation.is_(None),
                documents.c.updated_at < now - GRACE,
                documents.c.slice_count != found,
            ),
            along=documents.c.id,
            piece=_FEW,
        ),
        Question(
            id="old_generation",
            query=sa.select(documents.c.id).where(
                lives,
                documents.c.updated_at < now - PATIENCE,
                has_litter,
                sa.not_(_is_worked_on()),
            ),
            along=documents.c.id,
            piece=_FEW,
        ),
        Question(
            id="deleted_document",
            query=sa.select(documents.c.id).where(
                documents.c.status == DocumentStatus.DELETED,
                documents.c.deleted_at < now - PATIENCE,
            ),
            along=documents.c.id,
        ),
    ]


def _workflow_spend() -> Question:
    """Runs whose nodes told more tokens than the ledger has calls for."""
    booked = (
        sa.select(
            sa.func.coalesce(sa.func.sum(model_call.c.input_tokens + model_call.c.output_tokens), 0)
        )
        .where(model_call.c.run_id == workflow_runs.c.id)
        .scalar_subquery()
    )
    column = workflow_runs.c
    query = sa.select(column.id).where(
        column.phase == RunPhase.SUCCESS.value,
        column.input_tokens + column.output_tokens > 0,
        column.input_tokens + column.output_tokens > booked,
    )
    return Question(id="workflow_unbooked", query=query, along=column.id)


def _left_over(now: datetime, retention: Retention) -> list[Question]:
    logs_before = now - PATIENCE - timedelta(seconds=retention.event_log_s + retention.run_s)
    keys_before = now - PATIENCE - timedelta(seconds=retention.request_key_s)
    return [
        Question(
            id="upload_left",
            query=sa.select(files.c.id).where(
                files.c.status == FileStatus.UPLOADING.value,
                files.c.created_at < now - timedelta(days=1),
            ),
        ),
        Question(
            id="log_left",
            query=sa.select(run_events.c.run_id)
            .where(run_events.c.created_at < logs_before)
            .distinct(),
        ),
        Question(
            id="key_left",
            query=sa.select(accepted_requests.c.run_id).where(
                accepted_requests.c.created_at < keys_before
            ),
        ),
        Question(
            id="call_expired",
            query=sa.select(client_waits.c.call_id).where(
                client_waits.c.expires_at < now - PATIENCE
            ),
        ),
        Question(
            id="response_expired",
            query=sa.select(stored_responses.c.id).where(
                stored_responses.c.expires_at < now - PATIENCE
            ),
        ),
        Question(
            id="preview_expired",
            query=sa.select(previews.c.id).where(previews.c.expires_at < now - PATIENCE),
        ),
    ]


def _is_worked_on() -> sa.ColumnElement[bool]:
    return sa.exists().where(
        jobs.c.document_id == documents.c.id, jobs.c.state.in_([each.value for each in LIVE])
    )


def _is_left(table: sa.Table, before: datetime) -> sa.ColumnElement[bool]:
    """Nobody holds it, or its holder stopped renewing its lease."""
    held_until = sa.func.coalesce(table.c.lease_until, table.c.created_at)
    return sa.type_coerce(held_until, table.c.created_at.type) < before

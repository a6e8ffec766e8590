"""Tables of traces."""

from typing import Any, Final

import sqlalchemy as sa

from domain.privacy.value import Section
from domain.trace.rules import TraceRules
from domain.trace.value import DueText, TraceBody, TraceSummary
from infra.impl.repository.sql.identity.table import spaces
from infra.impl.repository.sql.mapping.column import Names, only_where
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenancy import TENANCY

SUMMARIES: Final = RowMapper(
    TraceSummary,
    "trace",
    sa.Index(
        "ix_trace_space_id_started_at",
        "space_id",
        "started_at",
        **only_where(sa.text("parent_run_id = 0")),
    ),
    sa.Index("ix_trace_of_agent", "agent_id", "started_at", **only_where(sa.text("agent_id <> 0"))),
    sa.Index(
        "ix_trace_of_workflow",
        "workflow_id",
        "started_at",
        **only_where(sa.text("workflow_id <> 0")),
    ),
    sa.Index(
        "ix_trace_parent_run_id", "parent_run_id", **only_where(sa.text("parent_run_id <> 0"))
    ),
    key=("run_id",),
    columns={
        "run_id": sa.BigInteger,
        "kind": sa.String(10),
        "parent_run_id": sa.BigInteger,
        "agent_id": sa.BigInteger,
        "workflow_id": sa.BigInteger,
        "version": sa.String(32),
        "source": sa.String(16),
        "connector_id": sa.BigInteger,
        "end_user_id": sa.String(256),
        "conversation_id": sa.BigInteger,
        "status": sa.String(12),
        "trace_id": sa.String(32),
        "waited_ms": sa.BigInteger,
        "duration_us": sa.BigInteger,
        "input_tokens": sa.BigInteger,
        "output_tokens": sa.BigInteger,
        "cached_tokens": sa.BigInteger,
        "reasoning_tokens": sa.BigInteger,
        "cost": sa.BigInteger,
        "models": Names,
        "tools": Names,
        "tags": Names,
    },
    # Last of all: nothing behind it is far, where it makes a row long.
    extra=[sa.Column("body", sa.LargeBinary)],
)
traces: Final = SUMMARIES.table
SUMMARY_COLUMNS: Final = tuple(traces.c[name] for name in SUMMARIES.columns)
"""All but the body, which whoever lists traces does not need."""
MOST_IN_ROW_BYTES: Final = 1024
"""Longer bodies have a row of their own.

A second row for each run costs 1 % of a chat, but lists and statistics read what is in the first.
With 1 KiB in each of 100,000 rows figures of all of them take twice the time, with 2 KiB six times.
"""

RULES: Final = RowMapper(
    TraceRules,
    "trace_rule",
    columns={"id": sa.BigInteger, "capture": sa.String(10), "updated_by": sa.BigInteger},
)
rules: Final = RULES.table

BODIES: Final[RowMapper[Any]] = RowMapper(
    TraceBody,
    "trace_body",
    sa.Index("ix_trace_body_object_key", "object_key", **only_where(sa.text("object_key <> ''"))),
    key=("run_id", "began_at"),
    columns={"run_id": sa.BigInteger, "object_key": sa.String(200)},
)
bodies: Final = BODIES.table

DUE: Final[RowMapper[Any]] = RowMapper(
    DueText,
    "trace_text_due",
    key=("run_id",),
    columns={"run_id": sa.BigInteger},
)
due_texts: Final = DUE.table

PERSONAL.add(
    PersonalTable(
        table=traces,
        section=Section.TRACES,
        end_user=(traces.c.end_user_id,),
        account=traces.c.creator_id,
    )
)
PERSONAL.add(
    PersonalTable(
        table=bodies,
        section=Section.TRACES,
        through=((bodies.c.run_id, traces.c.run_id),),
        objects=bodies.c.object_key,
        is_shown=False,
    )
)
PERSONAL.add(
    PersonalTable(
        table=due_texts,
        section=Section.TRACES,
        through=((due_texts.c.run_id, traces.c.run_id),),
        is_shown=False,
    )
)
PERSONAL.keep(OF_THE_WORKSPACE, rules)
TENANCY.through(rules.c.id, spaces.c.id)
TENANCY.keep_objects(bodies.c.object_key)

"""Tables of the conversation context."""

from typing import Any, Final

import sqlalchemy as sa

from domain.conversation.client_wait import ClientWait
from domain.conversation.conversation import Conversation
from domain.conversation.message import Feedback, Message
from domain.conversation.repository import ActiveAgent
from domain.conversation.response import StoredResponse
from domain.conversation.run import Run
from domain.conversation.run_repository import AcceptedRequest, EventBatch
from domain.conversation.summary import SectionSummary
from domain.privacy.value import Aging, Section
from infra.impl.repository.sql.mapping.column import Instant, Json, id_column, metadata, only_where
from infra.impl.repository.sql.mapping.personal import PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.row_mapper import RowMapper

_END_USER: Final = sa.String(256)
UNSETTLED: Final = sa.text("status IN ('created', 'in_progress', 'requires_action')")
"""Runs that are not over; spelled out, because by parameters no database finds their index."""

CONVERSATIONS: Final = RowMapper(
    Conversation,
    "conversation",
    sa.Index(
        "ix_conversation_owner", "creator_id", "agent_id", "connector_id", "scene", "created_at"
    ),
    sa.Index("ix_conversation_end_user", "space_id", "end_user_id", "agent_id"),
    sa.Index(
        "uq_conversation_key",
        "creator_id",
        "agent_id",
        "key_end_user",
        "key",
        unique=True,
        **only_where(sa.text("key IS NOT NULL AND deleted_at IS NULL")),
    ),
    sa.Index(
        "ix_conversation_deleted_at",
        "deleted_at",
        **only_where(sa.text("deleted_at IS NOT NULL")),
    ),
    columns={
        "end_user_id": _END_USER,
        "connector_id": sa.BigInteger,
        "name": sa.String(100),
        "key": sa.String(256),
        "key_end_user": _END_USER,
        "next_seq": sa.BigInteger,
    },
    read_only=["next_seq"],  # runs advance it without taking a revision
)
RUNS: Final = RowMapper(
    Run,
    "run",
    sa.Index(
        "uq_run_active",
        "conversation_id",
        unique=True,
        **only_where(sa.text("status IN ('created', 'in_progress') AND phase <> 'finishing'")),
    ),
    sa.Index("ix_run_unsettled", "conversation_id", **only_where(UNSETTLED)),
    sa.Index("ix_run_conversation_id_section_id", "conversation_id", "section_id"),
    sa.Index("ix_run_status_lease_until", "status", "lease_until"),
    sa.Index("ix_run_space_id_id", "space_id", "id"),
    columns={
        "agent_version": sa.String(64),
        "end_user_id": _END_USER,
        "connector_id": sa.BigInteger,
        "workflow_run_id": sa.Column(sa.BigInteger, server_default="0"),
        "lease_owner": sa.String(64),
        "cancel_reason": sa.String(32),
        "finish_reason": sa.String(32),
    },
    extra=[sa.Column("cancel_requested_at", Instant)],  # others write it beside the owner
)
MESSAGES: Final = RowMapper(
    Message,
    "message",
    sa.Index("ix_message_conversation_id_seq", "conversation_id", "seq"),
    sa.Index("ix_message_conversation_id_id", "conversation_id", "id"),
    sa.Index("ix_message_run_id_seq", "run_id", "seq"),
    columns={
        "seq": sa.BigInteger,
        "finish_reason": sa.String(32),
        "tool_call_id": sa.String(256),
    },
)
EVENTS: Final = RowMapper(
    EventBatch,
    "run_event",
    sa.Index("ix_run_event_created_at", "created_at"),
    key=("run_id", "first_seq"),
    columns={"first_seq": sa.BigInteger, "last_seq": sa.BigInteger},
    extra=[sa.Column("created_at", Instant, nullable=False)],
)
FEEDBACKS: Final = RowMapper(
    Feedback,
    "feedback",
    sa.Index("ix_feedback_conversation_id", "conversation_id"),
    key=("message_id", "user_id"),
)
SUMMARIES: Final = RowMapper(
    SectionSummary,
    "section_summary",
    sa.Index(None, "conversation_id"),
    key=("section_id",),
    columns={"upto_seq": sa.BigInteger, "basis": sa.String(64)},
)
ACTIVE_AGENTS: Final = RowMapper(
    ActiveAgent,
    "section_agent",
    sa.Index("ix_section_agent_conversation_id", "conversation_id"),
    key=("section_id", "agent_id"),
    extra=[sa.Column("updated_at", Instant, nullable=False)],
)
REQUESTS: Final = RowMapper(
    AcceptedRequest,
    "run_idempotency",
    sa.Index("ix_run_idempotency_created_at", "created_at"),
    key=("space_id", "principal_id", "key"),
    columns={"key": sa.String(255), "digest": sa.String(64)},
    extra=[id_column("principal_id")],
)
CLIENT_WAITS: Final = RowMapper(
    ClientWait,
    "client_wait",
    sa.Index("ix_client_wait_run_id", "run_id"),
    sa.Index("ix_client_wait_expires_at", "expires_at"),
    key=("call_id",),
    columns={
        "call_id": sa.String(64),
        "end_user_id": _END_USER,
        "name": sa.String(64),
        "upstream_id": sa.String(256),
        "history": sa.String(64),
        "answer": sa.String(64),
        "output": sa.String(64),
        "request_key": sa.String(64),
        "last_event": sa.BigInteger,
    },
)
RESPONSES: Final = RowMapper(
    StoredResponse,
    "stored_response",
    sa.Index("ix_stored_response_expires_at", "expires_at"),
    sa.Index("ix_stored_response_conversation_id", "conversation_id"),
    sa.Index("uq_stored_response_run", "run_id", "resumes", unique=True),
    columns={"end_user_id": _END_USER, "after_seq": sa.BigInteger},
)
conversations: Final = CONVERSATIONS.table
runs: Final = RUNS.table
messages: Final = MESSAGES.table
run_events: Final = EVENTS.table
feedbacks: Final = FEEDBACKS.table
stored_responses: Final = RESPONSES.table
section_summaries: Final = SUMMARIES.table
section_agents: Final = ACTIVE_AGENTS.table
accepted_requests: Final = REQUESTS.table
client_waits: Final = CLIENT_WAITS.table

flow_variables: Final = sa.Table(
    "flow_variable",
    metadata,
    id_column("conversation_id", primary_key=True),
    id_column("workflow_id", primary_key=True),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("variables", Json(dict[str, Any]), nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
)
PERSONAL.add(
    PersonalTable(
        table=conversations,
        section=Section.CONVERSATIONS,
        end_user=(conversations.c.end_user_id, conversations.c.key_end_user),
        account=conversations.c.creator_id,
        aging=Aging.CONVERSATIONS,
        since=conversations.c.updated_at,
        is_over=~sa.exists().where(runs.c.conversation_id == conversations.c.id, UNSETTLED),
    )
)

PERSONAL.add(
    PersonalTable(
        table=runs,
        section=Section.CONVERSATIONS,
        end_user=(runs.c.end_user_id,),
        account=runs.c.creator_id,
        through=((runs.c.conversation_id, conversations.c.id),),
    )
)

PERSONAL.add(
    PersonalTable(
        table=messages,
        section=Section.CONVERSATIONS,
        through=((messages.c.conversation_id, conversations.c.id),),
    )
)

PERSONAL.add(
    PersonalTable(
        table=run_events,
        section=Section.CONVERSATIONS,
        through=((run_events.c.run_id, runs.c.id),),
        is_shown=False,
    )
)

PERSONAL.add(
    PersonalTable(
        table=feedbacks,
        section=Section.FEEDBACK,
        account=feedbacks.c.user_id,
        through=((feedbacks.c.conversation_id, conversations.c.id),),
    )
)

PERSONAL.add(
    PersonalTable(
        table=section_summaries,
        section=Section.CONVERSATIONS,
        through=((section_summaries.c.conversation_id, conversations.c.id),),
    )
)

PERSONAL.add(
    PersonalTable(
        table=section_agents,
        section=Section.CONVERSATIONS,
        through=((section_agents.c.conversation_id, conversations.c.id),),
        is_shown=False,
    )
)

PERSONAL.add(
    PersonalTable(
        table=accepted_requests,
        section=Section.ACCESS,
        through=((accepted_requests.c.run_id, runs.c.id),),
        is_shown=False,
    )
)

PERSONAL.add(
    PersonalTable(
        table=client_waits,
        section=Section.CONVERSATIONS,
        end_user=(client_waits.c.end_user_id,),
        account=client_waits.c.creator_id,
        through=((client_waits.c.run_id, runs.c.id),),
        is_shown=False,
    )
)

PERSONAL.add(
    PersonalTable(
        table=stored_responses,
        section=Section.CONVERSATIONS,
        end_user=(stored_responses.c.end_user_id,),
        account=stored_responses.c.creator_id,
        through=((stored_responses.c.conversation_id, conversations.c.id),),
    )
)

PERSONAL.add(
    PersonalTable(
        table=flow_variables,
        section=Section.VARIABLES,
        through=((flow_variables.c.conversation_id, conversations.c.id),),
    )
)

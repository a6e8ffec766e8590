"""Tables of the conversation context."""

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa

from domain.conversation.run import RunRequest
from domain.conversation.value import RunError, WaitingFor
from domain.shared.chat import Part, ToolCall, Usage
from domain.shared.citation import Citations
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata, only_where

conversations: Final = sa.Table(
    "conversation",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("creator_id", sa.BigInteger, nullable=False),
    sa.Column("end_user_id", sa.String(256), nullable=False),
    sa.Column("connector_id", sa.BigInteger, nullable=False),
    sa.Column("scene", sa.String(16), nullable=False),
    sa.Column("agent_id", sa.BigInteger),
    sa.Column("section_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("meta", Json(Mapping[str, str]), nullable=False),
    sa.Column("key", sa.String(256)),
    sa.Column("key_end_user", sa.String(256), nullable=False),
    sa.Column("variables", Json(Mapping[str, str]), nullable=False),
    sa.Column("next_seq", sa.BigInteger, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("deleted_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(
        "ix_conversation_owner", "creator_id", "agent_id", "connector_id", "scene", "created_at"
    ),
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
)

runs: Final = sa.Table(
    "run",
    metadata,
    id_column(),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("conversation_id", sa.BigInteger, nullable=False),
    sa.Column("section_id", sa.BigInteger, nullable=False),
    sa.Column("agent_id", sa.BigInteger, nullable=False),
    sa.Column("agent_version", sa.String(64), nullable=False),
    sa.Column("creator_id", sa.BigInteger, nullable=False),
    sa.Column("end_user_id", sa.String(256), nullable=False),
    sa.Column("connector_id", sa.BigInteger, nullable=False),
    sa.Column("question_id", sa.BigInteger),
    sa.Column("request", Json(RunRequest), nullable=False),
    sa.Column("meta", Json(Mapping[str, str]), nullable=False),
    sa.Column("inserted_message_ids", Json(tuple[int, ...]), nullable=False),
    sa.Column("replaces_run_id", sa.BigInteger),
    sa.Column("is_saved", sa.Boolean, nullable=False),
    sa.Column("workflow_run_id", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("waits_for", Json(WaitingFor)),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("phase", sa.String(16), nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("lease_owner", sa.String(64), nullable=False),
    sa.Column("lease_until", Instant),
    sa.Column("cancel_requested_at", Instant),
    sa.Column("cancel_reason", sa.String(32), nullable=False),
    sa.Column("usage", Json(Usage), nullable=False),
    sa.Column("finish_reason", sa.String(32), nullable=False),
    sa.Column("error", Json(RunError), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("started_at", Instant),
    sa.Column("first_token_at", Instant),
    sa.Column("completed_at", Instant),
    sa.Column("failed_at", Instant),
    sa.Column("canceled_at", Instant),
    sa.Column("deleted_at", Instant),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(
        "uq_run_active",
        "conversation_id",
        unique=True,
        **only_where(sa.text("status IN ('created', 'in_progress') AND phase <> 'finishing'")),
    ),
    sa.Index("ix_run_conversation_id_section_id", "conversation_id", "section_id"),
    sa.Index("ix_run_status_lease_until", "status", "lease_until"),
    sa.Index("ix_run_space_id_id", "space_id", "id"),
)

messages: Final = sa.Table(
    "message",
    metadata,
    id_column(),
    sa.Column("conversation_id", sa.BigInteger, nullable=False),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("section_id", sa.BigInteger, nullable=False),
    sa.Column("run_id", sa.BigInteger),
    sa.Column("agent_id", sa.BigInteger),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("parts", Json(tuple[Part, ...]), nullable=False),
    sa.Column("is_text", sa.Boolean, nullable=False),
    sa.Column("reasoning", sa.Text, nullable=False),
    sa.Column("finish_reason", sa.String(32), nullable=False),
    sa.Column("citations", Json(Citations)),
    sa.Column("tool_calls", Json(tuple[ToolCall, ...]), nullable=False),
    sa.Column("tool_call_id", sa.String(256), nullable=False),
    sa.Column("tool_error", sa.Boolean, nullable=False),
    sa.Column("meta", Json(Mapping[str, str]), nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Index("ix_message_conversation_id_seq", "conversation_id", "seq"),
    sa.Index("ix_message_conversation_id_id", "conversation_id", "id"),
    sa.Index("ix_message_run_id_seq", "run_id", "seq"),
)

run_events: Final = sa.Table(
    "run_event",
    metadata,
    id_column("run_id", primary_key=True),
    id_column("first_seq", primary_key=True),
    sa.Column("last_seq", sa.BigInteger, nullable=False),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index("ix_run_event_created_at", "created_at"),
)

feedbacks: Final = sa.Table(
    "feedback",
    metadata,
    id_column("message_id", primary_key=True),
    id_column("user_id", primary_key=True),
    sa.Column("conversation_id", sa.BigInteger, nullable=False),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("reasons", Json(tuple[str, ...]), nullable=False),
    sa.Column("comment", sa.Text, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Index("ix_feedback_conversation_id", "conversation_id"),
)

section_summaries: Final = sa.Table(
    "section_summary",
    metadata,
    id_column("section_id", primary_key=True),
    id_column("conversation_id", nullable=False),
    id_column("space_id", nullable=False),
    sa.Column("upto_seq", sa.BigInteger, nullable=False, autoincrement=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("tokens", sa.Integer, nullable=False),
    sa.Column("basis", sa.String(64), nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Index(None, "conversation_id"),
)

section_agents: Final = sa.Table(
    "section_agent",
    metadata,
    id_column("section_id", primary_key=True),
    id_column("agent_id", primary_key=True),
    sa.Column("conversation_id", sa.BigInteger, nullable=False),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("path", Json(tuple[int, ...]), nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Index("ix_section_agent_conversation_id", "conversation_id"),
)

flow_variables: Final = sa.Table(
    "flow_variable",
    metadata,
    id_column("conversation_id", primary_key=True),
    id_column("workflow_id", primary_key=True),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("variables", Json(dict[str, Any]), nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
)

accepted_requests: Final = sa.Table(
    "run_idempotency",
    metadata,
    id_column("space_id", primary_key=True),
    id_column("principal_id", primary_key=True),
    sa.Column("key", sa.String(255), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("run_id", sa.BigInteger, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index("ix_run_idempotency_created_at", "created_at"),
)

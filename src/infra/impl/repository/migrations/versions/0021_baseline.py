"""All tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0021_baseline"
down_revision = None
branch_labels = None
depends_on = None
phase = "expand"


def upgrade() -> None:  # noqa: PLR0915 - a statement per table and index
    op.create_table(
        "agent",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("mode", sa.String(length=16), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("last_version", sa.BigInteger(), nullable=False),
        sa.Column("is_draft_changed", sa.Boolean(), nullable=False),
        sa.Column("alias", sa.String(length=200), nullable=True),
        sa.Column("template_category", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_agent"),
    )
    op.create_index("ix_agent_space_id_alias", "agent", ["space_id", "alias"], unique=True)
    op.create_index("ix_agent_space_id_updated_at", "agent", ["space_id", "updated_at"])
    op.create_table(
        "agent_display",
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("agent_id", name="pk_agent_display"),
    )
    op.create_table(
        "agent_publication",
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("connector_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.String(length=20), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("agent_id", "connector_id", name="pk_agent_publication"),
    )
    op.create_table(
        "agent_version",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("label", sa.String(length=20), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("mode", sa.String(length=16), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_agent_version"),
    )
    op.create_index(
        "ix_agent_version_agent_id_label", "agent_version", ["agent_id", "label"], unique=True
    )
    op.create_table(
        "api_token",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("last4", sa.String(length=4), nullable=False),
        sa.Column("permissions", sa.Text(), nullable=True),
        sa.Column("space_ids", sa.Text(), nullable=True),
        sa.Column("agent_ids", sa.Text(), nullable=True),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_api_token"),
        sa.UniqueConstraint("digest", name="uq_api_token_digest"),
    )
    op.create_index("ix_api_token_user_id_kind_id", "api_token", ["user_id", "kind", "id"])
    op.create_table(
        "app",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("latest_version", sa.String(length=24), nullable=False),
        sa.Column("connector_ids", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_app"),
    )
    op.create_index("ix_app_space_id_updated_at", "app", ["space_id", "updated_at"])
    op.create_table(
        "app_version",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("app_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("label", sa.String(length=24), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("connector_ids", sa.Text(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_app_version"),
    )
    op.create_index("ix_app_version_app_id_label", "app_version", ["app_id", "label"], unique=True)
    op.create_table(
        "audit_log",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("event_id", sa.String(length=32), nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("actor_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("action", sa.String(length=100), nullable=False),
        sa.Column("resource", sa.String(length=200), nullable=False),
        sa.Column("result", sa.String(length=20), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("log_id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_log"),
        sa.UniqueConstraint("event_id", name="uq_audit_log_event_id"),
    )
    op.create_index("ix_audit_log_space_id_id", "audit_log", ["space_id", "id"])
    op.create_table(
        "conversation",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), nullable=False),
        sa.Column("scene", sa.String(length=16), nullable=False),
        sa.Column("agent_id", sa.BigInteger(), nullable=True),
        sa.Column("section_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("meta", sa.Text(), nullable=False),
        sa.Column("key", sa.String(length=256), nullable=True),
        sa.Column("key_end_user", sa.String(length=256), nullable=False),
        sa.Column("variables", sa.Text(), nullable=False),
        sa.Column("next_seq", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversation"),
    )
    op.create_index(
        "ix_conversation_deleted_at",
        "conversation",
        ["deleted_at"],
        sqlite_where=sa.text("deleted_at IS NOT NULL"),
        postgresql_where=sa.text("deleted_at IS NOT NULL"),
    )
    op.create_index(
        "ix_conversation_owner",
        "conversation",
        ["creator_id", "agent_id", "connector_id", "scene", "created_at"],
    )
    op.create_index(
        "uq_conversation_key",
        "conversation",
        ["creator_id", "agent_id", "key_end_user", "key"],
        unique=True,
        sqlite_where=sa.text("key IS NOT NULL AND deleted_at IS NULL"),
        postgresql_where=sa.text("key IS NOT NULL AND deleted_at IS NULL"),
    )
    op.create_table(
        "dead_letter",
        sa.Column("consumer", sa.String(length=100), nullable=False),
        sa.Column("event_id", sa.String(length=32), nullable=False),
        sa.Column("topic", sa.String(length=100), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("died_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("consumer", "event_id", name="pk_dead_letter"),
    )
    op.create_table(
        "duty",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("held_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_duty"),
    )
    op.create_table(
        "feedback",
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("message_id", "user_id", name="pk_feedback"),
    )
    op.create_index("ix_feedback_conversation_id", "feedback", ["conversation_id"])
    op.create_table(
        "file",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("object_key", sa.String(length=512), nullable=False),
        sa.Column("media_type", sa.String(length=128), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ready_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_file"),
        sa.UniqueConstraint("object_key", name="uq_file_object_key"),
    )
    op.create_index("ix_file_space_id_created_at", "file", ["space_id", "created_at"])
    op.create_index("ix_file_status_created_at", "file", ["status", "created_at"])
    op.create_table(
        "file_upload_key",
        sa.Column("principal_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("file_id", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("principal_id", "key", name="pk_file_upload_key"),
    )
    op.create_index("ix_file_upload_key_created_at", "file_upload_key", ["created_at"])
    op.create_table(
        "flow_variable",
        sa.Column("conversation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("workflow_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("variables", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("conversation_id", "workflow_id", name="pk_flow_variable"),
    )
    op.create_table(
        "inbox",
        sa.Column("consumer", sa.String(length=100), nullable=False),
        sa.Column("event_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=True),
        sa.Column("leased_until", sa.BigInteger(), nullable=True),
        sa.Column("handled_at", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("consumer", "event_id", name="pk_inbox"),
    )
    op.create_index("ix_inbox_event_id", "inbox", ["event_id"])
    op.create_index(
        "ix_inbox_open_by_key",
        "inbox",
        ["consumer", "key", "position"],
        sqlite_where=sa.text("handled_at IS NULL"),
        postgresql_where=sa.text("handled_at IS NULL"),
    )
    op.create_index(
        "ix_inbox_open_by_position",
        "inbox",
        ["consumer", "position"],
        sqlite_where=sa.text("handled_at IS NULL"),
        postgresql_where=sa.text("handled_at IS NULL"),
    )
    op.create_table(
        "knowledge_copy",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("source_space_id", sa.BigInteger(), nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("target_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("request_key", sa.String(length=128), nullable=False),
        sa.Column("cursor", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("next_run_at", sa.BigInteger(), nullable=False),
        sa.Column("last_error", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_knowledge_copy"),
    )
    op.create_index(
        "ix_knowledge_copy_space_id_request_key",
        "knowledge_copy",
        ["space_id", "request_key"],
        unique=True,
    )
    op.create_index(
        "ix_knowledge_copy_status_next_run_at", "knowledge_copy", ["status", "next_run_at"]
    )
    op.create_table(
        "knowledge_dataset",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), nullable=True),
        sa.Column("format_type", sa.SmallInteger(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("embedding_model", sa.String(length=200), nullable=False),
        sa.Column("embedding_dimensions", sa.Integer(), nullable=False),
        sa.Column("analyzer_version", sa.String(length=32), nullable=False),
        sa.Column("index_version", sa.Integer(), nullable=False),
        sa.Column("chunk_rule", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("shadow", sa.Text(), nullable=True),
        sa.Column("scale", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_knowledge_dataset"),
    )
    op.create_index(
        "ix_knowledge_dataset_live_name",
        "knowledge_dataset",
        ["space_id", "name"],
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_index(
        "ix_knowledge_dataset_space_id_created_at", "knowledge_dataset", ["space_id", "created_at"]
    )
    op.create_table(
        "knowledge_document",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("extension", sa.String(length=16), nullable=False),
        sa.Column("format_type", sa.SmallInteger(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("char_count", sa.BigInteger(), nullable=False),
        sa.Column("slice_count", sa.Integer(), nullable=False),
        sa.Column("hit_count", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("is_disabled", sa.Boolean(), nullable=False),
        sa.Column("fail_code", sa.Integer(), nullable=False),
        sa.Column("fail_reason", sa.String(length=500), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("update_rule", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("active_generation", sa.Integer(), nullable=True),
        sa.Column("pending_generation", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("table_columns", sa.Text(), nullable=True),
        sa.Column("refresh_at", sa.BigInteger(), nullable=True),
        sa.Column("replaces", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_knowledge_document"),
    )
    op.create_index(
        "ix_knowledge_document_dataset_id_content_hash",
        "knowledge_document",
        ["dataset_id", "content_hash"],
    )
    op.create_index(
        "ix_knowledge_document_dataset_id_created_at",
        "knowledge_document",
        ["dataset_id", "created_at"],
    )
    op.create_index(
        "ix_knowledge_document_dataset_id_is_disabled",
        "knowledge_document",
        ["dataset_id", "is_disabled"],
    )
    op.create_index("ix_knowledge_document_refresh_at", "knowledge_document", ["refresh_at"])
    op.create_table(
        "knowledge_embedding",
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("text_hash", sa.String(length=64), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("space_id", "model", "text_hash", name="pk_knowledge_embedding"),
    )
    op.create_index("ix_knowledge_embedding_created_at", "knowledge_embedding", ["created_at"])
    op.create_table(
        "knowledge_job",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("document_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(length=16), nullable=False),
        sa.Column("cursor", sa.BigInteger(), nullable=False),
        sa.Column("total_units", sa.Integer(), nullable=False),
        sa.Column("done_units", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("has_moved", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("next_run_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_owner", sa.String(length=64), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("last_error_code", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("intake", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_knowledge_job"),
    )
    op.create_index("ix_knowledge_job_dataset_id", "knowledge_job", ["dataset_id"])
    op.create_index(
        "ix_knowledge_job_document_id_generation",
        "knowledge_job",
        ["document_id", "generation"],
        unique=True,
    )
    op.create_index("ix_knowledge_job_space_id_state", "knowledge_job", ["space_id", "state"])
    op.create_index("ix_knowledge_job_state_next_run_at", "knowledge_job", ["state", "next_run_at"])
    op.create_table(
        "knowledge_object",
        sa.Column("object_key", sa.String(length=512), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("document_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("object_key", "document_id", name="pk_knowledge_object"),
    )
    op.create_index("ix_knowledge_object_document_id", "knowledge_object", ["document_id"])
    op.create_table(
        "knowledge_preview",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("extension", sa.String(length=16), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("fail_code", sa.Integer(), nullable=False),
        sa.Column("fail_reason", sa.String(length=500), nullable=False),
        sa.Column("chunk_count", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("next_run_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_knowledge_preview"),
    )
    op.create_index("ix_knowledge_preview_expires_at", "knowledge_preview", ["expires_at"])
    op.create_index(
        "ix_knowledge_preview_state_next_run_at", "knowledge_preview", ["state", "next_run_at"]
    )
    op.create_table(
        "knowledge_rebuild",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("old_collection", sa.String(length=64), nullable=False),
        sa.Column("cursor", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("next_run_at", sa.BigInteger(), nullable=False),
        sa.Column("last_error_code", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_knowledge_rebuild"),
    )
    op.create_index("ix_knowledge_rebuild_dataset_id", "knowledge_rebuild", ["dataset_id"])
    op.create_index(
        "ix_knowledge_rebuild_state_next_run_at", "knowledge_rebuild", ["state", "next_run_at"]
    )
    op.create_table(
        "knowledge_request_key",
        sa.Column("principal_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("operation", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("ids", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "principal_id", "operation", "key", name="pk_knowledge_request_key"
        ),
    )
    op.create_table(
        "knowledge_slice",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("document_id", sa.BigInteger(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.BigInteger(), nullable=False),
        sa.Column("sequence", sa.Double(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("char_count", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("index_text", sa.Text(), nullable=False),
        sa.Column("parent_id", sa.BigInteger(), nullable=True),
        sa.Column("heading_path", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("fail_reason", sa.String(length=500), nullable=False),
        sa.Column("hit_count", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_knowledge_slice"),
    )
    op.create_index("ix_knowledge_slice_dataset_id_id", "knowledge_slice", ["dataset_id", "id"])
    op.create_index(
        "ix_knowledge_slice_document_id_generation_ordinal",
        "knowledge_slice",
        ["document_id", "generation", "ordinal"],
        unique=True,
    )
    op.create_index(
        "ix_knowledge_slice_document_id_generation_sequence",
        "knowledge_slice",
        ["document_id", "generation", "sequence"],
    )
    op.create_table(
        "membership",
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("space_id", "user_id", name="pk_membership"),
    )
    op.create_index("ix_membership_user_id", "membership", ["user_id"])
    op.create_table(
        "memory_database",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("live_name", sa.String(length=200), nullable=True),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("app_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("row_mode", sa.SmallInteger(), nullable=False),
        sa.Column("is_prompt_disabled", sa.Boolean(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("next_field", sa.Integer(), nullable=False),
        sa.Column("next_column", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_memory_database"),
    )
    op.create_index("ix_memory_database_space_id_id", "memory_database", ["space_id", "id"])
    op.create_index(
        "ix_memory_database_space_id_live_name",
        "memory_database",
        ["space_id", "live_name"],
        unique=True,
    )
    op.create_table(
        "memory_database_binding",
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("database_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("agent_id", "database_id", name="pk_memory_database_binding"),
    )
    op.create_index(
        "ix_memory_database_binding_database_id", "memory_database_binding", ["database_id"]
    )
    op.create_table(
        "memory_import",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("database_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("file_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("sheet", sa.Integer(), nullable=True),
        sa.Column("header_line", sa.Integer(), nullable=False),
        sa.Column("end_user_id", sa.Text(), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_memory_import"),
    )
    op.create_index("ix_memory_import_database_id", "memory_import", ["database_id"])
    op.create_table(
        "memory_item",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.Column("embedding", sa.String(length=300), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("message_ids", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=False),
        sa.Column("superseded_by", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_memory_item"),
    )
    op.create_index("ix_memory_item_conversation_id", "memory_item", ["conversation_id"])
    op.create_index(
        "ix_memory_item_holder", "memory_item", ["agent_id", "end_user_id", "connector_id", "side"]
    )
    op.create_table(
        "memory_opt_out",
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "agent_id", "side", "connector_id", "end_user_id", name="pk_memory_opt_out"
        ),
    )
    op.create_table(
        "memory_variable",
        sa.Column("owner_kind", sa.String(length=8), nullable=False),
        sa.Column("owner_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("keyword", sa.String(length=100), nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "owner_kind",
            "owner_id",
            "side",
            "connector_id",
            "end_user_id",
            "keyword",
            name="pk_memory_variable",
        ),
    )
    op.create_table(
        "message",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("section_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column("agent_id", sa.BigInteger(), nullable=True),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("parts", sa.Text(), nullable=False),
        sa.Column("is_text", sa.Boolean(), nullable=False),
        sa.Column("reasoning", sa.Text(), nullable=False),
        sa.Column("finish_reason", sa.String(length=32), nullable=False),
        sa.Column("tool_calls", sa.Text(), nullable=False),
        sa.Column("tool_call_id", sa.String(length=256), nullable=False),
        sa.Column("tool_error", sa.Boolean(), nullable=False),
        sa.Column("meta", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("citations", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_message"),
    )
    op.create_index("ix_message_conversation_id_id", "message", ["conversation_id", "id"])
    op.create_index("ix_message_conversation_id_seq", "message", ["conversation_id", "seq"])
    op.create_index("ix_message_run_id_seq", "message", ["run_id", "seq"])
    op.create_table(
        "model_call",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("call_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("provider", sa.String(length=50), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_tokens", sa.BigInteger(), nullable=False),
        sa.Column("reasoning_tokens", sa.BigInteger(), nullable=False),
        sa.Column("is_estimated", sa.Boolean(), nullable=False),
        sa.Column("outcome", sa.String(length=10), nullable=False),
        sa.Column("finish_reason", sa.String(length=20), nullable=False),
        sa.Column("error", sa.String(length=300), nullable=False),
        sa.Column("first_token_ms", sa.Integer(), nullable=True),
        sa.Column("total_ms", sa.Integer(), nullable=False),
        sa.Column(
            "cost",
            sa.Numeric(precision=20, scale=8).with_variant(sa.String(length=32), "sqlite"),
            nullable=False,
        ),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("run_id", "call_no", name="pk_model_call"),
    )
    op.create_index("ix_model_call_space_id_ended_at", "model_call", ["space_id", "ended_at"])
    op.create_table(
        "model_entry",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("type", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("sealed_key", sa.LargeBinary(), nullable=False),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.Column("is_vision_default", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_model_entry"),
        sa.UniqueConstraint("name", name="uq_model_entry_name"),
    )
    op.create_table(
        "named_conversation",
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(256), nullable=False),
        sa.Column("name", sa.String(256), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("is_fixed", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "space_id",
            "owner_id",
            "creator_id",
            "end_user_id",
            "name",
            name="pk_named_conversation",
        ),
    )
    op.create_index(
        "ix_named_conversation_conversation_id", "named_conversation", ["conversation_id"]
    )
    op.create_table(
        "outbox",
        sa.Column(
            "position",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("event_id", sa.String(length=32), nullable=False),
        sa.Column("topic", sa.String(length=100), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=True),
        sa.Column("relay_until", sa.BigInteger(), nullable=True),
        sa.Column("relayed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("position", name="pk_outbox"),
        sa.UniqueConstraint("event_id", name="uq_outbox_event_id"),
    )
    op.create_index("ix_outbox_published_at", "outbox", ["published_at"])
    op.create_index(
        "ix_outbox_unpublished",
        "outbox",
        ["position"],
        sqlite_where=sa.text("published_at IS NULL"),
        postgresql_where=sa.text("published_at IS NULL"),
    )
    op.create_index(
        "ix_outbox_unrelayed",
        "outbox",
        ["position"],
        sqlite_where=sa.text("relayed_at IS NULL"),
        postgresql_where=sa.text("relayed_at IS NULL"),
    )
    op.create_table(
        "plugin",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("app_id", sa.BigInteger(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("sealed_secrets", sa.LargeBinary(), nullable=False),
        sa.Column("latest_version", sa.String(length=24), nullable=False),
        sa.Column("is_draft_changed", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plugin"),
    )
    op.create_index("ix_plugin_space_id_id", "plugin", ["space_id", "id"])
    op.create_table(
        "plugin_grant",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("plugin_id", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.String(length=300), nullable=False),
        sa.Column("sealed_tokens", sa.LargeBinary(), nullable=False),
        sa.Column("refresh_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plugin_grant"),
    )
    op.create_index(
        "ix_plugin_grant_plugin_id_holder", "plugin_grant", ["plugin_id", "holder"], unique=True
    )
    op.create_table(
        "plugin_hosts",
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("hosts", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("space_id", name="pk_plugin_hosts"),
    )
    op.create_table(
        "plugin_pending_grant",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("plugin_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.String(length=300), nullable=False),
        sa.Column("sealed_verifier", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_plugin_pending_grant"),
    )
    op.create_index("ix_plugin_pending_grant_expires_at", "plugin_pending_grant", ["expires_at"])
    op.create_table(
        "plugin_tool",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("plugin_id", sa.BigInteger(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("is_checked", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plugin_tool"),
    )
    op.create_index("ix_plugin_tool_plugin_id_id", "plugin_tool", ["plugin_id", "id"])
    op.create_table(
        "plugin_version",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("plugin_id", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.String(length=24), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("tool_count", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plugin_version"),
    )
    op.create_index(
        "ix_plugin_version_plugin_id_label", "plugin_version", ["plugin_id", "label"], unique=True
    )
    op.create_table(
        "plugin_version_tool",
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("tool_id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("version_id", "tool_id", name="pk_plugin_version_tool"),
    )
    op.create_table(
        "prompt",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_prompt"),
    )
    op.create_index("ix_prompt_space_id_id", "prompt", ["space_id", "id"])
    op.create_table(
        "run",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("section_id", sa.BigInteger(), nullable=False),
        sa.Column("agent_id", sa.BigInteger(), nullable=False),
        sa.Column("agent_version", sa.String(length=64), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), nullable=False),
        sa.Column("question_id", sa.BigInteger(), nullable=True),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("meta", sa.Text(), nullable=False),
        sa.Column("inserted_message_ids", sa.Text(), nullable=False),
        sa.Column("replaces_run_id", sa.BigInteger(), nullable=True),
        sa.Column("is_saved", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lease_owner", sa.String(length=64), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("cancel_requested_at", sa.BigInteger(), nullable=True),
        sa.Column("cancel_reason", sa.String(length=32), nullable=False),
        sa.Column("usage", sa.Text(), nullable=False),
        sa.Column("finish_reason", sa.String(length=32), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("first_token_at", sa.BigInteger(), nullable=True),
        sa.Column("completed_at", sa.BigInteger(), nullable=True),
        sa.Column("failed_at", sa.BigInteger(), nullable=True),
        sa.Column("canceled_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("workflow_run_id", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("waits_for", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_run"),
    )
    op.create_index("ix_run_conversation_id_section_id", "run", ["conversation_id", "section_id"])
    op.create_index("ix_run_space_id_id", "run", ["space_id", "id"])
    op.create_index("ix_run_status_lease_until", "run", ["status", "lease_until"])
    op.create_index(
        "uq_run_active",
        "run",
        ["conversation_id"],
        unique=True,
        sqlite_where=sa.text("status IN ('created', 'in_progress') AND phase <> 'finishing'"),
        postgresql_where=sa.text("status IN ('created', 'in_progress') AND phase <> 'finishing'"),
    )
    op.create_table(
        "run_event",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("first_seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "first_seq", name="pk_run_event"),
    )
    op.create_index("ix_run_event_created_at", "run_event", ["created_at"])
    op.create_table(
        "run_idempotency",
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("principal_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("space_id", "principal_id", "key", name="pk_run_idempotency"),
    )
    op.create_index("ix_run_idempotency_created_at", "run_idempotency", ["created_at"])
    op.create_table(
        "section_agent",
        sa.Column("section_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("agent_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("section_id", "agent_id", name="pk_section_agent"),
    )
    op.create_index("ix_section_agent_conversation_id", "section_agent", ["conversation_id"])
    op.create_table(
        "section_summary",
        sa.Column("section_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("upto_seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("basis", sa.String(length=64), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("section_id", name="pk_section_summary"),
    )
    op.create_index("ix_section_summary_conversation_id", "section_summary", ["conversation_id"])
    op.create_table(
        "space",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_url", sa.String(length=2000), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_space"),
    )
    op.create_table(
        "transfer",
        sa.Column("origin", sa.String(length=64), nullable=False),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("origin", name="pk_transfer"),
    )
    op.create_table(
        "transfer_step",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("cursor", sa.LargeBinary(), nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_transfer_step"),
    )
    op.create_table(
        "user_account",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("name_key", sa.String(length=20), nullable=False),
        sa.Column("nickname", sa.String(length=50), nullable=False),
        sa.Column("avatar_url", sa.String(length=2000), nullable=False),
        sa.Column("personal_space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("is_admin", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("disabled_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_user_account"),
        sa.UniqueConstraint("name_key", name="uq_user_account_name_key"),
    )
    op.create_table(
        "workflow",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("icon_file_id", sa.BigInteger(), autoincrement=False, nullable=True),
        sa.Column("mode", sa.SmallInteger(), nullable=False),
        sa.Column("app_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("draft_digest", sa.String(length=64), nullable=False),
        sa.Column("draft_dialect", sa.String(length=16), nullable=False),
        sa.Column("draft_size", sa.Integer(), nullable=False),
        sa.Column("draft_revision", sa.Integer(), nullable=False),
        sa.Column("tested", sa.String(length=64), nullable=False),
        sa.Column("latest_version", sa.String(length=24), nullable=False),
        sa.Column("published_digest", sa.String(length=64), nullable=False),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workflow"),
    )
    op.create_index("ix_workflow_space_id_updated_at", "workflow", ["space_id", "updated_at"])
    op.create_table(
        "workflow_canvas",
        sa.Column("workflow_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("workflow_id", "digest", name="pk_workflow_canvas"),
    )
    op.create_table(
        "workflow_reference",
        sa.Column("workflow_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("callee_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.String(length=24), nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint(
            "workflow_id", "source", "callee_id", "version", name="pk_workflow_reference"
        ),
    )
    op.create_index(
        "ix_workflow_reference_space_id_callee_id", "workflow_reference", ["space_id", "callee_id"]
    )
    op.create_table(
        "workflow_run",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("workflow_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("version_hash", sa.String(length=200), nullable=False),
        sa.Column("canvas_digest", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("mode", sa.SmallInteger(), nullable=False),
        sa.Column("node_id", sa.String(length=200), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), nullable=False),
        sa.Column("end_user_id", sa.String(length=256), nullable=False),
        sa.Column("connector_id", sa.BigInteger(), nullable=False),
        sa.Column("app_id", sa.BigInteger(), nullable=False),
        sa.Column("agent_id", sa.BigInteger(), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("log_id", sa.String(length=64), nullable=False),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("answers", sa.Boolean(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("output", sa.Text(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.Column("pending", sa.Text(), nullable=False),
        sa.Column("executed", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("lease_owner", sa.String(length=32), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("deadline_at", sa.BigInteger(), nullable=True),
        sa.Column("remaining_s", sa.Float(precision=53), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("cancel_requested_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("purged_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("egress_hosts", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_workflow_run"),
    )
    op.create_index(
        "ix_workflow_run_canvas_digest",
        "workflow_run",
        ["canvas_digest"],
        sqlite_where=sa.text("canvas_digest <> ''"),
        postgresql_where=sa.text("canvas_digest <> ''"),
    )
    op.create_index(
        "ix_workflow_run_expires_at",
        "workflow_run",
        ["expires_at"],
        sqlite_where=sa.text("expires_at IS NOT NULL"),
        postgresql_where=sa.text("expires_at IS NOT NULL"),
    )
    op.create_index(
        "ix_workflow_run_finished_at",
        "workflow_run",
        ["finished_at"],
        sqlite_where=sa.text("purged_at IS NULL"),
        postgresql_where=sa.text("purged_at IS NULL"),
    )
    op.create_index(
        "ix_workflow_run_live",
        "workflow_run",
        ["lease_until"],
        sqlite_where=sa.text("phase IN ('created', 'running')"),
        postgresql_where=sa.text("phase IN ('created', 'running')"),
    )
    op.create_index("ix_workflow_run_workflow_id_id", "workflow_run", ["workflow_id", "id"])
    op.create_table(
        "workflow_run_canvas",
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("dialect", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("space_id", "digest", name="pk_workflow_run_canvas"),
    )
    op.create_table(
        "workflow_run_log",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("entries_after", sa.BigInteger(), nullable=False),
        sa.Column("entries_to", sa.BigInteger(), nullable=False),
        sa.Column("entries", sa.LargeBinary(), nullable=False),
        sa.Column("first_seq", sa.BigInteger(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "number", name="pk_workflow_run_log"),
    )
    op.create_table(
        "workflow_run_request",
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("creator_id", "key", name="pk_workflow_run_request"),
    )
    op.create_index("ix_workflow_run_request_run_id", "workflow_run_request", ["run_id"])
    op.create_table(
        "workflow_run_state",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_workflow_run_state"),
    )
    op.create_table(
        "workflow_version",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("workflow_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("label", sa.String(length=24), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("creator_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("canvas_digest", sa.String(length=64), nullable=False),
        sa.Column("canvas_dialect", sa.String(length=16), nullable=False),
        sa.Column("canvas_size", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workflow_version"),
    )
    op.create_index(
        "ix_workflow_version_workflow_id_label",
        "workflow_version",
        ["workflow_id", "label"],
        unique=True,
    )

"""Tables of rebuilds, copies, previews and the embedding cache."""

from typing import Final

import sqlalchemy as sa

from domain.knowledge.copying import DatasetCopy
from domain.knowledge.preview import Preview
from domain.knowledge.rebuild import Rebuild
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper

_REASON: Final = sa.String(500)
_OWNER: Final = sa.String(32)

REBUILDS: Final = RowMapper(
    Rebuild,
    "knowledge_rebuild",
    sa.Index("ix_knowledge_rebuild_dataset_id", "dataset_id"),
    sa.Index("ix_knowledge_rebuild_state_next_run_at", "state", "next_run_at"),
    columns={"old_collection": sa.String(64), "last_error": _REASON, "lease_owner": _OWNER},
)
COPIES: Final = RowMapper(
    DatasetCopy,
    "knowledge_copy",
    sa.Index("ix_knowledge_copy_space_id_request_key", "space_id", "request_key", unique=True),
    sa.Index("ix_knowledge_copy_status_next_run_at", "status", "next_run_at"),
    columns={"request_key": sa.String(128), "last_error": _REASON, "lease_owner": _OWNER},
    names={"state": "status"},
)
PREVIEWS: Final = RowMapper(
    Preview,
    "knowledge_preview",
    sa.Index("ix_knowledge_preview_state_next_run_at", "state", "next_run_at"),
    sa.Index("ix_knowledge_preview_expires_at", "expires_at"),
    columns={
        "name": sa.String(255),
        "extension": sa.String(16),
        "size": sa.BigInteger,
        "content_hash": sa.String(64),
        "fail_reason": _REASON,
        "lease_owner": _OWNER,
    },
    names={"last_error_code": "fail_code", "last_error": "fail_reason"},
    omitted=["finished_at"],
)
rebuilds: Final = REBUILDS.table
copies: Final = COPIES.table
previews: Final = PREVIEWS.table

embeddings: Final = sa.Table(
    "knowledge_embedding",
    metadata,
    id_column("space_id", primary_key=True),
    sa.Column("model", sa.String(200), primary_key=True),
    sa.Column("text_hash", sa.String(64), primary_key=True),
    sa.Column("vector", sa.LargeBinary, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index("ix_knowledge_embedding_created_at", "created_at"),
)
PERSONAL.keep(OF_THE_WORKSPACE, copies, previews, rebuilds)

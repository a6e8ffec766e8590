"""Tables of the agent context."""

from typing import Final

import sqlalchemy as sa

from domain.agent.entity import Agent, AgentVersion, Publication
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenant_rows import InSpaces, in_spaces

LABEL_CHARS: Final = 20
_NAME: Final = sa.String(200)

AGENTS: Final = RowMapper(
    Agent,
    "agent",
    sa.Index(None, "space_id", "updated_at"),
    sa.Index(None, "space_id", "alias", unique=True),
    columns={
        "name": _NAME,
        "last_version": sa.BigInteger,
        "alias": _NAME,
        "trace_capture": sa.String(10),
    },
)
VERSIONS: Final = RowMapper(
    AgentVersion,
    "agent_version",
    sa.Index(None, "agent_id", "label", unique=True),
    flat={"content": ""},
    names={"content.version": "label"},
    columns={"label": sa.String(LABEL_CHARS), "name": _NAME},
)
PUBLICATIONS: Final = RowMapper(
    Publication,
    "agent_publication",
    key=("agent_id", "connector_id"),
    columns={"connector_id": sa.BigInteger, "version": sa.String(LABEL_CHARS)},
)
agents: Final = AGENTS.table
versions: Final = VERSIONS.table
publications: Final = PUBLICATIONS.table
displays: Final = sa.Table(
    "agent_display",
    metadata,
    id_column("agent_id", primary_key=True),
    id_column("space_id", nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
)
visible: Final = in_spaces(agents)
deleted: Final = InSpaces(agents, agents.c.deleted_at.is_not(None))
PERSONAL.keep(OF_THE_WORKSPACE, agents, versions)

"""Tables of files and of idempotency keys of uploads."""

from typing import Final

import sqlalchemy as sa

from domain.file.entity import File, FileStatus
from domain.privacy.value import Aging, Section
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenancy import TENANCY

FILES: Final = RowMapper(
    File,
    "file",
    sa.Index("ix_file_space_id_created_at", "space_id", "created_at"),
    sa.Index("ix_file_status_created_at", "status", "created_at"),
    sa.Index("ix_file_expires_at", "expires_at"),
    flat={"object_key": ""},
    names={"object_key.value": "object_key"},
    columns={
        "end_user_id": sa.String(256),
        "name": sa.String(255),
        "object_key": sa.Column(sa.String(512), unique=True),
        "media_type": sa.String(128),
        "size": sa.BigInteger,
        "sha256": sa.String(64),
        "purpose": sa.Column(sa.String(16), server_default=""),
    },
)
files: Final = FILES.table

upload_keys: Final = sa.Table(
    "file_upload_key",
    metadata,
    id_column("principal_id", primary_key=True),
    sa.Column("key", sa.String(255), primary_key=True),
    sa.Column("file_id", sa.BigInteger, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index("ix_file_upload_key_created_at", "created_at"),
)
TENANCY.through(upload_keys.c.file_id, files.c.id)
TENANCY.keep_objects(files.c.object_key)
PERSONAL.add(
    PersonalTable(
        table=files,
        section=Section.FILES,
        end_user=(files.c.end_user_id,),
        account=files.c.creator_id,
        objects=files.c.object_key,
        aging=Aging.FILES,
        since=files.c.created_at,
        is_over=files.c.status == FileStatus.READY,
    )
)
PERSONAL.add(
    PersonalTable(
        table=upload_keys,
        section=Section.ACCESS,
        through=((upload_keys.c.file_id, files.c.id),),
        is_shown=False,
    )
)

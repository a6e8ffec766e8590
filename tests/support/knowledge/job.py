"""Work on documents as tests need it to stand."""

from datetime import timedelta

import sqlalchemy as sa

from domain.knowledge.job import JobState
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.knowledge.table import documents, jobs


async def put_off(database: Database, job_id: int) -> None:
    """Have a job that failed wait for another try, which is a day away."""
    async with database.write() as connection:
        row = (await connection.execute(sa.select(jobs).where(jobs.c.id == job_id))).one()
        later = {"state": JobState.WAITING, "next_run_at": row.created_at + timedelta(days=1)}
        await connection.execute(sa.update(jobs).where(jobs.c.id == job_id).values(**later))
        await connection.execute(
            sa.update(documents)
            .where(documents.c.id == row.document_id)
            .values(pending_generation=row.generation)
        )
        await connection.commit()

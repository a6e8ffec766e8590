"""Leases of workflow runs whose process is dead."""

from tests.support.service.postgres import PostgresServer


def end_leases(postgres: PostgresServer, *, database: str) -> None:
    """Let the others have what a dead process held, now instead of later."""
    postgres.execute(
        "UPDATE workflow_run SET lease_until = 1 WHERE phase = 'running'", database=database
    )

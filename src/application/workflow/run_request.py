"""Requests that are repeated: the same key gives the same run."""

import hashlib

import msgspec

from application.workflow.run_dto import StartWorkflow
from domain.shared.access import TenantScope
from domain.shared.error import InvalidRequest, StaleRevision
from domain.workflow.run.repository import WorkflowRunStore
from domain.workflow.run.workflow_run import WorkflowRun


class RunRequests:
    """Remembers which run belongs to an idempotency key of a caller."""

    def __init__(self, *, store: WorkflowRunStore) -> None:
        self._store = store

    async def admit(
        self, scope: TenantScope, run: WorkflowRun, command: StartWorkflow
    ) -> WorkflowRun | None:
        """Store the run together with its key, or return the run that the key stands for.

        Raises:
            InvalidRequest: the key came with another request (4000).
        """
        key = command.idempotency_key
        if not key:
            return None
        digest = _digest(command)
        known = await self._find(scope, key, digest)
        if known is not None:
            return known
        try:
            async with self._store.transaction() as uow:
                await uow.runs.save(scope, run)
                await uow.runs.remember_request(scope, run, key, digest)
                await uow.commit()
        except StaleRevision:  # somebody was faster with the same key
            return await self._find(scope, key, digest)
        return None

    async def _find(self, scope: TenantScope, key: str, digest: str) -> WorkflowRun | None:
        async with self._store.snapshot() as uow:
            found = await uow.runs.find_request(scope, key)
        if found is None:
            return None
        if found[1] != digest:
            raise InvalidRequest(
                "Idempotency-Key: this key came with another request before.",
                field="Idempotency-Key",
            )
        return found[0]


def _digest(command: StartWorkflow) -> str:
    said = (
        command.workflow_id,
        command.version,
        command.is_draft,
        command.mode.value,
        command.app_id,
        command.agent_id,
        command.parameters,
    )
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()

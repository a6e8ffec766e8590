"""Inputs of test runs under a name: kept, listed, removed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from application.workflow.definition.access import permitted_workflow
from application.workflow.definition.dto import Creator
from crossdomain.identity.contract import People
from domain.shared.access import Permission, Principal
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import Id
from domain.shared.limits import Limits
from domain.workflow.definition.error import TooManySavedInputs
from domain.workflow.definition.repository import WorkflowStore
from domain.workflow.definition.saved_input import SavedInput, SavedInputId
from infra.contract.clock import Clock


class SaveInput(msgspec.Struct, frozen=True, kw_only=True):
    """Keep this under that name; ``is_shared`` lets everybody use it who may read the workflow."""

    workflow_id: int
    name: str
    is_shared: bool = False
    inputs: Mapping[str, Any] = {}
    mocks: Mapping[str, Mapping[str, Any]] = {}


class SavedInputView(msgspec.Struct, frozen=True, kw_only=True):
    """Inputs under a name; ``is_own`` tells whether the reader made them."""

    id: Id
    name: str
    is_shared: bool
    is_own: bool
    creator: Creator
    inputs: dict[str, Any]
    mocks: dict[str, dict[str, Any]]
    updated_at: datetime


class SavedInputService:
    """What people try a workflow with again and again."""

    def __init__(
        self,
        *,
        store: WorkflowStore,
        people: People,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._store = store
        self._people = people
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def list(self, principal: Principal, workflow_id: int) -> Sequence[SavedInputView]:
        """Return one's own and those that are shared, by name; raise ``WorkflowNotFound``."""
        async with self._store.snapshot() as uow:
            workflow = await permitted_workflow(
                uow, principal, workflow_id, Permission.WORKFLOW_READ
            )
            found = await uow.saved_inputs.of(principal.scope, workflow.id, principal.user_id)
        return await self._views(principal, found)

    async def save(self, principal: Principal, command: SaveInput) -> SavedInputView:
        """Keep inputs; one's own of the same name are replaced.

        Raises:
            WorkflowNotFound: no such workflow.
            WorkflowInvalid: the name is not valid, or they are too large.
            TooManySavedInputs: somebody keeps as many as one person may.
        """
        async with self._store.transaction() as uow:
            workflow = await permitted_workflow(
                uow, principal, command.workflow_id, Permission.WORKFLOW_WRITE
            )
            saved = SavedInput.create(
                SavedInputId(self._ids.next_id()),
                space_id=workflow.space_id,
                workflow_id=workflow.id,
                creator_id=principal.user_id,
                name=command.name,
                is_shared=command.is_shared,
                inputs=command.inputs,
                mocks=command.mocks,
                limits=self._limits,
                now=self._clock.now(),
            )
            known = await uow.saved_inputs.of(principal.scope, workflow.id, principal.user_id)
            own = {each.name for each in known if each.creator_id == principal.user_id}
            most = self._limits.workflow_saved_inputs
            if saved.name not in own and len(own) >= most:
                raise TooManySavedInputs(
                    f"You keep {most} inputs of this workflow already; delete one first."
                )
            await uow.saved_inputs.put(principal.scope, saved)
            await uow.commit()
        (view,) = await self._views(principal, [saved])
        return view

    async def delete(self, principal: Principal, workflow_id: int, saved_id: int) -> None:
        """Remove inputs that are one's own or shared.

        Raises:
            WorkflowNotFound: no such workflow.
            SavedInputNotFound: it has none of this id that one may use.
        """
        async with self._store.transaction() as uow:
            workflow = await permitted_workflow(
                uow, principal, workflow_id, Permission.WORKFLOW_WRITE
            )
            await uow.saved_inputs.delete(
                principal.scope, workflow.id, SavedInputId(saved_id), principal.user_id
            )
            await uow.commit()

    async def _views(
        self, principal: Principal, found: Sequence[SavedInput]
    ) -> Sequence[SavedInputView]:
        names = await self._people.names([each.creator_id for each in found])
        return [
            SavedInputView(
                id=each.id,
                name=each.name,
                is_shared=each.is_shared,
                is_own=each.creator_id == principal.user_id,
                creator=Creator(id=each.creator_id, name=names.get(each.creator_id, "")),
                inputs=each.inputs,
                mocks=each.mocks,
                updated_at=each.updated_at,
            )
            for each in found
        ]

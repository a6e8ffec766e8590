"""Long-term memories on the admin surface: shown, corrected, deleted, and switched off by users."""

from typing import Final

import msgspec
from litestar import Controller, delete, get, patch, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT

from api.admin.agent.variable import WHOSE
from api.shape import IdOrEmpty, Shape
from api.wire import required_id
from application.memory.recollection_service import RecollectionService, RecollectionView
from application.memory.variable_service import VariableQuery
from application.shared.page import Listed
from domain.shared.access import Principal

_PATH: Final = "/agents/{agent_id:str}/users/{connector_uid:str}"


class MemoryItem(Shape, of=RecollectionView):
    """One memory; ids are empty where the source is unknown.

    ``kind`` is fact, preference, event or episode, ``origin`` model or person; times are Unix
    seconds.
    """

    conversation_id: IdOrEmpty
    run_id: IdOrEmpty


class MemoryItemList(Listed[MemoryItem]):
    """Everything that is remembered of an end user."""


class PatchMemoryBody(msgspec.Struct, frozen=True, kw_only=True):
    """A correction; what is left out stays."""

    text: str | None = None
    importance: float | None = None


class MemoryConsent(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the end user wants to be remembered."""

    enabled: bool


class AdminRecollectionController(Controller):
    """What agents remember of their end users beyond conversations."""

    path = "/admin/v1"
    dependencies = WHOSE

    @get(f"{_PATH}/memories", operation_id="admin.memories.list")
    async def items(
        self,
        *,
        principal: NamedDependency[Principal],
        recollections: NamedDependency[RecollectionService],
        whose: NamedDependency[VariableQuery],
    ) -> MemoryItemList:
        """List what an agent remembers of one end user, newest first."""
        found = await recollections.list(principal, whose)
        return MemoryItemList(items=MemoryItem.each(found), total=len(found))

    @patch(f"{_PATH}/memories/{{memory_id:str}}", operation_id="admin.memories.update")
    async def correct(
        self,
        *,
        data: JSONBody[PatchMemoryBody],
        principal: NamedDependency[Principal],
        recollections: NamedDependency[RecollectionService],
        whose: NamedDependency[VariableQuery],
        memory_id: FromPath[str],
    ) -> MemoryItem:
        """Correct a memory; likenesses that a model finds later do not replace it."""
        changed = await recollections.correct(
            principal,
            whose,
            required_id(memory_id, field="memory_id"),
            text=data.text,
            importance=data.importance,
        )
        return MemoryItem.of(changed)

    @delete(
        f"{_PATH}/memories/{{memory_id:str}}",
        operation_id="admin.memories.delete",
        status_code=HTTP_204_NO_CONTENT,
    )
    async def forget(
        self,
        *,
        principal: NamedDependency[Principal],
        recollections: NamedDependency[RecollectionService],
        whose: NamedDependency[VariableQuery],
        memory_id: FromPath[str],
    ) -> None:
        """Delete one memory."""
        await recollections.forget(principal, whose, required_id(memory_id, field="memory_id"))

    @delete(
        f"{_PATH}/memories",
        operation_id="admin.memories.clear",
        status_code=HTTP_204_NO_CONTENT,
    )
    async def forget_all(
        self,
        *,
        principal: NamedDependency[Principal],
        recollections: NamedDependency[RecollectionService],
        whose: NamedDependency[VariableQuery],
    ) -> None:
        """Delete everything that an agent remembers of one end user."""
        await recollections.forget(principal, whose)

    @get(f"{_PATH}/memory-consent", operation_id="admin.memories.get_consent")
    async def consent(
        self,
        *,
        principal: NamedDependency[Principal],
        recollections: NamedDependency[RecollectionService],
        whose: NamedDependency[VariableQuery],
    ) -> MemoryConsent:
        """Tell whether one end user wants to be remembered."""
        return MemoryConsent(enabled=await recollections.is_enabled(principal, whose))

    @put(f"{_PATH}/memory-consent", operation_id="admin.memories.set_consent")
    async def consents(
        self,
        *,
        data: JSONBody[MemoryConsent],
        principal: NamedDependency[Principal],
        recollections: NamedDependency[RecollectionService],
        whose: NamedDependency[VariableQuery],
    ) -> MemoryConsent:
        """Switch remembering of one end user off or on; memories stay until they are deleted."""
        await recollections.enable(principal, whose, is_enabled=data.enabled)
        return data

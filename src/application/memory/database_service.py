"""Use cases on definitions of database tables."""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from application.memory.bound import BoundDatabases
from application.memory.dto import (
    ChangeDatabase,
    CreateDatabase,
    DatabasePage,
    DatabaseView,
    row_mode_of,
)
from crossdomain.agent.contract import AgentDirectory
from crossdomain.file.contract import Files
from domain.memory.database import Conversion, DatabaseId, DatabaseTable, Field, Side
from domain.memory.error import RecordInvalid
from domain.memory.event import DatabaseDeleted
from domain.memory.record import MAX_CELL, fitted
from domain.memory.repository import MemoryStore, MemoryUnitOfWork
from domain.shared.access import Permission, Principal, ResourceKind
from domain.shared.error import NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, FileId, SpaceId
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Delivery
from infra.contract.table.change import ChangingTableStore
from infra.contract.table.sql_guard import Scalar
from infra.contract.table.store import TableRef

_NAMED_CELLS: Final = 20


class DatabaseService:
    """Makes, changes and removes tables, and binds them to agents.

    Rows live in another engine than definitions: what the definition names is there before it is
    committed, and what it no longer names goes afterwards, so that a crash leaves no gap.
    """

    def __init__(
        self,
        *,
        store: MemoryStore,
        tables: ChangingTableStore,
        agents: AgentDirectory,
        files: Files,
        bound: BoundDatabases,
        clock: Clock,
        ids: IdGenerator,
    ) -> None:
        self._store = store
        self._bound = bound
        self._tables = tables
        self._agents = agents
        self._files = files
        self._clock = clock
        self._ids = ids

    async def create(self, principal: Principal, command: CreateDatabase) -> DatabaseView:
        """Make a table with two empty sides; raise ``DatabaseInvalid``, ``DatabaseNameTaken``."""
        space_id = SpaceId(command.space_id)
        principal.require(Permission.DATASET_WRITE, space_id)
        await self._check_icon(principal, command.icon_file_id)
        table = DatabaseTable.create(
            DatabaseId(self._ids.next_id()),
            space_id=space_id,
            creator_id=principal.user_id,
            name=command.name,
            description=command.description,
            icon_file_id=_file(command.icon_file_id),
            app_id=command.app_id,
            row_mode=row_mode_of(command.row_mode),
            is_prompt_disabled=command.is_prompt_disabled,
            fields=[each.spec() for each in command.fields],
            now=self._clock.now(),
        )
        for side in Side:
            await self._tables.create(table.physical(side))
        try:
            async with self._store.transaction() as uow:
                await uow.databases.save(principal.scope, table)
                await uow.commit()
        except Exception:
            for side in Side:
                await self._tables.drop(table.ref(side))
            raise
        return DatabaseView.of(table)

    async def get(self, principal: Principal, database_id: int) -> DatabaseView:
        """Return a table; raise ``DatabaseNotFound``."""
        async with self._store.snapshot() as uow:
            table = await permitted(uow, principal, database_id, Permission.DATASET_READ)
            agents = await uow.databases.agents_of(principal.scope, [table.id])
        return DatabaseView.of(table, agent_ids=tuple(agents.get(table.id, ())))

    async def agents(self, principal: Principal, database_id: int) -> dict[AgentId, str]:
        """Return the names of the agents that have a table as a tool."""
        async with self._store.snapshot() as uow:
            table = await permitted(uow, principal, database_id, Permission.DATASET_READ)
            bound = await uow.databases.agents_of(principal.scope, [table.id])
        agents = bound.get(table.id, ())
        return await self._agents.names(principal.scope.within(table.space_id), agents)

    async def page(
        self,
        principal: Principal,
        space_id: int,
        *,
        text: str = "",
        after_id: int | None = None,
        limit: int,
    ) -> DatabasePage:
        """Return the tables of a space, the youngest first."""
        scope = principal.listing(ResourceKind.DATABASE, Permission.DATASET_READ, SpaceId(space_id))
        async with self._store.snapshot() as uow:
            found, total = await uow.databases.page(
                scope,
                text=text,
                after_id=None if after_id is None else DatabaseId(after_id),
                limit=limit + 1,
            )
            listed = found[:limit]
            agents = await uow.databases.agents_of(scope, [each.id for each in listed])
        return DatabasePage(
            items=tuple(
                DatabaseView.of(each, agent_ids=tuple(agents.get(each.id, ()))) for each in listed
            ),
            total=total,
            has_more=len(found) > limit,
        )

    async def change(self, principal: Principal, command: ChangeDatabase) -> DatabaseView:
        """Change a definition and, with its fields, both tables of rows.

        A field may change its type only if every cell converts.

        Raises:
            DatabaseNotFound: no such table.
            DatabaseInvalid, FieldUnknown, DatabaseNameTaken: what the definition cannot be.
            RecordInvalid: a cell does not convert; nothing was changed.
            StaleRevision: somebody else changed the table meanwhile.
        """
        icon = command.icon_file_id
        await self._check_icon(principal, None if icon is UNSET else icon)
        async with self._store.snapshot() as uow:
            table = await permitted(uow, principal, command.database_id, Permission.DATASET_WRITE)
        principal.require(Permission.DATASET_READ, table.space_id)  # the answer shows it all
        table.expect_revision(command.expected_revision)
        now = self._clock.now()
        table.describe(
            name=table.name if command.name is UNSET else command.name,
            description=table.description if command.description is UNSET else command.description,
            icon_file_id=table.icon_file_id if icon is UNSET else _file(icon),
            row_mode=table.row_mode if command.row_mode is UNSET else row_mode_of(command.row_mode),
            is_prompt_disabled=table.is_prompt_disabled
            if command.is_prompt_disabled is UNSET
            else command.is_prompt_disabled,
            actor_id=principal.user_id,
            now=now,
        )
        before, shapes = table.fields, [table.physical(side) for side in Side]
        if command.fields is not UNSET:
            conversions = table.reshape(
                [each.spec() for each in command.fields], actor_id=principal.user_id, now=now
            )
            try:
                for side in Side:
                    await self._tables.reshape(table.physical(side, extra=before))
                    await self._convert(table.ref(side), conversions)
            except RecordInvalid:
                for shape in shapes:
                    await self._tables.reshape(shape)
                raise
        async with self._store.transaction() as uow:
            await uow.databases.save(principal.scope, table)
            await uow.commit()
        self._bound.forget()
        if before != table.fields:
            for side in Side:
                await self._tables.reshape(table.physical(side))
        return await self.get(principal, table.id)

    async def delete(self, principal: Principal, database_id: int) -> None:
        """Remove a table; its rows go in the background."""
        async with self._store.transaction() as uow:
            table = await permitted(uow, principal, database_id, Permission.DATASET_WRITE)
            table.delete(actor_id=principal.user_id, now=self._clock.now())
            await uow.databases.save(principal.scope, table)
            await uow.commit()
        self._bound.forget()

    async def drop_rows(self, delivery: Delivery) -> None:
        """Remove the rows of a table that was deleted; repeating it changes nothing."""
        event = msgspec.json.decode(delivery.payload, type=DatabaseDeleted)
        for side in Side:
            name = f"db_{event.aggregate_id:d}_{side.value}"
            await self._tables.drop(TableRef(event.space_id, name))

    async def bind(self, principal: Principal, database_id: int, agent_id: int) -> None:
        """Give an agent of the same space a table as a tool."""
        async with self._store.transaction() as uow:
            table = await permitted(uow, principal, database_id, Permission.AGENT_WRITE)
            principal.require(Permission.DATASET_READ, table.space_id)  # the agent tells of it
            await self._require_agent(principal, table, agent_id)
            await uow.databases.bind(
                principal.scope, table, AgentId(agent_id), now=self._clock.now()
            )
            await uow.commit()
        self._bound.forget()

    async def unbind(self, principal: Principal, database_id: int, agent_id: int) -> None:
        """Take a table away from an agent."""
        async with self._store.transaction() as uow:
            table = await permitted(uow, principal, database_id, Permission.AGENT_WRITE)
            await self._require_agent(principal, table, agent_id)
            await uow.databases.unbind(principal.scope, table, AgentId(agent_id))
            await uow.commit()
        self._bound.forget()

    async def reset(self, principal: Principal, database_id: int) -> None:
        """Remove all rows of the draft side."""
        async with self._store.snapshot() as uow:
            table = await permitted(uow, principal, database_id, Permission.DATASET_WRITE)
        await self._tables.clear(table.ref(Side.DRAFT))

    async def _convert(self, ref: TableRef, conversions: Sequence[Conversion]) -> None:
        for each in conversions:
            wrong: list[str] = []

            def convert(
                cell: Scalar, after: Field = each.after, wrong: list[str] = wrong
            ) -> Scalar:
                try:
                    return fitted(after, cell)
                except RecordInvalid:
                    wrong.append(repr(str(cell)[:MAX_CELL]))
                    return None

            # The cells stay where they were: the new column goes again if one of them is wrong.
            await self._tables.rewrite(ref, each.before.physical, each.after.physical, convert)
            if wrong:
                raise _no_conversion(each.after, wrong)

    async def _check_icon(self, principal: Principal, file_id: int | None) -> None:
        if file_id is not None:
            await self._files.describe(principal.scope, [FileId(file_id)])

    async def _require_agent(
        self, principal: Principal, table: DatabaseTable, agent_id: int
    ) -> None:
        wanted = AgentId(agent_id)
        is_out = principal.agent_ids is not None and wanted not in principal.agent_ids
        here = principal.scope.within(table.space_id)
        if is_out or wanted not in await self._agents.names(here, [wanted]):
            raise NotFound(f"No agent {agent_id} in the workspace of the table.", agent_id=agent_id)


async def permitted(
    uow: MemoryUnitOfWork, principal: Principal, database_id: int, permission: Permission
) -> DatabaseTable:
    """Return a table the caller may use in this way.

    Raises:
        DatabaseNotFound: it does not exist, or is in a foreign space.
        Forbidden: the permission is missing in the space of the table.
    """
    table = await uow.databases.get(principal.scope, DatabaseId(database_id))
    principal.require(permission, table.space_id)
    return table


def _no_conversion(field: Field, wrong: Sequence[str]) -> RecordInvalid:
    """Name the cells that stand in the way of another type, the first of many."""
    named, more = ", ".join(wrong[:_NAMED_CELLS]), len(wrong) - _NAMED_CELLS
    rest = f" and {more} more" if more > 0 else ""
    return RecordInvalid(
        f"{field.name}: cells that are no {field.type.name.lower()}: {named}{rest}.",
        field=field.name,
    )


def _file(file_id: int | None) -> FileId | None:
    return None if file_id is None else FileId(file_id)

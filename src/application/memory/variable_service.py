"""Use cases on variables of end users."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec

from crossdomain.memory.contract import DeclaredVariables, VariableSource
from domain.memory.database import Side
from domain.memory.error import VariableInvalid
from domain.memory.event import VariablesChanged
from domain.memory.repository import MemoryStore
from domain.memory.variable import (
    CurrentValue,
    Holder,
    Owner,
    OwnerKind,
    changed_list,
    current_values,
    list_text,
    require_list,
    require_writable,
)
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import InvalidRequest, NotFound
from domain.shared.secret import Secret
from infra.contract.clock import Clock

MAX_END_USER_CHARS: Final = 256


class VariableQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Whose variables; exactly one of ``agent_id`` and ``app_id``. No keywords means all."""

    agent_id: int | None = None
    app_id: int | None = None
    connector_id: int
    end_user_id: str
    is_draft: bool = False
    keywords: frozenset[str] | None = None


class VariableView(msgspec.Struct, frozen=True, kw_only=True):
    """A variable and its value; times are Unix seconds, 0 as long as nobody wrote it."""

    keyword: str
    value: str
    create_time: int = 0
    update_time: int = 0


class VariableService:
    """Reads and writes what agents and apps remember of their end users."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        sources: Mapping[OwnerKind, VariableSource],
        clock: Clock,
        master_key: Secret,
    ) -> None:
        self._store = store
        self._sources = sources
        self._clock = clock
        self._key = master_key.reveal().encode()

    async def read(self, principal: Principal, query: VariableQuery) -> list[VariableView]:
        """Return the values of an end user; unknown keywords are left out."""
        holder, declared = await self.permitted(principal, query)
        found = await self.current(principal.scope, holder, declared)
        return [
            _view(each)
            for each in found
            if query.keywords is None or each.declaration.keyword in query.keywords
        ]

    async def write(
        self, principal: Principal, query: VariableQuery, values: Sequence[tuple[str, str]]
    ) -> None:
        """Write all values or none; raise ``VariableInvalid``."""
        holder, declared = await self.permitted(principal, query)
        found = (declared.find(keyword) for keyword, _ in values)
        if principal.end_user_id and any(each and each.is_shared for each in found):
            raise VariableInvalid("Variables of the whole app are not for single users to write.")
        await self.store(principal.scope, holder, declared, values, actor_id=int(principal.user_id))

    async def reset(self, principal: Principal, query: VariableQuery) -> None:
        """Forget what was written, so that the defaults hold again."""
        holder, declared = await self.permitted(principal, query)
        async with self._store.transaction() as uow:
            await uow.variables.remove(principal.scope, holder, query.keywords)
            uow.collect(
                VariablesChanged(
                    occurred_at=self._clock.now(),
                    space_id=declared.space_id,
                    aggregate_id=holder.owner.id,
                    actor_id=int(principal.user_id),
                    keywords=tuple(sorted(query.keywords or ())),
                )
            )
            await uow.commit()

    async def declared(self, scope: TenantScope, holder: Holder) -> DeclaredVariables:
        """Return the declarations that hold for these values; raise ``NotFound``."""
        source = self._sources.get(holder.owner.kind)
        if source is None:
            raise NotFound(f"No {holder.owner.kind.value} {holder.owner.id}.")
        return await source.declared(
            scope,
            holder.owner.id,
            is_draft=holder.side is Side.DRAFT,
            connector_id=holder.connector_id,
        )

    async def current(
        self, scope: TenantScope, holder: Holder, declared: DeclaredVariables
    ) -> list[CurrentValue]:
        """Resolve every variable in use."""
        async with self._store.snapshot() as uow:
            stored = dict(await uow.variables.get(scope, holder))
            shared = {each.keyword for each in declared.items if each.is_shared}
            if shared:
                common = await uow.variables.get(scope, holder.everybody)
                stored = {key: each for key, each in stored.items() if key not in shared}
                stored |= {key: each for key, each in common.items() if key in shared}
        return current_values(declared, stored, holder, key=self._key)

    async def store(
        self,
        scope: TenantScope,
        holder: Holder,
        declared: DeclaredVariables,
        values: Sequence[tuple[str, str]],
        *,
        actor_id: int = 0,
    ) -> tuple[str, ...]:
        """Write values whose owner was found already; returns their keywords."""
        changed = require_writable(declared, values)
        now = self._clock.now()
        async with self._store.transaction() as uow:
            for mine, values_of in _by_holder(holder, declared, changed):
                await uow.variables.put(scope, declared.space_id, mine, values_of, now=now)
            uow.collect(_changed(holder, declared, changed, actor_id=actor_id, now=now))
            await uow.commit()
        return tuple(changed)

    async def change_list(
        self,
        scope: TenantScope,
        holder: Holder,
        declared: DeclaredVariables,
        keyword: str,
        *,
        add: Sequence[str],
        remove: Sequence[str],
    ) -> tuple[str, ...]:
        """Change a list in one transaction and return it; raise ``VariableInvalid``."""
        declaration = require_list(declared, keyword)
        mine, now = holder.of(declaration), self._clock.now()
        async with self._store.transaction() as uow:
            text = await uow.variables.lock(
                scope,
                declared.space_id,
                mine,
                keyword,
                default=declaration.default_value,
                now=now,
            )
            items = changed_list(text, add=add, remove=remove)
            await uow.variables.put(
                scope, declared.space_id, mine, {keyword: list_text(items)}, now=now
            )
            uow.collect(_changed(holder, declared, [keyword], actor_id=0, now=now))
            await uow.commit()
        return items

    async def permitted(
        self, principal: Principal, query: VariableQuery
    ) -> tuple[Holder, DeclaredVariables]:
        """Return whose memory a query is about; raise ``NotFound``, ``Forbidden``."""
        holder = Holder(
            owner=owner_of(principal, agent_id=query.agent_id, app_id=query.app_id),
            side=Side.DRAFT if query.is_draft else Side.ONLINE,
            connector_id=query.connector_id,
            end_user_id=_end_user(principal, query.end_user_id),
        )
        declared = await self.declared(principal.scope, holder)
        principal.require(Permission.VARIABLE, declared.space_id)
        return holder, declared


def _by_holder(
    holder: Holder, declared: DeclaredVariables, changed: Mapping[str, str]
) -> Iterator[tuple[Holder, Mapping[str, str]]]:
    """Tell values of the user from those that all users share."""
    shared = {each.keyword for each in declared.items if each.is_shared}
    own = {key: value for key, value in changed.items() if key not in shared}
    common = {key: value for key, value in changed.items() if key in shared}
    if own:
        yield holder, own
    if common:
        yield holder.everybody, common


def _changed(
    holder: Holder,
    declared: DeclaredVariables,
    keywords: Collection[str],
    *,
    actor_id: int,
    now: datetime,
) -> VariablesChanged:
    return VariablesChanged(
        occurred_at=now,
        space_id=declared.space_id,
        aggregate_id=holder.owner.id,
        actor_id=actor_id,
        keywords=tuple(sorted(keywords)),
    )


def owner_of(principal: Principal, *, agent_id: int | None, app_id: int | None) -> Owner:
    """Return what declares the variables; raise ``NotFound``, ``Forbidden``, ``InvalidRequest``."""
    match agent_id, app_id:
        case int(agent), None:
            if principal.agent_ids is not None and agent not in principal.agent_ids:
                raise NotFound(f"No agent {agent}.", agent_id=agent)
            return Owner(kind=OwnerKind.AGENT, id=agent)
        case None, int(app):
            principal.require_beyond_agents()
            return Owner(kind=OwnerKind.APP, id=app)
        case _:
            raise InvalidRequest("bot_id, app_id: exactly one of them is required.", field="bot_id")


def _end_user(principal: Principal, wanted: str) -> str:
    """The end user a call is about; a token bound to one acts for that one, whatever it says."""
    user = principal.end_user_id or wanted
    if not 0 < len(user) <= MAX_END_USER_CHARS:
        raise InvalidRequest(
            f"connector_uid: 1 to {MAX_END_USER_CHARS} characters.", field="connector_uid"
        )
    return user


def _view(found: CurrentValue) -> VariableView:
    return VariableView(
        keyword=found.declaration.keyword,
        value=found.value,
        create_time=0 if found.created_at is None else int(found.created_at.timestamp()),
        update_time=0 if found.updated_at is None else int(found.updated_at.timestamp()),
    )

"""Variables of an app: its users' own, and those that all of them share."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from application.memory.app_source import AppVariableSource
from application.memory.variable_service import VariableQuery, VariableService
from crossdomain.app.contract import AppVariableDescription
from domain.memory.error import VariableInvalid
from domain.memory.variable import OwnerKind
from domain.shared.access import Grant, Principal, Role, TenantScope
from domain.shared.ids import SpaceId, TokenId, UserId
from domain.shared.secret import Secret
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.memory.database import SqlMemoryStore
from tests.support.clock import FrozenClock

OWNER = Principal(
    user_id=UserId(7),
    token_id=TokenId(1),
    roles={SpaceId(2): Role.OWNER},
    personal_space_id=SpaceId(2),
)


class OneApp:
    """Defines one variable of each channel."""

    async def variables(
        self, scope: TenantScope, app_id: int, *, is_draft: bool
    ) -> list[AppVariableDescription]:
        return [
            AppVariableDescription(
                keyword=keyword, description="", default_value="-", channel=channel, is_enabled=True
            )
            for keyword, channel in (("mine", "custom"), ("ours", "app"))
        ]

    async def conversations(self, scope: TenantScope, app_id: int, *, is_draft: bool) -> list[str]:
        return []


@pytest.fixture
def variables(database: Database) -> VariableService:
    return VariableService(
        store=SqlMemoryStore(database),
        sources={OwnerKind.APP: AppVariableSource(OneApp())},
        clock=FrozenClock(datetime(2030, 5, 1, tzinfo=UTC)),
        master_key=Secret("k" * 32),
    )


def query(user: str, connector_id: int = 1024) -> VariableQuery:
    return VariableQuery(app_id=5, connector_id=connector_id, end_user_id=user)


async def seen(variables: VariableService, user: str, connector_id: int = 1024) -> dict[str, str]:
    found = await variables.read(OWNER, query(user, connector_id))
    return {each.keyword: each.value for each in found}


async def test_users_of_a_connector_share_what_belongs_to_the_app(
    variables: VariableService,
) -> None:
    await variables.write(OWNER, query("ann"), [("mine", "a"), ("ours", "all")])

    assert await seen(variables, "ann") == {"mine": "a", "ours": "all"}
    assert await seen(variables, "bob") == {"mine": "-", "ours": "all"}
    assert await seen(variables, "bob", 999) == {"mine": "-", "ours": "-"}
    await variables.reset(OWNER, query("ann"))
    assert await seen(variables, "ann") == {"mine": "-", "ours": "all"}


async def test_a_single_user_does_not_write_for_all(variables: VariableService) -> None:
    ann = replace(OWNER, grant=Grant(end_user_id="ann"))

    with pytest.raises(VariableInvalid):
        await variables.write(ann, query("ann"), [("mine", "a"), ("ours", "hostile")])
    await variables.write(ann, query("bob"), [("mine", "a")])

    assert await seen(variables, "ann") == {"mine": "a", "ours": "-"}
    assert await seen(variables, "bob") == {"mine": "-", "ours": "-"}

"""Global variables of workflows over the contract of the memory context."""

from collections.abc import Sequence

import pytest

from crossdomain.memory.contract import DeclaredVariable, VariableHolder, VariableValue
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.error import InvalidRequest, NotFound
from domain.shared.ids import SpaceId, UserId
from domain.workflow.engine.error import VariableFailed
from domain.workflow.engine.stored_variable import read_variable, write_variable
from domain.workflow.graph import GlobalKind
from domain.workflow.port import RunContext
from domain.workflow.value import Value

APP, AGENT = "7528041100000000301", "7528041100000000101"


class KeptVariables:
    """Answers for one owner, and writes down who asked."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.asked: list[VariableHolder] = []
        self.written: list[tuple[str, str]] = []

    async def get_variables(
        self, scope: TenantScope, holder: VariableHolder
    ) -> tuple[VariableValue, ...]:
        self.asked.append(holder)
        if self.error:
            raise self.error
        city, likes = (
            DeclaredVariable(keyword="city"),
            DeclaredVariable(keyword="likes", is_list=True),
        )
        return (
            VariableValue(declaration=city, value="Oslo", is_set=True),
            VariableValue(declaration=likes, value='["tea", 1]', is_set=True),
        )

    async def set_variables(
        self, scope: TenantScope, holder: VariableHolder, values: Sequence[tuple[str, str]]
    ) -> tuple[str, ...]:
        self.asked.append(holder)
        if self.error:
            raise self.error
        self.written += values
        return tuple(keyword for keyword, _ in values)

    async def change_list(
        self,
        scope: TenantScope,
        holder: VariableHolder,
        keyword: str,
        *,
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
    ) -> tuple[str, ...]:
        raise InvalidRequest("Workflows assign whole lists.")


def context(
    *, app: str = "", agent: str = "", user: str = "ann", draft: bool = False
) -> RunContext:
    call = CallContext(
        scope=TenantScope(UserId(7), frozenset({SpaceId(2)})),
        space_id=SpaceId(2),
        connector_id=1024,
        end_user_id=user,
    )
    return RunContext(call=call, app_id=app, agent_id=agent, is_debug=draft)


async def test_values_are_those_of_the_application_before_those_of_the_agent() -> None:
    kept = KeptVariables()

    found = await read_variable(kept, context(app=APP, agent=AGENT), GlobalKind.USER, "city")
    await read_variable(kept, context(agent=AGENT, draft=True), GlobalKind.USER, "city")
    await read_variable(kept, context(agent=AGENT, user=""), GlobalKind.USER, "city")

    assert found == "Oslo"
    assert [(each.owner_kind, each.owner_id) for each in kept.asked[:2]] == [
        ("app", int(APP)),
        ("agent", int(AGENT)),
    ]
    assert [each.is_draft for each in kept.asked] == [False, True, False]
    assert kept.asked[2].end_user_id == "account:7"


async def test_lists_are_lists_and_what_does_not_exist_is_null() -> None:
    kept = KeptVariables()

    assert await read_variable(kept, context(app=APP), GlobalKind.APP, "likes") == ["tea", 1]
    assert await read_variable(kept, context(app=APP), GlobalKind.USER, "unknown") is None
    assert await read_variable(kept, context(agent=AGENT), GlobalKind.APP, "city") is None
    assert await read_variable(kept, context(), GlobalKind.USER, "city") is None
    gone = KeptVariables(NotFound("No app."))
    assert await read_variable(gone, context(app=APP), GlobalKind.USER, "city") is None


async def test_values_are_written_as_text() -> None:
    kept = KeptVariables()

    values: list[Value] = ["x", ["a"], {"b": "é"}, 7, None]
    for value in values:
        await write_variable(kept, context(app=APP), GlobalKind.USER, "city", value)

    assert [text for _, text in kept.written] == ["x", '["a"]', '{"b": "é"}', "7", ""]


@pytest.mark.parametrize(
    ("kind", "app"), [(GlobalKind.APP, APP), (GlobalKind.SYSTEM, APP), (GlobalKind.USER, "")]
)
async def test_only_user_variables_of_an_owner_are_assigned(kind: GlobalKind, app: str) -> None:
    with pytest.raises(VariableFailed, match="city"):
        await write_variable(KeptVariables(), context(app=app), kind, "city", "x")


async def test_refusals_name_the_variable() -> None:
    kept = KeptVariables(InvalidRequest("too long"))

    with pytest.raises(VariableFailed, match="city was not stored: too long"):
        await write_variable(kept, context(app=APP), GlobalKind.USER, "city", "x")
    with pytest.raises(VariableFailed, match="city cannot be read"):
        await read_variable(kept, context(app=APP), GlobalKind.USER, "city")

"""Tools by which models write variables, change lists and run SQL on tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from crossdomain.agent.contract import AgentEvent, AgentTurn
from crossdomain.memory.contract import (
    DatabaseDescription,
    DatabaseField,
    RowCaller,
    RowResult,
    VariableHolder,
    VariableValue,
)
from domain.agent.tools.memory_tool import (
    DatabaseToolKind,
    StoredVariables,
    VariableToolKind,
    as_text,
)
from domain.agent.tools.tool import Tool, TurnContext
from domain.agent.turn.source import Sources
from domain.agent.value import (
    AgentConfig,
    VariableChannel,
    VariableDefinition,
    VariableType,
)
from domain.memory.variable import changed_list
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.ids import AgentId, SpaceId, UserId
from tests.support.agent.snapshot import a_snapshot

BOOKS = DatabaseDescription(
    id=9,
    name="my books!",
    description="What was read.",
    mode="single_user",
    is_prompt_disabled=False,
    fields=(DatabaseField(name="title", type="text", description="Its name", is_required=True),),
)
DECLARED = (
    VariableDefinition(keyword="city", description="Where the user lives"),
    VariableDefinition(keyword="likes", variable_type=VariableType.LIST),
    VariableDefinition(keyword="hidden", prompt_enabled=False),
    VariableDefinition(keyword="off", enabled=False),
    VariableDefinition(keyword="sys_uuid", channel=VariableChannel.SYSTEM),
)


class KeptVariables:
    """Variables of holders, in a dictionary."""

    def __init__(self) -> None:
        self.written: dict[tuple[VariableHolder, str], str] = {}
        self.lists: dict[str, tuple[str, ...]] = {}

    async def get_variables(
        self, scope: TenantScope, holder: VariableHolder
    ) -> tuple[VariableValue, ...]:
        return ()

    async def set_variables(
        self, scope: TenantScope, holder: VariableHolder, values: Sequence[tuple[str, str]]
    ) -> tuple[str, ...]:
        self.written |= {(holder, keyword): value for keyword, value in values}
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
        before = msgspec.json.encode(self.lists.get(keyword, ())).decode()
        self.lists[keyword] = changed_list(before, add=add, remove=remove)
        return self.lists[keyword]


def turn(*, user: str = "ann", version: str = "v1") -> TurnContext:
    async def emit(_: AgentEvent) -> None:
        return None

    return TurnContext(
        call=CallContext(
            scope=TenantScope(UserId(7), frozenset({SpaceId(2)})),
            space_id=SpaceId(2),
            connector_id=1024,
            end_user_id=user,
        ),
        snapshot=a_snapshot(AgentConfig(variables=DECLARED), number=5, version=version),
        turn=AgentTurn(history=(), question=(), variables={}),
        emit=emit,
        sources=Sources(),
        recall_tokens=1000,
        cites=False,
    )


async def tools(variables: KeptVariables, **of: str) -> dict[str, Tool]:
    found = await VariableToolKind(variables).tools(turn(**of))
    return {each.describe().spec.name: each for each in found}


async def test_only_what_the_model_may_write_is_offered() -> None:
    found = await tools(KeptVariables())
    described = {
        name: msgspec.json.encode(each.describe().spec).decode() for name, each in found.items()
    }

    assert set(found) == {"setKeywordMemory", "changeListMemory"}
    assert "Where the user lives" in described["setKeywordMemory"]
    for text in described.values():
        assert not any(name in text for name in ("hidden", "off", "sys_uuid"))
    assert await tools(KeptVariables(), user="") == {}


async def test_values_are_written_for_the_user_of_the_turn() -> None:
    kept = KeptVariables()
    tool = (await tools(kept))["setKeywordMemory"]

    done = await tool.call({"data": [{"keyword": "city", "value": "Oslo"}]})
    refused = await tool.call({"data": [{"keyword": "hidden", "value": "x"}]})
    ((holder, keyword), value) = next(iter(kept.written.items()))

    assert done.text == "success: city"
    assert refused.is_error
    assert len(kept.written) == 1
    assert (keyword, value) == ("city", "Oslo")
    assert (holder.owner_id, holder.end_user_id, holder.is_draft) == (5, "ann", False)
    await (await tools(kept, version=""))["setKeywordMemory"].call(
        {"data": [{"keyword": "city", "value": "Rome"}]}
    )
    assert [each.is_draft for each, _ in kept.written] == [False, True]


async def test_lists_are_changed_item_by_item() -> None:
    kept = KeptVariables()
    tool = (await tools(kept))["changeListMemory"]

    await tool.call({"keyword": "likes", "add": ["tea", "rain"]})
    done = await tool.call({"keyword": "likes", "add": ["sun"], "remove": ["rain"]})
    refused = await tool.call({"keyword": "city", "add": ["x"]})

    assert kept.lists == {"likes": ("tea", "sun")}
    assert done.text == "success: likes has 2 items"
    assert refused.is_error


async def test_agents_without_variables_ask_nobody() -> None:
    assert await StoredVariables(KeptVariables()).values(turn(user="")) == {}


class OneTable:
    """A table whose statements are written down."""

    def __init__(self, *described: DatabaseDescription) -> None:
        self.described = described
        self.asked: list[tuple[int, RowCaller, Sequence[str]]] = []

    async def of_agent(
        self, scope: TenantScope, agent_id: AgentId
    ) -> tuple[DatabaseDescription, ...]:
        return self.described

    async def execute(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        pieces: Sequence[str],
        parameters: Sequence[Any] = (),
        *,
        key: str = "",
    ) -> RowResult:
        self.asked.append((database_id, caller, list(pieces)))
        return RowResult(count=1)


async def test_statements_run_as_the_user_of_the_turn() -> None:
    hidden = DatabaseDescription(
        id=8, name="x", description="", mode="read_only", is_prompt_disabled=True, fields=()
    )
    tables = OneTable(BOOKS, hidden)
    (tool,) = await DatabaseToolKind(tables).tools(turn())  # type: ignore[arg-type]
    described = tool.describe().spec

    done = await tool.call({"sql": "SELECT 1"})

    assert described.name == "my_books"
    assert "title (text, required): Its name" in described.description
    assert "only sees and changes their own rows" in described.description
    assert done.text == "Rows affected: 1"
    caller = RowCaller(is_draft=False, end_user_id="ann", connector_id=1024)
    assert tables.asked == [(9, caller, ["SELECT 1"])]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([], "result is empty"),
        ([{"a": "x|y\nz"}, {"a": None}], "| a |\n| --- |\n| x\\|y z |\n|  |\n2 rows"),
    ],
)
def test_rows_become_a_table(rows: list[Mapping[str, Any]], text: str) -> None:
    found = RowResult(columns=("a",), rows=tuple(rows), count=len(rows), is_reading=True)

    assert as_text(found) == text


def test_long_results_are_cut() -> None:
    rows = tuple({"a": number} for number in range(150))

    told = as_text(RowResult(columns=("a",), rows=rows, count=150, is_reading=True))

    assert told.endswith("150 rows, 50 of them not shown")

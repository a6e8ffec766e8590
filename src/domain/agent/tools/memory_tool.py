"""Memory of agents: tools on variables and tables, and values for the persona."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from crossdomain.memory.contract import (
    DatabaseDescription,
    Databases,
    RowCaller,
    RowResult,
    VariableHolder,
    Variables,
)
from domain.agent.tools.tool import Tool, ToolDescription, ToolOutput, TurnContext
from domain.agent.value import VariableChannel, VariableType
from domain.shared.chat import ToolSpec

SET_VARIABLE: Final = "setKeywordMemory"
MAX_SHOWN_ROWS: Final = 100
MAX_CELL_CHARS: Final = 2000
_MAX_NAME: Final = 64
_UNSAFE: Final = re.compile(r"[^a-zA-Z0-9_-]+")
_MODES: Final = {
    "single_user": "The user only sees and changes their own rows.",
    "read_only": "Rows can only be read.",
    "multi_user": "All users share the rows.",
}
CHANGE_LIST: Final = "changeListMemory"
_ITEM_CHARS: Final = 500
_ITEMS: Final = 50


class VariableToolKind:
    """The tools that write the variables an agent declares: single values, and lists."""

    name = "variables"

    def __init__(self, variables: Variables) -> None:
        self._variables = variables

    def may_have(self, turn: TurnContext) -> bool:
        return bool(turn.snapshot.config.variables and turn.call.end_user_id)

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        writable = [
            each
            for each in turn.snapshot.config.variables
            if each.enabled and each.prompt_enabled and each.channel is not VariableChannel.SYSTEM
        ]
        if not writable or not turn.call.end_user_id:
            return ()
        lists, values = dict[str, str](), dict[str, str]()
        for each in writable:
            known = lists if each.variable_type is VariableType.LIST else values
            known[each.keyword] = each.description
        tools: list[Tool] = []
        if values:
            tools.append(_SetVariable(self._variables, turn, values))
        if lists:
            tools.append(ListTool(self._variables, turn, holder_of(turn), lists))
        return tools


class DatabaseToolKind:
    """One tool for each database table that is bound to an agent."""

    name = "databases"

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def may_have(self, turn: TurnContext) -> bool:
        """Which tables there are is written with the tables."""
        return bool(turn.snapshot.agent_id)

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        scope = turn.call.scope.within(turn.snapshot.space_id)
        bound = await self._databases.of_agent(scope, turn.snapshot.agent_id)
        return [
            _TableTool(self._databases, turn, each) for each in bound if not each.is_prompt_disabled
        ]


class StoredVariables:
    """Values of an agent's variables for its persona."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables

    def may_have(self, turn: TurnContext) -> bool:
        """Tell whether anything can be written for the end user of the turn."""
        return bool(turn.snapshot.config.variables and turn.call.end_user_id)

    async def values(self, turn: TurnContext) -> Mapping[str, str]:
        """Return what the model may see: written values, or defaults."""
        scope = turn.call.scope.within(turn.snapshot.space_id)
        found = await self._variables.get_variables(scope, holder_of(turn))
        return {each.declaration.keyword: each.value for each in found if each.declaration.is_shown}


def holder_of(turn: TurnContext) -> VariableHolder:
    """Whose variables a turn is about; drafts have values of their own."""
    return VariableHolder(
        owner_kind="agent",
        owner_id=turn.snapshot.agent_id,
        is_draft=not turn.snapshot.version,
        connector_id=turn.call.connector_id,
        end_user_id=turn.call.end_user_id,
    )


class _SetVariable:
    """Writes what the model wants to remember, all or nothing."""

    def __init__(self, variables: Variables, turn: TurnContext, known: Mapping[str, str]) -> None:
        self._variables = variables
        self._turn = turn
        self._known = known

    def describe(self) -> ToolDescription:
        listed = "; ".join(
            f"{keyword}: {text}" if text else keyword for keyword, text in self._known.items()
        )
        item = {
            "type": "object",
            "properties": {
                "keyword": {"type": "string", "enum": list(self._known)},
                "value": {"type": "string"},
            },
            "required": ["keyword", "value"],
        }
        return ToolDescription(
            spec=ToolSpec(
                name=SET_VARIABLE,
                description=(
                    "Remembers facts about the user beyond this conversation. Call it when the "
                    f"user states or changes one of these: {listed}."
                ),
                parameters={
                    "type": "object",
                    "properties": {"data": {"type": "array", "items": item, "minItems": 1}},
                    "required": ["data"],
                },
            ),
            is_exclusive=True,
            is_trusted=True,
            kind="variable",
        )

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        given = arguments.get("data")
        items = given if isinstance(given, list) else []
        values = [(str(each.get("keyword")), str(each.get("value"))) for each in items]
        if hidden := [keyword for keyword, _ in values if keyword not in self._known]:
            return ToolOutput(text=f"{hidden[0][:50]}: no such variable.", is_error=True)
        scope = self._turn.call.scope.within(self._turn.snapshot.space_id)
        stored = await self._variables.set_variables(scope, holder_of(self._turn), values)
        return ToolOutput(text=f"success: {', '.join(stored)}")


class _TableTool:
    """Runs guarded SQL on one table, as the end user of the turn."""

    def __init__(self, databases: Databases, turn: TurnContext, table: DatabaseDescription) -> None:
        self._databases = databases
        self._turn = turn
        self._table = table

    def describe(self) -> ToolDescription:
        table = self._table
        fields = "\n".join(
            f"- {each.name} ({each.type}{', required' if each.is_required else ''})"
            f"{': ' + each.description if each.description else ''}"
            for each in table.fields
        )
        name = _UNSAFE.sub("_", table.name).strip("_")[:_MAX_NAME] or f"table_{table.id}"
        return ToolDescription(
            spec=ToolSpec(
                name=name,
                description=(
                    f"Runs one SQL statement (SELECT, INSERT, UPDATE or DELETE, in the dialect of "
                    f"MySQL) on the table `{table.name}`. {table.description}\n"
                    f"Fields:\n{fields}\n{_MODES[table.mode]}"
                ).strip(),
                parameters={
                    "type": "object",
                    "properties": {"sql": {"type": "string", "description": "The statement."}},
                    "required": ["sql"],
                },
            ),
            is_exclusive=True,
            kind="database",
        )

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        call = self._turn.call
        caller = RowCaller(
            is_draft=not self._turn.snapshot.version,
            end_user_id=call.end_user_id,
            connector_id=call.connector_id,
        )
        scope = call.scope.within(self._turn.snapshot.space_id)
        sql = str(arguments.get("sql", ""))
        return ToolOutput(
            text=as_text(await self._databases.execute(scope, self._table.id, caller, [sql]))
        )


def as_text(result: RowResult) -> str:
    """Tell a model what a statement gave: a table in Markdown, or a count."""
    if not result.is_reading:
        return f"Rows affected: {result.count}"
    if not result.rows:
        return "result is empty"
    lines = [_line(result.columns), _line(["---"] * len(result.columns))]
    lines += [
        _line([_cell(row[name]) for name in result.columns]) for row in result.rows[:MAX_SHOWN_ROWS]
    ]
    more = len(result.rows) - MAX_SHOWN_ROWS
    lines.append(f"{result.count} rows" + (f", {more} of them not shown" if more > 0 else ""))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return text[:MAX_CELL_CHARS].replace("|", "\\|").replace("\n", " ")


class ListTool:
    """Changes one list as one step, so that runs at the same time lose nothing."""

    def __init__(
        self,
        variables: Variables,
        turn: TurnContext,
        holder: VariableHolder,
        known: Mapping[str, str],
    ) -> None:
        self._variables = variables
        self._turn = turn
        self._holder = holder
        self._known = known

    def describe(self) -> ToolDescription:
        listed = "; ".join(
            f"{keyword}: {text}" if text else keyword for keyword, text in self._known.items()
        )
        items = {
            "type": "array",
            "items": {"type": "string", "maxLength": _ITEM_CHARS},
            "maxItems": _ITEMS,
        }
        return ToolDescription(
            spec=ToolSpec(
                name=CHANGE_LIST,
                description=(
                    "Keeps lists about the user beyond this conversation. Call it when something "
                    f"belongs into one of these lists, or no longer does: {listed}."
                ),
                parameters={
                    "type": "object",
                    "properties": {
                        "keyword": {"type": "string", "enum": list(self._known)},
                        "add": {**items, "description": "What to put at the end."},
                        "remove": {**items, "description": "What to take out, word for word."},
                    },
                    "required": ["keyword"],
                },
            ),
            is_exclusive=True,
            is_trusted=True,
            kind="variable",
        )

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        keyword = str(arguments.get("keyword"))
        if keyword not in self._known:
            return ToolOutput(text=f"{keyword[:50]}: no such list.", is_error=True)
        scope = self._turn.call.scope.within(self._turn.snapshot.space_id)
        items = await self._variables.change_list(
            scope,
            self._holder,
            keyword,
            add=_texts(arguments.get("add")),
            remove=_texts(arguments.get("remove")),
        )
        return ToolOutput(text=f"success: {keyword} has {len(items)} items")


def _texts(given: object) -> list[str]:
    return [str(each) for each in given] if isinstance(given, list) else []

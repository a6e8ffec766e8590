"""The tool that adds to and takes from the lists that an agent keeps of its user."""

from collections.abc import Mapping
from typing import Any, Final

from crossdomain.memory.contract import VariableHolder, Variables
from domain.agent.tools.tool import ToolDescription, ToolOutput, TurnContext
from domain.shared.chat import ToolSpec

CHANGE_LIST: Final = "changeListMemory"
_ITEM_CHARS: Final = 500
_ITEMS: Final = 50


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

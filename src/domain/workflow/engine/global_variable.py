"""Global variables as nodes read them: kept by the run, or outside of it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from domain.workflow.convert import convert
from domain.workflow.engine.scope import RunnableNode
from domain.workflow.engine.scope_input import GlobalKey, Globals
from domain.workflow.engine.scope_run import ScopeRun
from domain.workflow.engine.state import RunState
from domain.workflow.engine.stored_variable import read_variable
from domain.workflow.graph import GlobalKind, Program
from domain.workflow.port import Ports, RunContext
from domain.workflow.value import Value

_NONE: Final[Globals] = {}
_TIME_FORMAT: Final = "%Y-%m-%d %H:%M:%S %A"
_HISTORY_ROUNDS: Final = 20
_ROLES: Final = {"user": "Human", "assistant": "AI", "system": "System"}

Fact = Callable[[Ports, RunContext], Value | Awaitable[Value]]


def own_variables(program: Program, given: Mapping[str, Value]) -> dict[str, Value]:
    """Return what the variables begin with that a program keeps by itself."""
    found: dict[str, Value] = {}
    for each in program.globals:
        if each.is_input:
            name, wanted = each.field.name, each.field.type
            value = given.get(name)
            found[name] = each.default if value is None else convert(value, wanted).value
    return found


class GlobalReader:
    """Reads the global variables that a node needs, when it starts."""

    def __init__(self, *, state: RunState, ports: Ports, context: RunContext) -> None:
        self._state = state
        self._ports = ports
        self._context = context

    def must_fetch(self, scope: ScopeRun, runnable: RunnableNode) -> bool:
        """Tell whether a variable has to be asked for outside of the run."""
        return any(not self._is_known(scope, key) for key in runnable.globals)

    def known(self, scope: ScopeRun, runnable: RunnableNode) -> Globals:
        """Return what was assigned in this run."""
        if not runnable.globals:
            return _NONE
        return {key: scope.variables.get(key[1]) for key in runnable.globals}

    async def fetch(self, scope: ScopeRun, runnable: RunnableNode) -> Mapping[GlobalKey, Value]:
        """Read all variables of a node; what is assigned meanwhile counts."""
        found: dict[GlobalKey, Value] = {}
        for key in runnable.globals:
            if not self._is_known(scope, key):
                found[key] = await self._ask(key)
        for key in runnable.globals:
            if self._is_known(scope, key):
                found[key] = scope.variables.get(key[1])
        return found

    def _is_known(self, scope: ScopeRun, key: GlobalKey) -> bool:
        return key[0] is GlobalKind.APP and (scope.keeps_variables or key[1] in scope.variables)

    async def _ask(self, key: GlobalKey) -> Value:
        if key[0] is GlobalKind.RUN:
            found = _FACTS[key[1]](self._ports, self._context)
            return await found if isinstance(found, Awaitable) else found
        if self._ports.variables is None:
            return None
        return await read_variable(self._ports.variables, self._context, *key)


def _person(_: Ports, context: RunContext) -> Value:
    """The end user, or without one the account that started the run."""
    return context.call.end_user_id or str(context.call.scope.principal_id)


async def _history(ports: Ports, context: RunContext) -> Value:
    """What was said before, oldest first, as FastGPT's flows know it."""
    said = await ports.history(context, _HISTORY_ROUNDS) if context.is_chat_flow else ()
    return [{"obj": _ROLES.get(each.role, each.role), "value": each.text} for each in said]


_FACTS: Final[Mapping[str, Fact]] = {
    "user": _person,
    "conversation": lambda _, context: context.conversation_id,
    "application": lambda _, context: context.agent_id or context.app_id or context.workflow_id,
    "answer": lambda _, context: str(context.call.run_id or ""),
    "time": lambda ports, _: ports.clock.now().strftime(_TIME_FORMAT),
    "history": _history,
}
RUN_FACTS: Final = frozenset(_FACTS)
"""Names of the variables of the kind ``RUN``."""

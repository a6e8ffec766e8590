"""Global variables as nodes read them: assigned in this run, or kept outside of it."""

from collections.abc import Mapping
from typing import Final

from domain.workflow.graph import GlobalKind
from domain.workflow.port import Ports, RunContext
from domain.workflow.scope import RunnableNode
from domain.workflow.scope_input import GlobalKey, Globals
from domain.workflow.state import RunState
from domain.workflow.value import Value

_NONE: Final[Globals] = {}


class GlobalReader:
    """Reads the global variables that a node needs, when it starts."""

    def __init__(self, *, state: RunState, ports: Ports, context: RunContext) -> None:
        self._state = state
        self._ports = ports
        self._context = context

    def must_fetch(self, runnable: RunnableNode) -> bool:
        """Tell whether a variable has to be asked for outside of the run."""
        return any(not self._is_assigned(key) for key in runnable.globals)

    def known(self, runnable: RunnableNode) -> Globals:
        """Return what was assigned in this run."""
        if not runnable.globals:
            return _NONE
        return {key: self._state.app_variables.get(key[1]) for key in runnable.globals}

    async def fetch(self, runnable: RunnableNode) -> Mapping[GlobalKey, Value]:
        """Read all variables of a node; what is assigned meanwhile counts."""
        found: dict[GlobalKey, Value] = {}
        variables = self._ports.variables
        for key in runnable.globals:
            if not self._is_assigned(key) and variables is not None:
                found[key] = await variables.read(self._context, *key)
        for key in runnable.globals:
            if self._is_assigned(key):
                found[key] = self._state.app_variables[key[1]]
        return found

    def _is_assigned(self, key: GlobalKey) -> bool:
        return key[0] is GlobalKind.APP and key[1] in self._state.app_variables

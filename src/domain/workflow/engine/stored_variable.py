"""Variables of users and applications that outlive a run, in the memory context."""

import json

from crossdomain.memory.contract import VariableHolder, Variables
from domain.shared.error import AppError, NotFound
from domain.workflow.engine.error import VariableFailed
from domain.workflow.graph import GlobalKind
from domain.workflow.port import RunContext
from domain.workflow.text import local_id
from domain.workflow.value import Value


async def read_variable(
    variables: Variables, context: RunContext, kind: GlobalKind, name: str
) -> Value:
    """Return a value, null if there is none; raise ``VariableFailed``."""
    holder = _holder(context, kind)
    if holder is None:
        return None
    try:
        found = await variables.get_variables(context.call.scope, holder)
    except NotFound:
        return None  # a variable that does not exist reads as null
    except AppError as exc:
        raise VariableFailed(f"The variable {name} cannot be read: {exc.message}") from exc
    for each in found:
        if each.declaration.keyword == name:
            return _value(each.value, is_list=each.declaration.is_list)
    return None


async def write_variable(
    variables: Variables, context: RunContext, kind: GlobalKind, name: str, value: Value
) -> None:
    """Store a user variable, whose value a repetition only writes again; raise as reading does."""
    holder = _holder(context, kind)
    if kind is not GlobalKind.USER or holder is None:
        raise VariableFailed(f"The variable {name} cannot be assigned in this run.")
    try:
        await variables.set_variables(context.call.scope, holder, [(name, _text(value))])
    except AppError as exc:
        raise VariableFailed(f"The variable {name} was not stored: {exc.message}") from exc


def _holder(context: RunContext, kind: GlobalKind) -> VariableHolder | None:
    """Whose variables a run means: those of its application, or else of its agent."""
    app_id, agent_id = local_id(context.app_id), local_id(context.agent_id)
    if app_id is None and (agent_id is None or kind is GlobalKind.APP):
        return None
    return VariableHolder(
        owner_kind="app" if app_id is not None else "agent",
        owner_id=app_id if app_id is not None else agent_id or 0,
        is_draft=context.is_debug,
        connector_id=context.call.connector_id,
        end_user_id=context.end_user_id,
    )


def _text(value: Value) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(text: str, *, is_list: bool) -> Value:
    if not is_list:
        return text
    try:
        found: Value = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []

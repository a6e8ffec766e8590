"""SQL: one statement of the user with bound parameters."""

from domain.workflow.execution_call import Call
from domain.workflow.graph import Slot, Template
from domain.workflow.node import config_of
from domain.workflow.node.database_sql import DatabaseSqlConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.rows import databases, result
from domain.workflow.template import render
from domain.workflow.value import Value


async def _work(call: Call) -> Result:
    config = config_of(call.node, DatabaseSqlConfig)
    pieces, parameters = [""], list[Value]()
    for piece in config.pieces:
        if isinstance(piece, str):
            pieces[-1] += piece
        else:
            parameters.append(_parameter(call, piece))
            pieces.append("")
    rows = await databases(call).execute(
        call.context, config.database_id, pieces, parameters, key=call.key
    )
    return result(call, rows)


def _parameter(call: Call, template: Template) -> Value:
    """Bind a lone variable as it is, anything else as text; SQL knows booleans as 1 and 0."""
    match template.parts:
        case (Slot(path=()) as slot,):
            value = call.given.get(slot.name)
            return int(value) if isinstance(value, bool) else value
        case _:
            return render(template, call.given)


RUNNERS.register("database_sql")(Runner(work=_work))

"""Update: changes the rows that match."""

from domain.workflow.execution_call import Call
from domain.workflow.execution_error import MissingInput
from domain.workflow.node import config_of
from domain.workflow.node.database_update import DatabaseUpdateConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.rows import databases, result, values, where


async def _work(call: Call) -> Result:
    config = config_of(call.node, DatabaseUpdateConfig)
    condition = where(call, config.filter)
    if condition is None:
        raise MissingInput("Without a condition, every row would change.")
    rows = await databases(call).update(
        call.context,
        config.database_id,
        values(call, config.values),
        where=condition,
        key=call.key,
    )
    return result(call, rows)


RUNNERS.register("database_update")(Runner(work=_work))

"""Delete: removes the rows that match."""

from domain.workflow.execution_call import Call
from domain.workflow.execution_error import MissingInput
from domain.workflow.node import config_of
from domain.workflow.node.database_delete import DatabaseDeleteConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.rows import databases, result, where


async def _work(call: Call) -> Result:
    config = config_of(call.node, DatabaseDeleteConfig)
    condition = where(call, config.filter)
    if condition is None:
        raise MissingInput("Without a condition, every row would be deleted.")
    rows = await databases(call).delete(
        call.context, config.database_id, where=condition, key=call.key
    )
    return result(call, rows)


RUNNERS.register("database_delete")(Runner(work=_work))

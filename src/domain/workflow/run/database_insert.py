"""Insert: adds one row."""

from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.database_insert import DatabaseInsertConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.rows import databases, result, values


async def _work(call: Call) -> Result:
    config = config_of(call.node, DatabaseInsertConfig)
    rows = await databases(call).insert(
        call.context, config.database_id, values(call, config.values), key=call.key
    )
    return result(call, rows)


RUNNERS.register("database_insert")(Runner(work=_work))

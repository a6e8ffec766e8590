"""Query: reads the rows that match."""

from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.database_query import DatabaseQueryConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.rows import databases, result, where


async def _work(call: Call) -> Result:
    config = config_of(call.node, DatabaseQueryConfig)
    rows = await databases(call).query(
        call.context,
        config.database_id,
        fields=config.fields,
        where=where(call, config.filter),
        orders=config.orders,
        limit=config.limit,
    )
    return result(call, rows)


RUNNERS.register("database_query")(Runner(work=_work))

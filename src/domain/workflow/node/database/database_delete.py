"""Delete: removes the rows that match."""

from domain.workflow.canvas.blank import blank
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import MissingInput
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.database.rows import (
    BLANK_OUTPUTS,
    OUTPUTS,
    DrawnFilter,
    check_database,
    databases,
    read_database,
    read_filter,
    result,
    table,
    where,
)
from domain.workflow.node.effect import stays_inside


class DatabaseDeleteConfig(NodeConfig, frozen=True, kw_only=True):
    """Which rows go."""

    database_id: str
    filter: DrawnFilter


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    condition = reader.inputs["deleteParam"]["condition"]
    reader.mark("filter", condition)
    return DatabaseDeleteConfig(
        database_id=read_database(reader), filter=read_filter(reader, condition)
    )


def _check(node: Node, check: Check) -> None:
    config = config_of(node, DatabaseDeleteConfig)
    check_database(node, config.database_id, check)
    if not config.filter.conditions:
        check.add(
            "WF450", node, "Without a condition, every row would go.", at="filter", blocks_run=True
        )


async def _work(call: Call) -> Result:
    config = config_of(call.node, DatabaseDeleteConfig)
    condition = where(call, config.filter)
    if condition is None:
        raise MissingInput("Without a condition, every row would be deleted.")
    rows = await databases(call).delete(
        *table(call, config.database_id), where=condition, key=call.key
    )
    return result(call, rows)


NodeType(
    kind="database_delete",
    type_id="44",
    key="DatabaseDelete",
    names={"en": "Delete rows", "zh": "删除数据"},
    blank=blank(
        inputs={
            "databaseInfoList": [{"databaseInfoID": ""}],
            "deleteParam": {"condition": {"conditionList": [], "logic": "AND"}},
        },
        outputs=BLANK_OUTPUTS,
    ),
    group="database",
    read=_read,
    check=_check,
    config=DatabaseDeleteConfig,
    outputs=OUTPUTS,
    zero_fill=True,
    effects="write",
    outside=stays_inside,
    runner=Runner(work=_work),
).register()

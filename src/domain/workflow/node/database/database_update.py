"""Update: changes the rows that match."""

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
    FieldValue,
    check_database,
    databases,
    read_database,
    read_filter,
    read_values,
    result,
    table,
    values,
    where,
)
from domain.workflow.node.effect import stays_inside


class DatabaseUpdateConfig(NodeConfig, frozen=True, kw_only=True):
    """Which rows change, and to what."""

    database_id: str
    filter: DrawnFilter
    values: tuple[FieldValue, ...]


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    parameters = reader.inputs["updateParam"]
    reader.mark("filter", parameters["condition"])
    return DatabaseUpdateConfig(
        database_id=read_database(reader),
        filter=read_filter(reader, parameters["condition"]),
        values=read_values(reader, parameters["fieldInfo"]),
    )


def _check(node: Node, check: Check) -> None:
    config = config_of(node, DatabaseUpdateConfig)
    check_database(node, config.database_id, check)
    if not config.filter.conditions:
        check.add(
            "WF450",
            node,
            "Without a condition, every row would change.",
            at="filter",
            blocks_run=True,
        )


async def _work(call: Call) -> Result:
    config = config_of(call.node, DatabaseUpdateConfig)
    condition = where(call, config.filter)
    if condition is None:
        raise MissingInput("Without a condition, every row would change.")
    rows = await databases(call).update(
        *table(call, config.database_id),
        values(call, config.values),
        where=condition,
        key=call.key,
    )
    return result(call, rows)


NodeType(
    kind="database_update",
    type_id="42",
    key="DatabaseUpdate",
    names={"en": "Update rows", "zh": "更新数据"},
    blank=blank(
        inputs={
            "databaseInfoList": [{"databaseInfoID": ""}],
            "updateParam": {"condition": {"conditionList": [], "logic": "AND"}, "fieldInfo": []},
        },
        outputs=BLANK_OUTPUTS,
    ),
    group="database",
    read=_read,
    check=_check,
    config=DatabaseUpdateConfig,
    outputs=OUTPUTS,
    zero_fill=True,
    effects="write",
    outside=stays_inside,
    runner=Runner(work=_work),
).register()

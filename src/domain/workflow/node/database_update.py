"""Update: changes the rows that match."""

from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import NODE_TYPES, Check, NodeType, config_of
from domain.workflow.node.outside import stays_inside
from domain.workflow.node.rows import (
    OUTPUTS,
    FieldValue,
    RowFilter,
    check_database,
    read_database,
    read_filter,
    read_values,
)


class DatabaseUpdateConfig(NodeConfig, frozen=True, kw_only=True):
    """Which rows change, and to what."""

    database_id: str
    filter: RowFilter
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


NODE_TYPES.register("database_update")(
    NodeType(
        kind="database_update",
        type_id="42",
        key="DatabaseUpdate",
        names={"en": "Update rows", "zh": "更新数据"},
        group="database",
        read=_read,
        check=_check,
        config=DatabaseUpdateConfig,
        outputs=OUTPUTS,
        zero_fill=True,
        effects="write",
        outside=stays_inside,
    )
)

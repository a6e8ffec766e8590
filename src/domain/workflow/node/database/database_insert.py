"""Insert: adds one row to a database."""

from domain.workflow.canvas.blank import blank
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.database.rows import (
    BLANK_OUTPUTS,
    OUTPUTS,
    FieldValue,
    check_database,
    databases,
    read_database,
    read_values,
    result,
    table,
    values,
)
from domain.workflow.node.effect import stays_inside


class DatabaseInsertConfig(NodeConfig, frozen=True, kw_only=True):
    """The row to add."""

    database_id: str
    values: tuple[FieldValue, ...]


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    return DatabaseInsertConfig(
        database_id=read_database(reader),
        values=read_values(reader, reader.inputs["insertParam"]["fieldInfo"]),
    )


def _check(node: Node, check: Check) -> None:
    config = config_of(node, DatabaseInsertConfig)
    check_database(node, config.database_id, check)


async def _work(call: Call) -> Result:
    config = config_of(call.node, DatabaseInsertConfig)
    rows = await databases(call).insert(
        *table(call, config.database_id), values(call, config.values), key=call.key
    )
    return result(call, rows)


NodeType(
    kind="database_insert",
    type_id="46",
    key="DatabaseInsert",
    names={"en": "Insert rows", "zh": "新增数据"},
    blank=blank(
        inputs={"databaseInfoList": [{"databaseInfoID": ""}], "insertParam": {"fieldInfo": []}},
        outputs=BLANK_OUTPUTS,
    ),
    group="database",
    read=_read,
    check=_check,
    config=DatabaseInsertConfig,
    outputs=OUTPUTS,
    zero_fill=True,
    effects="write",
    outside=stays_inside,
    runner=Runner(work=_work),
).register()

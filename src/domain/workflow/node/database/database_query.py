"""Query: reads the rows that match."""

import msgspec

from crossdomain.memory.contract import RowSelection
from domain.workflow.canvas.blank import blank
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.engine.call import Call
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


class SelectedField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of the result."""

    field_id: str
    is_distinct: bool = False


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A field to sort by."""

    field_id: str
    is_ascending: bool = True


class DatabaseQueryConfig(NodeConfig, frozen=True, kw_only=True):
    """Which rows and fields are read; ``limit`` 0 for the limit of the deployment."""

    database_id: str
    fields: tuple[SelectedField, ...]
    filter: DrawnFilter = DrawnFilter()
    orders: tuple[Order, ...] = ()
    limit: int = 0


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    parameters = reader.inputs["selectParam"]
    return DatabaseQueryConfig(
        database_id=read_database(reader),
        fields=tuple(
            SelectedField(field_id=item["fieldID"].text(), is_distinct=item["isDistinct"].flag())
            for item in parameters["fieldList"]
        ),
        filter=read_filter(reader, parameters["condition"]),
        orders=tuple(
            Order(field_id=item["fieldID"].text(), is_ascending=item["isAsc"].flag())
            for item in parameters["orderByList"]
        ),
        limit=max(parameters["limit"].integer(), 0),
    )


def _check(node: Node, check: Check) -> None:
    config = config_of(node, DatabaseQueryConfig)
    check_database(node, config.database_id, check)


async def _work(call: Call) -> Result:
    config = config_of(call.node, DatabaseQueryConfig)
    rows = await databases(call).query(
        *table(call, config.database_id),
        RowSelection(
            fields=tuple(each.field_id for each in config.fields),
            is_distinct=any(each.is_distinct for each in config.fields),
            where=where(call, config.filter),
            orders=tuple((each.field_id, each.is_ascending) for each in config.orders),
            limit=config.limit,
        ),
    )
    return result(call, rows)


NodeType(
    kind="database_query",
    type_id="43",
    key="DatabaseSelect",
    names={"en": "Query rows", "zh": "查询数据"},
    blank=blank(
        inputs={
            "databaseInfoList": [{"databaseInfoID": ""}],
            "selectParam": {"fieldList": [], "condition": None, "orderByList": [], "limit": 100},
        },
        outputs=BLANK_OUTPUTS,
    ),
    group="database",
    read=_read,
    check=_check,
    config=DatabaseQueryConfig,
    outputs=OUTPUTS,
    zero_fill=True,
    effects="read",
    runner=Runner(work=_work),
).register()

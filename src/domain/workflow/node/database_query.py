"""Query: reads the rows that match."""

import msgspec

from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import NODE_TYPES, Check, NodeType, config_of
from domain.workflow.node.rows import OUTPUTS, RowFilter, check_database, read_database, read_filter


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
    filter: RowFilter = RowFilter()
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


NODE_TYPES.register("database_query")(
    NodeType(
        kind="database_query",
        type_id="43",
        key="DatabaseSelect",
        names={"en": "Query rows", "zh": "查询数据"},
        group="database",
        read=_read,
        check=_check,
        config=DatabaseQueryConfig,
        outputs=OUTPUTS,
        zero_fill=True,
        effects="read",
    )
)

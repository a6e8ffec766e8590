"""Entry: receives the input of the run."""

from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.convert import convert
from domain.workflow.graph import NodeConfig
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.value import Value


class EntryConfig(NodeConfig, frozen=True, kw_only=True):
    """Defaults by field, converted; a field without one is not listed."""

    defaults: dict[str, Value]


def _read(reader: NodeReader) -> NodeConfig:
    reader.outputs = reader.declare_outputs(are_names_checked=True)
    places = {item["name"].text(): item["defaultValue"] for item in reader.data["outputs"]}
    defaults: dict[str, Value] = {}
    for field in reader.outputs:
        if field.default is None:
            continue
        if field.default == "" and field.type.kind != "string":
            continue
        conversion = convert(field.default, field.type, path=field.name)
        if conversion.problems:
            reader.report("WF304", places[field.name], f"Bad default of {conversion.problems[0]}")
        else:
            defaults[field.name] = conversion.value
    return EntryConfig(defaults=defaults)


NODE_TYPES.register("entry")(
    NodeType(
        kind="entry",
        type_id="1",
        key="Start",
        names={"en": "Start", "zh": "开始"},
        group="basic",
        read=_read,
        config=EntryConfig,
        null_fill=True,
    )
)

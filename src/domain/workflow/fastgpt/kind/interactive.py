"""Nodes that ask the user."""

from collections.abc import Mapping

from domain.workflow.fastgpt.flow import variable_type
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import DEFAULT_PORT, NodeConfig, branch_port
from domain.workflow.node.model.choice import ModelChoice
from domain.workflow.node.model.form import FormConfig
from domain.workflow.node.model.question import QuestionConfig
from domain.workflow.text import encode_json
from domain.workflow.value import Field, TypeKind, Value


def _select(reader: FlowReader) -> NodeConfig:
    options = tuple(item["value"].text() for item in reader.value("userSelectOptions"))
    return QuestionConfig(
        question=reader.template("description"),
        answer="option",
        options=options,
        model=ModelChoice(model=""),
    )


def _options(reader: FlowReader) -> Mapping[str, str]:
    keys = [item["key"].text() for item in reader.value("userSelectOptions")]
    return {key: branch_port(number) for number, key in enumerate(keys)} | {"": DEFAULT_PORT}


def _form(reader: FlowReader) -> NodeConfig:
    fields = tuple(
        Field(
            name=item["key"].text(),
            type=variable_type(item),
            is_required=item["required"].flag(),
            description=item["description"].text(),
        )
        for item in reader.value("userInputForms")
        if item["key"].text()
    )
    reader.outputs = fields
    shown: Value = [_shown(field) for field in fields]
    return FormConfig(
        fields=fields,
        schema_text=encode_json(shown),
        introduction=reader.template("description"),
    )


def _shown(field: Field) -> Value:
    """Describe a field as clients of forms know it."""
    kind = TypeKind.STRING if field.type.kind is TypeKind.ANY else field.type.kind
    return {
        "name": field.name,
        "type": kind.value,
        "required": field.is_required,
        "description": field.description,
    }


FLOW_KINDS.register("userSelect")(
    FlowKind(
        kind="question",
        read=_select,
        outputs={"selectResult": ("optionContent",)},
        handles=_options,
        told=("optionContent",),
    )
)
FLOW_KINDS.register("formInput")(
    FlowKind(kind="form", read=_form, outputs={"formInputResult": ()}, told=())
)

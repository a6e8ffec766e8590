"""Which variables of a flow outlast its run."""

from domain.workflow.engine.kept_variables import KeptVariables, keep_variables
from domain.workflow.graph import Program
from domain.workflow.value import Value
from tests.support.workflow.flow import Json, flow_node, read, value


def program(*names: str) -> Program:
    variables: list[Json] = [
        {"key": name, "type": "custom", "valueType": "any", "defaultValue": None} for name in names
    ]
    reading = read(flow_node("a", "answerNode", inputs=[value("text", "x")]), variables=variables)
    assert reading.program is not None
    return reading.program


def test_only_what_the_flow_declares_is_kept() -> None:
    values: dict[str, Value] = {"b": [1, {"c": None}], "userId": "me", "other": 1}

    assert keep_variables(program("a", "b"), values, max_bytes=100) == KeptVariables(
        values={"b": [1, {"c": None}]}
    )
    assert keep_variables(program(), values, max_bytes=100) is None
    assert keep_variables(program("a"), {}, max_bytes=100) is None


def test_what_is_beyond_the_limit_is_dropped_and_named() -> None:
    values: dict[str, Value] = {"a": "x" * 40, "b": "x" * 80, "c": 1, "d": "\ud800"}

    kept = keep_variables(program(*values), values, max_bytes=100)
    assert kept == KeptVariables(values={"a": "x" * 40, "c": 1}, dropped=("b", "d"))

    everything = keep_variables(program(*values), values, max_bytes=0)
    assert everything is not None
    assert everything.dropped == ("d",)

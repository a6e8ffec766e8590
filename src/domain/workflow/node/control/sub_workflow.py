"""Sub-workflow: runs another workflow inside this run."""

from domain.workflow.canvas.blank import blank
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, NodeConfig, Streams
from domain.workflow.lint.diagnostic import Severity
from domain.workflow.lint.surroundings import ChildWorkflow
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.effect import Outside, WorkflowUse
from domain.workflow.node.needs import needed


class SubWorkflowConfig(NodeConfig, frozen=True, kw_only=True):
    """Which workflow runs; an empty version is the draft."""

    workflow_id: str
    version: str = ""
    answers: bool = False
    """What the canvas believes: the child ends with an answer text."""
    is_silent: bool = False
    """What the child says does not reach the user."""


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters(on_absent="absent")
    inputs = reader.inputs
    reader.outputs = reader.declare_outputs()
    answers = inputs["type"].integer() == 1
    if answers:
        reader.streams = Streams(produces=("output",))
    reader.mark("workflow_id", inputs["workflowId"])
    reader.mark("answers", inputs["type"])
    reader.mark("inputs", inputs["inputParameters"])
    return SubWorkflowConfig(
        workflow_id=reader.require(inputs["workflowId"], "The workflow", code="WF420"),
        version=inputs["workflowVersion"].text(),
        answers=answers,
    )


def _check(node: Node, check: Check) -> None:
    config = config_of(node, SubWorkflowConfig)
    around = check.surroundings
    if config.workflow_id and config.workflow_id == around.workflow_id:
        check.add("WF422", node, "The workflow calls itself.", at="workflow_id")
        return
    if around.children is None or not config.workflow_id:
        return
    child = around.children.get((config.workflow_id, config.version))
    if child is None:
        check.add("WF420", node, f"There is no workflow {config.workflow_id}.", at="workflow_id")
        return
    if config.version and not child.is_published:
        check.add("WF420", node, f"{child.name} is not published.", at="workflow_id")
    if around.workflow_id and around.workflow_id in child.calls:
        check.add("WF422", node, f"{child.name} calls this workflow again.", at="workflow_id")
    _check_shape(node, config, child, check)


def _check_shape(node: Node, config: SubWorkflowConfig, child: ChildWorkflow, check: Check) -> None:
    if child.answers != config.answers:
        ending = "an answer text" if child.answers else "variables"
        check.add("WF421", node, f"{child.name} returns {ending}.", at="answers")
    wanted = {field.name: field for field in child.input}
    given = {binding.name for binding in node.parameters}
    for name in given - set(wanted):
        check.add("WF421", node, f"{child.name} has no parameter {name}.", at=name)
    for name, field in wanted.items():
        if field.is_required and name not in given:
            check.add(
                "WF421",
                node,
                f"{child.name} requires the parameter {name}.",
                at="inputs",
                severity=Severity.WARNING,
            )
    actual = {field.name: field.type.kind for field in child.output}
    for field in node.outputs:
        if field.name not in actual:
            check.add("WF423", node, f"{child.name} no longer returns {field.name}.")
        elif actual[field.name] is not field.type.kind:
            check.add("WF423", node, f"{child.name} returns {field.name} as {actual[field.name]}.")


def _outside(node: Node) -> Outside:
    config = config_of(node, SubWorkflowConfig)
    return Outside(uses=(WorkflowUse(workflow_id=config.workflow_id, version=config.version),))


async def _work(call: Call) -> Result:
    config = config_of(call.node, SubWorkflowConfig)
    load_child = needed(call.ports.load_child, "workflows")
    child = await load_child(call.context, config.workflow_id, config.version)
    output = await call.host.run_child(
        call, "child", child, call.given, is_tool=False, is_silent=config.is_silent
    )
    return Result(output)


NodeType(
    kind="sub_workflow",
    type_id="9",
    key="SubWorkflow",
    names={"en": "Workflow", "zh": "工作流"},
    blank=blank(
        inputs={
            "workflowId": "",
            "workflowVersion": "",
            "type": 0,
            "spaceId": "",
            "inputDefs": [],
            "inputParameters": [],
        },
        outputs=[],
    ),
    group="basic",
    read=_read,
    check=_check,
    config=SubWorkflowConfig,
    can_stream=True,
    interrupts=True,
    has_batch_mode=True,
    effects="write",
    outside=_outside,
    runner=Runner(work=_work),
).register()

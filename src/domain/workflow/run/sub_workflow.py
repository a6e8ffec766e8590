"""Sub-workflow: runs another workflow inside this run."""

from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.sub_workflow import SubWorkflowConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.needs import needed


async def _work(call: Call) -> Result:
    config = config_of(call.node, SubWorkflowConfig)
    programs = needed(call.ports.programs, "workflows")
    child = await programs.load(call.context, config.workflow_id, config.version)
    output = await call.host.run_child(
        call, "child", child, call.given, is_tool=False, is_silent=config.is_silent
    )
    return Result(output)


RUNNERS.register("sub_workflow")(Runner(work=_work))

"""Plugin: calls a tool of a plugin."""

from domain.workflow.convert import convert_fields
from domain.workflow.execution_call import Call
from domain.workflow.interrupt import Ask, InterruptKind
from domain.workflow.node import config_of
from domain.workflow.node.plugin import PluginConfig
from domain.workflow.port import AuthorisationNeeded
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.needs import needed
from domain.workflow.value import Value


async def _work(call: Call) -> Result:
    config = config_of(call.node, PluginConfig)
    try:
        result = await needed(call.ports.tools, "plugins").call(
            call.context,
            plugin_id=config.plugin_id,
            tool_id=config.tool_id,
            version=config.version,
            arguments=call.inputs,
            key=call.key,
        )
    except AuthorisationNeeded as needs:
        raise Ask(InterruptKind.OAUTH, needs.data) from needs
    call.raw_output = result.raw
    conversion = convert_fields(result.output, call.node.outputs)
    for problem in conversion.problems:
        call.warn(str(problem))
    output: dict[str, Value] = conversion.value if isinstance(conversion.value, dict) else {}
    if config.whole:
        output = {**output, config.whole: dict(result.output) or result.text}
    return Result(output)


RUNNERS.register("plugin")(Runner(work=_work))

"""Tools of plugins that need access which the user has not given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from crossdomain.agent.contract import OpenQuestion
from crossdomain.plugin.contract import (
    AccessNeeded,
    PluginCall,
    PluginResult,
    PluginToolDescription,
    PluginToolRef,
)
from domain.agent.tools.consent import GuardedTool
from domain.agent.tools.plugin_tool import PluginTool
from domain.agent.turn.suspension import Suspension, WaitingCall
from domain.agent.value import PluginBinding
from domain.shared.access import TenantScope
from domain.shared.asked import Asked
from domain.shared.call import CallContext
from domain.shared.chat import ToolCall
from tests.unit.domain.agent.test_consent import Scene

URL = "https://boats.example/authorize?state=s"
BOATS = PluginToolDescription(
    plugin_id=7,
    tool_id=8,
    version="",
    plugin_name="harbour",
    name="boats",
    description="Lists boats.",
    parameters={"type": "object"},
    result={},
)


@dataclass
class Harbour:
    """A plugin whose boats are seen by those who gave access."""

    is_open: bool = False
    seen: list[Mapping[str, Any]] = field(default_factory=list)

    async def describe(
        self, scope: TenantScope, ref: PluginToolRef, *, preset: Sequence[str] = ()
    ) -> PluginToolDescription:
        return BOATS

    async def call(self, context: CallContext, call: PluginCall) -> PluginResult:
        self.seen.append(call.arguments)
        if not self.is_open:
            raise AccessNeeded("The harbour needs access.", authorize_url=URL)
        return PluginResult(output={}, text="two boats")

    async def existing(
        self, scope: TenantScope, tools: Sequence[tuple[int, int]]
    ) -> frozenset[tuple[int, int]]:
        return frozenset(tools)

    async def tools(
        self, scope: TenantScope, plugin_id: int, *, is_draft: bool = False
    ) -> Sequence[int]:
        return [8]

    async def latest(self, scope: TenantScope, plugin_ids: Sequence[int]) -> Mapping[int, str]:
        return {}


def boats(harbour: Harbour, *, takes_outputs: bool = True) -> GuardedTool:
    turn = Scene().turn(takes_outputs=takes_outputs)
    binding = PluginBinding(plugin_id=7, tool_id=8)
    ref = PluginToolRef(plugin_id=7, tool_id=8)
    return GuardedTool(PluginTool(harbour, turn, ref, binding, BOATS, "boats"), turn)


async def asked_by(harbour: Harbour) -> OpenQuestion:
    output = await boats(harbour).call({"pier": 2})
    assert output.text == f"The harbour needs access.\n{URL}"
    assert output.question is not None
    return output.question


async def test_a_call_waits_for_access_and_is_made_with_the_next_message() -> None:
    harbour = Harbour()
    question = await asked_by(harbour)
    assert question.asked == Asked(text="The harbour needs access.", url=URL)

    harbour.is_open = True
    output = await boats(harbour).answer(question, "Done.")

    assert (output.text, output.is_error, output.question) == ("two boats", False, None)
    assert harbour.seen == [{"pier": 2}, {"pier": 2}]


async def test_who_gives_no_access_is_not_asked_again() -> None:
    harbour = Harbour()
    output = await boats(harbour).answer(await asked_by(harbour), "Rather not.")

    assert output.is_error
    assert output.question is None
    assert output.text.endswith("said: Rather not.")


async def test_the_model_tells_the_address_where_nobody_can_be_asked() -> None:
    output = await boats(Harbour(), takes_outputs=False).call({})

    assert output.is_error
    assert output.question is None
    assert URL in output.text


async def test_a_message_answers_and_no_output_of_the_client() -> None:
    call = ToolCall(id="c1", name="boats", arguments="{}")
    waiting = WaitingCall(call=call, question=await asked_by(Harbour()), prompt=URL)
    kept = Suspension(messages=(), results=(), waiting=(waiting,)).question

    assert kept.calls == ()
    assert waiting.id == f"{kept.workflow_run_id}/{kept.question_id}"
    assert msgspec.json.decode(kept.state, type=Suspension).next == (waiting,)

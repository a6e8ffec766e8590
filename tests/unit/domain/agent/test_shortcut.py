"""Shortcuts: their texts and arguments, what they may be, and the call before the model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from crossdomain.agent.contract import (
    AgentEvent,
    AgentTurn,
    AnswerCompleted,
    ShortcutCall,
    ToolEnded,
    ToolsRequested,
)
from domain.agent.error import AgentInvalid, ShortcutIncomplete, ShortcutNotFound
from domain.agent.rules import check_shortcuts
from domain.agent.turn.meter import PreparationMeter
from domain.agent.turn.runner import AgentRunner
from domain.agent.value import AgentConfig
from domain.agent.value.shortcut import (
    InputType,
    Shortcut,
    ShortcutComponent,
    ShortcutParameter,
    ShortcutTool,
    ShortcutToolType,
    find_shortcut,
    ordered_shortcuts,
    require_bound,
)
from domain.shared.chat import Capabilities, TextPart
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics
from tests.support.agent.scripted import ListedKnowledge, ScriptedModels, reply
from tests.support.agent.snapshot import a_snapshot
from tests.support.clock import FrozenClock
from tests.unit.domain.agent.tool_stage import CONTEXT, Doubling, Kind

LIMITS = Limits()
TOOL = ShortcutTool(
    type=ShortcutToolType.WORKFLOW,
    workflow_id=9,
    name="double",
    params=(
        ShortcutParameter(name="x", type="integer", required=True, refer_component=True),
        ShortcutParameter(name="unit", default_value="m"),
    ),
)
DOUBLE = Shortcut(
    id=5,
    name="Double it",
    command="double",
    template_query="What is twice {{number}}?",
    tool=TOOL,
    components=(
        ShortcutComponent(name="number", parameter="x"),
        ShortcutComponent(name="photo", input_type=InputType.UPLOAD_IMAGE, default_value="none"),
    ),
)


def test_the_form_fills_the_text_and_the_arguments() -> None:
    for values in ({"number": "4"}, {"x": "4"}):
        assert DOUBLE.question(values, max_path_chars=64) == "What is twice 4?"
        assert DOUBLE.arguments(values) == {"x": "4", "unit": "m"}


def test_a_value_that_the_tool_needs_must_be_there() -> None:
    with pytest.raises(ShortcutIncomplete, match="x is missing"):
        DOUBLE.require({"photo": "http://x"})
    DOUBLE.require({"number": "4"})


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"template_query": "{{ghost}}"}, "template_query"),
        ({"name": " "}, "name"),
        ({"command": "/go there"}, "command"),
        ({"components": (ShortcutComponent(name="number"),) * 2}, "components"),
        ({"components": (ShortcutComponent(name="number", parameter="y"),)}, "tool.params"),
        ({"tool": ShortcutTool(type=ShortcutToolType.WORKFLOW)}, "tool.workflow_id"),
        ({"tool": ShortcutTool(type=ShortcutToolType.PLUGIN, plugin_id=1)}, "tool"),
    ],
)
def test_a_shortcut_must_fit_together(changes: dict[str, Any], field: str) -> None:
    check_shortcuts([DOUBLE], LIMITS)
    with pytest.raises(AgentInvalid) as caught:
        check_shortcuts([msgspec.structs.replace(DOUBLE, **changes)], LIMITS)
    assert caught.value.message.startswith(field)


def test_shortcuts_are_few_and_their_commands_differ() -> None:
    with pytest.raises(AgentInvalid, match="command"):
        check_shortcuts([DOUBLE, msgspec.structs.replace(DOUBLE, id=6)], LIMITS)
    with pytest.raises(AgentInvalid, match="at most 20"):
        check_shortcuts([Shortcut(id=n, name="a") for n in range(21)], LIMITS)


def test_an_order_names_each_shortcut_once() -> None:
    a, b = Shortcut(id=1, name="a"), Shortcut(id=2, name="b")

    assert ordered_shortcuts((a, b), (2, 1)) == (b, a)
    for wrong in [(1,), (1, 1), (1, 2, 2)]:
        with pytest.raises(AgentInvalid):
            ordered_shortcuts((a, b), wrong)
    with pytest.raises(ShortcutNotFound):
        ordered_shortcuts((a, b), (1, 3))
    with pytest.raises(ShortcutNotFound):
        find_shortcut((a, b), 3)


def test_the_tool_is_one_that_the_agent_has() -> None:
    require_bound([DOUBLE], {"workflow/9"})
    with pytest.raises(AgentInvalid, match="bind the agent"):
        require_bound([DOUBLE], {"workflow/8", "plugin/9/9"})


@dataclass
class Stage:
    """Runs a turn that begins with the shortcut."""

    models: ScriptedModels
    tool: Doubling
    events: list[AgentEvent] = field(default_factory=list)

    async def emit(self, event: AgentEvent) -> None:
        self.events.append(event)

    async def run(self, values: Mapping[str, str]) -> None:
        runner = AgentRunner(
            meter=PreparationMeter(Metrics()),
            models=self.models,
            knowledge=ListedKnowledge(),
            clock=FrozenClock(datetime(2030, 5, 1, tzinfo=UTC)),
            limits=LIMITS,
            tool_kinds=[Kind([self.tool])],
        )
        snapshot = a_snapshot(AgentConfig(shortcuts=(DOUBLE,)))
        turn = AgentTurn(
            history=(),
            question=(TextPart(text="Twice 4?"),),
            variables={},
            shortcut=ShortcutCall(shortcut_id=5, values=values),
        )
        await runner.run(CONTEXT, snapshot, turn, self.emit)

    @property
    def results(self) -> list[tuple[str, bool]]:
        return [(e.text, e.is_error) for e in self.events if isinstance(e, ToolEnded)]


def bound(**options: Any) -> Doubling:
    return Doubling(options={"reference": "workflow/9", **options})


async def test_the_call_and_its_result_are_there_before_the_model_is_asked() -> None:
    stage = Stage(ScriptedModels(reply("It is 8.")), bound())

    await stage.run({"number": "4"})

    [request] = stage.models.requests
    question, said, result = request.messages[-3:]
    assert (question.text, result.text) == ("Twice 4?", "8")
    [call] = said.tool_calls
    assert (call.name, msgspec.json.decode(call.arguments)) == ("double", {"x": "4", "unit": "m"})
    assert call.id == result.tool_call_id
    assert [e.calls for e in stage.events if isinstance(e, ToolsRequested)] == [(call,)]


async def test_a_failing_tool_is_a_result_and_the_model_goes_on() -> None:
    stage = Stage(ScriptedModels(reply("Sorry.")), bound())

    await stage.run({"number": "many"})

    assert [is_error for _, is_error in stage.results] == [True]
    assert stage.models.requests[0].messages[-1].tool_error


async def test_a_tool_that_the_agent_lost_says_so() -> None:
    stage = Stage(ScriptedModels(reply("Sorry.")), Doubling())

    await stage.run({"number": "4"})

    [(text, is_error)] = stage.results
    assert is_error
    assert "not one of the agent's" in text
    assert not stage.tool.seen


async def test_a_tool_that_answers_by_itself_needs_no_model() -> None:
    stage = Stage(ScriptedModels(), bound(returns_directly=True))

    await stage.run({"number": "4"})

    assert [e.text for e in stage.events if isinstance(e, AnswerCompleted)] == ["8"]


async def test_models_without_tools_read_the_result_as_material() -> None:
    stage = Stage(ScriptedModels(reply("8"), capabilities=Capabilities(tools="none")), bound())

    await stage.run({"number": "4"})

    [request] = stage.models.requests
    assert not any(message.tool_calls for message in request.messages)
    assert any("8" in message.text for message in request.messages if message.role == "system")

"""Results of tools reach the model in blocks that nobody can close in advance."""

import re

from tests.support.agent.scripted import ScriptedModels, reply
from tests.unit.domain.agent.tool_stage import Doubling, Stage, calls


async def test_each_run_has_tags_of_its_own_and_a_rule_about_them() -> None:
    marks = set()
    for _ in range(2):
        stage = Stage(ScriptedModels(calls('{"x": 4}'), reply("8")))
        await stage.run()

        first, last = stage.models.sent
        rule = next(m.text for m in first.messages if m.role == "system" and "data-" in m.text)
        (result,) = [m.text for m in last.messages if m.role == "tool"]
        found = re.fullmatch(r"<data-([0-9a-f]{8})>\n8\n</data-\1>", result)
        assert found
        assert found[1] in rule
        marks.add(found[1])
    assert len(marks) == 2


async def test_a_run_without_tools_needs_no_rule() -> None:
    stage = Stage(ScriptedModels(reply("Hi.")), tools=[])
    await stage.run()
    assert not any("data-" in m.text for m in stage.last.messages)


async def test_what_followers_see_has_no_tags() -> None:
    stage = Stage(ScriptedModels(calls('{"x": 4}'), reply("8")), tools=[Doubling()])
    await stage.run()
    assert not any("data-" in str(event) for event in stage.events)

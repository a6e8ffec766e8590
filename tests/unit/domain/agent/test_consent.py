"""When calls wait for the user."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from crossdomain.agent.contract import AgentEvent, AgentTurn, AgentWarned, OpenQuestion, Round
from domain.agent.tools.consent import CONSENT, NOBODY_ASKED, REFUSED, GuardedTool, mark_start
from domain.agent.tools.taint import Taint
from domain.agent.tools.tool import TurnContext
from domain.agent.turn.source import Sources
from domain.agent.value import AgentConfig, KnowledgeSettings
from domain.shared.chat import ChatMessage, ImagePart, Part, TextPart
from domain.shared.error import Conflict
from tests.support.agent.snapshot import a_snapshot
from tests.unit.domain.agent.tool_stage import CONTEXT, Doubling

WRITE = {"effect": "external_write"}


@dataclass
class Scene:
    """A turn whose events are kept."""

    events: list[AgentEvent] = field(default_factory=list)

    async def emit(self, event: AgentEvent) -> None:
        self.events.append(event)

    def turn(
        self,
        *,
        taint: Taint | None = None,
        takes_outputs: bool = True,
        config: AgentConfig | None = None,
        **given: Any,
    ) -> TurnContext:
        question: tuple[Part, ...] = given.pop("question", (TextPart(text="Q"),))
        history = given.pop("history", ())
        turn = AgentTurn(
            history=history,
            question=question,
            variables={},
            takes_outputs=takes_outputs,
            **given,
        )
        snapshot = a_snapshot(config)
        return TurnContext(
            call=CONTEXT,
            snapshot=snapshot,
            turn=turn,
            emit=self.emit,
            sources=Sources(),
            recall_tokens=1,
            cites=False,
            taint=taint or Taint(),
        )


@pytest.mark.parametrize(
    ("options", "is_tainted", "waits"),
    [
        ({}, True, False),
        (WRITE, False, False),
        (WRITE, True, True),
        ({"effect": "irreversible"}, True, True),
        ({**WRITE, "is_exempt": True}, True, False),
        ({"needs_approval": True}, False, True),
        ({**WRITE, "is_exempt": True, "needs_approval": True}, False, True),
    ],
)
async def test_effects_wait_once_strangers_were_read(
    options: dict[str, Any], *, is_tainted: bool, waits: bool
) -> None:
    scene, tool = Scene(), Doubling(options=options)
    taint = Taint(["web"] if is_tainted else [])

    output = await GuardedTool(tool, scene.turn(taint=taint)).call({"x": 2})

    assert (output.question is not None) is waits
    assert tool.seen == ([] if waits else [2])
    warned = [event.warning for event in scene.events if isinstance(event, AgentWarned)]
    assert warned == (["consent_needed"] if waits and is_tainted else [])


async def test_nothing_happens_where_nobody_can_be_asked() -> None:
    tool = Doubling(options=WRITE)
    turn = Scene().turn(taint=Taint(["web"]), takes_outputs=False)

    output = await GuardedTool(tool, turn).call({"x": 2})

    assert (output.text, output.is_error, tool.seen) == (NOBODY_ASKED, True, [])


async def test_a_call_that_the_user_chose_is_not_steered() -> None:
    tool = Doubling(options=WRITE)
    guarded = GuardedTool(tool, Scene().turn(taint=Taint(["web"])), by_user=True)

    assert (await guarded.call({"x": 2})).text == "4"


@pytest.mark.parametrize(
    ("verdict", "text", "seen"),
    [
        ('{"approved": true}', "4", [2]),
        ('{"approved": true, "arguments": {"x": "5"}}', "10", [5]),
        ('{"approved": true, "arguments": {}}', "arguments: x is missing.", []),
        ('{"approved": false}', REFUSED, []),
        ('{"approved": "yes"}', REFUSED, []),
        ("yes", REFUSED, []),
        ("", REFUSED, []),
    ],
)
async def test_the_verdict_decides(verdict: str, text: str, seen: list[int]) -> None:
    tool = Doubling(options=WRITE)
    guarded = GuardedTool(tool, Scene().turn(taint=Taint(["web"])))
    question = (await guarded.call({"x": 2})).question
    assert question
    assert question.question_id == CONSENT

    output = await guarded.answer(question, verdict)

    assert (output.text, tool.seen) == (text, seen)


@pytest.mark.parametrize("error", [None, Conflict("Do as I say.")])
async def test_results_and_errors_taint_the_turn(error: Exception | None) -> None:
    taint = Taint()
    guarded = GuardedTool(Doubling(error=error), Scene().turn(taint=taint))

    if error is None:
        await guarded.call({"x": 2})
    else:
        with pytest.raises(Conflict):
            await guarded.call({"x": 2})
    assert taint.sources == ["double"]
    trusted = Taint()
    await GuardedTool(Doubling(options={"is_trusted": True}), Scene().turn(taint=trusted)).call(
        {"x": 2}
    )
    assert not trusted.is_marked


def said(*messages: ChatMessage) -> tuple[Round, ...]:
    return (Round(messages=messages),)


PLAIN = said(ChatMessage.of_text("user", "Hi"), ChatMessage.of_text("assistant", "Hi"))
IMAGE = ImagePart(url="http://x.example/a.png")


@pytest.mark.parametrize(
    ("given", "sources"),
    [
        ({}, []),
        ({"history": PLAIN}, []),
        ({"question": (IMAGE,)}, ["file"]),
        ({"history": said(ChatMessage.of_text("tool", "x"))}, ["history"]),
        ({"history": said(ChatMessage(role="user", parts=(IMAGE,)))}, ["history"]),
        ({"summary": "They spoke of mails."}, ["summary"]),
    ],
)
def test_what_a_turn_begins_with_may_be_untrusted(
    given: dict[str, Any], sources: list[str]
) -> None:
    taint = Taint()
    mark_start(taint, Scene().turn(taint=taint, **given))
    assert taint.sources == sources


def test_earlier_answers_from_documents_are_untrusted() -> None:
    taint = Taint()
    config = AgentConfig(knowledge=KnowledgeSettings(dataset_ids=(5,)))
    mark_start(taint, Scene().turn(taint=taint, config=config, history=PLAIN))
    assert taint.sources == ["history"]


async def test_questions_of_the_tool_itself_go_to_the_tool() -> None:
    asked = OpenQuestion(workflow_run_id=7, question_id="q", kind=1)

    @dataclass
    class Asking(Doubling):
        async def answer(self, question: OpenQuestion, text: str) -> Any:
            return replace(await self.call({"x": 1}), text=f"{question.question_id}: {text}")

    output = await GuardedTool(Asking(options=WRITE), Scene().turn()).answer(asked, "yes")

    assert output.text == "q: yes"

"""What happens before the model is asked: independent branches, none of which can fail a run."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import count
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

import msgspec

from crossdomain.agent.contract import (
    AgentTurn,
    AgentWarned,
    EmitAgentEvent,
    Round,
    ToolEnded,
    ToolsRequested,
    ToolStarted,
)
from domain.agent.tools.consent import guarded_tools, mark_start
from domain.agent.tools.dispatch import CallDispatcher, CallResult
from domain.agent.tools.memory_tool import SET_VARIABLE, StoredVariables
from domain.agent.tools.recall import UNAVAILABLE, Found, KnowledgeSearch, question_of
from domain.agent.tools.tool import RenamedTool, Tool, ToolKind, ToolOutput, TurnContext
from domain.agent.turn.group import first_error
from domain.agent.turn.meter import PreparationMeter
from domain.agent.turn.recollection import Remembering, variable_section
from domain.agent.turn.template import Template
from domain.agent.value import KnowledgeSettings, NoRecallMode
from domain.agent.value.shortcut import ShortcutTool, find_shortcut
from domain.shared.chat import ChatMessage, ToolCall
from domain.shared.citation import framed
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_GONE: Final = "The tool of this shortcut is not one of the agent's any more."


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortcutResult:
    """What came of the call; nothing, if there was none."""

    asked: ChatMessage | None = None
    results: tuple[CallResult, ...] = ()

    @property
    def is_plain(self) -> bool:
        """The result is for the model: neither the answer nor a question to the user."""
        return not any(each.is_answer or each.output.question for each in self.results)

    @property
    def text(self) -> str:
        """The results as material for models that know no tools."""
        return "\n\n".join(framed(each.output.text) for each in self.results)


class ShortcutRunner:
    """Calls the tool of the shortcut that a turn was started with."""

    def __init__(self, *, clock: Clock, limits: Limits) -> None:
        self._clock = clock
        self._limits = limits

    async def run(self, context: TurnContext, tools: Sequence[Tool]) -> ShortcutResult:
        """Call it if there is one; failures are results that say so."""
        chosen = context.turn.shortcut
        if chosen is None:
            return ShortcutResult()
        shortcut = find_shortcut(context.snapshot.config.shortcuts, chosen.shortcut_id)
        if shortcut.tool is None:
            return ShortcutResult()
        tool = _find(tools, shortcut.tool)
        arguments = msgspec.json.encode(shortcut.arguments(chosen.values)).decode()
        call = ToolCall(
            id=f"call_shortcut_{context.call.run_id}",
            name=(shortcut.tool.name or "shortcut") if tool is None else tool.describe().spec.name,
            arguments=arguments,
        )
        await context.emit(ToolsRequested((call,)))
        if tool is None:
            results = [await self._missing(context, call)]
        else:
            dispatcher = CallDispatcher(
                (tool,), emit=context.emit, clock=self._clock, limits=self._limits
            )
            results = await dispatcher.execute((call,))
        return ShortcutResult(
            asked=ChatMessage(role="assistant", parts=(), tool_calls=(call,)),
            results=tuple(results),
        )

    async def _missing(self, context: TurnContext, call: ToolCall) -> CallResult:
        await context.emit(ToolStarted(call))
        await context.emit(ToolEnded(call=call, text=_GONE, is_error=True, duration_ms=0))
        return CallResult(call=call, output=ToolOutput(text=_GONE, is_error=True))


def _find(tools: Sequence[Tool], wanted: ShortcutTool) -> Tool | None:
    return next((t for t in tools if t.describe().reference == wanted.reference), None)


_LOG: Final = logging.getLogger(__name__)
_ZONE_NAMES: Final = ("time_zone", "timezone")
_KNOWLEDGE: Final = "knowledge"
"""The variable that stands for what was found, in personas that place it themselves."""

_ZONE_CHARS: Final = 64  # the longest name in the IANA database has 32

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variables:
    """Values for the persona, and the instant in the end user's time zone."""

    values: Mapping[str, str]
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Results of all branches.

    ``knowledge``, ``variables`` and ``memories`` are sections of the prompt. ``answer``, if not
    empty, is said without asking a model. ``called`` is what came of the shortcut's tool.
    """

    persona: str
    now: datetime
    knowledge: str
    tools: tuple[Tool, ...]
    answer: str
    called: ShortcutResult
    variables: str = ""
    memories: str = ""


class Preparation:
    """Renders the persona, searches knowledge and finds the tools of a turn."""

    def __init__(
        self,
        *,
        search: KnowledgeSearch,
        tool_kinds: Sequence[ToolKind],
        clock: Clock,
        limits: Limits,
        stored: StoredVariables | None = None,
        meter: PreparationMeter,
        remembering: Remembering | None = None,
    ) -> None:
        self._search = search
        self._meter = meter
        self._remembering = remembering
        self._stored = stored
        self._tool_kinds = tuple(tool_kinds)
        self._shortcuts = ShortcutRunner(clock=clock, limits=limits)
        self._clock = clock
        self._limits = limits

    async def prepare(self, context: TurnContext, *, calls_tools: bool) -> Prepared:
        """Run the branches side by side, each under its own deadline.

        ``calls_tools`` False: the model cannot call tools, so knowledge is always searched here.
        """
        snapshot, turn, emit = context.snapshot, context.turn, context.emit
        mark_start(context.taint, context)
        settings = snapshot.config.knowledge
        text = snapshot.config.prompt.text
        if turn.overrides.persona is not None:
            text = turn.overrides.persona
        fallback = Variables(values=turn.variables, now=self._clock.now())
        with first_error():
            async with asyncio.TaskGroup() as group:
                template = group.create_task(
                    guarded(
                        "persona",
                        self._limits.persona_deadline_s,
                        self._parse(text),
                        fallback=None,
                        emit=emit,
                        meter=self._meter,
                    )
                )
                variables = group.create_task(
                    guarded(
                        "variables",
                        self._limits.variables_deadline_s,
                        self._variables(context),
                        fallback=fallback,
                        emit=emit,
                        meter=self._meter,
                    )
                )
                tools = [
                    group.create_task(
                        guarded(
                            f"tools_{kind.name}",
                            self._limits.tools_deadline_s,
                            kind.tools(context),
                            fallback=(),
                            emit=emit,
                            meter=self._meter,
                        )
                    )
                    for kind in (self._tool_kinds if calls_tools or turn.shortcut else ())
                ]
                memories = group.create_task(
                    guarded(
                        "memories",
                        self._limits.memory_deadline_s,
                        self._memories(context),
                        fallback="",
                        emit=emit,
                        meter=self._meter,
                    )
                )
                shortcut = group.create_task(self._pre_run(context, tools))
                search = group.create_task(self._found(context, calls_tools=calls_tools))
        knowledge, answer = _in_prompt(search.result(), settings)
        parsed = template.result()
        persona = await self._render(
            parsed, text, variables.result(), turn, emit, knowledge=knowledge
        )
        shown = parsed.names if parsed is not None else frozenset[str]()
        called = shortcut.result()
        material = "" if _KNOWLEDGE in shown else knowledge
        if called.asked is not None:
            answer = ""
            if not calls_tools and called.is_plain:  # such models read the result as text
                material = "\n\n".join(filter(None, (material, called.text)))
                called = ShortcutResult()
        found = guarded_tools(
            await _named_once(tools, emit, renames=turn.takes_calls) if calls_tools else (),
            context,
        )
        return Prepared(
            persona=persona,
            now=variables.result().now,
            knowledge=material,
            tools=found,
            answer=answer,
            called=called,
            variables=variable_section(
                [each for each in snapshot.config.variables if each.keyword not in shown],
                variables.result().values,
                recall_tokens=context.recall_tokens,
                can_write=any(each.describe().spec.name == SET_VARIABLE for each in found),
            ),
            memories=memories.result(),
        )

    async def _found(self, context: TurnContext, *, calls_tools: bool) -> Found | None:
        """Search for the question; a turn that waited keeps what it had found."""
        sources, settings = context.sources, context.snapshot.config.knowledge
        if not settings.dataset_ids or not (settings.auto_call or not calls_tools):
            return None
        if sources.given:
            context.taint.mark("knowledge")
            return Found(text=sources.again(cites=context.cites))
        question = question_of(context.turn)
        with self._meter.timed("knowledge") as branch:
            found = await self._search.search(context, question, settings.dataset_ids)
            branch.outcome = "failed" if found.is_failed else "ok"
        sources.given = len(sources.cited)
        return found

    async def _memories(self, context: TurnContext) -> str:
        return await self._remembering.section(context) if self._remembering else ""

    async def _pre_run(
        self, context: TurnContext, found: Sequence[asyncio.Task[Sequence[Tool]]]
    ) -> ShortcutResult:
        if context.turn.shortcut is None:
            return ShortcutResult()
        tools = [tool for task in found for tool in await task]
        return await self._shortcuts.run(context, guarded_tools(tools, context, by_user=True))

    async def _parse(self, text: str) -> Template:
        return Template(text, max_path_chars=self._limits.placeholder_chars)

    async def _variables(self, context: TurnContext) -> Variables:
        snapshot, turn, emit = context.snapshot, context.turn, context.emit
        stored = await self._stored.values(context) if self._stored is not None else {}
        given = {**snapshot.config.variable_defaults, **stored, **turn.variables}
        now = self._clock.now().astimezone(await _zone(given, emit))
        name = snapshot.name if turn.overrides.name is None else turn.overrides.name
        system = {
            "agent_name": name,
            "current_date": f"{now:%Y-%m-%d}",
            "current_time": f"{now:%Y-%m-%d %H:%M}",
            "weekday": f"{now:%A}",
            "time_zone": str(now.tzinfo),
            "user_input": question_of(turn),
        }
        return Variables(values={**system, **given}, now=now)

    async def _render(
        self,
        template: Template | None,
        text: str,
        variables: Variables,
        turn: AgentTurn,
        emit: EmitAgentEvent,
        *,
        knowledge: str,
    ) -> str:
        if template is None:
            return text
        values = {**variables.values, _KNOWLEDGE: knowledge}
        if "history" in template.names and "history" not in values:
            values = {**values, "history": _as_text(turn.history)}
        persona = template.render(values)
        encoded = persona.encode()
        limit = self._limits.persona_output_bytes
        if len(encoded) <= limit:
            return persona
        await emit(
            AgentWarned(
                warning="persona_truncated",
                text=f"The prompt with its variables exceeds {limit} bytes and was cut.",
            )
        )
        return encoded[:limit].decode(errors="ignore")


def _in_prompt(found: Found | None, settings: KnowledgeSettings) -> tuple[str, str]:
    """Return what the prompt says about knowledge, and the answer if none is to be asked for."""
    if found is None:
        return "", ""
    if found.is_failed:
        return UNAVAILABLE, ""
    if found.text or not settings.no_recall_text:
        return found.text, ""
    if settings.no_recall_reply_mode is NoRecallMode.DIRECT:
        return "", settings.no_recall_text
    return framed(settings.no_recall_text), ""


async def _named_once(
    found: Sequence[asyncio.Task[Sequence[Tool]]], emit: EmitAgentEvent, *, renames: bool
) -> tuple[Tool, ...]:
    """Return the tools of all kinds; of two with one name the first is kept.

    ``renames``: the client chose the names of its tools without knowing those of the agent, which
    make way.
    """
    everything = [tool for task in found for tool in task.result()]
    described = [tool.describe() for tool in everything]
    of_client = {each.spec.name for each in described if renames and each.kind == "client"}
    taken = {each.spec.name for each in described}
    tools: dict[str, Tool] = {}
    for each, known in zip(everything, described, strict=True):
        tool, name = each, known.spec.name
        if name in of_client and known.kind != "client":
            name = next(free for n in count(2) if (free := f"{name}_{n}") not in taken)
            taken.add(name)
            tool = RenamedTool(tool, name)
        if name in tools:
            text = f"Two tools are called {name}; the second is left out."
            await emit(AgentWarned(warning="tool_name_taken", text=text, subject=name))
        tools.setdefault(name, tool)
    return tuple(tools.values())


async def guarded(
    name: str,
    seconds: float,
    work: Awaitable[T],
    *,
    fallback: T,
    emit: EmitAgentEvent,
    meter: PreparationMeter,
) -> T:
    """Await ``work`` under a deadline; whatever goes wrong becomes a warning and ``fallback``.

    Cancellation of the run passes through.
    """
    with meter.timed(name) as branch:
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            branch.outcome, text = "timeout", f"{name} took too long; left out."
        except Exception:  # noqa: BLE001 - a failing branch degrades the answer, never the run
            _LOG.exception("Preparation of %s failed.", name)
            branch.outcome, text = "failed", f"{name} failed; left out."
    await emit(AgentWarned(warning=f"{name}_{branch.outcome}", text=text))
    return fallback


async def _zone(values: Mapping[str, str], emit: EmitAgentEvent) -> tzinfo:
    """Return the zone that a variable names, UTC if none does."""
    name = next((values[key] for key in _ZONE_NAMES if values.get(key)), "")
    if not name or name == "UTC":
        return UTC
    try:
        return await asyncio.to_thread(ZoneInfo, name[:_ZONE_CHARS])  # reads a file the first time
    except (ValueError, KeyError, OSError):
        await emit(
            AgentWarned(warning="time_zone_unknown", text="Unknown time zone; UTC is used instead.")
        )
        return UTC


def _as_text(history: tuple[Round, ...]) -> str:
    messages = (message for each in history for message in each.messages)
    return "\n".join(f"{m.role}: {m.text}" for m in messages if m.role in {"user", "assistant"})

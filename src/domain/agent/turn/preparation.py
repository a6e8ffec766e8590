"""What happens before the model is asked: independent branches, none of which can fail a run."""

import asyncio
import logging
from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import count
from typing import Any, Final, Generic, TypeVar
from zoneinfo import ZoneInfo

import msgspec

from crossdomain.agent.contract import (
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
from domain.shared.limits import Limits
from domain.shared.text.citation import framed
from domain.shared.tracing.span import SpanKind, begun
from infra.contract.clock import Clock

_LOG: Final = logging.getLogger(__name__)
T = TypeVar("T")


class Result(Generic[T]):
    """What a branch came to; what it would be without the branch, until then."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value


class Branches:
    """Work that is begun together once all of it is known."""

    def __init__(self, *, emit: EmitAgentEvent, meter: PreparationMeter) -> None:
        self._emit = emit
        self._meter = meter
        self._work: list[Coroutine[Any, Any, None]] = []

    def add(self, work: Awaitable[T], *, instead: T) -> Result[T]:
        """Have work done whose errors are the run's; ``instead`` is the result until then."""
        result = Result(instead)
        self._work.append(_put(work, result))
        return result

    def guard(self, name: str, seconds: float, work: Awaitable[T], *, instead: T) -> Result[T]:
        """Have work done under a deadline; whatever goes wrong is a warning, and ``instead``.

        Cancellation of the run passes through.
        """
        result = Result(instead)
        self._work.append(self._guarded(name, seconds, work, result))
        return result

    async def join(self) -> None:
        """Do all of it; what is alone needs no task of its own."""
        match self._work:
            case []:
                return
            case [alone]:
                await alone
            case several:
                with first_error():
                    async with asyncio.TaskGroup() as group:
                        for work in several:
                            group.create_task(work)

    async def _guarded(
        self, name: str, seconds: float, work: Awaitable[T], result: Result[T]
    ) -> None:
        with self._meter.timed(name) as branch, begun(SpanKind.PREPARE, name) as span:
            try:
                async with asyncio.timeout(seconds):
                    result.value = await work
            except TimeoutError:
                branch.outcome, text = "timeout", f"{name} took too long; left out."
            except Exception:  # noqa: BLE001 - a failing branch degrades the answer, never the run
                _LOG.exception("Preparation of %s failed.", name)
                branch.outcome, text = "failed", f"{name} failed; left out."
            else:
                return
            span.note(degraded=True)
            span.fail(text)
        await self._emit(AgentWarned(warning=f"{name}_{branch.outcome}", text=text))


async def _put(work: Awaitable[T], result: Result[T]) -> None:
    result.value = await work


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


_ZONE_NAMES: Final = ("time_zone", "timezone")
_KNOWLEDGE: Final = "knowledge"
"""The variable that stands for what was found, in personas that place it themselves."""

_ZONE_CHARS: Final = 64  # the longest name in the IANA database has 32


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offered:
    """What the model may call, and what came of the call that the user chose."""

    tools: Sequence[Tool]
    called: ShortcutResult


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
        """Do what the agent has, and wait side by side for what has to be waited for.

        ``calls_tools`` False: the model cannot call tools, so knowledge is always searched here.
        """
        mark_start(context.taint, context)
        snapshot, turn = context.snapshot, context.turn
        branches = Branches(emit=context.emit, meter=self._meter)
        offered = self._offered(branches, context, calls_tools=calls_tools)
        stored = self._stored_values(branches, context)
        memories = self._memories(branches, context)
        search = self._search_of(branches, context, calls_tools=calls_tools)
        await branches.join()
        knowledge, answer = _in_prompt(search.value, snapshot.config.knowledge)
        with self._meter.timed("persona"):
            variables = await self._variables(context, stored.value)
            template = self._template(context)
            persona = await self._render(template, variables, context, knowledge=knowledge)
        called = offered.value.called
        material = "" if _KNOWLEDGE in template.names else knowledge
        if called.asked is not None:
            answer = ""
            if not calls_tools and called.is_plain:  # such models read the result as text
                material = "\n\n".join(filter(None, (material, called.text)))
                called = ShortcutResult()
        named = await _named_once(
            offered.value.tools if calls_tools else (), context.emit, renames=turn.takes_calls
        )
        tools = guarded_tools(named, context)
        return Prepared(
            persona=persona,
            now=variables.now,
            knowledge=material,
            tools=tools,
            answer=answer,
            called=called,
            variables=self._variable_section(context, template, variables, tools),
            memories=memories.value,
        )

    def _offered(
        self, branches: Branches, context: TurnContext, *, calls_tools: bool
    ) -> Result["_Offered"]:
        """Find the tools of the kinds that the agent has, and call that of the shortcut."""
        nothing = _Offered(tools=(), called=ShortcutResult())
        has_shortcut = context.turn.shortcut is not None
        if not (calls_tools or has_shortcut):
            return Result(nothing)
        kinds = [each for each in self._tool_kinds if each.may_have(context)]
        if not (kinds or has_shortcut):
            return Result(nothing)
        return branches.add(self._tools_of(kinds, context), instead=nothing)

    async def _tools_of(self, kinds: Sequence[ToolKind], context: TurnContext) -> "_Offered":
        branches = Branches(emit=context.emit, meter=self._meter)
        seconds = self._limits.tools_deadline_s
        found = [
            branches.guard(f"tools_{kind.name}", seconds, kind.tools(context), instead=())
            for kind in kinds
        ]
        await branches.join()
        tools = [tool for each in found for tool in each.value]
        called = ShortcutResult()
        if context.turn.shortcut is not None:
            by_user = guarded_tools(tools, context, by_user=True)
            called = await self._shortcuts.run(context, by_user)
        return _Offered(tools=tools, called=called)

    def _stored_values(self, branches: Branches, context: TurnContext) -> Result[Mapping[str, str]]:
        if self._stored is None or not self._stored.may_have(context):
            return Result({})
        seconds = self._limits.variables_deadline_s
        return branches.guard("variables", seconds, self._stored.values(context), instead={})

    def _memories(self, branches: Branches, context: TurnContext) -> Result[str]:
        if self._remembering is None or not self._remembering.may_have(context):
            return Result("")
        seconds = self._limits.memory_deadline_s
        return branches.guard("memories", seconds, self._remembering.section(context), instead="")

    def _search_of(
        self, branches: Branches, context: TurnContext, *, calls_tools: bool
    ) -> Result[Found | None]:
        settings = context.snapshot.config.knowledge
        if not settings.dataset_ids or not (settings.auto_call or not calls_tools):
            return Result(None)
        return branches.add(self._found(context), instead=None)

    def _template(self, context: TurnContext) -> Template:
        text = context.turn.overrides.persona
        if text is None:
            text = context.snapshot.config.prompt.text
        return Template(text, max_path_chars=self._limits.placeholder_chars)

    def _variable_section(
        self,
        context: TurnContext,
        template: Template,
        variables: Variables,
        tools: Sequence[Tool],
    ) -> str:
        """Return what the prompt says of variables that the persona does not place itself."""
        declared = context.snapshot.config.variables
        if not declared:
            return ""
        return variable_section(
            [each for each in declared if each.keyword not in template.names],
            variables.values,
            recall_tokens=context.recall_tokens,
            can_write=any(each.describe().spec.name == SET_VARIABLE for each in tools),
        )

    async def _found(self, context: TurnContext) -> Found:
        """Search for the question; a turn that waited keeps what it had found."""
        sources, settings = context.sources, context.snapshot.config.knowledge
        if sources.given:
            context.taint.mark("knowledge")
            return Found(text=sources.again(cites=context.cites))
        question = question_of(context.turn)
        with self._meter.timed("knowledge") as branch:
            found = await self._search.search(context, question, settings.dataset_ids)
            branch.outcome = "failed" if found.is_failed else "ok"
        sources.given = len(sources.cited)
        return found

    async def _variables(self, context: TurnContext, stored: Mapping[str, str]) -> Variables:
        snapshot, turn, emit = context.snapshot, context.turn, context.emit
        given = {**snapshot.config.variable_defaults, **stored, **turn.variables}
        now = self._clock.now().astimezone(await self._zone(given, emit))
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

    async def _zone(self, values: Mapping[str, str], emit: EmitAgentEvent) -> tzinfo:
        """Return the zone that a variable names, UTC if none does."""
        name = next((values[key] for key in _ZONE_NAMES if values.get(key)), "")
        if not name or name == "UTC":
            return UTC
        try:
            async with asyncio.timeout(self._limits.persona_deadline_s):
                return await asyncio.to_thread(ZoneInfo, name[:_ZONE_CHARS])  # may read a file
        except (ValueError, KeyError, OSError):
            warning = "time_zone_unknown"
            await emit(AgentWarned(warning=warning, text="Unknown time zone; UTC is used instead."))
            return UTC

    async def _render(
        self, template: Template, variables: Variables, context: TurnContext, *, knowledge: str
    ) -> str:
        values = {**variables.values, _KNOWLEDGE: knowledge}
        if "history" in template.names and "history" not in values:
            values = {**values, "history": _as_text(context.turn.history)}
        persona = template.render(values)
        encoded = persona.encode()
        limit = self._limits.persona_output_bytes
        if len(encoded) <= limit:
            return persona
        await context.emit(
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
    everything: Sequence[Tool], emit: EmitAgentEvent, *, renames: bool
) -> tuple[Tool, ...]:
    """Return the tools of all kinds; of two with one name the first is kept.

    ``renames``: the client chose the names of its tools without knowing those of the agent, which
    make way.
    """
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


def _as_text(history: tuple[Round, ...]) -> str:
    messages = (message for each in history for message in each.messages)
    return "\n".join(f"{m.role}: {m.text}" for m in messages if m.role in {"user", "assistant"})

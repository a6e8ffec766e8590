"""What happens before the model is asked: independent branches, none of which can fail a run."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

from crossdomain.agent.contract import AgentTurn, AgentWarned, EmitAgentEvent, Round
from domain.agent.entity import AgentSnapshot
from domain.agent.template import Template
from domain.shared.chat import TextPart
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_LOG: Final = logging.getLogger(__name__)
_ZONE_NAMES: Final = ("time_zone", "timezone")
_ZONE_CHARS: Final = 64  # the longest name in the IANA database has 32

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variables:
    """Values for the persona, and the instant in the end user's time zone."""

    values: Mapping[str, str]
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Results of all branches."""

    persona: str
    now: datetime


class Preparation:
    """Renders the persona from request variables, defaults of the agent, and system values."""

    def __init__(self, *, clock: Clock, limits: Limits) -> None:
        self._clock = clock
        self._limits = limits

    async def prepare(
        self, snapshot: AgentSnapshot, turn: AgentTurn, emit: EmitAgentEvent
    ) -> Prepared:
        """Run the branches side by side, each under its own deadline."""
        text = snapshot.config.prompt.text
        if turn.overrides.persona is not None:
            text = turn.overrides.persona
        fallback = Variables(values=turn.variables, now=self._clock.now())
        async with asyncio.TaskGroup() as group:
            template = group.create_task(
                guarded(
                    "persona",
                    self._limits.persona_deadline_s,
                    self._parse(text),
                    fallback=None,
                    emit=emit,
                )
            )
            variables = group.create_task(
                guarded(
                    "variables",
                    self._limits.variables_deadline_s,
                    self._variables(snapshot, turn, emit),
                    fallback=fallback,
                    emit=emit,
                )
            )
        persona = await self._render(template.result(), text, variables.result(), turn, emit)
        return Prepared(persona=persona, now=variables.result().now)

    async def _parse(self, text: str) -> Template:
        return Template(text, max_path_chars=self._limits.placeholder_chars)

    async def _variables(
        self, snapshot: AgentSnapshot, turn: AgentTurn, emit: EmitAgentEvent
    ) -> Variables:
        given = {**snapshot.config.variable_defaults, **turn.variables}
        now = self._clock.now().astimezone(await _zone(given, emit))
        name = snapshot.name if turn.overrides.name is None else turn.overrides.name
        system = {
            "agent_name": name,
            "current_date": f"{now:%Y-%m-%d}",
            "current_time": f"{now:%Y-%m-%d %H:%M}",
            "weekday": f"{now:%A}",
            "time_zone": str(now.tzinfo),
            "user_input": "\n".join(p.text for p in turn.question if isinstance(p, TextPart)),
        }
        return Variables(values={**system, **given}, now=now)

    async def _render(
        self,
        template: Template | None,
        text: str,
        variables: Variables,
        turn: AgentTurn,
        emit: EmitAgentEvent,
    ) -> str:
        if template is None:
            return text
        values = variables.values
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


async def guarded(
    name: str, seconds: float, work: Awaitable[T], *, fallback: T, emit: EmitAgentEvent
) -> T:
    """Await ``work`` under a deadline; whatever goes wrong becomes a warning and ``fallback``.

    Cancellation of the run passes through.
    """
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError:
        await emit(AgentWarned(warning=f"{name}_timeout", text=f"{name} took too long; left out."))
    except Exception:  # noqa: BLE001 - a failing branch degrades the answer, never the run
        _LOG.exception("Preparation of %s failed.", name)
        await emit(AgentWarned(warning=f"{name}_failed", text=f"{name} failed; left out."))
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

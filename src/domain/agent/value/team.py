"""Several agents together: which others an agent works with, and who takes which question."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec

from domain.shared.ids import Id


class MemberKind(StrEnum):
    """How an agent works with another one."""

    DELEGATE = "delegate"
    """The model calls it like a tool; only its answer comes back."""
    HAND_OFF = "hand_off"
    """The model passes the conversation to it; the router may as well."""
    ROUTE = "route"
    """The router alone passes questions to it."""


class AgentBinding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Another agent of the workspace; publishing fills in the version.

    ``name`` is what the model calls it, empty for one made of the agent's own. ``description``
    tells the model when to turn to it, empty for the agent's own. ``parameters`` is a JSON Schema
    of type object for what a delegate gets besides its task; empty for nothing.
    """

    agent_id: Id
    kind: MemberKind = MemberKind.DELEGATE
    name: str = ""
    description: str = ""
    version: str = ""
    parameters: Mapping[str, Any] = {}

    @property
    def takes_over(self) -> bool:
        """The conversation can be passed to it."""
        return self.kind is not MemberKind.DELEGATE


class RouterMode(StrEnum):
    """Who decides which agent takes a question."""

    OFF = "off"
    RULES = "rules"
    MODEL = "model"


class RouterRule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Questions with one of these words go to this agent; upper and lower case are the same."""

    agent_id: Id
    words: tuple[str, ...]


class RouterSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who takes a question before the first step.

    The first rule that fits counts. What no rule or no model decides goes to ``default_agent_id``;
    0 is the agent itself. ``model_id`` empty: the agent's own model decides.
    """

    mode: RouterMode = RouterMode.OFF
    rules: tuple[RouterRule, ...] = ()
    default_agent_id: Id = 0
    model_id: str = ""

    @property
    def agent_ids(self) -> tuple[int, ...]:
        """Every agent that it names."""
        named = tuple(each.agent_id for each in self.rules)
        return (*named, self.default_agent_id) if self.default_agent_id else named


def rebound(
    agents: tuple[AgentBinding, ...],
    router: RouterSettings,
    ids: Mapping[int, int],
    *,
    keeps_versions: bool,
) -> tuple[tuple[AgentBinding, ...], RouterSettings]:
    """Return the settings of a team with other ids; agents without one are left out."""
    moved = tuple(
        msgspec.structs.replace(
            each, agent_id=ids[each.agent_id], version=each.version if keeps_versions else ""
        )
        for each in agents
        if each.agent_id in ids
    )
    rules = tuple(
        msgspec.structs.replace(each, agent_id=ids[each.agent_id])
        for each in router.rules
        if each.agent_id in ids
    )
    is_idle = not any(each.takes_over for each in moved)
    if is_idle or (router.mode is RouterMode.RULES and not rules):
        return moved, RouterSettings()
    default = ids.get(router.default_agent_id, 0)
    return moved, msgspec.structs.replace(router, rules=rules, default_agent_id=default)

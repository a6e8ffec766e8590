"""Agents that work together, in the spelling of the admin surface."""

from typing import Annotated

import msgspec

from api.shape import Fields, id_or_none
from api.wire import WireId
from application.shared.projection import By
from domain.agent.value.team import AgentBinding, RouterRule, RouterSettings


class MemberFields(Fields, of=AgentBinding):
    """Another agent of the workspace; ``parameters`` is a JSON Schema of type object.

    ``agent_name`` is shown, and ignored when it is sent. Publishing fills in the version.
    """

    agent_name: str = ""


class RouterRuleFields(Fields, of=RouterRule):
    """Questions with one of these words go to this agent."""


class RouterFields(Fields, of=RouterSettings):
    """Who takes a question; without ``default_agent_id`` the agent itself takes the rest."""

    rules: list[RouterRuleFields] = msgspec.field(default_factory=list)
    default_agent_id: Annotated[WireId | None, By(id_or_none)] = None
    model_id: Annotated[WireId | None, By(lambda model_id: model_id or None)] = None

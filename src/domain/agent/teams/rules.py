"""What the settings of a team must satisfy by themselves."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from domain.agent.error import AgentInvalid
from domain.agent.value.team import AgentBinding, RouterMode, RouterSettings
from domain.shared.ids import MAX_ID
from domain.shared.limits import Limits

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,48}")  # leaves room for what is put before it
_WORDS: Final = 50
_WORD_CHARS: Final = 100


def check_team(agents: Sequence[AgentBinding], router: RouterSettings, limits: Limits) -> None:
    """Raise ``AgentInvalid`` naming the field."""
    _check_agents(agents, limits)
    _check_router(agents, router, limits)


def _check_agents(agents: Sequence[AgentBinding], limits: Limits) -> None:
    if len(agents) > limits.agent_members:
        raise _invalid("agents", f"at most {limits.agent_members} agents are allowed.")
    if len({each.agent_id for each in agents}) < len(agents):
        raise _invalid("agents", "an agent stands there twice.")
    names = [each.name for each in agents if each.name]
    if len(set(names)) < len(names):
        raise _invalid("agents", "two agents have the same name.")
    for each in agents:
        if not 1 <= each.agent_id <= MAX_ID:
            raise _invalid("agents.agent_id", "this is no id of an agent.")
        if each.name and not _NAME.fullmatch(each.name):
            raise _invalid("agents.name", "1 to 48 letters, digits, _ and - are allowed.")
        if len(each.description) > limits.agent_description_chars:
            raise _invalid(
                "agents.description", f"at most {limits.agent_description_chars} characters."
            )
        if each.parameters and each.parameters.get("type") != "object":
            raise _invalid("agents.parameters", "expected a JSON Schema of type object.")
    if len(msgspec.json.encode([each.parameters for each in agents])) > limits.string_bytes:
        raise _invalid("agents.parameters", f"at most {limits.string_bytes} bytes in all.")


def _check_router(agents: Sequence[AgentBinding], router: RouterSettings, limits: Limits) -> None:
    reachable = {each.agent_id for each in agents if each.takes_over}
    if router.mode is not RouterMode.OFF and not reachable:
        raise _invalid("router", "it needs an agent of kind hand_off or route.")
    for agent_id in router.agent_ids:
        if agent_id not in reachable:
            raise _invalid(
                "router", f"the agent {agent_id} is not among agents as hand_off or route."
            )
    if router.mode is RouterMode.RULES and not router.rules:
        raise _invalid("router.rules", "a rule is needed in mode rules.")
    if len(router.rules) > limits.agent_members:
        raise _invalid("router.rules", f"at most {limits.agent_members} rules are allowed.")
    for rule in router.rules:
        if not 1 <= len(rule.words) <= _WORDS:
            raise _invalid("router.rules.words", f"1 to {_WORDS} words are needed.")
        if any(not word.strip() or len(word) > _WORD_CHARS for word in rule.words):
            raise _invalid("router.rules.words", f"1 to {_WORD_CHARS} characters are needed each.")
    if len(router.model_id) > limits.end_user_chars:
        raise _invalid("router.model_id", f"at most {limits.end_user_chars} characters.")


def _invalid(field: str, text: str) -> AgentInvalid:
    return AgentInvalid(f"{field}: {text}", field=field)

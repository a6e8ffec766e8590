"""What the check before publishing can say: stable codes, severities, where to look."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal

import msgspec


class FindingCode(StrEnum):
    """What a remark is about; interfaces say it in their own words, by this."""

    AGENT_GONE = "agent_gone"
    AGENT_UNPUBLISHED = "agent_unpublished"
    DATASET_GONE = "dataset_gone"
    MODEL_OFFLINE = "model_offline"
    MODEL_UNKNOWN = "model_unknown"
    PLUGIN_UNPUBLISHED = "plugin_unpublished"
    PROMPT_EMPTY = "prompt_empty"
    PROMPT_LEFTOVERS = "prompt_leftovers"
    SHORTCUT_MISFIT = "shortcut_misfit"
    WORKFLOW_GONE = "workflow_gone"
    WORKFLOW_MISSING = "workflow_missing"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One remark of the check before publishing; errors forbid it."""

    code: FindingCode
    """Stays the same from version to version; the message may not."""
    severity: Literal["error", "warning"]
    field: str
    message: str
    params: Mapping[str, str]
    """What the message names: `name` of a thing, its `id` instead, `parameters`."""


class _Rule(msgspec.Struct, frozen=True):
    severity: Literal["error", "warning"]
    field: str
    message: str


_RULES: Final[Mapping[FindingCode, _Rule]] = {
    FindingCode.AGENT_GONE: _Rule("error", "agents", "The agent {id} is gone; take it out."),
    FindingCode.AGENT_UNPUBLISHED: _Rule(
        "error", "agents", "The agent {name} is not published; publish it, or take it out."
    ),
    FindingCode.DATASET_GONE: _Rule(
        "warning",
        "knowledge.datasets",
        "The dataset {id} is gone or switched off and will not be searched.",
    ),
    FindingCode.MODEL_OFFLINE: _Rule(
        "warning",
        "model.model_id",
        "The offline model answers; configure a provider for real answers.",
    ),
    FindingCode.MODEL_UNKNOWN: _Rule(
        "error", "model.model_id", "This model does not exist here; choose another one."
    ),
    FindingCode.PLUGIN_UNPUBLISHED: _Rule(
        "error",
        "plugins",
        "The plugin {id} is not published; publish it, or take its tools out.",
    ),
    FindingCode.PROMPT_EMPTY: _Rule(
        "warning",
        "prompt.text",
        "The prompt is empty: the agent has no instructions of its own.",
    ),
    FindingCode.PROMPT_LEFTOVERS: _Rule(
        "warning",
        "prompt.text",
        "Some braces are no valid {{{{ name }}}} placeholder and stay as they are.",
    ),
    FindingCode.SHORTCUT_MISFIT: _Rule(
        "error", "shortcuts", "The tool of the shortcut {name} has no parameter {parameters}."
    ),
    FindingCode.WORKFLOW_GONE: _Rule(
        "error", "workflows", "The workflow {id} is gone or not published."
    ),
    FindingCode.WORKFLOW_MISSING: _Rule(
        "error",
        "workflow_agent",
        "The agent has no workflow to answer with; set workflow_agent.workflow_id.",
    ),
}


def finding(code: FindingCode, **params: str | int) -> Finding:
    """Remark something, naming what it is about."""
    rule = _RULES[code]
    return Finding(
        code=code,
        severity=rule.severity,
        field=rule.field,
        message=rule.message.format(**params),
        params={name: str(value) for name, value in params.items()},
    )

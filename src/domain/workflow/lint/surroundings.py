"""What exists around a workflow when it is checked; loaded before, so that checking is pure."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from domain.workflow.graph import GlobalKind
from domain.workflow.value import Field, Schema
from infra.contract.code_runner import CodeError, CodeModules


class ChildWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow that this one calls, as its chosen version stands now."""

    name: str
    is_published: bool
    answers: bool
    input: Schema = ()
    output: Schema = ()
    calls: tuple[str, ...] = ()
    """Ids of the workflows that it calls in turn, directly or not."""


class CodeText(NamedTuple):
    """Code of a node."""

    language: str
    source: str


class CompiledCode(msgspec.Struct, frozen=True, kw_only=True):
    """What the interpreter says that would run some code; ``fault`` is None if it takes it."""

    fault: CodeError | None = None
    unknown: str = ""
    """Why it could not be asked."""


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a canvas may name. None means: not known, so not checked."""

    workflow_id: str = ""
    children: Mapping[tuple[str, str], ChildWorkflow] | None = None
    """By (workflow id, version)."""
    models: frozenset[str] | None = None
    plugins: frozenset[tuple[str, str]] | None = None
    """(plugin id, tool id)."""
    datasets: frozenset[str] | None = None
    databases: frozenset[str] | None = None
    conversations: frozenset[str] | None = None
    """Names of the application's static conversations; dynamic ones cannot be known."""
    globals: Mapping[tuple[GlobalKind, str], Field] | None = None
    tool_outputs: Mapping[tuple[str, str], Schema] | None = None
    """Output of plugin tools now, by (plugin id, tool id); those that declare none are missing."""
    tool_inputs: Mapping[tuple[str, str], Schema] | None = None
    """Parameters of plugin tools now, in the same way."""
    database_fields: Mapping[str, frozenset[str]] | None = None
    code_modules: CodeModules | None = None
    """What Python code can import."""
    compiled: Mapping[CodeText, CompiledCode] | None = None
    run_budget: int = 100_000
    """Executions of nodes one run may take; 0 for no limit."""


NOTHING_KNOWN = Surroundings()

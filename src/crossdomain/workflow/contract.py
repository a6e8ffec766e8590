"""What other contexts may ask of workflows, in plain types only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from domain.shared.call import CallContext


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowToolDescription:
    """A published workflow as a model may call it.

    ``parameters`` is a JSON Schema object. ``is_direct``: the workflow ends with an answer text,
    which goes to the user as it is; the model does not see it.
    """

    workflow_id: str
    version: str
    name: str
    description: str
    parameters: Mapping[str, Any]
    is_direct: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowQuestion:
    """A question that keeps a workflow waiting; ``kind`` is its number on the wire."""

    id: str
    kind: int
    node_title: str
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowToolResult:
    """How a call went.

    ``success``: ``text`` is the answer, or the returned variables as JSON. ``interrupted``:
    ``question`` is open, and ``run_id`` names the run that an answer lets go on. ``failed`` and
    ``cancelled``: ``text`` says why.
    """

    status: Literal["success", "failed", "cancelled", "interrupted"]
    run_id: str
    text: str = ""
    output: Mapping[str, Any] | None = None
    error_code: int = 0
    question: WorkflowQuestion | None = None
    input_tokens: int = 0
    output_tokens: int = 0


class WorkflowTools(Protocol):
    """Workflows as tools of agents."""

    async def describe(
        self,
        context: CallContext,
        *,
        workflow_id: str,
        version: str = "",
        hidden: frozenset[str] = frozenset(),
    ) -> WorkflowToolDescription:
        """Describe a version (empty: the latest published one) without the hidden parameters.

        Raises:
            NotFound: there is no such workflow in the caller's spaces, or it is not published.
        """
        ...

    async def run(
        self,
        context: CallContext,
        *,
        workflow_id: str,
        version: str = "",
        arguments: Mapping[str, Any],
        key: str,
    ) -> WorkflowToolResult:
        """Run to the end or to the first question; equal ``key``, same run."""
        ...

    async def answer(
        self, context: CallContext, *, run_id: str, question_id: str, text: str
    ) -> WorkflowToolResult:
        """Answer a question and run on.

        Raises:
            Conflict: the question was answered before.
            NotFound: there is no such run in the caller's spaces.
        """
        ...

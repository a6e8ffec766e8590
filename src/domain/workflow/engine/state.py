"""What a run has done so far, as plain data: the whole truth from which it can continue."""

from typing import Any, Final, Literal, TypeAlias

import msgspec

from domain.workflow.engine.interrupt import Interrupt

Stored: TypeAlias = Any
"""A ``Value``; msgspec cannot decode the recursive alias."""

NodePath: TypeAlias = tuple[str, ...]
"""Way to a node instance from the root: node id, key, node id, key, …, node id.

A key names an instance of a scope inside a node: the index of an iteration, or the name of a child.
"""


_BELOW: Final = " \u203a "
"""Between a workflow and one that it runs."""


class NodeError(msgspec.Struct, frozen=True, kw_only=True):
    """Why a node failed; ``code`` is the internal number, ``message`` the bare cause."""

    code: int
    message: str
    path: NodePath = ()
    node_id: str = ""
    node_title: str = ""
    workflows: tuple[str, ...] = ()
    """Names of the workflows that lead to the node, without the one that is run."""
    is_callers: bool = False
    """What the caller of the run sent is to blame."""

    def described(self, workflow: str = "") -> str:
        """Say which node failed, and in which workflow below ``workflow``, with the cause."""
        if not self.node_id:
            return self.message
        names = _BELOW.join(name for name in (workflow, *self.workflows) if name)
        where = f" in {names}" if names else ""
        return f"node {named(self.node_title, self.node_id)}{where}: {self.message}"

    def seen_from(self, path: NodePath) -> str:
        """Say the same at the place of a node: its own failure needs no name."""
        return self.message if self.path == path else self.described()


def named(title: str, node_id: str) -> str:
    """Name a node for people, by its title and the id that they find it with."""
    return f"{title} ({node_id})" if title and title != node_id else node_id


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished node instance; a skipped one has none.

    ``error``: the node failed, and its policy turned that into this output or port.
    """

    output: dict[str, Stored]
    port: str = ""
    error: NodeError | None = None
    said: str = ""
    """What the node answered the user, where answers are the output of the scope."""
    input_tokens: int = 0
    output_tokens: int = 0


class Iteration(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished iteration: what it contributes to the outputs of its composite, by position.

    A missing contribution (the source did not run) is not listed.
    """

    collected: dict[int, Stored]
    is_last: bool = False
    """A break ended the loop here."""
    said: str = ""


class NodeProgress(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A node instance that has begun and keeps state: a composite, or one that waits."""

    inputs: dict[str, Stored] | None = None
    """As read when the node began, without what was skipped; null before that."""
    scopes: dict[str, "ScopeRecord"] = {}
    iterations: dict[int, Iteration] = {}
    variables: dict[str, Stored] = {}
    memory: dict[str, Stored] = {}
    """What the node itself wants to find again: a dialogue, a history of messages."""
    asked: str = ""
    """Id of the interrupt it waits for."""
    answer: str | None = None
    """Reply to that interrupt, until the node is done or asks again."""


class ScopeRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One instance of a scope: finished nodes by id, and those that are under way."""

    outcomes: dict[str, Outcome] = {}
    open: dict[str, NodeProgress] = {}
    edges: tuple[int, ...] = ()
    """State of the edges where they may form cycles: 0 waiting, 1 taken, 2 not taken."""
    said: list[str] = []
    """Answers of its nodes, in the order in which these were done."""
    variables: dict[str, Stored] = {}
    """Variables of a program that keeps them by itself and runs inside another one."""


class RunState(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A run; ``version_hash`` says which program it belongs to."""

    run_id: str
    version_hash: str
    input: dict[str, Stored]
    root: ScopeRecord = msgspec.field(default_factory=ScopeRecord)
    app_variables: dict[str, Stored] = {}
    """Assigned in this run; shared with children and tools that keep none by themselves."""
    mocks: dict[str, dict[str, Stored]] = {}
    """Outputs of nodes that are not run, by the node's id on the canvas."""
    pending: list[Interrupt] = []
    """First in, first out."""
    executed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    sequence: int = 0
    """Number of the last journal entry that is part of this state."""


RunStatus = Literal["success", "failed", "cancelled", "interrupted"]

"""Names that kinds give to things outside the workflow."""

from domain.workflow.graph import Const, Node
from domain.workflow.lint.diagnostic import Severity
from domain.workflow.node import Check


def check_conversation(node: Node, check: Check) -> None:
    """Warn about a constant name that no conversation of the application has.

    Only a warning: a conversation may be created while the workflow runs.
    """
    known = check.surroundings.conversations
    binding = node.input("conversationName")
    if known is None or binding is None or not isinstance(binding.expr, Const):
        return
    name = binding.expr.value
    if isinstance(name, str) and name not in known and node.kind != "conversation_create":
        check.add(
            "WF460",
            node,
            f"The application defines no conversation {name[:80]!r}.",
            at="conversationName",
            severity=Severity.WARNING,
        )

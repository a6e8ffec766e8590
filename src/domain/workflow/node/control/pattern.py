"""Regular expressions of users, in JavaScript's notation: checked, and matched in the sandbox.

Backtracking takes as long as an expression wants it to; in the sandbox of code it ends at a limit,
and the engine there is the one whose notation the expressions are written in.
"""

import re
from typing import Final

from domain.workflow.engine.call import Call
from domain.workflow.engine.error import NodeFailed, SandboxLimit, WrongOperand
from domain.workflow.node.data.code import MEMORY_MB, in_sandbox
from infra.contract.code_runner import CodeLanguage, CodeStatus

_TIMEOUT_MS: Final = 1000
_CODE: Final = """
function main({ params }) {
  let expression;
  try {
    expression = new RegExp(params.pattern);
  } catch (error) {
    return { fault: error.message };
  }
  return { matches: expression.test(params.text.trim()) };
}
"""


_PART: Final = re.compile(
    r"\\."  # an escape
    r"|\[(?:[^\]\\]|\\.)*\]"  # a class of characters
    r"|\((?:\?(?:[:=!]|<[=!]|<[A-Za-z_$][\w$]*>))?"  # the begin of a group
    r"|[*+?]\??|.",
    re.DOTALL | re.ASCII,
)
_QUANTIFIERS: Final = frozenset("*+?")


def trimmed(pattern: str) -> str:
    """Take the slashes off that people write around expressions, as FastGPT does."""
    return pattern.removeprefix("/").removesuffix("/")


def fault_of(pattern: str) -> str:
    """Say why no engine takes an expression; empty for one that may be valid.

    ECMAScript without the flag u (annex B): a lone brace or closing bracket means itself.
    """
    depth = 0
    is_repeatable = False
    for part in _PART.findall(pattern):
        if part == "\\":
            return "it ends with a backslash"
        if part == "[":
            return "a bracket [ is not closed"
        if part == ")" and not depth:
            return "a parenthesis ) is not opened"
        if part[0] in _QUANTIFIERS and not is_repeatable:
            return f"there is nothing that {part} could repeat"
        depth += part[0] == "("
        depth -= part == ")"
        is_repeatable = part[0] not in "(|^$*+?"
    return "a parenthesis ( is not closed" if depth else ""


async def matches(call: Call, text: str, pattern: str) -> bool:
    """Tell whether a regular expression matches a part of a text; an empty one matches nothing."""
    expression = trimmed(pattern)
    if not expression:
        return False
    ended = await in_sandbox(
        call,
        language=CodeLanguage.JAVASCRIPT,
        code=_CODE,
        params={"text": text, "pattern": expression},
        timeout_ms=_TIMEOUT_MS,
    )
    shown = expression[:80]
    if ended.status is CodeStatus.UNAVAILABLE:
        reason = "" if ended.error is None else ended.error.message
        raise NodeFailed(f"Regular expressions cannot be matched here. {reason}".strip())
    if ended.status is not CodeStatus.OK or ended.result is None:
        raise SandboxLimit(
            f"The regular expression {shown!r} was stopped ({ended.status}): it may take "
            f"{_TIMEOUT_MS} ms and {MEMORY_MB} MiB. Write it without nested repetitions."
        )
    fault = ended.result.get("fault")
    if fault:
        raise WrongOperand(f"The regular expression {shown!r} is not valid: {fault}.")
    return ended.result.get("matches") is True

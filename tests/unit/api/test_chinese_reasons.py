"""What the console says in Chinese names only refusals of the server, by its codes."""

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import application
import domain
import infra.contract
from domain.knowledge.error import (
    KnowledgeInvalid,
    ResegmentRefused,
    RetrievalFailed,
    SlicePositionUnfit,
)
from domain.shared.error import AppError, ErrorKind

REASONS: Final = Path(__file__).parents[3] / "console/src/ui/error-state/reasons.zh.ts"
_ENTRY: Final = re.compile(r"^  (\w+): \"(.+)\",$", re.MULTILINE)
_TOLD: Final = frozenset({ErrorKind.CONFLICT, ErrorKind.EXHAUSTED})
"""Kinds that tell people of a state that they can change."""
_OF_PROGRAMS: Final = frozenset({
    "app_conversation_taken", "collection_differs", "conversation_fixed", "idempotency_key_reused",
    "lease_lost", "move_differs", "resumed_twice", "run_already_settled", "run_settled_elsewhere",
    "target_occupied", "thread_lost", "tool_outputs_conflict", "transfer_busy", "work_lost",
})  # fmt: skip
"""Which no screen of the console brings about."""

_OF_CONTENT: Final = frozenset(
    {ErrorKind.INTERNAL, ErrorKind.INVALID, ErrorKind.TOO_LARGE, ErrorKind.UPSTREAM}
)
"""Kinds that end the reading of a document; it keeps the code."""
_OF_REQUESTS: Final = frozenset({RetrievalFailed.code, SlicePositionUnfit.code})
"""Of those codes, the ones that answer a request and are kept by no document."""


def kept_by_documents(known: Iterator[type[AppError]]) -> set[str]:
    """The codes with which the reading of a document fails."""
    found = {KnowledgeInvalid.code, ResegmentRefused.code} | {
        error.code
        for error in known
        if error.code // 1_000_000 == KnowledgeInvalid.code // 1_000_000
        and error.kind in _OF_CONTENT
    }
    return {str(code) for code in found - _OF_REQUESTS}


def errors() -> Iterator[type[AppError]]:
    """Every error that the server knows."""
    for package in (application, domain, infra.contract):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    waiting = [AppError]
    while waiting:
        # Tests of one process may have made errors of their own.
        below = [
            each
            for each in waiting.pop().__subclasses__()
            if not each.__module__.startswith("tests.")
        ]
        yield from below
        waiting += below


def test_each_reason_is_one_of_the_server_and_conflicts_have_one() -> None:
    said = dict(_ENTRY.findall(REASONS.read_text("utf-8")))
    known = {error.__new__(error).slug: getattr(error, "kind", None) for error in errors()}
    coded = kept_by_documents(errors())
    assert said.keys() <= known.keys() | coded, said.keys() - known.keys() - coded
    assert coded <= said.keys(), sorted(coded - said.keys())
    needed = {slug for slug, kind in known.items() if kind in _TOLD} - _OF_PROGRAMS
    assert needed <= said.keys(), sorted(needed - said.keys())
    assert all(text.endswith(("。", "\N{FULLWIDTH COLON}")) for text in said.values())

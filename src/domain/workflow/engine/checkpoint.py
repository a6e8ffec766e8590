"""Checkpoints: the state of a run as bytes, rebuilt from a snapshot and the journal after it."""

from collections.abc import Iterable
from typing import Final, assert_never

import msgspec

from domain.workflow.engine.error import NotStorable
from domain.workflow.engine.event import (
    InterruptAnswered,
    InterruptRaised,
    IterationFinished,
    JournalEntry,
    MemorySaved,
    NodeFinished,
    NodeOpened,
    VariablesSet,
)
from domain.workflow.engine.interrupt import Interrupt
from domain.workflow.engine.state import NodePath, NodeProgress, RunState, ScopeRecord

_STATES: Final = msgspec.msgpack.Decoder(RunState)
_ENTRIES: Final = msgspec.msgpack.Decoder(JournalEntry)


def encode_state(state: RunState) -> bytes:
    """Write a snapshot."""
    return msgspec.msgpack.encode(state)


def decode_state(data: bytes) -> RunState:
    """Read a snapshot; raise ``msgspec.DecodeError`` for anything else."""
    return _STATES.decode(data)


def encode_entry(entry: JournalEntry) -> bytes:
    """Write one journal entry.

    Raises:
        NotStorable: it holds a value that is nested too deeply, too large a number, no text.
    """
    try:
        return msgspec.msgpack.encode(entry)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise NotStorable(f"It holds a value that cannot be stored: {error}") from error


def decode_entry(data: bytes) -> JournalEntry:
    """Read one journal entry."""
    entry: JournalEntry = _ENTRIES.decode(data)
    return entry


def fold(state: RunState, entries: Iterable[JournalEntry]) -> RunState:
    """Bring a snapshot up to date, in place; each entry counts once."""
    for entry in entries:
        _apply(state, entry)
        state.sequence += 1
    return state


def raise_interrupt(state: RunState, interrupt: Interrupt, *, is_first: bool) -> None:
    """Put a question into the queue; a node that asks again goes first."""
    if is_first:
        state.pending.insert(0, interrupt)
    else:
        state.pending.append(interrupt)


def answer_interrupt(state: RunState, interrupt_id: str, answer: str) -> None:
    """Take a question out of the queue and hand its answer to the node."""
    for interrupt in state.pending:
        if interrupt.id == interrupt_id:
            state.pending.remove(interrupt)
            progress = progress_at(state.root, interrupt.path)
            progress.answer = answer
            return


def drop_interrupts(state: RunState, path: NodePath) -> None:
    """Forget questions from inside a node that is over."""
    length = len(path)
    state.pending = [each for each in state.pending if each.path[:length] != path]


def scope_at(root: ScopeRecord, path: NodePath) -> ScopeRecord:
    """Find or make the scope that the node at ``path`` belongs to."""
    scope = root
    for node_id, key in zip(path[:-1:2], path[1::2], strict=True):
        progress = scope.open.setdefault(node_id, NodeProgress())
        scope = progress.scopes.setdefault(key, ScopeRecord())
    return scope


def progress_at(root: ScopeRecord, path: NodePath) -> NodeProgress:
    """Find or make the progress of the node at ``path``."""
    return scope_at(root, path).open.setdefault(path[-1], NodeProgress())


def _apply(state: RunState, entry: JournalEntry) -> None:
    match entry:
        case NodeOpened():
            drop_interrupts(state, entry.path)
            scope = scope_at(state.root, entry.path)
            progress = NodeProgress(inputs=entry.inputs, variables=dict(entry.variables))
            scope.open[entry.path[-1]] = progress
        case NodeFinished():
            scope = scope_at(state.root, entry.path)
            scope.outcomes[entry.path[-1]] = entry.outcome
            if entry.outcome.said:
                scope.said.append(entry.outcome.said)
            scope.open.pop(entry.path[-1], None)
            scope.edges = entry.edges
            drop_interrupts(state, entry.path)
            state.executed += 1
            state.input_tokens += entry.outcome.input_tokens
            state.output_tokens += entry.outcome.output_tokens
        case IterationFinished():
            progress = progress_at(state.root, entry.path)
            progress.iterations[entry.index] = entry.iteration
            progress.scopes.pop(str(entry.index), None)
        case VariablesSet(path=()):
            state.app_variables.update(entry.values)
        case VariablesSet() if len(entry.path) % 2 == 0:  # those of a program inside of this one
            scope_at(state.root, (*entry.path, "")).variables.update(entry.values)
        case VariablesSet():
            progress_at(state.root, entry.path).variables.update(entry.values)
        case MemorySaved():
            progress_at(state.root, entry.path).memory = entry.memory
        case InterruptRaised():
            raise_interrupt(state, entry.interrupt, is_first=entry.is_first)
            progress = progress_at(state.root, entry.interrupt.path)
            progress.memory = entry.memory
            progress.asked = entry.interrupt.id
            progress.answer = None
        case InterruptAnswered():
            answer_interrupt(state, entry.interrupt_id, entry.answer)
        case _ as never:
            assert_never(never)

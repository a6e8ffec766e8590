"""What one round taught, and how it is stored beside what is known by then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from application.memory.recollection_index import Embedded, RecollectionIndex
from crossdomain.conversation.contract import FinishedRound
from domain.memory.extraction import Statement
from domain.memory.merging import SAME_BY_VECTOR, SAME_BY_WORDS, Nearness, merged
from domain.memory.recollection import Recollection, RecollectionId, RecollectionKind, least_worth
from domain.memory.relevance import overlap
from domain.memory.repository import MemoryStore
from domain.memory.variable import Holder
from domain.shared.access import TenantScope
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits

_SIDE_CHARS: Final = 1000
"""Of question and answer each, in an episode."""

Known = dict[RecollectionId, Recollection]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A round, and what models made of it.

    ``reminded`` are the statements that ``Statement.replaces`` counts in. ``embedded`` has the
    vectors of the episode and then of the statements, ``renewed`` known items embedded anew.
    """

    spoken: FinishedRound
    holder: Holder
    space_id: SpaceId
    statements: tuple[Statement, ...]
    reminded: tuple[Recollection, ...]
    embedded: Embedded
    renewed: tuple[Recollection, ...]
    now: datetime


class LessonKeeper:
    """Stores lessons, each once; what counts least makes room."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        index: RecollectionIndex,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._store = store
        self._index = index
        self._ids = ids
        self._limits = limits

    async def keep(self, scope: TenantScope, lesson: Lesson) -> None:
        """Store a lesson, unless its user opted out or it was stored before."""
        mine, holder = scope.within(lesson.space_id), lesson.holder
        async with self._store.transaction() as uow:
            await uow.serialise(holder.recollecting)
            if await uow.recollections.is_opted_out(mine, holder):
                return
            stored = await uow.recollections.list(mine, holder)
            if is_learnt(lesson.spoken, stored):
                return
            replaced = lesson.spoken.replaces_run_id
            old = {each.id for each in stored if replaced and each.run_id == replaced}
            known: Known = {each.id: each for each in stored if each.id not in old}
            changed: Known = {
                each.id: each
                for each in lesson.renewed
                if each.id in known and known[each.id].text == each.text
            }
            changed |= self._learnt(lesson, known | changed)
            everything = (known | changed).values()
            keep = self._limits.memory_items
            gone = {each.id for each in least_worth(everything, keep=keep, now=lesson.now)}
            await uow.recollections.put(
                mine, [each for key, each in changed.items() if key not in gone]
            )
            if old or gone:
                await uow.recollections.remove(mine, holder, old | gone)
            await uow.commit()

    def _learnt(self, lesson: Lesson, known: Known) -> Known:
        """Return what the statements of a round add and change, and the round itself."""
        changed: Known = {}
        for position, statement in enumerate(lesson.statements, 1):
            new = self._new(
                lesson,
                statement.kind,
                statement.text,
                position=position,
                importance=statement.importance,
            )
            present = [*(known | changed).values()]
            near = self._index.compared(lesson.embedded, position, present)
            found = merged(
                new,
                present,
                is_near=_nearness(new, near),
                replaces=_replaced(lesson, statement, known | changed),
                now=lesson.now,
            )
            changed |= {each.id: each for each in found}
        episode = self._new(
            lesson, RecollectionKind.EPISODE, episode_of(lesson.spoken), position=0, importance=0.5
        )
        return changed | {episode.id: episode}

    def _new(
        self,
        lesson: Lesson,
        kind: RecollectionKind,
        text: str,
        *,
        position: int,
        importance: float,
    ) -> Recollection:
        vector = lesson.embedded.at(position)
        return Recollection(
            id=RecollectionId(self._ids.next_id()),
            space_id=lesson.space_id,
            holder=lesson.holder,
            kind=kind,
            text=text,
            terms=self._index.terms(text),
            vector=vector,
            embedding=lesson.embedded.identity if vector else "",
            importance=importance,
            conversation_id=lesson.spoken.conversation_id,
            run_id=lesson.spoken.run_id,
            message_ids=lesson.spoken.message_ids,
            valid_from=lesson.now,
            updated_at=lesson.now,
            last_used_at=lesson.now,
        )


def is_learnt(spoken: FinishedRound, stored: Sequence[Recollection]) -> bool:
    """Tell whether a round was stored before: each leaves its episode at least."""
    return any(each.run_id == spoken.run_id for each in stored)


def episode_of(spoken: FinishedRound) -> str:
    """Return a round as it is remembered."""
    question, answer = spoken.question.strip(), spoken.answer.strip()
    return f"user: {question[:_SIDE_CHARS]}\nassistant: {answer[:_SIDE_CHARS]}"


def _nearness(new: Recollection, near: Mapping[RecollectionId, float]) -> Nearness:
    """Compare by vectors where there are some, else by words."""

    def is_near(known: Recollection) -> bool:
        if known.id in near:
            return near[known.id] >= SAME_BY_VECTOR
        return overlap(known, new) >= SAME_BY_WORDS

    return is_near


def _replaced(lesson: Lesson, statement: Statement, known: Known) -> Recollection | None:
    """Return what a statement makes untrue, if the model named something that exists."""
    number = statement.replaces
    if not 1 <= number <= len(lesson.reminded):
        return None
    return known.get(lesson.reminded[number - 1].id)

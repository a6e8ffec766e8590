"""How a new statement about a user meets what is known: confirm, replace, or stand beside it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from domain.memory.recollection import Origin, Recollection

SAME_BY_VECTOR: Final = 0.92
"""Cosine from which two statements are about the same."""

SAME_BY_WORDS: Final = 0.8

Nearness = Callable[[Recollection], bool]
"""Tells whether a known statement says nearly the same as the new one."""


def merged(
    new: Recollection,
    known: Sequence[Recollection],
    *,
    is_near: Nearness,
    replaces: Recollection | None,
    now: datetime,
) -> list[Recollection]:
    """Return what is to be stored: the new statement or the one it confirms, and what it ends.

    A statement that a person corrected is confirmed by likenesses, never replaced by them; only
    what makes it untrue (``replaces``) does.
    """
    if replaces is not None and replaces.is_active:
        return [new, _superseded(replaces, new, now=now)]
    near = [each for each in known if each.is_active and not each.is_episode and is_near(each)]
    kept = next((each for each in near if _says_the_same(each, new)), None)
    if kept is not None:
        return [kept.confirmed(importance=new.importance, now=now)]
    return [new, *(_superseded(each, new, now=now) for each in near)]


def _says_the_same(known: Recollection, new: Recollection) -> bool:
    return known.origin is Origin.PERSON or frozenset(known.terms) == frozenset(new.terms)


def _superseded(old: Recollection, new: Recollection, *, now: datetime) -> Recollection:
    return replace(old, superseded_by=new.id, updated_at=now)

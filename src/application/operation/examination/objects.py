"""Whether the object store has what rows name, and as they name it."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Final

from application.operation.examination.doctor import Examination, Finding, Severity
from infra.contract.storage.inspection import Inspection, KeptObject
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound, ObjectStore
from infra.contract.storage.transfer import ListedObject, ObjectCatalogue

_EXAMPLES: Final = 5
_AT_ONCE: Final = 500
_READERS: Final = 16
_RESTORE: Final = "Bring the objects back from a backup, or delete what names them."
_MISSING: Final = "object_missing"
_SIZE: Final = "object_size"
_ALTERED: Final = "object_altered"
_MESSAGES: Final = {
    _MISSING: "Files are missing in the object store.",
    _SIZE: "Files have another size than their row says.",
    _ALTERED: "Files have another content than their row says.",
}


class ObjectCheck:
    """Looks for each object that a row names, then through the listing of the store.

    An object is stored before its row and removed after it, so that what is spare is no damage.
    """

    name, invariant = "files", "I1, I11"

    def __init__(
        self, inspection: Inspection, catalogue: ObjectCatalogue, objects: ObjectStore
    ) -> None:
        self._inspection = inspection
        self._catalogue = catalogue
        self._objects = objects

    async def run(self, how: Examination) -> Sequence[Finding]:
        found: dict[str, list[str]] = {kind: [] for kind in _MESSAGES}
        counts = dict.fromkeys(_MESSAGES, 0)

        def note(kind: str, keys: Sequence[str]) -> None:
            counts[kind] += len(keys)
            found[kind] += keys[: _EXAMPLES - len(found[kind])]

        async for kept in self._inspection.kept_objects(quick=how.quick):
            odd = await self._odd(kept, deep=how.deep)
            for kind in (_MISSING, _ALTERED):
                note(kind, [key for key, what in odd.items() if what == kind])
        spare = 0
        if not how.quick:
            async for page in _pages(self._catalogue):
                known = await self._inspection.known_objects([item.key.value for item in page])
                spare += len(page) - len(known)
                note(_SIZE, [item.key.value for item in page if _differs(item, known)])
        return [
            *(
                Finding(
                    id=kind,
                    message=message,
                    count=counts[kind],
                    examples=tuple(found[kind]),
                    advice=_RESTORE,
                )
                for kind, message in _MESSAGES.items()
                if counts[kind]
            ),
            *_spare(spare),
        ]

    async def _odd(self, kept: Sequence[KeptObject], *, deep: bool) -> dict[str, str]:
        """Tell what is wrong with objects, unless nobody needs them any more."""
        odd: dict[str, str] = {}
        waiting = iter(kept)

        async def look() -> None:
            for each in waiting:
                if what := await self._look(each, deep=deep):
                    odd[each.key] = what

        async with asyncio.TaskGroup() as group:
            for _ in range(_READERS):
                group.create_task(look())
        if odd:  # it may have been deleted between the two looks
            still = await self._inspection.known_objects(list(odd))
            odd = {key: what for key, what in odd.items() if key in still}
        return odd

    async def _look(self, kept: KeptObject, *, deep: bool) -> str:
        is_read = deep and bool(kept.sha256)
        digest = hashlib.sha256()
        try:
            async with aclosing(
                self._objects.read(ObjectKey(kept.key), end=None if is_read else 1)
            ) as chunks:
                async for chunk in chunks:
                    digest.update(chunk)
        except ObjectNotFound:
            return _MISSING
        return _ALTERED if is_read and digest.hexdigest() != kept.sha256 else ""


async def _pages(catalogue: ObjectCatalogue) -> AsyncGenerator[list[ListedObject], None]:
    page: list[ListedObject] = []
    async for item in catalogue.listed():
        page.append(item)
        if len(page) == _AT_ONCE:
            yield page
            page = []
    if page:
        yield page


def _differs(item: ListedObject, known: Mapping[str, KeptObject]) -> bool:
    kept = known.get(item.key.value)
    return kept is not None and kept.size is not None and kept.size != item.size


def _spare(count: int) -> list[Finding]:
    if not count:
        return []
    return [
        Finding(
            id="object_spare",
            message="Objects belong to no row: unfinished uploads and derived files.",
            severity=Severity.OK,
            count=count,
        )
    ]

"""Walks through the files of a local object store in the order of their keys."""

import os
from collections.abc import Iterator
from pathlib import Path

from infra.contract.object_store import ObjectKey
from infra.contract.transfer import ListedObject


def walk(folder: Path, *, after: str, prefix: str = "") -> Iterator[ListedObject]:
    """Yield objects with a greater key; a folder sorts where its name with a slash does."""
    try:
        with os.scandir(folder) as entries:
            # No key has dots: what has one is no object.
            found = [(_name(entry, prefix), entry) for entry in entries if "." not in entry.name]
    except FileNotFoundError:
        return
    for name, entry in sorted(found, key=lambda pair: pair[0]):
        if entry.is_dir(follow_symlinks=False):
            if name > after or after.startswith(name):
                yield from walk(Path(entry.path), after=after, prefix=name)
        elif name > after and entry.is_file(follow_symlinks=False):
            yield ListedObject(ObjectKey(name), entry.stat(follow_symlinks=False).st_size)


def _name(entry: os.DirEntry[str], prefix: str) -> str:
    return f"{prefix}{entry.name}{'/' if entry.is_dir(follow_symlinks=False) else ''}"

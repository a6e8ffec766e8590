"""Extension points: a new member is one new file, and no other file changes."""

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Generic, TypeVar

from domain.shared.error import AppError, ErrorKind

T = TypeVar("T")


class UnknownExtension(AppError):
    """A name nobody registered; the message lists the known ones."""

    code, kind = 4000, ErrorKind.INVALID


@cache
def import_members(package: str, *, has_rooms: bool = False) -> None:
    """Import every module inside ``package``, a dotted name from our own source, the first time.

    With rooms those inside its packages, too; else what a package imports by itself is enough.
    """
    for module in pkgutil.iter_modules(import_module(package).__path__):
        name = f"{package}.{module.name}"
        import_module(name)
        if has_rooms and module.ispkg:
            import_members(name, has_rooms=True)


class Registry(Generic[T]):
    """Members of one kind by name; each registers itself from its own module of ``package``."""

    def __init__(self, kind: str, *, package: str, has_rooms: bool = False) -> None:
        """``has_rooms``: members may also live in packages inside of ``package``."""
        self._kind = kind
        self._package = package
        self._has_rooms = has_rooms
        self._members: dict[str, T] = {}
        self._loaded = False

    def register(self, name: str) -> Callable[[T], T]:
        def add(member: T) -> T:
            if name in self._members:
                raise ValueError(f"Two members of {self._package} are called {name!r}.")
            self._members[name] = member
            return member

        return add

    def get(self, name: str) -> T:
        self._load()
        if name not in self._members:
            known = ", ".join(sorted(self._members))
            raise UnknownExtension(f"Unknown {self._kind} {name!r}. Known: {known}.")
        return self._members[name]

    def names(self) -> tuple[str, ...]:
        """Names of all members, sorted."""
        self._load()
        return tuple(sorted(self._members))

    def _load(self) -> None:
        if not self._loaded:
            import_members(self._package, has_rooms=self._has_rooms)
            self._loaded = True

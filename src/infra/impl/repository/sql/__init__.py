"""Repositories on SQLAlchemy's core: tables and statements, no mapped classes."""

import sys
from types import ModuleType
from typing import Any, Final

_ASYNCIO: Final = "sqlalchemy.ext.asyncio"
_OF_THE_MAPPER: Final = ("scoping", "session")


class _Unopened(ModuleType):
    """Stands for a module while a package only takes names from it; collects them."""

    def __init__(self, name: str, names: set[str]) -> None:
        super().__init__(name)
        self._names = names

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)
        self._names.add(name)


def _import_without_mapper() -> None:
    """Import SQLAlchemy's asyncio package and leave its sessions unopened.

    The package names them, and they bring the object-relational mapper into each process: 6 MB
    and forty modules of which we use nothing. Whoever does ask for a session gets the real one.
    """
    names: set[str] = set()
    parts = [_Unopened(f"{_ASYNCIO}.{part}", names) for part in _OF_THE_MAPPER]
    sys.modules.update({part.__name__: part for part in parts})
    try:
        import sqlalchemy.ext.asyncio  # noqa: PLC0415
    finally:
        for part in parts:
            del sys.modules[part.__name__]
    package = vars(sqlalchemy.ext.asyncio)
    for name in names:
        del package[name]

    def open_part(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {_ASYNCIO!r} has no attribute {name!r}")
        from sqlalchemy.ext.asyncio import scoping, session  # noqa: PLC0415

        return {**vars(session), **vars(scoping)}[name]

    package["__getattr__"] = open_part


if _ASYNCIO not in sys.modules:
    _import_without_mapper()

"""A plugin of pytest that keeps the statements that tests send to databases, one of each form."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

_VERBS = frozenset({"DELETE", "INSERT", "SELECT", "UPDATE", "WITH"})
_PLACE = re.compile(r"\$\d+(::\w+(\(\d+\))?)?")
_PLACES = re.compile(r"(\(\?(, \?)*\)(, )?)+")


class Recorder:
    """Listens to every engine from now on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[str, dict[str, str]] = {}
        sa.event.listen(sa.Engine, "before_cursor_execute", self._take)

    def pytest_sessionfinish(self) -> None:
        found = {dialect: sorted(kept.values()) for dialect, kept in self._found.items()}
        self._path.write_text(json.dumps(found))

    def _take(self, connection: sa.Connection, cursor: Any, statement: str, *_: Any) -> None:
        text = " ".join(statement.split())
        if text.partition(" ")[0].upper() in _VERBS:
            form = _PLACES.sub("(?)", _PLACE.sub("?", text))
            self._found.setdefault(connection.dialect.name, {}).setdefault(form, text)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--statements", type=Path, help="where the statements are written")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(config.getoption("--statements")), "statements")

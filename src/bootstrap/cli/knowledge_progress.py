"""Progress of an import on a terminal: one bar in total and one for each file under way."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol, Self

_NAME_CHARS = 40


class FileProgress(Protocol):
    """How far one file is."""

    @property
    def path(self) -> Path: ...

    @property
    def state(self) -> str: ...

    @property
    def percent(self) -> int: ...

    @property
    def is_over(self) -> bool: ...


class ImportDisplay:
    """Draws bars on standard error if that is a terminal."""

    def __init__(self, *, total: int, is_quiet: bool) -> None:
        self._total = total
        self._is_quiet = is_quiet
        self._stack = ExitStack()
        self._bars: Any = None
        self._tasks: dict[Path, Any] = {}
        self._over: set[Path] = set()

    def __enter__(self) -> Self:
        if not self._is_quiet:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            console = Console(stderr=True)
            if console.is_terminal:
                self._bars = self._stack.enter_context(
                    Progress(
                        TextColumn("{task.description}", markup=False),
                        BarColumn(),
                        MofNCompleteColumn(),
                        console=console,
                    )
                )
                self._sum = self._bars.add_task("files", total=self._total)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def show(self, file: FileProgress) -> None:
        """Draw the state of a file."""
        if self._bars is None or file.path in self._over:
            return
        if file.path not in self._tasks:
            name = file.path.name[:_NAME_CHARS]
            self._tasks[file.path] = self._bars.add_task(f"  {name}", total=100)
        task = self._tasks[file.path]
        self._bars.update(task, completed=file.percent)
        if file.is_over:
            self._over.add(file.path)
            self._bars.remove_task(task)
            self._bars.advance(self._sum)

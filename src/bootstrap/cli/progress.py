"""Progress on a terminal, drawn on standard error and only there."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Self

_NAME_CHARS: Final = 40


class ImportDisplay:
    """One bar in total, and one for each file that somebody works on."""

    def __init__(self, *, total: int, is_quiet: bool) -> None:
        self._total = total
        self._is_quiet = is_quiet
        self._stack = ExitStack()
        self._bars: Any = None
        self._tasks: dict[Path, Any] = {}
        self._over: set[Path] = set()

    def __enter__(self) -> Self:
        if (console := _terminal(is_quiet=self._is_quiet)) is not None:
            self._bars = self._stack.enter_context(_bars(console))
            self._sum = self._bars.add_task("files", total=self._total)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def show(self, path: Path, *, percent: int, is_over: bool) -> None:
        """Draw the state of a file."""
        if self._bars is None or path in self._over:
            return
        if path not in self._tasks and percent and not is_over:
            name = path.name[:_NAME_CHARS]
            self._tasks[path] = self._bars.add_task(f"  {name}", total=100)
        task = self._tasks.get(path)
        if task is not None:
            self._bars.update(task, completed=percent)
        if is_over:
            self._over.add(path)
            self._bars.advance(self._sum)
            if task is not None:
                self._bars.remove_task(task)


class CountDisplay:
    """One bar after the other, each for a step that is counted."""

    def __init__(self, *, is_quiet: bool) -> None:
        self._is_quiet = is_quiet
        self._stack = ExitStack()
        self._bars: Any = None
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Self:
        if (console := _terminal(is_quiet=self._is_quiet)) is not None:
            self._bars = self._stack.enter_context(_bars(console))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def show(self, name: str, done: int, total: int) -> None:
        """Draw how far a step is."""
        if self._bars is None:
            return
        if name not in self._tasks:
            self._tasks[name] = self._bars.add_task(name, total=total)
        self._bars.update(self._tasks[name], completed=done)


def _terminal(*, is_quiet: bool) -> Any:
    """Return the terminal to draw on; None if there is none, or nothing is to be drawn."""
    if is_quiet or not sys.stderr.isatty():
        return None
    from rich.console import Console

    return Console(stderr=True)


def _bars(console: Any) -> Any:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
    )

"""Modules that Python code finds in each sandbox."""

import sys
from collections.abc import Iterable
from typing import Final, Literal

from infra.contract.code_runner import CodeModules
from infra.impl.code_runner.guest.offer import ALSO_THERE, OFFERED
from infra.impl.code_runner.guest.program import REFUSED

_WINDOWS: Final = frozenset({"msilib", "nt"})


def code_modules(kind: Literal["wasm", "jail", "off"], packages: Iterable[str]) -> CodeModules:
    """Describe what code may import where it runs here, and where it could run instead."""
    in_wasm = frozenset((*_parents(OFFERED), *ALSO_THERE)) - REFUSED
    in_jail = frozenset((*sys.stdlib_module_names, *packages)) - REFUSED - _WINDOWS
    if kind == "jail":
        return CodeModules(sandbox="jail", here=in_jail, elsewhere={"wasm": in_wasm})
    return CodeModules(sandbox="wasm", here=in_wasm, elsewhere={"jail": in_jail})


def _parents(names: Iterable[str]) -> Iterable[str]:
    return (name.partition(".")[0] for name in names)

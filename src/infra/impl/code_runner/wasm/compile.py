"""Compiles one WebAssembly file ahead of time: ``compile component|module source target``."""

import sys
from pathlib import Path

from wasmtime import Module
from wasmtime.component import Component

from infra.impl.code_runner.wasm.engine import make_engine
from infra.impl.code_runner.wasm.target import portable_target


def main(kind: str, source: Path, target: Path) -> None:
    """Write the machine code of ``source`` for this engine and this kind of processor."""
    engine, wasm = make_engine(target=portable_target()), source.read_bytes()
    compiled = Component(engine, wasm) if kind == "component" else Module(engine, wasm)
    target.write_bytes(compiled.serialize())


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))

"""``coterie idl``: interface definitions, exported from the code."""

from pathlib import Path

import click

from bootstrap.cli.command import Group, current_output


@click.group(cls=Group)
def idl() -> None:
    """Interface definitions."""


@idl.command("export")
@click.option(
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("idl"),
    show_default=True,
)
def export(folder: Path) -> None:
    """Write the OpenAPI document and the event schemas."""
    from bootstrap.idl import documents, openapi

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, content in documents(openapi()).items():
        (folder / name).write_bytes(content)
        written.append(str(folder / name))
    current_output().result({"files": written}, *written)

"""``coterie code``: the sandbox of code nodes."""

from pathlib import Path

import click

from bootstrap.cli.command import Group, current_output, read_settings
from bootstrap.compose.code_images import images_folder


@click.group(cls=Group)
def code() -> None:
    """Sandbox of code nodes."""


@code.command("prepare")
@click.option(
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the images; by default the one that this deployment uses.",
)
def prepare(folder: Path | None) -> None:
    """Make the interpreters of code nodes now, for instance when an image is built."""
    from infra.impl.code_runner.wasm.images import ImagesUnavailable
    from infra.impl.code_runner.wasm.images import prepare as make_images

    if folder is None:
        settings = read_settings()
        folder = images_folder(settings.code, settings.data_path)
    try:
        images = make_images(folder.absolute())
    except ImagesUnavailable as exc:
        raise click.ClickException(str(exc)) from exc
    current_output().result(
        {"folder": str(folder), "digest": images.digest},
        f"The interpreters of code nodes are in {folder}.",
    )

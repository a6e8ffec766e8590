"""Folder of the compiled interpreters of code nodes."""

import os
import stat
from pathlib import Path
from typing import Final

from bootstrap.settings import CodeSettings

_NAME: Final = "code-images"
_WRITABLE_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def images_folder(settings: CodeSettings, data: Path) -> Path:
    """Return where the images are, or are to be made.

    They belong to a version of the product, not to a deployment: without a folder that is named
    they are in the cache of the service user, where the next data directory finds them. Where
    there is no such cache, or others could write to it, they are in the data directory.
    """
    if settings.images:
        return Path(settings.images).expanduser()
    own = data / _NAME
    if own.is_dir():
        return own
    try:
        cache = Path.home() / ".cache" / "coterie" / _NAME
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = cache.stat()
    except (OSError, RuntimeError):
        return own
    is_ours = found.st_uid == os.geteuid() and not found.st_mode & _WRITABLE_BY_OTHERS
    return cache if is_ours and os.access(cache, os.W_OK) else own

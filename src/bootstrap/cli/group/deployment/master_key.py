"""``coterie master-key``: another key for everything that is sealed."""

import asyncio

import click

from bootstrap.cli.command import Group, current_output, read_settings


@click.group("master-key", cls=Group)
def master_key() -> None:
    """The key that stored credentials and traces are sealed under."""


@master_key.command("rotate")
def rotate() -> None:
    """Put a new key in front of those of the data directory.

    Servers use it from their next start on; what was sealed before opens with the former key until
    `reseal` and `forget`.
    """
    from bootstrap.maintenance.transfer import fingerprint
    from bootstrap.safety import load_master_keys, new_master_key, replace_master_keys

    settings = read_settings()
    keys = (new_master_key(), *load_master_keys(settings))
    replace_master_keys(settings, keys)
    current_output().result(
        {"key": fingerprint(keys[0]), "former": [fingerprint(each) for each in keys[1:]]},
        f"The new key has the fingerprint {fingerprint(keys[0])}. Save a copy of it elsewhere.",
        "Restart all servers and workers, then run: coterie master-key reseal",
    )


@master_key.command("reseal")
def reseal() -> None:
    """Seal under the present key all that is still under a former one; servers may run."""
    settings, output = read_settings(), current_output()
    secrets, traces, unreadable = asyncio.run(_resealed(settings))
    output.result(
        {"credentials": secrets, "traces": traces, "unreadable": unreadable},
        f"{secrets} credentials and {traces} traces were sealed anew.",
        *([f"{unreadable} are under a key that is not here."] if unreadable else []),
    )


@master_key.command("forget")
def forget() -> None:
    """Seal everything anew, then remove the former keys from the data directory.

    Backups made before need the former key: keep it where they are kept.
    """
    from bootstrap.maintenance.transfer import fingerprint
    from bootstrap.safety import load_master_keys, replace_master_keys
    from domain.shared.error import SettingsInvalid

    settings, output = read_settings(), current_output()
    current, *former = load_master_keys(settings)
    *_, unreadable = asyncio.run(_resealed(settings))
    if unreadable:
        raise SettingsInvalid(
            f"{unreadable} credentials or traces are under a key that is not here; see `coterie "
            "doctor`. The former keys stay."
        )
    replace_master_keys(settings, [current])
    output.result(
        {"key": fingerprint(current), "forgotten": [fingerprint(each) for each in former]},
        f"{len(former)} former keys are gone. Backups made under them still need them.",
    )


async def _resealed(settings: object) -> tuple[int, int, int]:
    from bootstrap.compose.archive import archive_of
    from bootstrap.compose.container import Container
    from bootstrap.server.lifecycle import opened
    from infra.impl.repository.sql.operation.sealed_secrets import SqlSealedSecrets

    container = Container(settings=settings)
    async with opened(container):
        secrets = SqlSealedSecrets(container.database())
        count, bad = await secrets.reseal(container.secret_box())
        traces = await archive_of(container).resealing.run()
    return count, traces.count, len(bad) + traces.unreadable

"""``coterie doctor``: whether a deployment is as it should be."""

import asyncio
from collections.abc import Sequence

import click
import msgspec

from application.operation.examination.doctor import CheckReport, Examination, Severity, is_healthy
from bootstrap.cli.command import Command, current_output, read_settings
from bootstrap.cli.output import Output, printable
from bootstrap.settings import Settings

EXIT_UNHEALTHY = 3
_COLOURS = {Severity.OK: "green", Severity.WARNING: "yellow", Severity.FAILURE: "red"}


@click.command(cls=Command)
@click.option("--repair", is_flag=True, help="Mend what can be mended beside running servers.")
@click.option("--deep", is_flag=True, help="Read the contents of files and indexes too.")
@click.option("--quick", is_flag=True, help="Look at what is new; do not list the object store.")
def doctor(*, repair: bool, deep: bool, quick: bool) -> None:
    """Examine the database, files, indexes, master key, sandbox and settings.

    Exit status 0: nothing failed, there may be warnings. 3: something failed. It reads everything
    and changes nothing, unless --repair is given. Servers may run meanwhile.
    """
    if deep and quick:
        raise click.UsageError("Use --deep or --quick, not both.")
    settings, output = read_settings(), current_output()
    how = Examination(repair=repair, deep=deep, quick=quick)
    reports = asyncio.run(_examine(settings, how, is_quiet=output.as_json))
    _print(reports, output)
    if not is_healthy(reports):
        click.get_current_context().exit(EXIT_UNHEALTHY)


async def _examine(settings: Settings, how: Examination, *, is_quiet: bool) -> list[CheckReport]:
    from application.operation.examination.doctor import Doctor
    from bootstrap.cli.progress import CountDisplay
    from bootstrap.compose.container import Container
    from bootstrap.maintenance.doctor import SchemaCheck, doctor_of
    from bootstrap.server.lifecycle import opened
    from infra.impl.repository.sql.engine.database import Database

    database = Database(settings.database_url)
    if database.is_sqlite and not settings.database.url:
        _require_deployment(settings)
    try:
        schema = await Doctor([SchemaCheck(database)]).examine(Examination())
    finally:
        await database.aclose()
    if not is_healthy(schema):  # opening it further would change it
        return schema
    container = Container(settings=settings)
    async with opened(container, receiving=True):
        with CountDisplay(is_quiet=is_quiet) as display:
            return await doctor_of(container, tell=display.show).examine(how)


def _require_deployment(settings: Settings) -> None:
    from domain.shared.error import SettingsInvalid

    if not (settings.data_path / "coterie.db").is_file():
        raise SettingsInvalid(f"{settings.data_path} holds no deployment: no coterie.db is there.")


def _print(reports: Sequence[CheckReport], output: Output) -> None:
    healthy = is_healthy(reports)
    if output.as_json:
        checks = [
            {**msgspec.to_builtins(report), "severity": report.severity.value} for report in reports
        ]
        output.result({"is_healthy": healthy, "checks": checks})
        return
    for report in reports:
        label = click.style(f"{report.severity.value:8}", fg=_COLOURS[report.severity])
        mark = f" [{report.invariant}]" if report.invariant else ""
        click.echo(f"{label} {report.name}{mark}")
        for finding in report.findings:
            count = f" ({finding.count})" if finding.count else ""
            mended = " Being repaired." if finding.is_repaired else ""
            click.echo(printable(f"         {finding.message}{count}{mended} ({finding.id})"))
            for line in (", ".join(finding.examples), finding.advice):
                if line:
                    click.echo(printable(f"           {line}"))
    click.echo("Nothing failed." if healthy else "Something failed.")

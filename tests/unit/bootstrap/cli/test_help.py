"""What each command says of itself."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from bootstrap.cli import main


def commands(group: click.Group, *above: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        yield " ".join((*above, name)), command
        if isinstance(command, click.Group):
            yield from commands(command, *above, name)


ALL = dict(commands(main))
RUN = {name: each for name, each in ALL.items() if not isinstance(each, click.Group)}


@pytest.mark.parametrize("name", ALL)
def test_a_command_says_what_it_does(name: str) -> None:
    told = CliRunner().invoke(main, [*name.split(), "--help"])

    assert told.exit_code == 0
    assert ALL[name].get_short_help_str()
    assert f"Usage: main {name} " in told.stdout


@pytest.mark.parametrize("name", RUN)
def test_all_commands_share_where_the_settings_are_and_how_to_print(name: str) -> None:
    options = {each for param in RUN[name].params for each in param.opts}

    assert {"--config", "--data-dir", "--json"} <= options


@pytest.mark.parametrize("name", ALL)
def test_what_is_misspelt_is_told_with_the_way_to_help(name: str) -> None:
    ended = CliRunner().invoke(main, [*name.split(), "--no-such-option"])

    assert ended.exit_code == 2
    assert "--help" in ended.stderr

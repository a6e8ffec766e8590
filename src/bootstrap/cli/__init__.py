"""The command line: serving, and administration at the machine."""

import click

from bootstrap.cli.agent import agent
from bootstrap.cli.backup import backup, restore
from bootstrap.cli.code import code
from bootstrap.cli.command import Group
from bootstrap.cli.dlq import dlq
from bootstrap.cli.doctor import doctor
from bootstrap.cli.idl import idl
from bootstrap.cli.knowledge.command import knowledge
from bootstrap.cli.migrate_data import migrate_data
from bootstrap.cli.model import model
from bootstrap.cli.operation import migrate, version
from bootstrap.cli.plugin import plugin
from bootstrap.cli.serve import serve
from bootstrap.cli.token import token
from bootstrap.cli.worker import worker
from bootstrap.cli.workflow.command import workflow
from bootstrap.cli.workflow.run import run, runs


@click.group(cls=Group)
def main() -> None:
    """Coterie: a self-hosted backend for AI agents."""


for _command in (serve, worker, migrate, token, model, agent, knowledge, plugin):
    main.add_command(_command)
for _command in (idl, code, workflow, version, migrate_data, backup, restore, doctor, dlq):
    main.add_command(_command)
for _command in (run, runs):
    workflow.add_command(_command)

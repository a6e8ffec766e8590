"""The command line: serving, and administration at the machine."""

import os
from typing import Final

import click

from bootstrap.cli.command import Group
from bootstrap.cli.group import (
    agent,
    budget,
    code,
    console,
    idl,
    model,
    plugin,
    sdk,
    share,
    trace,
    usage,
)
from bootstrap.cli.group.account import audit, oauth, token, user, workspace
from bootstrap.cli.group.deployment import (
    backup,
    dlq,
    doctor,
    master_key,
    migrate_data,
    operation,
    serve,
    worker,
)
from bootstrap.cli.group.knowledge import command as knowledge
from bootstrap.cli.group.workflow import command as workflow
from bootstrap.cli.group.workflow import run

_ONE_THREAD: Final = "OPENBLAS_NUM_THREADS"
"""Read by numpy's algebra as it is loaded, which is when the first vectors are compared. It would
start a thread for each processor, and these turn round and round between two products: half of what
a search cost. Searches share processors by threads of their own."""


@click.group(cls=Group)
def main() -> None:
    """Coterie: a self-hosted backend for AI agents."""
    os.environ.setdefault(_ONE_THREAD, "1")


for _command in (
    *(serve.serve, worker.worker, operation.migrate, token.token, usage.usage, budget.budget),
    *(model.model, agent.agent),
    *(knowledge.knowledge, plugin.plugin, idl.idl, code.code, workflow.workflow),
    *(operation.version, migrate_data.migrate_data, backup.backup, backup.restore),
    *(
        audit.audit,
        doctor.doctor,
        dlq.dlq,
        master_key.master_key,
        sdk.sdk,
        user.user,
        console.console,
        trace.trace,
        oauth.oauth,
        share.share,
        workspace.workspace,
    ),
):
    main.add_command(_command)
for _command in (run.run, run.runs):
    workflow.workflow.add_command(_command)

"""The command line: serving, and administration at the machine."""

import os
from typing import Final

import click

from bootstrap.cli.command import Directory

_MODULES: Final = {
    "agent": "agent",
    "audit": "account.audit",
    "backup": "deployment.backup",
    "budget": "budget",
    "code": "code",
    "console": "console",
    "dlq": "deployment.dlq",
    "doctor": "deployment.doctor",
    "idl": "idl",
    "knowledge": "knowledge.command",
    "master-key": "deployment.master_key",
    "migrate": "deployment.operation",
    "migrate-data": "deployment.migrate_data",
    "model": "model",
    "oauth": "account.oauth",
    "plugin": "plugin",
    "restore": "deployment.backup",
    "sdk": "sdk",
    "serve": "deployment.serve",
    "share": "share",
    "token": "account.token",
    "trace": "trace",
    "usage": "usage",
    "user": "account.user",
    "version": "deployment.operation",
    "worker": "deployment.worker",
    "workflow": "workflow.run",
    "workspace": "account.workspace",
}
"""Below ``group``; each has its command under the command's name."""
_ONE_THREAD: Final = "OPENBLAS_NUM_THREADS"
"""Read by numpy's algebra as it is loaded, which is when the first vectors are compared. It would
start a thread for each processor, and these turn round and round between two products: half of what
a search cost. Searches share processors by threads of their own."""


@click.group(
    cls=Directory,
    places={
        name: f"{__name__}.group.{module}:{name.replace('-', '_')}"
        for name, module in _MODULES.items()
    },
)
def main() -> None:
    """Coterie: a self-hosted backend for AI agents."""
    os.environ.setdefault(_ONE_THREAD, "1")

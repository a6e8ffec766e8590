"""Workflows that other workflows run: as nodes, and as tools of models."""

from application.workflow.definition.catalog import WorkflowCatalog
from domain.shared.error import InvalidRequest, NotFound
from domain.shared.ids import parse_id
from domain.workflow.engine.error import WorkflowMissing
from domain.workflow.port import Child, RunContext


class CatalogPrograms:
    """Loads children from the catalog, within the spaces of the run.

    Without a version, test runs take the draft of a child, others its newest version.
    """

    def __init__(self, catalog: WorkflowCatalog) -> None:
        self._catalog = catalog

    async def load(self, context: RunContext, workflow_id: str, version: str) -> Child:
        """Return a workflow; raise ``WorkflowMissing``."""
        scope = context.call.scope
        is_draft = context.is_debug and not version
        try:
            number = parse_id(workflow_id, field="workflow_id")
            loaded = await self._catalog.load(scope, number, version=version, draft=is_draft)
        except (NotFound, InvalidRequest) as exc:
            text = f"There is no workflow {workflow_id} {version}".rstrip()
            raise WorkflowMissing(f"{text} here, or it is not published.") from exc
        return Child(program=loaded.program, name=loaded.name, description=loaded.description)

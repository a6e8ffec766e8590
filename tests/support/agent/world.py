"""What use cases of agents look things up with, where there is no other context."""

from typing import Any

from application.agent.access import AgentReferences
from application.agent.bound import BoundTools
from application.agent.view import AgentViews
from domain.agent.repository import AgentStore
from tests.support.agent.scripted import ListedKnowledge, NoFlows, ScriptedModels


def looking_up(
    store: AgentStore, models: ScriptedModels, *, files: Any = None, plugins: Any = None
) -> dict[str, Any]:
    """Return models, references and views; nobody asks for files or plugins without any."""
    knowledge, flows = ListedKnowledge(), NoFlows()
    return {
        "models": models,
        "references": AgentReferences(
            files=files, models=models, knowledge=knowledge, plugins=plugins, flows=flows
        ),
        "views": AgentViews(
            files=files,
            models=models,
            knowledge=knowledge,
            store=store,
            bound=BoundTools(plugins=plugins, flows=flows),
        ),
    }

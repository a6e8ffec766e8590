"""What processes tell each other about runs of workflows; the key is always the run's id."""

from typing import Final

WORKFLOW_CANCEL: Final = "workflow.cancel"
"""Somebody asked for the run to be cancelled; the request is in its row."""
WORKFLOW_EVENT: Final = "workflow.event"
"""The event log or the row of the run has something new."""
WORKFLOW_QUEUED: Final = "workflow.queued"
"""The run waits for a process that carries it out."""

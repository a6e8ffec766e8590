"""Batch: many iterations at once."""

from domain.workflow.run import RUNNERS, Runner

RUNNERS.register("batch")(Runner(composite="batch"))

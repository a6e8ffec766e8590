"""Loop: one iteration after the other."""

from domain.workflow.run import RUNNERS, Runner

RUNNERS.register("loop")(Runner(composite="loop"))

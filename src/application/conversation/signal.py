"""What processes tell each other about runs of agents; the key is always the run's id."""

from typing import Final

RUN_CANCEL: Final = "run.cancel"
"""Somebody asked for the run to be cancelled; the request is in its row."""
RUN_EVENT: Final = "run.event"
"""The event log or the row of the run has something new."""
RUN_FOLLOWED: Final = "run.followed"
"""Somebody follows the run by its event log, so it should be written often for a while."""
FOLLOWED_S: Final = 3.0
"""How long the log of a followed run is written often; followers repeat themselves sooner."""

LOG_LAG_S: Final = 1.0
"""The log is written a moment after the row; followers wait so long for its last part."""

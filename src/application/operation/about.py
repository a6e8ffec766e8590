"""What the process tells about itself to its operator."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Product version and the text of all metrics, rendered when asked."""

    version: str
    render_metrics: Callable[[], bytes]
    metrics_content_type: str

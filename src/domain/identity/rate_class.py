"""Rate classes: how often a credential of a workspace may ask."""

from enum import StrEnum

from domain.shared.limits import Limits


class RateClass(StrEnum):
    """Which figure of the deployment's counts for a token."""

    DEFAULT = "default"
    """As for the tokens of people."""
    LOW = "low"
    STANDARD = "standard"
    HIGH = "high"

    def requests_per_min(self, limits: Limits) -> int:
        """Return how many requests a minute that are; 0 is any number."""
        match self:
            case RateClass.DEFAULT:
                return limits.requests_per_token_per_min
            case RateClass.LOW:
                return limits.rate_class_low_per_min
            case RateClass.STANDARD:
                return limits.rate_class_standard_per_min
            case RateClass.HIGH:
                return limits.rate_class_high_per_min

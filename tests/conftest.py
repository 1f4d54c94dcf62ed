"""How Hypothesis runs here: the same examples every time, as many as fit in a minute."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=40,
    suppress_health_check=_SLOW,
)
settings.register_profile(
    "explore", deadline=None, max_examples=1000, print_blob=True, suppress_health_check=_SLOW
)
"""Other examples every time: ``pytest --hypothesis-profile=explore``."""
settings.load_profile("default")

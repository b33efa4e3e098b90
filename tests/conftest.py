"""What holds for all tests."""

from hypothesis import HealthCheck, settings

# How long one example takes says more about the machine's other work than about ours.
settings.register_profile("marchland", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("marchland")

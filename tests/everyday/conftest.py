"""Hypothesis for the tests of everyday work."""

from hypothesis import settings

settings.register_profile("everyday", deadline=None, max_examples=200, derandomize=True)
settings.load_profile("everyday")

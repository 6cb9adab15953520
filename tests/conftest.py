"""Settings of all tests."""

import sys

import pytest
from hypothesis import settings

# the first example may compile, and the machine may be busy
settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")


@pytest.fixture(autouse=True)
def close_figures():
    """Close the figures of each test, because matplotlib warns if many figures are open."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")

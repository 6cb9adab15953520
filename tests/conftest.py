"""Settings of all tests."""

from hypothesis import settings

# the first example may compile, and the machine may be busy
settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")

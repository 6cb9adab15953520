from hypothesis import settings


def test_hypothesis_profile_has_no_deadline():
    assert settings().deadline is None

"""The figure of the performance page, drawn from the tables of the page."""

from importlib import import_module

import pytest
from documents import HOME


@pytest.fixture
def scale(monkeypatch):
    monkeypatch.syspath_prepend(HOME / "benchmarks")
    return import_module("scale")


def test_read_page_returns_every_drawn_number(scale):
    rows, rates = scale.read_page()
    assert [(name, int(size), int(dimensions)) for name, size, dimensions, *_ in rows] == [
        ("novelty", *case) for case in scale.SCORED
    ]
    ends = {(search, population, "end") for search in ("surprise", "novelty") for population in (250, 10_000)}
    trails = {("surprise", 250, "trail:200"), ("novelty", 250, "trail:200"), ("novelty", 2500, "trail:200")}
    assert rates.keys() == ends | trails
    assert all(1000 < rate < 100_000 for rate in rates.values())

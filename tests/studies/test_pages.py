from pathlib import Path

import pandas as pd
import pytest

from divergent.studies._pages import PAGES, Studies, read_studies, render

HOME = Path(__file__).parents[2]
RESULTS = HOME / "results" / "studies"


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_those_of_the_committed_results(name):
    text = (HOME / name).read_text(encoding="utf-8")
    assert render(text, read_studies(RESULTS)) == text


@pytest.mark.parametrize("name", PAGES)
def test_pages_without_results_are_pending(name, tmp_path):
    text = render((HOME / name).read_text(encoding="utf-8"), read_studies(tmp_path))
    assert "*Pending" in text
    assert "| prediction |" not in text
    assert "| archive added to the population |" not in text


def test_render_unknown_block_raises():
    empty = pd.DataFrame()
    with pytest.raises(ValueError, match=r"name of a studies block must be one of .*, got 'other'; fix the name"):
        render("<!-- studies: other -->\n<!-- end of studies -->", Studies(*[empty] * 6))

"""The tables of docs/benchmarks/agenda.md are those of the committed results."""

import importlib.util

import pandas as pd
from documents import HOME

specification = importlib.util.spec_from_file_location("agenda_tables", HOME / "benchmarks" / "agenda_tables.py")
tables = importlib.util.module_from_spec(specification)
specification.loader.exec_module(tables)


def test_page_of_the_agenda_has_the_tables_of_the_results():
    text = tables.PAGE.read_text(encoding="utf-8")
    assert text.count("<!-- agenda: ") == text.count("<!-- end -->") >= 3
    assert tables.regenerate(text) == text


def test_complete_drops_seeds_that_a_variant_lacks():
    runs = pd.DataFrame({"variant": ["a", "b", "a"], "seed": [0, 0, 1]})
    assert tables.complete(runs, ["variant"]).seed.tolist() == [0, 0]


def test_holm_multiplies_the_smallest_p_value_by_their_number():
    assert tables.ps(tables.holm([0.01, 0.2, 0.0001])) == ["0.020", "0.200", "< 0.001"]

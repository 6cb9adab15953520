from typing import Literal

import numpy as np
import pytest

from divergent.run_maze import main
from divergent.runs import Settings, run
from divergent.runs.options import make_strategy, search_options
from divergent.selection import SEARCHES, Strategy


class Sideways(Strategy):
    """How far to one side a robot ended.

    Parameters
    ----------
    side : {"left", "right"}, default="left"
        Which side counts: left or right. The other is ignored.
    reach : float or None, default=None
        Distance up to which
        the score grows.
    rng : numpy.random.Generator or None, default=None
        A generator.

    See Also
    --------
    Objective : A search without options.
    """

    def __init__(self, *, side: Literal["left", "right"] = "left", reach: float | None = None, paint=print, rng=None):
        super().__init__(rng=rng)
        if side not in ("left", "right"):
            raise ValueError(f"side must be left or right, got {side!r}")
        self.side, self.reach = side, reach

    def score(self, outcomes, among=None):
        x = outcomes.behaviours[:, 0]
        return np.minimum(x if self.side == "right" else -x, self.reach or np.inf)


@pytest.fixture
def sideways(monkeypatch):
    """A custom search with two options, registered by one entry."""
    monkeypatch.setitem(SEARCHES, "sideways", Sideways)


SMALL = {"maze": "hard", "population": 20, "generations": 3, "steps": 30}


def test_search_options_are_the_simple_arguments_of_the_constructor(sideways):
    options = search_options("sideways")
    assert list(options) == ["side", "reach"]
    assert options["side"] == ((str,), "left", "Which side counts: left or right.")
    assert options["reach"] == ((float,), None, "Distance up to which the score grows.")


def test_search_options_of_the_package_have_meanings():
    for search in SEARCHES:
        assert all(option.meaning for option in search_options(search).values()), search


@pytest.mark.parametrize(("text", "value"), [("2", 2.0), ("0.5", 0.5)])
def test_option_read_returns_a_value_of_its_type(sideways, text, value):
    assert search_options("sideways")["reach"].read(text) == value
    with pytest.raises(ValueError, match="option value must be of the documented type, a number, got 'far'"):
        search_options("sideways")["reach"].read("far")


def test_option_read_of_truth_accepts_true_and_false():
    assert search_options("surprise")["keep_empty_clusters"].read("False") is False
    with pytest.raises(ValueError, match="option value must be of the documented type, true or false, got 'perhaps'"):
        search_options("surprise")["keep_empty_clusters"].read("perhaps")


def test_option_of_floats_accepts_integers_but_not_the_reverse(sideways):
    assert Settings(search="sideways", reach=3).resolve().options["reach"] == 3
    with pytest.raises(
        ValueError, match=r"option clusters must have a value of the documented type, an integer, got 3\.5"
    ):
        Settings(clusters=3.5).resolve()


def test_custom_search_needs_one_class_and_one_entry(sideways, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "--side VALUE Which side counts: left or right. (sideways)" in text
    assert "--reach VALUE Distance up to which the score grows. (sideways)" in text
    command = ["hard", "--population", "20", "--generations", "3", "--steps", "30", "--out", str(tmp_path), "--quiet"]
    assert main([*command, "--search", "sideways", "--side", "right", "--reach", "150"]) == 0
    record = run(Settings(**SMALL, search="sideways", side="right", reach=150.0), out=tmp_path)
    assert record.settings.options == {"side": "right", "reach": 150.0}
    assert '"options": {"side": "right", "reach": 150.0}' in next(tmp_path.rglob("record.jsonl")).read_text()


def test_options_of_another_search_raise(sideways, capsys):
    with pytest.raises(ValueError, match="must belong to search sideways, got clusters; this search has side, reach"):
        Settings(search="sideways", clusters=3).resolve()
    assert main(["hard", "--search", "surprise", "--side", "left"]) == 2
    assert "options must belong to search surprise, got side; this search has clusters" in capsys.readouterr().err


def test_resolve_with_an_invalid_option_raises_the_error_of_the_strategy(sideways):
    with pytest.raises(ValueError, match="side must be left or right, got 'up'"):
        Settings(search="sideways", side="up").resolve()


def test_make_strategy_with_bounds_passes_them_on():
    bounds = ((0.0, 0.0), (4.0, 2.0))
    points = make_strategy(SEARCHES["ssr"], {"clusters": 50}, bounds, np.random.default_rng(1)).predictions
    assert (points.max(axis=0) <= bounds[1]).all()
    surprise = make_strategy(SEARCHES["surprise"], {"deviation": "heatmap"}, bounds, np.random.default_rng(1))
    partition = surprise.partition
    assert partition.high.tolist() == [4.0, 2.0]

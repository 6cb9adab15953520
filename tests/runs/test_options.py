from typing import Literal

import numpy as np
import pytest

from divergent.run_maze import main
from divergent.runs import Settings, run
from divergent.runs.options import make_strategy, options_of
from divergent.selection import SEARCHES, Strategy


class Sideways(Strategy):
    """How far to one side a robot ended.

    Parameters
    ----------
    side : {"left", "right"}, default="left"
        Which side counts: left or right. The other is ignored.
    reach : float or None, default=None
        How far the score goes
        on growing.
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
    """A search with two options of its own, which is one class and one entry."""
    monkeypatch.setitem(SEARCHES, "sideways", Sideways)


SMALL = {"maze": "hard", "population": 20, "generations": 3, "steps": 30}


def test_options_are_what_a_constructor_takes_that_is_a_number_or_a_word(sideways):
    found = options_of("sideways")
    assert list(found) == ["side", "reach"]
    assert found["side"] == ((str,), "left", "Which side counts: left or right.")
    assert found["reach"] == ((float,), None, "How far the score goes on growing.")


def test_every_search_of_ours_offers_options_with_a_meaning():
    for search in SEARCHES:
        assert all(option.meaning for option in options_of(search).values()), search


@pytest.mark.parametrize(("text", "value"), [("2", 2.0), ("0.5", 0.5)])
def test_the_text_of_an_option_is_read_as_its_type(sideways, text, value):
    assert options_of("sideways")["reach"].read(text) == value
    with pytest.raises(ValueError, match="it must be a number, got 'far'"):
        options_of("sideways")["reach"].read("far")


def test_truth_is_read_from_words():
    assert options_of("surprise")["keep_empty_clusters"].read("False") is False
    with pytest.raises(ValueError, match="it must be true or false, got 'perhaps'"):
        options_of("surprise")["keep_empty_clusters"].read("perhaps")


def test_a_whole_number_will_do_for_a_number_and_not_the_other_way_round(sideways):
    assert Settings(search="sideways", reach=3).resolve().options["reach"] == 3
    with pytest.raises(ValueError, match=r"clusters must be a whole number, got 3\.5"):
        Settings(clusters=3.5).resolve()


def test_a_new_search_with_two_options_needs_one_class_and_one_entry(sideways, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "--side VALUE Which side counts: left or right. (sideways)" in told
    assert "--reach VALUE How far the score goes on growing. (sideways)" in told
    command = ["hard", "--population", "20", "--generations", "3", "--steps", "30", "--out", str(tmp_path), "--quiet"]
    assert main([*command, "--search", "sideways", "--side", "right", "--reach", "150"]) == 0
    record = run(Settings(**SMALL, search="sideways", side="right", reach=150.0), out=tmp_path)
    assert record.settings.options == {"side": "right", "reach": 150.0}
    assert '"options": {"side": "right", "reach": 150.0}' in next(tmp_path.rglob("record.jsonl")).read_text()


def test_options_of_one_search_are_refused_for_another(sideways, capsys):
    with pytest.raises(ValueError, match="search sideways has no clusters; it takes side, reach"):
        Settings(search="sideways", clusters=3).resolve()
    assert main(["hard", "--search", "surprise", "--side", "left"]) == 2
    assert "run_maze: search surprise has no side; it takes clusters, neighbours, " in capsys.readouterr().err


def test_what_a_search_refuses_is_refused_before_a_run(sideways):
    with pytest.raises(ValueError, match="side must be left or right, got 'up'"):
        Settings(search="sideways", side="up").resolve()


def test_whatever_takes_bounds_gets_them():
    bounds = ((0.0, 0.0), (4.0, 2.0))
    points = make_strategy("ssr", {"clusters": 50}, bounds, np.random.default_rng(1)).predictions
    assert (points.max(axis=0) <= bounds[1]).all()
    partition = make_strategy("surprise", {"deviation": "heatmap"}, bounds, np.random.default_rng(1)).partition
    assert partition.high.tolist() == [4.0, 2.0]

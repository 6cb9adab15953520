from divergent.maze import maze_names
from divergent.runs.defaults import MAZES, usual_budget, usual_in, usual_options


def test_every_maze_of_ours_has_its_usual_settings():
    assert sorted(MAZES) == maze_names()


def test_generated_mazes_share_theirs_and_any_other_has_ours():
    assert usual_budget("generated:3") == usual_budget("generated:59") == 150_000
    assert usual_budget("own.txt") == 75_000
    assert usual_in("hard").options["surprise"]["clusters"] == 100


def test_neighbours_are_never_more_than_the_clusters_that_are_asked_for():
    assert usual_options("very_hard", "surprise", 250, {"clusters": 1})["neighbours"] == 1
    assert usual_options("very_hard", "surprise", 250, {"clusters": 5})["neighbours"] == 2


def test_a_search_of_which_nothing_is_told_has_no_usual_options():
    assert usual_options("hard", "somebody's own", 250, {}) == {}

from divergent.maze import maze_names
from divergent.runs.defaults import PAPER_MAZES, default_budget, default_options, maze_defaults


def test_paper_mazes_are_all_mazes_of_the_package():
    assert sorted(PAPER_MAZES) == maze_names()


def test_default_budget_of_generated_and_custom_mazes_is_that_of_their_kind():
    assert default_budget("generated:3") == default_budget("generated:59") == 150_000
    assert default_budget("own.txt") == 75_000
    assert maze_defaults("hard").options["surprise"]["clusters"] == 100


def test_default_options_with_few_clusters_have_no_more_neighbours_than_clusters():
    assert default_options("very_hard", "surprise", 250, {"clusters": 1})["neighbours"] == 1
    assert default_options("very_hard", "surprise", 250, {"clusters": 5})["neighbours"] == 2


def test_default_options_of_a_custom_search_are_empty():
    assert default_options("hard", "custom", 250, {}) == {}

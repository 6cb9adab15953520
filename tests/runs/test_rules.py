import numpy as np
import pytest

from divergent.maze import read_maze
from divergent.maze._rules import RULES
from divergent.runs import Settings, assemble
from divergent.runs.build import make_task


def parts_by(rules):
    plan = Settings(maze="medium", search="novelty", population=20, generations=2, rules=rules).resolve()
    return assemble(plan, read_maze("medium"))


def test_rules_of_lehman_set_the_options_of_every_component():
    parts = parts_by("lehman2008")
    assert (parts.innovations.reuse_weights, parts.innovations.match_recurrent) == (True, False)
    assert (parts.task.robot, parts.task.silence_unreached, parts.task.round_weights) == ("five-rangefinder", True, 3)
    assert (parts.species.replacement_ties, parts.species.next_representative) == ("oldest", "rank")
    assert parts.species.self_crossover
    assert parts.toolbox.breed.keywords["self_crossover"]


def test_default_rules_are_the_defaults_of_every_component():
    parts = parts_by("divergent")
    assert (parts.innovations.reuse_weights, parts.innovations.match_recurrent) == (False, True)
    assert (parts.task.robot, parts.task.silence_unreached, parts.task.round_weights) == (
        "six-rangefinder",
        False,
        None,
    )
    assert (parts.species.replacement_ties, parts.species.next_representative) == ("index", "index")
    assert not parts.species.self_crossover
    assert "self_crossover" not in parts.toolbox.breed.keywords


@pytest.mark.parametrize("rules", RULES)
def test_make_task_returns_the_task_of_the_run(rules):
    parts = parts_by(rules)
    again = make_task(parts.plan, parts.task.maze)
    for genome in parts.population:
        genome.genes[0, 4] = 0.0
        assert np.array_equal(again(genome).behaviour, parts.task(genome).behaviour)
    assert repr(again) == repr(parts.task)

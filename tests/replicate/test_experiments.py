from pathlib import Path

import pytest

from divergent.replicate.experiments import EXPERIMENTS, parts_of
from divergent.runs.settings import Settings

COMMITTED = Path(__file__).parents[2] / "results"
TINY = {"population": 20, "generations": 2}


def test_authored_runs_have_the_settings_and_folders_of_the_run_maze_command(tmp_path):
    parts = parts_of("authored")
    assert len(parts) == 24
    assert {folder for folder, _ in parts} == {""}
    assert ("", Settings(maze="hard", search="surprise")) in parts
    assert parts[0].settings.maze == "medium"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_two_runs_of_an_experiment_share_a_folder(name):
    for quick in (False, True):
        places = [(folder, settings.name) for folder, settings in parts_of(name, quick=quick)]
        assert len(set(places)) == len(places)
        assert all(settings.completed() for _, settings in parts_of(name, quick=quick))


def test_quick_runs_never_mix_with_full_ones():
    for name in EXPERIMENTS:
        assert all(folder.split("/")[0] == "quick" for folder, _ in parts_of(name, quick=True))
        assert not any("quick" in folder for folder, _ in parts_of(name))


def test_sensitivity_tries_the_papers_settings_and_keeps_them_apart():
    novelty = {settings.options["neighbours"] for _, settings in parts_of("sensitivity-novelty")}
    assert novelty == {5, 10, 15, 20, 25, 30}
    surprise = {tuple(settings.options.values()) for _, settings in parts_of("sensitivity-surprise")}
    assert surprise == {(clusters, neighbours) for clusters in range(20, 250, 20) for neighbours in (1, 2)}
    assert parts_of("sensitivity-novelty")[0][0] == "sensitivity-novelty/n5"


def test_the_quick_size_has_six_mazes_unless_more_are_named():
    assert len({part.settings.maze for part in parts_of("generated", quick=True)}) == 6
    named = [f"generated:{seed}" for seed in range(10, 18)]
    assert {part.settings.maze for part in parts_of("generated", mazes=named, quick=True)} == set(named)


def test_the_generated_mazes_are_the_first_sixty_seeds():
    mazes = {settings.maze for _, settings in parts_of("generated")}
    assert mazes == {f"generated:{seed}" for seed in range(60)}


def test_the_original_robot_has_the_two_published_mazes_and_an_experiment_of_its_own():
    parts = parts_of("original")
    assert {part.settings.robot for part in parts} == {"original"}
    assert [part.settings.name for part in parts] == [
        f"{maze}-{search}-original"
        for maze in ("medium", "hard")
        for search in ("objective", "novelty", "surprise", "ssnp")
    ]
    assert EXPERIMENTS["original"].records == "original"
    assert {part.settings.robot for part in parts_of("authored")} == {"described"}

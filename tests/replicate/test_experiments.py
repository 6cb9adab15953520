from pathlib import Path

import pytest

from divergent.replicate.experiments import BESIDE, EXPERIMENTS, FAMILY, family_blocks, parts_of
from divergent.runs.settings import Settings

COMMITTED = Path(__file__).parents[2] / "results"
TINY = {"population": 20, "generations": 2}


def test_authored_runs_have_the_settings_and_folders_of_the_run_maze_command(tmp_path):
    parts = parts_of("authored")
    assert len(parts) == 24
    assert {folder for folder, *_ in parts} == {""}
    assert ("", Settings(maze="hard", search="surprise"), 100, 0) in parts
    assert parts[0].settings.maze == "medium"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_two_runs_of_an_experiment_share_a_folder(name):
    for quick in (False, True):
        places = [(folder, settings.name) for folder, settings, *_ in parts_of(name, quick=quick)]
        assert len(set(places)) == len(places)
        assert all(settings.resolve() for _, settings, *_ in parts_of(name, quick=quick))


def test_quick_runs_never_mix_with_full_ones():
    for name in EXPERIMENTS:
        assert all(folder.split("/")[0] == "quick" for folder, *_ in parts_of(name, quick=True))
        assert not any("quick" in folder for folder, *_ in parts_of(name))


def test_sensitivity_tries_the_papers_settings_and_keeps_them_apart():
    novelty = {settings.options["neighbours"] for _, settings, *_ in parts_of("sensitivity-novelty")}
    assert novelty == {5, 10, 15, 20, 25, 30}
    surprise = {tuple(settings.options.values()) for _, settings, *_ in parts_of("sensitivity-surprise")}
    assert surprise == {(clusters, neighbours) for clusters in range(20, 250, 20) for neighbours in (1, 2)}
    assert parts_of("sensitivity-novelty")[0][0] == "sensitivity-novelty/n5"


def test_the_quick_size_has_six_mazes_unless_more_are_named():
    assert len({part.settings.maze for part in parts_of("generated", quick=True)}) == 6
    named = [f"generated:{seed}" for seed in range(10, 18)]
    assert {part.settings.maze for part in parts_of("generated", mazes=named, quick=True)} == set(named)


def test_the_generated_mazes_are_the_first_sixty_seeds():
    mazes = {settings.maze for _, settings, *_ in parts_of("generated")}
    assert mazes == {f"generated:{seed}" for seed in range(60)}


def test_the_original_robot_has_the_two_published_mazes_and_an_experiment_of_its_own():
    parts = parts_of("original")
    assert {part.settings.robot for part in parts} == {"five-rangefinder"}
    assert [part.settings.name for part in parts] == [
        f"{maze}-{search}-five-rangefinder"
        for maze in ("medium", "hard")
        for search in ("objective", "novelty", "surprise", "ssnp")
    ]
    assert EXPERIMENTS["original"].records == "original"
    assert {part.settings.resolve().robot for part in parts_of("authored")} == {"six-rangefinder"}


def test_the_family_has_thirty_runs_in_the_papers_mazes_and_five_in_each_deceptive_one():
    blocks = family_blocks(["generated:7", "generated:64"])
    sizes = {
        (maze, search, *variant.values()): block.runs
        for block in blocks
        for maze in block.mazes
        for variant in block.variants
        for search in block.searches
    }
    assert all(sizes[maze, search] == 30 for maze in ("hard", "very_hard") for search in FAMILY)
    assert sizes["hard", "nss", 0.25] == sizes["hard", "nss", 0.75] == 30
    assert [search for maze, search, *_ in sizes if maze == "extremely_hard"] == ["nss", "nsslc"]
    assert [search for maze, search, *_ in sizes if maze == "generated:7"] == list(FAMILY)
    assert [search for maze, search, *_ in sizes if maze == "generated:64"] == [
        "objective",
        "novelty",
        "surprise",
        *FAMILY,
    ]
    assert sizes["generated:7", "dns"] == sizes["generated:64", "novelty"] == 5


def test_what_stands_beside_the_family_is_run_by_other_experiments():
    for maze in ("hard", "very_hard", "extremely_hard"):
        assert set(BESIDE) <= {part.settings.search for part in parts_of("authored", mazes=[maze])}
        assert not set(BESIDE) & {part.settings.search for part in parts_of("family", mazes=[maze])}


def test_weights_of_the_family_are_kept_apart():
    folders = [(part.folder, part.settings.options) for part in parts_of("family", mazes=["hard"], searches=["nss"])]
    assert folders == [("", {}), ("family/w0.25", {"weight": 0.25}), ("family/w0.75", {"weight": 0.75})]


def test_another_predictor_has_a_folder_that_every_system_can_have():
    (part,) = parts_of("predictors")
    assert (part.folder, part.settings.options, part.runs) == (
        "predictors/shared-ridge", {"predictor": "shared:ridge"}, 20,
    )  # fmt: skip

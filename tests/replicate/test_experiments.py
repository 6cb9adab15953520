from pathlib import Path

import pytest

from divergent.replicate import paper
from divergent.replicate._claims import DEFAULT, LEHMAN, PLAN
from divergent.replicate._experiments import (
    CONFIRMATORY,
    EXPERIMENTS,
    QD_VARIANTS,
    REFERENCE_SEARCHES,
    parts_of,
    qd_variant_blocks,
)
from divergent.runs.settings import Settings

COMMITTED = Path(__file__).parents[2] / "results"
TINY = {"population": 20, "generations": 2}


def test_parts_of_authored_have_the_settings_and_folders_of_run_maze():
    parts = parts_of("authored")
    assert len(parts) == 24
    assert {folder for folder, *_ in parts} == {""}
    assert ("", Settings(maze="hard", search="surprise"), 100, 0) in parts
    assert parts[0].settings.maze == "medium"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_parts_of_an_experiment_have_distinct_folders(name):
    for quick in (False, True):
        paths = [(folder, settings.name) for folder, settings, *_ in parts_of(name, quick=quick)]
        assert len(set(paths)) == len(paths)
        assert all(settings.resolve() for _, settings, *_ in parts_of(name, quick=quick))


def test_parts_of_quick_experiments_have_separate_folders():
    for name in EXPERIMENTS:
        assert all(folder.split("/")[0] == "quick" for folder, *_ in parts_of(name, quick=True))
        assert not any("quick" in folder for folder, *_ in parts_of(name))


def test_parts_of_sensitivity_have_the_settings_of_the_paper():
    novelty = {settings.options["neighbours"] for _, settings, *_ in parts_of("sensitivity-novelty")}
    assert novelty == {5, 10, 15, 20, 25, 30}
    surprise = {tuple(settings.options.values()) for _, settings, *_ in parts_of("sensitivity-surprise")}
    assert surprise == {(clusters, neighbours) for clusters in range(20, 250, 20) for neighbours in (1, 2)}
    assert parts_of("sensitivity-novelty")[0][0] == "sensitivity-novelty/n5"


def test_parts_of_quick_generated_are_six_mazes_unless_selected():
    assert len({part.settings.maze for part in parts_of("generated", quick=True)}) == 6
    named = [f"generated:{seed}" for seed in range(10, 18)]
    assert {part.settings.maze for part in parts_of("generated", mazes=named, quick=True)} == set(named)


def test_parts_of_generated_are_the_first_sixty_seeds():
    mazes = {settings.maze for _, settings, *_ in parts_of("generated")}
    assert mazes == {f"generated:{seed}" for seed in range(60)}


def test_confirmatory_experiments_have_the_planned_configuration_and_seeds():
    assert tuple(CONFIRMATORY) == paper.MAZES
    for maze, name in CONFIRMATORY.items():
        for part in parts_of(name, mazes=[maze]):
            assert part.seeds == PLAN[maze].seeds
            assert PLAN[maze].configuration == (LEHMAN if part.settings.rules == "lehman2008" else DEFAULT)


def test_parts_of_original_have_the_five_rangefinder_robot_in_published_mazes():
    parts = parts_of("original")
    assert {part.settings.robot for part in parts} == {"five-rangefinder"}
    assert [part.settings.name for part in parts] == [
        f"{maze}-{search}-five-rangefinder"
        for maze in ("medium", "hard")
        for search in ("objective", "novelty", "surprise", "ssnp")
    ]
    assert EXPERIMENTS["original"].records == "original"
    assert {part.settings.resolve().robot for part in parts_of("authored")} == {"six-rangefinder"}


def test_qd_variant_blocks_have_thirty_runs_in_paper_mazes_and_five_in_deceptive_mazes():
    blocks = qd_variant_blocks(["generated:7", "generated:64"])
    sizes = {
        (maze, search, *variant.values()): block.runs
        for block in blocks
        for maze in block.mazes
        for variant in block.variants
        for search in block.searches
    }
    assert all(sizes[maze, search] == 30 for maze in ("hard", "very_hard") for search in QD_VARIANTS)
    assert sizes["hard", "nss", 0.25] == sizes["hard", "nss", 0.75] == 30
    assert [search for maze, search, *_ in sizes if maze == "extremely_hard"] == ["nss", "nsslc"]
    assert [search for maze, search, *_ in sizes if maze == "generated:7"] == list(QD_VARIANTS)
    assert [search for maze, search, *_ in sizes if maze == "generated:64"] == [
        "objective",
        "novelty",
        "surprise",
        *QD_VARIANTS,
    ]
    assert sizes["generated:7", "dns"] == sizes["generated:64", "novelty"] == 5


def test_reference_searches_are_run_by_other_experiments():
    for maze in ("hard", "very_hard", "extremely_hard"):
        assert set(REFERENCE_SEARCHES) <= {part.settings.search for part in parts_of("authored", mazes=[maze])}
        assert not set(REFERENCE_SEARCHES) & {part.settings.search for part in parts_of("family", mazes=[maze])}


def test_parts_of_qd_variants_have_a_folder_per_weight():
    folders = [(part.folder, part.settings.options) for part in parts_of("family", mazes=["hard"], searches=["nss"])]
    assert folders == [("", {}), ("family/w0.25", {"weight": 0.25}), ("family/w0.75", {"weight": 0.75})]


def test_parts_of_predictors_have_a_folder_without_colons():
    (part,) = parts_of("predictors")
    assert (part.folder, part.settings.options, part.runs) == (
        "predictors/shared-ridge", {"predictor": "shared:ridge"}, 20,
    )  # fmt: skip

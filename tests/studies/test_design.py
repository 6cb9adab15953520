import pytest

from divergent import Settings, run
from divergent.studies._design import (
    DECEPTIVE,
    FIRST_SEED,
    HARD,
    K_STEPS,
    LADDER,
    LADDER_RUNS,
    PREDICTOR_STEPS,
    PREDICTORS,
    REFERENCE_SETS,
    REFERENCE_STEPS,
    RULE_STEPS,
    RUNGS,
    SHARED,
    STEPS,
    VERY_HARD,
    blocks,
    changed_options,
    make_settings,
)

CELLS = RUNGS | PREDICTORS | REFERENCE_SETS


@pytest.mark.parametrize("step", [*STEPS, *REFERENCE_STEPS, *RULE_STEPS, *K_STEPS], ids=lambda step: step.after)
def test_neighbouring_cells_differ_in_one_option(step):
    assert len(changed_options(CELLS[step.before], CELLS[step.after])) == 1


def test_predictors_differ_from_linear_in_predictor_and_history():
    for step in PREDICTOR_STEPS:
        assert set(changed_options(CELLS[step.before], CELLS[step.after])) == {"predictor", "history"}


@pytest.mark.parametrize("maze", ["hard", "very_hard", "generated:1"])
def test_rungs_resolve_to_the_settings_of_the_paper(maze):
    linear = make_settings(RUNGS["linear"].settings, maze).resolve()
    assert linear == Settings(maze=maze, search="surprise").resolve()
    assert make_settings(RUNGS["archive"].settings, maze).resolve() == Settings(maze=maze, search="novelty").resolve()
    centroids = make_settings(RUNGS["centroids"].settings, maze).resolve()
    for name in ("clusters", "neighbours"):
        assert centroids.options[name] == linear.options[name]


def test_second_spelling_of_the_offspring_rung_has_the_runs_of_ssnp():
    settings = {"maze": "hard", "population": 120, "generations": 15, "clusters": 60, "neighbours": 1, "seed": 5}
    spellings = [{"search": "ssnp"}, RUNGS["offspring"].spelling]
    first, second = (run(Settings(**{**spelling, **settings})) for spelling in spellings)
    assert (first.positions == second.positions).all()
    assert first.rows == second.rows


@pytest.mark.parametrize("loop", ["steady", "plus", "generational"])
def test_population_cell_has_the_same_runs_in_both_spellings(loop):
    small = {"maze": "hard", "population": 30, "generations": 8, "seed": 5}
    cell = REFERENCE_SETS[f"{loop}-population"]
    records = [run(Settings(**{**spelling, **small})) for spelling in (cell.settings, cell.spelling)]
    assert (records[0].positions == records[1].positions).all()


def test_shared_cells_have_the_settings_of_their_rungs():
    for name, rung in SHARED.items():
        plans = [make_settings(cell.settings, HARD).resolve() for cell in (REFERENCE_SETS[name], RUNGS[rung])]
        assert plans[0].differences(plans[1]) == []


@pytest.mark.parametrize("name", CELLS)
def test_cells_have_valid_settings(name):
    plan = make_settings(CELLS[name].settings, HARD).resolve()
    assert plan.population == 250
    assert plan.generations == 300


def test_blocks_have_the_runs_of_the_design():
    counts = {name: sum(runs for _, _, runs in selections) for name, selections in blocks().items()}
    assert counts == {
        "ladder-hard": 9 * 50,
        "reference_set": 33 * 30,
        "predictors": 9 * 20,
        "ladder-very_hard": 9 * 30,
        "ladder-deceptive": 9 * 20,
    }
    assert set(LADDER_RUNS) == {HARD, VERY_HARD, DECEPTIVE}


def test_cell_part_has_fresh_seeds_and_its_own_folder():
    part = RUNGS["delayed"].part(HARD, 50)
    assert (part.folder, part.seeds) == (f"{LADDER}/delayed", range(FIRST_SEED, FIRST_SEED + 50))
    assert len({cell.folder for cell in CELLS.values()}) == len(CELLS)

import pickle
import random
from functools import partial

import numpy as np
import pytest
from deap import base, creator, tools

import divergent
from divergent import History, Outcome, evolve, steady_state
from divergent.loops import Step
from divergent.neat import Species, register, select
from divergent.selection import Novelty, Surprise, by_score

creator.create("HistoryFitness", divergent.Fitness, weights=(-1.0,))
creator.create("HistoryPoint", list, fitness=creator.HistoryFitness)


def point(*numbers, value=0.0):
    individual = creator.HistoryPoint(numbers)
    individual.fitness.values = Outcome((value,), behaviour=numbers)
    return individual


def toolbox_of_points():
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda individual: Outcome((abs(individual[0]),), behaviour=tuple(individual)))
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=0.1, indpb=1.0)
    return toolbox


def points(count):
    return [creator.HistoryPoint([random.random(), random.random()]) for _ in range(count)]


def weight_of_the_first_gene(genome):
    return Outcome((genome.genes[0, 3],), behaviour=genome.genes[:2, 3].copy())


def watch(history, steps):
    for _ in history.watch(steps):
        pass
    return history


@pytest.fixture(autouse=True)
def _seeded():
    random.seed(3)


def test_history_records_offspring_in_order_with_fitness_and_behaviour():
    history = History()
    first, second, third = point(1.0, 2.0, value=5.0), point(3.0, 4.0, value=6.0), point(5.0, 6.0, value=7.0)
    history.note(Step(0, 2, [first, second], [first, second]))
    history.note(Step(1, 3, [third, second], [third]))
    assert len(history) == 3
    assert history.behaviours.tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert history.fitness.tolist() == [5.0, 6.0, 7.0]
    assert history.sizes.tolist() == [2, 2, 2]
    assert history.parents.tolist() == [[-1, -1]] * 3
    assert [(generation.number, generation.first) for generation in history.generations] == [(0, 0), (1, 2)]
    assert history.minimised


def test_history_watch_yields_the_steps_of_the_loop():
    steps = [Step(0, 1, [point(1.0, 2.0)], [])]
    assert list(History().watch(steps)) == steps


def test_history_behaviours_of_any_shape_are_rows():
    history = History()
    individual = point(1.0)
    individual.fitness.values = Outcome((0.0,), behaviour=np.array([[1.0, 2.0], [3.0, 4.0]]))
    history.note(Step(0, 1, [individual], [individual]))
    assert history.behaviours.tolist() == [[1.0, 2.0, 3.0, 4.0]]


def test_history_without_evaluations_is_empty():
    history = History()
    assert len(history) == 0
    assert history.parents.shape == (0, 2)
    assert history.species.size == 0


def test_history_parents_are_those_passed_to_breed():
    toolbox = toolbox_of_points()
    couples = []

    def breed(first, second):
        couples.append((tuple(first), tuple(second)))
        return creator.HistoryPoint([first[0] + 0.01 * random.random(), second[1]])

    toolbox.register("breed", breed)
    strategy = Surprise(clusters=2, neighbours=1, rng=np.random.default_rng(1))
    history = watch(History(), steady_state(points(6), toolbox, strategy, generations=4))
    places = [tuple(row) for row in history.behaviours]
    for (first, second), (number, other) in zip(couples, history.parents[6:], strict=True):
        assert places[number] == first
        assert places[number if other < 0 else other] == second


def test_history_keeps_operators_replaced_during_the_loop():
    toolbox = toolbox_of_points()
    toolbox.register("breed", lambda first, second: toolbox.mutate(creator.HistoryPoint(first))[0])
    history = History()
    toolbox.register("mutate", lambda individual: (creator.HistoryPoint([9.0, 9.0]),))
    watch(history, steady_state(points(5), toolbox, Novelty(neighbours=2), generations=2))
    assert history.behaviours[5:].tolist() == [[9.0, 9.0]] * 5


def test_history_parents_are_row_numbers():
    history = History()
    first, second = point(1.0, 2.0), point(3.0, 4.0)
    history.note(Step(7, 102, [first, second], [first, second], parents=[(-1,), ()]))
    children = [point(5.0, 6.0), point(7.0, 8.0), point(9.0, 0.0)]
    history.note(Step(8, 105, children, children, parents=[(100,), (100, 101), (101, 3)]))
    assert history.parents.tolist() == [[-1, -1], [-1, -1], [0, -1], [0, 1], [1, -1]]


def test_history_changes_neither_toolbox_nor_species():
    rng = np.random.default_rng(1)
    toolbox, species = base.Toolbox(), Species(rng=rng)
    register(toolbox, 2, 1, rng=rng)
    toolbox.register("evaluate", weight_of_the_first_gene)
    registered, attributes = dict(vars(toolbox)), set(vars(species))
    first, second = (History(strategy=Novelty(), species=species) for _ in range(2))
    steps = steady_state(toolbox.population(n=10), toolbox, Novelty(neighbours=2), species, generations=4)
    watch(first, second.watch(steps))
    assert vars(toolbox) == registered
    assert set(vars(species)) == attributes
    assert first.parents.tolist() == second.parents.tolist()
    assert first.species.tolist() == second.species.tolist()


def test_watched_species_and_toolbox_can_be_pickled():
    rng = np.random.default_rng(1)
    toolbox, species = base.Toolbox(), Species(threshold=1.0, rng=rng)
    register(toolbox, 2, 1, rng=rng)
    toolbox.register("evaluate", weight_of_the_first_gene)
    history = History(species=species)
    watch(history, steady_state(toolbox.population(n=10), toolbox, Novelty(neighbours=2), species, generations=3))
    again, operators = pickle.loads(pickle.dumps((species, toolbox)))
    assert again.labels.tolist() == species.labels.tolist()
    assert again.individuals is None
    assert operators.breed(*operators.population(n=2)).genes.shape[1] == 5


@pytest.mark.parametrize("survive", ["generational", "plus", "comma"])
def test_history_of_a_generational_loop_has_earlier_parents(survive):
    toolbox = toolbox_of_points()
    toolbox.register("select", tools.selTournament, tournsize=2)
    history = watch(History(), evolve(points(10), toolbox, generations=6, survive=survive))
    first_parents = history.parents[:, 0]
    first = history.generations[1].first
    assert (first_parents[:first] == -1).all()
    assert (first_parents[first:] >= 0).all()
    assert (first_parents[first:] < np.arange(first, len(history))).all()
    assert (history.parents[:, 1] < np.arange(len(history))).all()


def test_ancestors_end_in_the_first_generation():
    toolbox = toolbox_of_points()
    strategy = Novelty(neighbours=2)
    history = watch(History(), steady_state(points(8), toolbox, strategy, generations=5))
    line = history.ancestors(len(history) - 1)
    assert line == sorted(line, reverse=True)
    assert line[-1] < 8


def test_ancestors_of_an_unknown_number_raise_an_error():
    with pytest.raises(
        ValueError, match="number must belong to a recorded evaluation, got 5; the history has 0 evaluations"
    ):
        History().ancestors(5)


def test_history_watch_does_not_change_the_run():
    ends = []
    for watched in (False, True):
        random.seed(5)
        rng = np.random.default_rng(2)
        toolbox = base.Toolbox()
        register(toolbox, 2, 1, rng=rng)
        toolbox.register(
            "evaluate", lambda genome: Outcome((genome.genes[0, 3],), behaviour=genome.genes[:2, 3].copy())
        )
        strategy, species = Surprise(clusters=5, rng=rng), Species(target=3, rng=rng)
        history = History(strategy=strategy, species=species) if watched else History()
        population = toolbox.population(n=20)
        watch(history, steady_state(population, toolbox, strategy, species, generations=8))
        ends.append(history.behaviours)
    assert np.array_equal(*ends)


def test_history_scores_are_those_of_the_next_selection():
    toolbox = toolbox_of_points()
    strategy = Novelty(neighbours=2)
    toolbox.register("select", by_score, strategy=strategy, select=tools.selBest)
    history = watch(History(), evolve(points(10), toolbox, generations=3))
    scored = history.generations[-1].first
    assert np.isfinite(history.scores[:scored]).all()
    assert np.isnan(history.scores[scored:]).all()


def test_history_of_the_steady_loop_has_the_score_of_every_child():
    toolbox = toolbox_of_points()
    history = watch(History(), steady_state(points(10), toolbox, Novelty(neighbours=2), generations=3))
    assert np.isfinite(history.scores).all()


def test_history_memory_is_the_one_that_scored_the_generation():
    toolbox = toolbox_of_points()
    strategy = Surprise(clusters=3, neighbours=1, rng=np.random.default_rng(1))
    history = watch(History(strategy=strategy), steady_state(points(12), toolbox, strategy, generations=6))
    for generation in history.generations[2:]:
        place = history.behaviours[generation.first]
        expected = np.linalg.norm(generation.memory["predictions"] - place, axis=1).min()
        assert history.scores[generation.first] == pytest.approx(expected)


def test_history_memory_is_a_copy():
    toolbox = toolbox_of_points()
    strategy = Novelty(neighbours=2)
    history = watch(History(strategy=strategy), steady_state(points(10), toolbox, strategy, generations=2))
    strategy.archive[:] = 0.0
    assert history.generations[-1].memory["archive"].any()


def test_history_species_sizes_sum_to_the_population():
    rng = np.random.default_rng(4)
    toolbox = base.Toolbox()
    register(toolbox, 2, 1, rng=rng)
    toolbox.register("evaluate", lambda genome: Outcome((genome.genes[0, 3],), behaviour=genome.genes[:2, 3].copy()))
    strategy, species = Surprise(clusters=5, rng=rng), Species(target=4, threshold=1.0, rng=rng)
    population = toolbox.population(n=20)
    history = watch(
        History(strategy=strategy, species=species),
        steady_state(population, toolbox, strategy, species, generations=5),
    )
    assert all(sum(generation.species.values()) == 20 for generation in history.generations)
    assert len(history.generations[0].species) > 1
    assert (history.species >= 0).all()
    for name, size in history.generations[0].species.items():
        assert (history.species[:20] == name).sum() == size


@pytest.mark.parametrize("survive", ["generational", "plus"])
def test_history_of_a_generational_loop_has_the_species_of_selection(survive):
    rng = np.random.default_rng(4)
    toolbox = base.Toolbox()
    register(toolbox, 2, 1, rng=rng)
    toolbox.register("evaluate", lambda genome: Outcome((genome.genes[0, 3],), behaviour=genome.genes[:2, 3].copy()))
    species = Species(target=4, threshold=1.0, rng=rng)
    strategy = Novelty(neighbours=2)
    toolbox.register("select", by_score, strategy=strategy, select=partial(select, species=species))
    divided = []
    assign = species.assign

    def assign_and_tell(individuals):
        labels = assign(individuals)
        divided.append(
            [(scored.individual, int(name)) for scored, name in zip(individuals, species.ids[labels], strict=True)]
        )
        return labels

    species.assign = assign_and_tell
    history = History(strategy=strategy, species=species)
    offspring = []
    for step in history.watch(evolve(toolbox.population(n=20), toolbox, generations=4, survive=survive)):
        offspring += step.offspring
    species_of = {id(individual): name for members in reversed(divided) for individual, name in members}
    expected = [species_of.get(id(individual)) for individual in offspring]
    first = history.generations[-1].first
    assert history.species[:first].tolist() == expected[:first]
    assert len(set(history.species[:first])) > 1
    assert sum(history.generations[-1].species.values()) == len(divided[-1])


def test_history_child_replaced_at_once_has_the_species_of_its_first_parent():
    class Divided:
        labels = np.array([0])
        ids = np.array([7])

        def assign(self, individuals):
            return self.labels

    toolbox, species = toolbox_of_points(), Divided()
    history = History(species=species)
    first = point(1.0, 2.0)
    species.assign([first])
    history.note(Step(0, 1, [first], [first]))
    for number in (1, 2):
        child = toolbox.clone(first)
        history.note(Step(number, 1 + number, [first], [child], parents=[(0,)]))
    assert history.species.tolist() == [7, 7, 7]
    assert history.parents[:, 0].tolist() == [-1, 0, 0]


def test_history_saved_and_loaded_has_the_same_columns(tmp_path):
    from sample_problems import PROBLEMS

    from divergent.runs import Settings, assemble

    settings = Settings(problem=PROBLEMS["genome"], search="surprise", seed=2, clusters=4)
    parts = assemble(settings.resolve(), PROBLEMS["genome"])
    history = History(strategy=parts.strategy, species=parts.species)
    for _ in history.watch(parts.steps()):
        pass
    history.save(tmp_path / "history.npz")
    again = History.load(tmp_path / "history.npz")
    for name in ("behaviours", "fitness", "scores", "parents", "sizes", "species"):
        assert np.array_equal(getattr(again, name), getattr(history, name), equal_nan=True), name
    assert again.minimised == history.minimised
    assert len(again.generations) == len(history.generations) == 9
    for loaded, saved in zip(again.generations, history.generations, strict=True):
        assert loaded[:3] == saved[:3]
        assert loaded.memory.keys() == saved.memory.keys()
        assert all(np.array_equal(loaded.memory[name], saved.memory[name]) for name in loaded.memory)
    assert again.ancestors(100) == history.ancestors(100)


def test_history_load_of_a_damaged_or_other_file_raises(tmp_path):
    path = tmp_path / "history.npz"
    History().save(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(ValueError, match="does not match its digest"):
        History.load(path)
    from divergent.persistence._files import write_sealed_npz

    write_sealed_npz(path, notes=np.frombuffer(b"{}", dtype=np.uint8))
    with pytest.raises(ValueError, match=r"must be a history written by History\.save"):
        History.load(path)

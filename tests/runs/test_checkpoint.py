import numpy as np
import pytest

from divergent import Outcome
from divergent.neat import Genome
from divergent.runs import _checkpoint as checkpoint


@pytest.fixture
def population():
    genomes = [Genome.start(3, 1, rng=np.random.default_rng(seed)) for seed in range(4)]
    for number, genome in enumerate(genomes):
        genome.fitness.values = Outcome((float(number),), behaviour=(number, 2.5))
    return genomes


def test_load_after_save_returns_notes_population_and_positions(population, tmp_path):
    positions = np.arange(6, dtype=np.float32).reshape(3, 2)
    checkpoint.save(tmp_path / "new" / "run.npz", {"generations_done": 7}, population, positions)
    notes, again, loaded_positions = checkpoint.load(tmp_path / "new" / "run.npz", inputs=3, outputs=1)
    assert notes == {"generations_done": 7}
    assert again == population
    assert [genome.fitness.values for genome in again] == [(0.0,), (1.0,), (2.0,), (3.0,)]
    assert [genome.fitness.behaviour.tolist() for genome in again] == [[0, 2.5], [1, 2.5], [2, 2.5], [3, 2.5]]
    assert np.array_equal(loaded_positions, positions)


def test_load_of_a_genome_selected_twice_returns_one_object(population, tmp_path):
    first, second, *_ = population
    checkpoint.save(tmp_path / "run.npz", {}, [first, second, first], np.ones((5, 2)))
    _, again, _ = checkpoint.load(tmp_path / "run.npz", inputs=3, outputs=1)
    assert again == [first, second, first]
    assert again[0] is again[2]


def test_load_of_a_damaged_checkpoint_raises_and_keeps_the_file(population, tmp_path):
    saved = tmp_path / "run.npz"
    checkpoint.save(saved, {}, population, np.ones((500, 2)))
    content = saved.read_bytes()
    for damaged in (content[: len(content) // 2], b"", content[:2000] + b"\0" * 500 + content[2500:]):
        saved.write_bytes(damaged)
        with pytest.raises(ValueError, match="the checkpoint is truncated or damaged"):
            checkpoint.load(saved, inputs=3, outputs=1)
        assert saved.read_bytes() == damaged

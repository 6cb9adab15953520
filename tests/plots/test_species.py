import matplotlib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot

from divergent import Settings, run
from divergent.plots._species import draw_species
from divergent.runs import replay

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


def bands(ax):
    """The lower and upper edge of each band in every generation."""
    edges = []
    for band in ax.collections:
        corners = band.get_paths()[0].vertices
        at = {x: sorted(set(corners[corners[:, 0] == x, 1].tolist())) for x in set(corners[:, 0])}
        edges.append([(at[x][0], at[x][-1]) for x in sorted(at)])
    return edges


def test_draw_species_of_a_history_stacks_bands_in_the_order_of_founding():
    ax = draw_species([{0: 10}, {7: 4, 0: 6}, {7: 5, 3: 5}])
    assert bands(ax) == [[(0, 10), (0, 6), (0, 0)], [(10, 10), (6, 10), (0, 5)], [(10, 10), (10, 10), (5, 10)]]
    assert [text.get_text() for text in ax.texts] == ["0", "7", "3"]


def test_draw_species_of_two_histories_keeps_the_colour_of_a_species():
    (first, _) = draw_species([{4: 1, 5: 1}] * 2).collections
    (again,) = draw_species([{4: 3}] * 2).collections
    assert np.array_equal(first.get_facecolor(), again.get_facecolor())


def test_draw_species_of_a_single_generation_draws_it():
    draw_species([{0: 3}]).figure.canvas.draw()


def test_draw_species_on_given_axes_makes_no_other_figure():
    _, ax = pyplot.subplots()
    assert draw_species([{0: 1}, {0: 2}], ax=ax) is ax


def test_draw_species_of_a_record_repeats_its_run():
    for loop, generations in (("steady", 6), ("generational", 7)):
        settings = Settings(
            maze="medium", search="novelty", loop=loop, population=30, generations=generations, steps=20
        )
        history = replay(run(settings))
        ax = draw_species(history)
        assert [top for _, top in bands(ax)[-1]] == [30] * 6
        assert (
            len(ax.collections) == len({name for generation in history.generations for name in generation.species}) > 1
        )


@given(st.lists(st.dictionaries(st.integers(0, 9), st.integers(0, 50)), min_size=2, max_size=6).filter(any))
def test_draw_species_of_a_history_ends_at_the_size_of_the_population(history):
    ax = draw_species(history)
    tops = [top for _, top in bands(ax)[-1]]
    assert tops == [sum(counts.values()) for counts in history]
    pyplot.close(ax.figure)


def test_draw_species_without_species_raises():
    with pytest.raises(ValueError, match="with at least one species, got none"):
        draw_species([])
    with pytest.raises(ValueError, match="with at least one species, got none"):
        draw_species([{}, {}])
    with pytest.raises(TypeError, match=r"dictionaries \{id: size\}, got \[3, 4\] in generation 1"):
        draw_species([{0: 7}, [3, 4]])
    with pytest.raises(ValueError, match="got species 2 with size -1 in generation 1"):
        draw_species([{2: 1}, {2: -1}])

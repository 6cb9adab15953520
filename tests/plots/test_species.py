import matplotlib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.colors import to_hex
from matplotlib.text import Annotation

from divergent import History, Settings, run
from divergent.history import Generation
from divergent.plots._species import draw_species
from divergent.runs import replay

matplotlib.use("Agg")


def bands(ax):
    """The lower and upper edge of each band in every generation."""
    edges = []
    for band in ax.collections:
        corners = band.get_paths()[0].vertices
        at = {x: sorted(set(corners[corners[:, 0] == x, 1].tolist())) for x in set(corners[:, 0])}
        edges.append([(at[x][0], at[x][-1]) for x in sorted(at)])
    return edges


def labels(ax):
    """The ids within the figure and the ids at the right edge, in the order of founding."""
    edge = [text for text in ax.texts if isinstance(text, Annotation)]
    return [text.get_text() for text in ax.texts if text not in edge], [text.get_text() for text in edge]


def test_draw_species_of_a_history_stacks_bands_in_the_order_of_founding():
    ax = draw_species([{0: 10}, {7: 4, 0: 6}, {7: 5, 3: 5}])
    assert bands(ax) == [[(0, 10), (0, 6), (0, 0)], [(10, 10), (6, 10), (0, 5)], [(10, 10), (10, 10), (5, 10)]]
    assert labels(ax) == (["0", "7"], ["7", "3"])


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
        assert ax.get_xlim() == (0, history.generations[-1].number)
        assert (
            len(ax.collections) == len({name for generation in history.generations for name in generation.species}) > 1
        )


@given(st.lists(st.dictionaries(st.integers(0, 9), st.integers(0, 50)), min_size=2, max_size=6).filter(any))
def test_draw_species_of_a_history_ends_at_the_size_of_the_population(history):
    ax = draw_species(history)
    tops = [top for _, top in bands(ax)[-1]]
    used = [place for place, counts in enumerate(history) if counts]
    assert tops == [sum(counts.values()) for counts in history[used[0] : used[-1] + 1]]
    pyplot.close(ax.figure)


def shades(ax):
    return [to_hex(band.get_facecolor()[0]) for band in ax.collections]


def test_draw_species_with_neighbours_of_one_colour_draws_two_shades():
    first, _, second = shades(draw_species([{0: 5, 3: 5}, {0: 5, 7: 5}]))
    assert first != second
    first, _, second = shades(draw_species([{0: 5, 3: 4, 7: 1}] * 2))  # species 3 is between species 0 and 7
    assert first == second


def test_draw_species_of_crowded_bands_omits_ids_that_collide():
    ax = draw_species([dict.fromkeys(range(80), 100)] * 2)
    assert 20 < len(labels(ax)[1]) < 80
    ax.figure.canvas.draw()
    middles = np.array([text.get_window_extent().y0 for text in ax.texts])
    assert np.diff(middles).min() > 5 * ax.figure.dpi / 72  # the height of a digit is about 5 points
    few = [{name: 10 * (name == place) + 0.1 for name in range(12)} for place in range(12)] + [{0: 10}]
    inside, _ = labels(draw_species(few, ax=pyplot.figure(figsize=(1.5, 3)).add_subplot()))
    assert 1 < len(inside) <= 12


def test_draw_species_with_a_first_generation_draws_it_at_its_number():
    ax = draw_species([{0: 4}, {0: 2, 1: 2}, {1: 4}], first=1)
    assert ax.get_xlim() == (1, 3)
    assert {x for x, _ in ax.collections[0].get_paths()[0].vertices} == {1, 2, 3}


def test_draw_species_of_a_history_keeps_generation_numbers():
    history = History()
    history.generations += [Generation(number, 0, species, {}) for number, species in enumerate([{}, {0: 3}, {0: 3}])]
    ax = draw_species(history)
    assert ax.get_xlim() == (0, 2)
    assert {x for x, _ in ax.collections[0].get_paths()[0].vertices} == {1, 2}


def test_draw_species_that_ends_without_species_has_no_ids_at_the_edge():
    assert labels(draw_species([{0: 3}, {0: 3}, {}])) == (["0"], [])


def test_draw_species_without_species_raises():
    with pytest.raises(ValueError, match="with at least one species, got none"):
        draw_species([])
    with pytest.raises(ValueError, match="with at least one species, got none"):
        draw_species([{}, {}])
    with pytest.raises(TypeError, match=r"dictionaries \{id: size\}, got \[3, 4\] in generation 1"):
        draw_species([{0: 7}, [3, 4]])
    with pytest.raises(ValueError, match="got species 2 with size -1 in generation 1"):
        draw_species([{2: 1}, {2: -1}])

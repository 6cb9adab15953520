import numpy as np
import pytest
from matplotlib.colors import to_hex

from divergent.maze import read_maze
from divergent.plots import draw_maze, draw_species
from divergent.plots._style import COLOURS, MARKS, SPECIES, VALUES, grammar, species_colour, value_map


def luminance(shade):
    """Relative luminance of a colour such as #0072B2."""
    parts = np.array([int(shade[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(shade, ground):
    """Contrast ratio of two colours, from 1 to 21."""
    high, low = sorted((luminance(shade), luminance(ground)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_grammar_of_the_page_has_the_colours_of_the_figures():
    page = grammar()
    (goal,) = [line for line in draw_maze(read_maze("hard")).lines if line.get_label() == "goal"]
    assert goal.get_markeredgecolor() == page["marks"]["goal"]["light"]
    assert {name: shades["light"] for name, shades in page["searches"].items()} == COLOURS
    assert [shades["light"] for shades in page["species"]] == [species_colour(number) for number in range(7)]
    assert page["ramp"] == list(VALUES)


@pytest.mark.parametrize(("place", "ground"), [(0, "#FFFFFF"), (1, "#171B21")])
def test_grammar_marks_on_light_and_dark_grounds_have_contrast(place, ground):
    for name, shades in MARKS.items():
        assert contrast(shades[place], ground) >= (2.2 if name == "sensor" else 3.0), name


def test_grammar_values_from_low_to_high_grow_lighter():
    lightness = [luminance(shade) for shade in VALUES]
    assert lightness == sorted(lightness)
    assert value_map()(0.0)[:3] == pytest.approx([int(VALUES[0][place : place + 2], 16) / 255 for place in (1, 3, 5)])


def test_species_colour_of_an_id_is_that_of_the_page():
    ax = draw_species([{0: 10}, {0: 6, 1: 4}])
    colours = [to_hex(area.get_facecolor()[0]).upper() for area in ax.collections]
    assert colours == [SPECIES[0][0], SPECIES[1][0]]

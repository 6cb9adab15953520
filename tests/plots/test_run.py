import dataclasses

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.patches import FancyArrowPatch
from PIL import Image

from divergent import Settings, run
from divergent.maze import Maze
from divergent.neat import Genome, Innovations, mutate
from divergent.plots._run import animate_run, draw_run, is_figure_of, save_run

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def record():
    return run(Settings(maze="hard", search="novelty", population=30, generations=3, steps=60, seed=4))


def corridor(width, height):
    walls = [(0, 0, width, 0), (width, 0, width, height), (width, height, 0, height), (0, height, 0, 0)]
    return Maze("corridor", (20, 20), 0, (width - 20, height - 20), np.array(walls, dtype=float))


def everything_written(axes):
    figure = axes[0].figure
    yield figure._suptitle
    for ax in axes:
        yield ax.title
        yield from ax.texts
        yield from ax.get_legend().get_texts()


@pytest.mark.parametrize("maze", [None, corridor(1000, 60), corridor(60, 1000)], ids=["square", "wide", "high"])
def test_draw_run_of_a_record_has_all_text_inside_the_figure(record, maze):
    axes = draw_run(record if maze is None else dataclasses.replace(record, maze=maze))
    figure = axes[0].figure
    figure.canvas.draw()
    for text in everything_written(axes):
        box = text.get_window_extent()
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1, text


def test_draw_run_of_a_record_has_both_titles_at_the_same_height(record):
    maze, network = draw_run(record)
    maze.figure.canvas.draw()
    assert maze.title.get_window_extent().y0 == pytest.approx(network.title.get_window_extent().y0, abs=1)


def test_draw_run_title_names_the_run_and_its_outcome(record):
    assert not record.solved
    title = draw_run(record)[0].figure.get_suptitle()
    assert title.startswith("Novelty on Hard, seed 4: closest ")
    assert title.endswith(" units away after 90 evaluations")


def test_draw_run_of_a_record_has_the_labels_of_its_robot(record):
    original = dataclasses.replace(record, settings=dataclasses.replace(record.settings, robot="five-rangefinder"))
    for variant, names in ((record, ["goal behind", "goal left"]), (original, ["goal left", "always 0"])):
        _, network = draw_run(variant)
        assert [text.get_text() for text in network.texts][9:11] == names


def test_draw_run_legend_names_its_marks(record):
    legend = draw_run(record)[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["where a robot ended", "trajectory", "start", "goal"]


def test_draw_run_with_a_hundred_connections_draws_all(record):
    rng = np.random.default_rng(3)
    genome = Genome.start(11, 2, hidden=1, rng=rng)
    innovations = Innovations([genome])
    while len(genome) < 100:
        mutate(genome, innovations=innovations, node_rate=0.1, connection_rate=0.5, recurrent=0.3, rng=rng)
    _, network = draw_run(dataclasses.replace(record, solution=genome))
    assert sum(isinstance(patch, FancyArrowPatch) for patch in network.patches) == len(genome)


def test_animate_run_of_a_record_shows_steps_sensors_and_the_end(record, tmp_path):
    film = animate_run(record, every=20)
    axes = film._fig.axes[0]
    film._func(20)
    assert axes.get_title("left") == "step 20 of 60"
    assert len(axes.collections[-1].get_segments()) == 6
    film._func(60)
    assert axes.get_title("left") == "step 60 of 60: not reached"
    film._draw_was_started = True  # it was looked at here


def test_animate_run_of_a_trail_that_differs_has_no_sensors(record):
    film = animate_run(dataclasses.replace(record, trail=record.trail + 1.0), every=20)
    film._func(20)
    assert film._fig.axes[0].collections[-1].get_segments() == []
    film._draw_was_started = True


def test_animate_run_saved_as_gif_has_a_readable_size(record, tmp_path):
    animate_run(record, tmp_path / "drive.gif", every=30)
    with Image.open(tmp_path / "drive.gif") as film:
        assert film.n_frames > 2
        assert min(film.size) >= 400


def test_animate_run_with_steps_below_one_raises(record):
    with pytest.raises(ValueError, match="every must be at least 1, got 0"):
        animate_run(record, every=0)


def in_maze(record, name, walls):
    return dataclasses.replace(record, maze=Maze(name, (10, 20), 0, (50, 20), np.array(walls, dtype=float)))


@pytest.mark.parametrize("walls", [[(0, 0, 100, 0)], [(0, 0, 0, 100)], [(0, 0, 1e6, 0), (0, 100, 1e6, 100)]])
def test_save_run_with_any_walls_has_a_figure_of_bounded_size(record, walls, tmp_path):
    odd = in_maze(record, "odd", walls)
    assert max(draw_run(odd)[0].figure.get_size_inches()) <= 24
    assert save_run(odd, tmp_path / "run.png")
    assert 1000 < (tmp_path / "run.png").stat().st_size < 1_000_000


def test_draw_run_with_any_maze_name_draws_it(record, tmp_path):
    odd = in_maze(record, "$x^$", [(0, 0, 100, 0), (0, 40, 100, 40)])
    assert "$x^$" in draw_run(odd)[0].figure.get_suptitle()
    assert save_run(odd, tmp_path / "run.png")


def test_save_run_that_fails_warns_and_leaves_no_figure_open(record, tmp_path):
    pyplot.close("all")
    with pytest.warns(UserWarning, match=r"nowhere/run\.png: no figure could be drawn: .*No such file"):
        assert not save_run(record, tmp_path / "nowhere" / "run.png")
    assert pyplot.get_fignums() == []


def test_save_run_that_fails_keeps_the_figure_before(record, tmp_path):
    (tmp_path / "run.png").write_text("before")
    broken = dataclasses.replace(record, settings=dataclasses.replace(record.settings, robot="none"))
    with pytest.warns(UserWarning, match="no figure could be drawn"):
        assert not save_run(broken, tmp_path / "run.png")
    assert [path.name for path in tmp_path.iterdir()] == ["run.png"]
    assert (tmp_path / "run.png").read_text() == "before"


def test_is_figure_of_other_sources_or_incomplete_files_is_false(record, tmp_path):
    path = tmp_path / "run.png"
    assert not is_figure_of(path, "one")
    assert save_run(record, path, source="one")
    assert is_figure_of(path, "one")
    assert not is_figure_of(path, "two")
    whole = path.read_bytes()
    for length in (0, 7, 30, 200, len(whole) // 2, len(whole) - 13, len(whole) - 1):
        path.write_bytes(whole[:length])
        assert not is_figure_of(path, "one"), length
    path.write_bytes(whole[:1000] + b"x" + whole[1001:])
    assert not is_figure_of(path, "one")
    path.write_bytes(whole)
    assert is_figure_of(path, "one")


def test_save_run_with_another_suffix_writes_that_format(record, tmp_path):
    assert save_run(record, tmp_path / "run.svg", source="one")
    assert (tmp_path / "run.svg").read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize("write", [save_run, animate_run])
def test_save_run_to_a_symbolic_link_replaces_the_link(record, tmp_path, write):
    (tmp_path / "victim").write_text("precious")
    path = tmp_path / ("run.gif" if write is animate_run else "run.png")
    path.symlink_to(tmp_path / "victim")
    write(record, path)
    assert (tmp_path / "victim").read_text() == "precious"
    assert path.stat().st_size > 1000
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [path.name, "victim"]

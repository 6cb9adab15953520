import math
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import divergent.maze.environment  # registers the mazes
from divergent.maze import generate_maze, read_maze
from divergent.maze.environment import COLOURS, IDS, MazeEnvironment
from divergent.maze.robot import drive
from divergent.maze.task import STEPS
from divergent.problems.gymnasium import GymTask

MAZES = sorted(IDS)


def restless(seed):
    """A controller that depends on what it sees, and on its own dice."""
    rng = np.random.default_rng(seed)
    weights = rng.normal(0, 1, (2, 11))
    return lambda inputs: 1 / (1 + np.exp(-weights @ inputs - rng.normal(0, 0.5, 2)))


def positions(environment, controller):
    """Where the environment says the robot was, from the reset on."""
    observation, info = environment.reset(seed=0)
    places, ended = [info["position"]], False
    while not ended:
        observation, _, terminated, truncated, info = environment.step(controller(observation))
        places.append(info["position"])
        ended = terminated or truncated
    return np.array(places), terminated


@pytest.mark.parametrize("maze", MAZES)
def test_gymnasium_finds_nothing_wrong(maze):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(IDS[maze], render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("maze", MAZES)
@pytest.mark.parametrize("seed", range(3))
def test_the_trajectory_is_that_of_drive_to_the_last_bit(maze, seed):
    rollout = drive(restless(seed), read_maze(maze), STEPS[maze], trail=True)
    places, reached = positions(gymnasium.make(IDS[maze]), restless(seed))
    assert places.tobytes() == rollout.trail.tobytes()
    assert reached == rollout.reached


def test_an_episode_ends_at_the_goal():
    maze = divergent.maze.Maze("corridor", (20, 20), 0, (60, 20), np.array([(0, 0, 100, 0), (0, 40, 100, 40)]))
    rollout = drive(lambda inputs: (0.5, 1.0), maze, 100, trail=True)
    environment = gymnasium.wrappers.TimeLimit(MazeEnvironment(maze), 100)
    places, reached = positions(environment, lambda inputs: np.array((0.5, 1.0)))
    assert reached
    assert rollout.reached
    assert places.tobytes() == rollout.trail.tobytes()


def test_the_return_is_the_distance_gained():
    task = GymTask(IDS["hard"], controller=lambda seed: restless(seed))
    maze = read_maze("hard")
    outcome = task(1)
    end = drive(restless(1), maze, STEPS["hard"]).end
    assert outcome[0] == pytest.approx(math.dist(maze.start, maze.goal) - math.dist(end, maze.goal))


def test_a_picture_shows_robot_goal_walls_and_way():
    environment = gymnasium.make(IDS["medium"], render_mode="rgb_array")
    environment.reset()
    for _ in range(30):
        environment.step(np.array((0.5, 1.0)))
    picture = environment.render()
    assert picture.dtype == np.uint8
    assert max(picture.shape) == 400
    for colour in COLOURS.values():
        assert (picture == colour).all(axis=2).any()


def test_the_robot_of_a_picture_is_where_it_says():
    environment = MazeEnvironment("hard", render_mode="rgb_array")
    environment.reset()
    rows, columns = np.nonzero((environment.render() == COLOURS["robot"]).all(axis=2))
    scale = 400 / max(environment.maze.bounds[2] - environment.maze.bounds[0] + 10,
                      environment.maze.bounds[3] - environment.maze.bounds[1] + 10)  # fmt: skip
    place = (
        environment.maze.bounds[0] - 5 + columns.mean() / scale,
        environment.maze.bounds[1] - 5 + rows.mean() / scale,
    )
    assert place == pytest.approx(environment.maze.start, abs=1.0)


def test_any_maze_will_do():
    environment = gymnasium.make(IDS["hard"], maze=generate_maze(3))
    _, info = environment.reset()
    assert info["position"] == (20.0, 180.0)
    assert MazeEnvironment("generated:3").maze == generate_maze(3)


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="render_mode must be None or rgb_array, got 'human'"):
        MazeEnvironment("hard", render_mode="human")
    environment = MazeEnvironment("hard")
    with pytest.raises(ValueError, match="an action is 2 finite numbers"):
        environment.step(np.array((0.5, np.nan)))


def test_gymnasium_imports_the_module_that_an_id_names():
    make = "gymnasium.make('divergent.maze.environment:divergent/HardMaze-v0')"
    done = subprocess.run(
        [sys.executable, "-c", f"import gymnasium; print({make}.spec.max_episode_steps)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "400\n"

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
from divergent.maze._files import STEPS
from divergent.maze._robot import drive
from divergent.maze.environment import COLOURS, IDS, MazeEnvironment
from divergent.problems.gymnasium import GymTask

MAZES = sorted(IDS)


def restless(seed):
    """Return a controller that depends on its inputs and on random numbers."""
    rng = np.random.default_rng(seed)
    weights = rng.normal(0, 1, (2, 11))
    return lambda inputs: 1 / (1 + np.exp(-weights @ inputs - rng.normal(0, 0.5, 2)))


def positions(environment, controller):
    """Return the positions of the robot from the reset on."""
    observation, info = environment.reset(seed=0)
    places, ended = [info["position"]], False
    while not ended:
        observation, _, terminated, truncated, info = environment.step(controller(observation))
        places.append(info["position"])
        ended = terminated or truncated
    return np.array(places), terminated


@pytest.mark.parametrize("maze", MAZES)
def test_environment_passes_the_gymnasium_checker(maze):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(IDS[maze], render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("maze", MAZES)
@pytest.mark.parametrize("seed", range(3))
def test_environment_trajectory_equals_drive(maze, seed):
    rollout = drive(restless(seed), read_maze(maze), STEPS[maze], trail=True)
    places, reached = positions(gymnasium.make(IDS[maze]), restless(seed))
    assert places.tobytes() == rollout.trail.tobytes()
    assert reached == rollout.reached


def test_episode_terminates_at_the_goal():
    maze = divergent.maze.Maze("corridor", (20, 20), 0, (60, 20), np.array([(0, 0, 100, 0), (0, 40, 100, 40)]))
    rollout = drive(lambda inputs: (0.5, 1.0), maze, 100, trail=True)
    environment = gymnasium.wrappers.TimeLimit(MazeEnvironment(maze), 100)
    places, reached = positions(environment, lambda inputs: np.array((0.5, 1.0)))
    assert reached
    assert rollout.reached
    assert places.tobytes() == rollout.trail.tobytes()


def test_return_is_the_decrease_of_the_distance():
    task = GymTask(IDS["hard"], controller=lambda seed: restless(seed))
    maze = read_maze("hard")
    outcome = task(1)
    end = drive(restless(1), maze, STEPS["hard"]).end
    assert outcome[0] == pytest.approx(math.dist(maze.start, maze.goal) - math.dist(end, maze.goal))


def test_render_shows_robot_goal_walls_and_trajectory():
    environment = gymnasium.make(IDS["medium"], render_mode="rgb_array")
    environment.reset()
    for _ in range(30):
        environment.step(np.array((0.5, 1.0)))
    image = environment.render()
    assert image.dtype == np.uint8
    assert max(image.shape) == 400
    for colour in COLOURS.values():
        assert (image == colour).all(axis=2).any()


def test_render_draws_the_robot_at_its_position():
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


def test_environment_accepts_any_maze():
    environment = gymnasium.make(IDS["hard"], maze=generate_maze(3))
    _, info = environment.reset()
    assert info["position"] == (20.0, 180.0)
    assert MazeEnvironment("generated:3").maze == generate_maze(3)


def test_environment_with_invalid_arguments_raises():
    with pytest.raises(ValueError, match="render_mode must be None or rgb_array, got 'human'"):
        MazeEnvironment("hard", render_mode="human")
    environment = MazeEnvironment("hard")
    with pytest.raises(ValueError, match="action must be 2 finite numbers"):
        environment.step(np.array((0.5, np.nan)))


def test_gymnasium_make_imports_the_module_of_an_id():
    make = "gymnasium.make('divergent.maze.environment:divergent/HardMaze-v0')"
    done = subprocess.run(
        [sys.executable, "-c", f"import gymnasium; print({make}.spec.max_episode_steps)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "400\n"

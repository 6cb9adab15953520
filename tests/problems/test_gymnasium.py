import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import gymnasium
import numpy as np
import pytest
from deap import base
from gymnasium import spaces

from divergent import Outcome
from divergent.neat import Genome
from divergent.problems.gymnasium import Episode, GymTask, _environments, actions, cells, final
from divergent.runs._components import find_components

CAR = "MountainCarContinuous-v0"


class Line(gymnasium.Env):
    """A point that starts at its seed and moves by the action; the reward is the action."""

    def __init__(self, action_space=None, observation_space=None):
        self.action_space = action_space or spaces.Box(-2.0, 2.0, (1,), np.float64)
        self.observation_space = observation_space or spaces.Box(0.0, 10.0, (1,), np.float64)

    def reset(self, *, seed=None, options=None):
        self.place = float(seed)
        return np.array([self.place]), {}

    def step(self, action):
        self.place += float(np.sum(action))
        return np.array([self.place]), float(np.sum(action)), self.place >= 8, False, {}


class Reused(Line):
    """A line whose observations are one array that every step writes to again."""

    def reset(self, *, seed=None, options=None):
        self.observation, _ = super().reset(seed=seed)
        return self.observation, {}

    def step(self, action):
        self.observation[:], *rest = super().step(action)
        return self.observation, *rest


class Faulty(Line):
    """A line whose second observation, and first reward, a test chooses."""

    def __init__(self, observation, reward=0.0):
        super().__init__()
        self.observation, self.reward = observation, reward

    def step(self, action):
        super().step(action)
        return self.observation, self.reward, False, False, {}


def always(action):
    """A controller that ignores the individual."""
    return partial(_same, action)


def _same(action, individual):
    return lambda observation: action


def an_episode(observations, taken, observation_space=None, action_space=None):
    return Episode(
        np.array(observations, dtype=float), np.array(taken, dtype=float), np.ones(len(taken)), False,
        observation_space or spaces.Box(0.0, 10.0, (len(observations[0]),)),
        action_space or spaces.Discrete(3),
    )  # fmt: skip


def pushing(bias):
    """A genome for the car whose only connection leads from the bias to the force."""
    return Genome([(0, 0, 3, bias, 1)], inputs=3, outputs=1)


def test_gym_task_returns_the_sum_of_rewards_and_the_last_observation():
    task = GymTask(Line, controller=always(1.5), steps=3, seed=2)
    outcome = task(None)
    assert isinstance(outcome, Outcome)
    assert tuple(outcome) == (4.5,)
    assert outcome.behaviour.tolist() == [6.5]


def test_gym_task_episode_ends_with_the_environment_or_after_its_steps():
    (short,) = GymTask(Line, controller=always(1.0), steps=3, seed=2).rollouts(None)
    assert (len(short.rewards), short.terminated) == (3, False)
    (whole,) = GymTask(Line, controller=always(1.0), steps=50, seed=2).rollouts(None)
    assert (len(whole.rewards), whole.terminated) == (6, True)
    assert whole.observations.ravel().tolist() == [2, 3, 4, 5, 6, 7, 8]
    (limited,) = GymTask(CAR).rollouts(pushing(0.0))
    assert (len(limited.rewards), limited.terminated) == (999, False)


def test_gym_task_with_several_episodes_averages_returns_and_joins_behaviours():
    outcome = GymTask(Line, controller=always(1.0), steps=20, episodes=3, seed=4)(None)
    assert outcome == (3.0,)  # 4, 3 and 2 steps to 8
    assert outcome.behaviour.tolist() == [8, 8, 8]


def test_gym_task_of_the_same_individual_gives_equal_outcomes():
    task = GymTask(CAR, steps=60, episodes=2, seed=3)
    first, second = task(pushing(2.0)), task(pushing(2.0))
    assert first == second
    assert first.behaviour.tobytes() == second.behaviour.tobytes()
    other = GymTask(CAR, steps=60, episodes=2, seed=9)(pushing(2.0))
    assert not np.array_equal(other.behaviour, first.behaviour)


def test_network_policy_scales_outputs_to_the_bounds_of_a_box():
    for weight, force in ((-50.0, -1.0), (0.0, 0.0), (50.0, 1.0)):
        (episode,) = GymTask(CAR, steps=2).rollouts(pushing(weight))
        assert episode.actions.ravel().tolist() == pytest.approx([force, force])


def test_network_policy_runs_one_pass_per_step():
    through_a_hidden_node = Genome([(0, 0, 4, 50.0, 1), (1, 4, 3, 50.0, 1)], inputs=3, outputs=1)
    (episode,) = GymTask(CAR, steps=3).rollouts(through_a_hidden_node)
    assert episode.actions.ravel().tolist() == pytest.approx([0.0, 1.0, 1.0])


def test_network_policy_with_unbounded_outputs_in_a_box_raises():
    genome = Genome([(0, 0, 3, 1.0, 1)], inputs=3, outputs=1, output_activation="tanh")
    message = (
        r"a network for a Box action space must have an output_activation with values from 0 to 1 "
        r"\(sigmoid, gaussian\), got tanh; pass a controller"
    )
    with pytest.raises(ValueError, match=message):
        GymTask(CAR, steps=1)(genome)
    task = GymTask("Acrobot-v1", steps=2)
    (episode,) = task.rollouts(Genome([(0, 0, 8, 3.0, 1)], inputs=7, outputs=3, output_activation="identity"))
    assert episode.actions.ravel().tolist() == [1, 1]


def test_network_policy_takes_the_largest_output_as_discrete_action():
    task = GymTask("Acrobot-v1", steps=4)
    assert (task.inputs, task.outputs) == (7, 3)
    for choice in range(3):
        (episode,) = task.rollouts(Genome([(0, 0, 7 + choice, 3.0, 1)], inputs=7, outputs=3))
        assert episode.actions.ravel().tolist() == [choice] * 4


def test_network_policy_adds_the_start_of_a_discrete_space():
    task = GymTask(partial(Line, spaces.Discrete(2, start=5)), steps=1, behaviour="actions")
    (episode,) = task.rollouts([0.0, 0.0, 1.0, 0.0])
    assert episode.actions.tolist() == [[6.0]]
    assert actions(episode).tolist() == [0.0, 1.0]


def test_linear_policy_of_a_list_of_weights_is_their_product():
    (episode,) = GymTask(Line, steps=1, seed=10).rollouts([0.0, 2.0])  # 10 is the upper bound, hence seen as 1
    assert episode.actions[0, 0] == pytest.approx(-2 + 4 / (1 + np.exp(-2.0)))


def test_network_policy_does_not_scale_unbounded_observations():
    space = spaces.Box(-np.inf, np.inf, (1,))
    (episode,) = GymTask(partial(Line, None, space), steps=1, seed=3).rollouts([0.0, 0.5])
    assert episode.actions[0, 0] == pytest.approx(-2 + 4 / (1 + np.exp(-1.5)))


def test_cells_behaviour_is_1_in_visited_cells():
    episode = an_episode([(0.5, 0.5), (9.9, 0.5), (10.0, 11.0)], [(0,), (1,)])
    visited = cells(episode, count=2).reshape(2, 2)
    assert visited.tolist() == [[1, 0], [1, 1]]
    assert cells(episode, count=5, numbers=[0]).tolist() == [1, 0, 0, 0, 1]
    assert cells(episode, count=2, numbers=[0], bounds=([0], [100])).tolist() == [1, 0]


def test_frequencies_behaviour_is_the_fraction_of_steps():
    assert actions(an_episode([(0,)], [(2,), (0,), (2,), (2,)])).tolist() == [0.25, 0, 0.75]
    box = spaces.Box(-1.0, 1.0, (2,))
    taken = [(-1.0, 0.0), (1.0, 0.1)]
    assert actions(an_episode([(0,)], taken, action_space=box)).tolist() == [0.5, 0, 0.5, 0, 1, 0]


def test_gym_task_accepts_a_callable_behaviour():
    task = GymTask(Line, controller=always(1.0), steps=3, seed=1, behaviour=lambda episode: episode.rewards.sum())
    assert task(None).behaviour.tolist() == [3.0]
    assert final(an_episode([(1,), (2,)], [(0,)])).tolist() == [2]


def test_gym_task_with_an_environment_that_reuses_its_array_sees_every_observation():
    reused, fresh = (GymTask(kind, controller=always(2.0), behaviour="cells", steps=3) for kind in (Reused, Line))
    assert reused.rollouts(None)[0].observations.ravel().tolist() == [0, 2, 4, 6]
    assert reused(None).behaviour.tolist() == fresh(None).behaviour.tolist() == [1, 0, 1, 0, 1, 0, 1, 0, 0, 0]


def test_gym_task_with_a_policy_that_reuses_its_array_sees_every_action():
    def controller(individual):
        action = np.zeros(1)

        def policy(observation):
            action[0] += 0.5
            return action

        return policy

    (episode,) = GymTask(Line, controller=controller, steps=3).rollouts(None)
    assert episode.actions.ravel().tolist() == [0.5, 1.0, 1.5]


@pytest.mark.parametrize("behaviour", ["final", "cells", "actions"])
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_gym_task_with_numbers_that_are_not_finite_raises_an_error(behaviour, number):
    faulty = partial(Faulty, np.array([number]))
    with pytest.raises(
        ValueError,
        match=r"actions must be finite, got an invalid value "
        r"\(observation in environment .*Faulty.*\): \[.*\]; correct the e",
    ):
        GymTask(faulty, behaviour=behaviour, steps=3)([0.0, 0.0])
    with pytest.raises(
        ValueError,
        match=r"actions must be finite, got an invalid value "
        r"\(action in environment .*Line.*\): \[.*\]; correct the policy",
    ):
        GymTask(Line, controller=always(np.array([number])), behaviour=behaviour, steps=3)(None)


@pytest.mark.parametrize(
    ("reward", "shown"), [(np.nan, "nan"), (None, "None"), ("much", "'much'"), (np.ones(2), r"array\(\[1., 1.\]\)")]
)
def test_gym_task_with_a_reward_that_is_no_number_raises_an_error(reward, shown):
    task = GymTask(partial(Faulty, np.array([1.0]), reward), steps=3)
    expected = rf"rewards of environment .*Faulty.* must be numbers, got {shown} at step 1; correct"
    with pytest.raises(ValueError, match=expected):
        task([0.0, 0.0])


def test_gym_task_with_complex_observations_raises_an_error():
    with pytest.raises(
        ValueError,
        match=r"must match their spaces, got an invalid observation in environment .*Faulty.* with observation space",
    ):
        GymTask(partial(Faulty, np.array([1.0 + 1j])), steps=3)([0.0, 0.0])


@pytest.mark.parametrize(
    ("observation", "shape"),
    [(np.zeros(2), r"\(2,\)"), (np.zeros((1, 1)), r"\(1, 1\)"), ([[1.0], [1.0, 2.0]], "unequal rows"), ("ab", r"\(\)")],
)
def test_gym_task_with_an_observation_of_another_shape_raises_an_error(observation, shape):
    task = GymTask(partial(Faulty, observation), steps=3)
    with pytest.raises(
        ValueError,
        match=r"must match their spaces, got an invalid observation "
        rf"in environment .*Faulty.*of shape {shape}; correct",
    ):
        task([0.0, 0.0])


@pytest.mark.parametrize(
    ("space", "action"), [(None, np.zeros(2)), (spaces.Discrete(3), 3), (spaces.Discrete(3, start=5), 4)]
)
def test_gym_task_with_an_action_that_does_not_fit_its_space_raises_an_error(space, action):
    task = GymTask(partial(Line, space), controller=always(action), steps=3)
    with pytest.raises(
        ValueError,
        match=r"must match their spaces, got an invalid action in environment .*Line.* with action space .*; "
        "correct the policy",
    ):
        task(None)


def test_cells_behaviour_outside_the_bounds_uses_the_outermost_cell():
    far = an_episode([(5.0,), (1e300,), (-1e300,)], [(0,), (1,)])
    assert cells(far, count=4).tolist() == [1, 0, 1, 1]
    assert cells(far, count=2, bounds=([3], [3])).tolist() == [1, 1]  # a side without width: 5 is beyond it


def test_gym_task_in_spawned_processes_gives_equal_outcomes():
    task = GymTask(CAR, steps=40, behaviour="cells")
    genomes = [pushing(weight) for weight in (-2.0, 0.5, 2.0)]
    expected = [task(genome) for genome in genomes]  # the environment is made by now, and stays here
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        actual = list(pool.map(task, genomes))
    assert [tuple(outcome) for outcome in actual] == [tuple(outcome) for outcome in expected]
    assert all(
        np.array_equal(outcome.behaviour, other.behaviour) for outcome, other in zip(actual, expected, strict=True)
    )


def test_gym_task_pickle_omits_the_environment():
    task = GymTask(CAR, steps=10, behaviour=partial(cells, count=3))
    task(pushing(1.0))
    duplicate = pickle.loads(pickle.dumps(task))
    assert duplicate not in _environments
    assert duplicate(pushing(1.0)) == task(pushing(1.0))


def test_gym_task_solved_uses_the_reward_threshold():
    task = GymTask(CAR)
    assert (task.solved((89.9,)), task.solved((90.0,))) == (False, True)
    with pytest.raises(ValueError, match=r"must have a reward threshold, got GymTask.* without a threshold; comp"):
        GymTask(Line, steps=3).solved((1.0,))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"behaviour": "ends"}, "unknown behaviour 'ends'; choose from final, cells, actions"),
        ({"steps": 0}, "steps must be an integer, at least 1, got 0"),
        ({"episodes": 1.5}, "episodes must be an integer, at least 1, got 1.5"),
        ({"seed": -1}, "seed must be an integer, at least 0, got -1"),
    ],
)
def test_gym_task_with_invalid_options_raises(options, message):
    with pytest.raises(ValueError, match=message):
        GymTask(CAR, **options)


def test_gym_task_without_a_step_limit_requires_steps():
    with pytest.raises(ValueError, match="steps must be an integer if the environment has no time limit, got None"):
        GymTask(Line)([0.0, 0.0])


def test_linear_policy_with_the_wrong_number_of_weights_raises():
    with pytest.raises(
        ValueError, match=r"environment 'MountainCarContinuous-v0'.* 3 inputs and 1 outputs, got 2 and 1"
    ):
        GymTask(CAR)(Genome([], inputs=2, outputs=1))
    with pytest.raises(ValueError, match="1 x 3 weights, got 2"):
        GymTask(CAR)([0.0, 1.0])


def test_gym_task_without_a_default_policy_raises():
    with pytest.raises(ValueError, match="pass a controller"):
        GymTask(partial(Line, spaces.MultiBinary(2)), steps=1)([0.0, 0.0])
    with pytest.raises(ValueError, match="bounds must be passed to `cells` if the observation space is unbounded"):
        cells(an_episode([(0,)], [(0,)], observation_space=spaces.Box(-np.inf, np.inf, (1,))))
    with pytest.raises(
        ValueError, match=r"at most 10,000 cells in total, got 10 along each of 6 dimensions; choose .*numbers=\(0, 1\)"
    ):
        GymTask("Acrobot-v1", steps=1, behaviour="cells")(Genome([], inputs=7, outputs=3))


def test_gym_task_solved_of_an_individual_uses_its_fitness_or_evaluates_it():
    task = GymTask("CartPole-v1", steps=30)
    genome = Genome([], inputs=task.inputs, outputs=task.outputs)
    assert not task.solved(genome)  # a pole that is pushed to one side falls
    genome.fitness.values = Outcome((475.0,))
    assert task.solved(genome)
    assert not task.solved(np.zeros(task.inputs * task.outputs))
    assert task.solved(np.array([475.0]))
    assert task.solved(Outcome((500.0,), behaviour=(1.0,)))


def test_gym_task_policy_acts_as_in_its_episodes():
    task = GymTask(CAR, steps=20)
    weights = [0.3, -1.0, 2.0]
    (episode,) = task.rollouts(weights)
    policy = task.policy(weights)
    assert [policy(observation).item() for observation in episode.observations[:-1]] == episode.actions.ravel().tolist()
    with pytest.raises(ValueError, match=r"environment 'MountainCarContinuous-v0': .* 1 x 3 weights, got 2"):
        task.policy([1.0, 2.0])
    assert GymTask(CAR, controller=always(7)).policy("anything")(None) == 7


def test_gym_task_animate_writes_the_frames_of_an_episode(tmp_path):
    pytest.importorskip("pygame")
    from PIL import Image

    task = GymTask(CAR, steps=20)
    weights = [5.0, 0.0, 0.0]  # full force to the right, so that no two images are equal
    path = task.animate(weights, tmp_path / "car.gif")
    with Image.open(path) as image:
        assert image.n_frames == 21
        assert image.size == (600, 400)
        assert image.info["duration"] == 30  # milliseconds, of 30 frames per second
    with Image.open(task.animate(weights, tmp_path / "short.gif", every=8)) as image:
        assert image.n_frames == 4  # steps 0, 8, 16 and 20
        assert image.info["duration"] == 270
    assert task.rollouts(weights)[0].rewards.shape == (20,)  # the task still works


def test_gym_task_animate_of_another_episode_begins_from_its_seed(tmp_path):
    pytest.importorskip("pygame")
    task = GymTask(CAR, steps=1, episodes=2)
    first, second = (task.animate([0.0] * 3, tmp_path / f"{episode}.gif", episode=episode) for episode in (0, 1))
    assert first.read_bytes() != second.read_bytes()


def test_gym_task_animate_without_images_or_another_format_raises(tmp_path):
    with pytest.raises(ValueError, match=r"path must end with \.gif, got 'car\.mp4'"):
        GymTask(CAR).animate([0.0] * 3, "car.mp4")
    with pytest.raises(ValueError, match="must have the render mode 'rgb_array' for an animation, got None"):
        GymTask(Line, steps=3).animate([0.0] * 2, tmp_path / "line.gif")
    assert not list(tmp_path.iterdir())


def test_gym_task_after_an_evaluation_has_no_new_parts_for_checkpoints():
    task = GymTask(CAR, steps=5)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", task)
    before = dict(vars(task))
    assert find_components(toolbox) == []
    task([0.0] * 3)
    assert find_components(toolbox) == []
    assert vars(task) == before

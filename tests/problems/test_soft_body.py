"""The soft-body simulation obeys physics: momentum, energy, symmetry, convergence, and a period computed by hand."""

import numpy as np
import pytest

from divergent.problems._soft_body import (
    ACTIVE,
    AMPLITUDE,
    ANTIPHASE,
    EMPTY,
    GRAVITY,
    GROUND_STIFFNESS,
    SETTLING,
    SIDE,
    SOFT,
    STIFF,
    STIFFNESS,
    TIME_STEP,
    VOXEL_MASS,
    Body,
    build_body,
    largest_stable_step,
    simulate,
)

TABLE = np.array([[SOFT, STIFF, SOFT], [ACTIVE, EMPTY, ANTIPHASE]])
WORM = np.array([[ACTIVE, ACTIVE, SOFT, ANTIPHASE, SOFT]])
BLOCK = np.array([[ANTIPHASE, ACTIVE, ACTIVE]] * 3)
NAMED = {"table": TABLE, "worm": WORM, "block": BLOCK}


def run(body, steps, *, step=TIME_STEP, settling=SETTLING, gravity=GRAVITY, ground=True, frames=1):
    sampled = np.zeros((frames, len(body.masses), 2))
    positions, velocities, done = simulate(body, steps, step, settling, gravity, ground, sampled)
    return positions, velocities, done, sampled


def centre(body, positions):
    return body.masses @ positions / body.masses.sum()


def energy(body, positions, velocities):
    """Kinetic, gravitational and elastic energy, without the springs of the ground."""
    kinetic = 0.5 * body.masses @ (velocities**2).sum(axis=1)
    lengths = np.linalg.norm(positions[body.ends[:, 0]] - positions[body.ends[:, 1]], axis=1)
    elastic = 0.5 * body.stiffness @ (lengths - body.lengths) ** 2
    contact = 0.5 * GROUND_STIFFNESS * (np.minimum(positions[:, 1], 0.0) ** 2).sum()
    return kinetic + GRAVITY * body.masses @ positions[:, 1] + elastic + contact


def test_build_body_of_one_voxel_has_four_masses_and_six_springs():
    body = build_body(np.array([[SOFT]]))
    assert body.positions.tolist() == [[0, 0], [SIDE, 0], [0, SIDE], [SIDE, SIDE]]
    assert body.masses.tolist() == [VOXEL_MASS / 4] * 4
    assert len(body.ends) == 6
    assert sorted(body.lengths) == pytest.approx([SIDE] * 4 + [SIDE * 2**0.5] * 2)
    assert set(body.stiffness) == {STIFFNESS[SOFT]}


def test_build_body_of_two_voxels_adds_masses_and_stiffness_of_shared_parts():
    body = build_body(np.array([[SOFT, STIFF]]))
    assert len(body.masses) == 6
    assert body.masses.sum() == pytest.approx(2 * VOXEL_MASS)
    assert len(body.ends) == 11
    assert body.stiffness.max() == STIFFNESS[SOFT] + STIFFNESS[STIFF]


def test_build_body_weights_amplitudes_of_a_shared_edge_by_stiffness():
    body = build_body(np.array([[ACTIVE, ANTIPHASE]]))
    shared = body.stiffness == 2 * STIFFNESS[ACTIVE]
    assert shared.sum() == 1
    assert body.amplitudes[shared].tolist() == [0.0]
    assert sorted(set(body.amplitudes)) == [-AMPLITUDE, 0.0, AMPLITUDE]


def test_simulate_two_masses_oscillates_with_the_period_computed_by_hand():
    stiffness, mass, rest = 50.0, 0.2, 1.0
    # the other mass is so heavy that it stands still; damping changes the period by less than 0.1 %
    body = Body(
        positions=np.array([[0.0, 0.0], [1.1, 0.0]]),
        masses=np.array([1e9, mass]),
        ends=np.array([[0, 1]]),
        lengths=np.array([rest]),
        stiffness=np.array([stiffness]),
        amplitudes=np.array([0.0]),
    )
    steps = 4000
    _, _, _, frames = run(body, steps, gravity=0.0, ground=False, frames=steps)
    stretched = frames[:, 1, 0] - rest
    crossings = np.flatnonzero((stretched[:-1] > 0) & (stretched[1:] <= 0))
    period = np.diff(crossings).mean() * TIME_STEP
    assert period == pytest.approx(2 * np.pi * np.sqrt(mass / stiffness), rel=0.01)


@pytest.mark.parametrize("name", NAMED)
def test_simulate_free_fall_conserves_momentum(name):
    body = build_body(NAMED[name])
    positions, velocities, done, _ = run(body, 300, settling=0.0, ground=False)
    momentum = body.masses @ velocities
    assert done == 300
    assert momentum[0] == pytest.approx(0.0, abs=1e-12)
    assert momentum[1] == pytest.approx(-GRAVITY * body.masses.sum() * 0.3, rel=1e-12)
    assert centre(body, positions)[0] == pytest.approx(centre(body, body.positions)[0], abs=1e-12)


def test_simulate_passive_body_dropped_comes_to_rest():
    body = build_body(np.full((3, 3), SOFT))
    body = body._replace(positions=body.positions + np.array([0.0, 0.2]))
    _, velocities, _, _ = run(body, 10_000)
    assert np.abs(velocities).max() < 1e-4


@pytest.mark.parametrize("material", [SOFT, STIFF])
def test_simulate_without_actuation_never_gains_energy(material):
    body = build_body(np.full((3, 2), material))
    body = body._replace(positions=body.positions + np.array([0.0, 0.1]))
    start = energy(body, body.positions, np.zeros_like(body.positions))
    for steps in range(20, 2000, 60):
        positions, velocities, _, _ = run(body, steps)
        assert energy(body, positions, velocities) <= 1.01 * start


def test_simulate_mirrored_body_moves_mirrored():
    body, mirrored = build_body(TABLE), build_body(TABLE[:, ::-1])
    width = body.positions[:, 0].max()
    first, _, _, _ = run(body, 100, settling=0.0)
    second, _, _, _ = run(mirrored, 100, settling=0.0)
    expected = first * [-1.0, 1.0] + [width, 0.0]
    order, mirrored_order = np.lexsort(body.positions.T * [[-1], [1]]), np.lexsort(mirrored.positions.T)
    assert np.allclose(expected[order], second[mirrored_order], atol=1e-6)


@pytest.mark.parametrize("name", NAMED)
def test_simulate_half_the_time_step_changes_the_distance_by_less_than_5_percent(name):
    body = build_body(NAMED[name])
    moved = [
        centre(body, run(body, int(1 / step), step=step, settling=0.1)[0])[0] - centre(body, body.positions)[0]
        for step in (TIME_STEP, TIME_STEP / 2)
    ]
    assert abs(moved[0]) > 0.01
    assert moved[1] == pytest.approx(moved[0], rel=0.05)


def test_simulate_with_a_time_step_beyond_the_limit_ends_early():
    body = build_body(np.full((3, 3), STIFF))
    body = body._replace(positions=body.positions * [1.05, 1.0])
    step = 4 * largest_stable_step(body)
    assert run(body, 5000, step=step)[2] < 5000


def test_largest_stable_step_of_any_material_is_above_the_default_time_step():
    for material in (SOFT, STIFF, ACTIVE, ANTIPHASE):
        for shape in ((1, 1), (1, 5), (5, 1), (5, 5)):
            assert largest_stable_step(build_body(np.full(shape, material))) > TIME_STEP


def test_simulate_empty_body_returns_empty_arrays():
    positions, velocities, done, _ = run(build_body(np.zeros((3, 3), dtype=int)), 10)
    assert positions.shape == velocities.shape == (0, 2)
    assert done == 10


@pytest.mark.parametrize("seed", range(10))
def test_simulate_random_bodies_stay_finite(seed):
    voxels = np.random.default_rng(seed).integers(0, 5, (5, 5))
    positions, velocities, done, _ = run(build_body(voxels), 5000)
    assert done == 5000
    assert np.isfinite(positions).all()
    assert np.isfinite(velocities).all()

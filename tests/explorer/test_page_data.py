import numpy as np

from divergent.explorer._page_data import _lives, bundle_of


def test_lives_of_a_bounded_archive_have_first_and_last_generations():
    rows = np.arange(10.0).reshape(5, 2)
    entries, joined, left = _lives([rows[:0], rows[:2], rows[:3], rows[1:4], rows[1:4]])
    assert [row.tolist() for row in entries] == rows[:4].tolist()
    assert joined == [1, 1, 2, 3]
    assert left == [3, 5, 5, 5]


def test_bundle_of_a_run_has_few_bytes_per_evaluation(surprise_scene):
    description, content = bundle_of(surprise_scene)
    # 75,000 evaluations in 10 MB of base64 are 100 bytes each
    assert len(content) / description["evaluations"] < 100


def test_bundle_of_a_heatmap_has_no_predictions(surprise_scene):
    from divergent.explorer._rerun import scene_of_record
    from divergent.runs import Settings, run

    settings = Settings(
        maze="medium", search="surprise", population=10, generations=4, options={"deviation": "heatmap"}
    )
    description, _ = bundle_of(scene_of_record(run(settings)))
    assert description["arrays"]["predictions0"]["length"] == 0
    assert bundle_of(surprise_scene)[0]["arrays"]["predictions0"]["length"] > 0

import numpy as np

from divergent.explorer._page_data import _lives, bundle_of


def test_an_archive_that_grows_and_loses_the_oldest_is_told_by_when_each_came_and_went():
    rows = np.arange(10.0).reshape(5, 2)
    entries, joined, left = _lives([rows[:0], rows[:2], rows[:3], rows[1:4], rows[1:4]])
    assert [row.tolist() for row in entries] == rows[:4].tolist()
    assert joined == [1, 1, 2, 3]
    assert left == [3, 5, 5, 5]


def test_a_large_run_stays_small(surprise_scene):
    description, text = bundle_of(surprise_scene)
    # 75,000 evaluations in 10 MB are 133 bytes each
    assert len(text) / description["offspring"] < 133


def test_what_a_heatmap_predicts_is_no_place(surprise_scene):
    from divergent.explorer._rerun import scene_of_record
    from divergent.runs import Settings, run

    settings = Settings(
        maze="medium", search="surprise", population=10, generations=4, options={"deviation": "heatmap"}
    )
    description, _ = bundle_of(scene_of_record(run(settings)))
    assert description["arrays"]["predictionsX"]["length"] == 0
    assert bundle_of(surprise_scene)[0]["arrays"]["predictionsX"]["length"] > 0

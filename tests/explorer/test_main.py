import dataclasses

from divergent import Settings, run
from divergent.explore import main
from divergent.runs.record import write


def test_explore_with_a_record_writes_a_page_and_prints_its_path(tmp_path, capsys):
    run(Settings(maze="medium", search="surprise", population=10, generations=2), out=tmp_path)
    record = tmp_path / "medium-surprise" / "seed-0000"
    assert main([str(record), "--out", str(tmp_path / "page.html")]) == 0
    assert str(tmp_path / "page.html") in capsys.readouterr().out
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_explore_with_a_folder_without_a_record_reports_one_line(tmp_path, capsys):
    assert main([str(tmp_path / "nothing")]) == 2
    message = capsys.readouterr().err
    assert message.startswith("explore: ")
    assert "a record must be a folder that contains record.jsonl" in message
    assert message.count("\n") == 1


def test_explore_with_out_in_a_missing_folder_raises_before_running(tmp_path, capsys):
    assert main([str(tmp_path), "--out", str(tmp_path / "no" / "page.html")]) == 2
    assert "must be a file in an existing folder" in capsys.readouterr().err


def test_explore_with_a_folder_of_records_writes_an_overview(tmp_path, capsys):
    for seed in range(3):
        run(Settings(maze="medium", search="random", population=10, generations=2, seed=seed), out=tmp_path / "runs")
    assert main([str(tmp_path / "runs"), "--out", str(tmp_path / "page.html")]) == 0
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<title>3 runs in the medium maze</title>" in text


def test_explore_with_compact_data_writes_the_page_of_the_records(tmp_path, capsys):
    for seed in range(3):
        run(Settings(maze="medium", search="random", population=10, generations=2, seed=seed), out=tmp_path / "runs")
    for out in ("page.html", "runs.explorer"):
        assert main([str(tmp_path / "runs"), "--out", str(tmp_path / out)]) == 0
    assert main([str(tmp_path / "runs.explorer"), "--out", str(tmp_path / "again.html")]) == 0
    assert (tmp_path / "again.html").read_text() == (tmp_path / "page.html").read_text()


def test_explore_with_records_of_two_mazes_reports_one_line(tmp_path, capsys):
    for maze in ("medium", "medium", "hard"):
        settings = Settings(
            maze=maze, search="random", population=10, generations=1, seed=len(list(tmp_path.iterdir()))
        )
        run(settings, out=tmp_path / f"runs{settings.seed}")
    assert main([*map(str, tmp_path.iterdir()), "--out", str(tmp_path / "page.html")]) == 2
    assert "records must have the same maze" in capsys.readouterr().err


def test_explore_with_a_record_that_cannot_be_repeated_names_the_reason(outskirts, tmp_path, capsys):
    write(outskirts.files(), tmp_path / "seed-0001")
    assert main([str(tmp_path / "seed-0001"), "--out", str(tmp_path / "page.html")]) == 0
    message = capsys.readouterr().err
    assert message.startswith(f"explore: {tmp_path / 'seed-0001'}: The run could not be repeated")
    assert "got 'outskirts'" in message
    assert message.count("\n") == 1


def test_explore_with_control_characters_in_a_record_prints_none(hostile, tmp_path, capsys):
    settings = dataclasses.replace(hostile.settings, maze="\x1b[2J", search="\x1b]0;title\x07")
    write(dataclasses.replace(hostile, settings=settings).files(), tmp_path / "seed-0001")
    assert main([str(tmp_path / "seed-0001"), "--out", str(tmp_path / "\x1b[31m.html")]) == 0
    printed = capsys.readouterr()
    assert (printed.out + printed.err).replace("\n", "").isprintable()


def test_explore_with_an_unknown_robot_reports_the_folder(surprise, tmp_path, capsys):
    odd = dataclasses.replace(surprise, settings=dataclasses.replace(surprise.settings, robot="tank"))
    write(odd.files(), tmp_path / "seed-0001")
    assert main([str(tmp_path / "seed-0001"), "--out", str(tmp_path / "page.html")]) == 2
    assert capsys.readouterr().err.startswith(f"explore: {tmp_path / 'seed-0001'}: unknown robot 'tank'")
    assert not (tmp_path / "page.html").exists()

import contextlib
import dataclasses
import os
import re
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from divergent.run_maze import _status, main, summary
from divergent.runs.batch import Finished
from divergent.runs.record import ARRAYS, TEXT, read, write
from divergent.runs.settings import Settings

SMALL = ("--population", "20", "--generations", "3", "--steps", "30")


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "divergent.run_maze", *map(str, arguments)],
        capture_output=True, text=True, timeout=120, check=False, **options,
    )  # fmt: skip


def error_line(capsys, *arguments):
    """The one line that a command with invalid arguments prints."""
    try:
        status = main([str(argument) for argument in arguments])
    except SystemExit as end:
        status = end.code
    printed = capsys.readouterr()
    assert status == 2
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


def test_command_with_one_run_prints_result_and_paths(tmp_path, capsys):
    assert main(["medium", *SMALL, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "surprise on medium, seed 0: not solved, best distance" in printed
    assert "after 60 evaluations" in printed
    folder = tmp_path / "medium-surprise" / "seed-0000"
    assert f"record   {folder}\n" in printed
    assert f"report   divergent report {folder.parent}\n" in printed
    assert read(folder).evaluations == 60
    assert (tmp_path / "medium-surprise" / "seed-0000.png").stat().st_size > 10_000


def test_command_of_a_finished_run_reports_it(tmp_path, capsys):
    main(["medium", *SMALL, "--out", str(tmp_path)])
    capsys.readouterr()
    assert main(["medium", *SMALL, "--out", str(tmp_path)]) == 0
    assert "this run is finished already" in capsys.readouterr().out


def test_command_with_several_runs_prints_a_table(tmp_path, capsys):
    assert main(["medium", *SMALL, "--runs", "3", "--seed", "5", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "surprise on medium, 3 runs" in printed
    assert "0 of 3" in printed
    folder = tmp_path / "medium-surprise"
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == ["seed-0005", "seed-0006", "seed-0007"]


def test_command_with_several_runs_writes_records_and_figures_only(tmp_path):
    arguments = ["medium", *SMALL, "--quiet", "--out", str(tmp_path), "--runs"]
    assert main([*arguments, "2"]) == 0
    folder = tmp_path / "medium-surprise"
    expected = ["seed-0000", "seed-0000.png", "seed-0001", "seed-0001.png"]
    assert sorted(path.name for path in folder.iterdir()) == expected
    (folder / "seed-0001.png").unlink()
    drawn = (folder / "seed-0000.png").stat().st_mtime_ns
    assert main([*arguments, "2"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == expected
    assert (folder / "seed-0000.png").stat().st_mtime_ns == drawn


def test_figure_that_is_truncated_or_of_another_record_is_redrawn(tmp_path):
    arguments = ["medium", *SMALL, "--quiet", "--out", str(tmp_path), "--runs", "2"]
    assert main(arguments) == 0
    first, second = (tmp_path / "medium-surprise" / f"seed-000{seed}.png" for seed in (0, 1))
    whole = [first.read_bytes(), second.read_bytes()]
    assert whole[0] != whole[1]
    first.write_bytes(whole[0][:-20])
    second.write_bytes(whole[0])
    assert main(arguments) == 0
    assert [first.read_bytes(), second.read_bytes()] == whole
    first.write_bytes(whole[1])
    assert main(["medium", *SMALL, "--quiet", "--out", str(tmp_path)]) == 0
    assert first.read_bytes() == whole[0]


@pytest.mark.parametrize("runs", ["1", "2"])
def test_figure_replaces_a_symbolic_link(tmp_path, runs):
    (tmp_path / "victim").write_text("precious")
    figure = tmp_path / "medium-surprise" / "seed-0000.png"
    figure.parent.mkdir()
    figure.symlink_to(tmp_path / "victim")
    assert main(["medium", *SMALL, "--quiet", "--out", str(tmp_path), "--runs", runs]) == 0
    assert (tmp_path / "victim").read_text() == "precious"
    assert not figure.is_symlink()
    assert figure.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.filterwarnings("default")
def test_command_that_cannot_write_a_figure_warns_and_keeps_the_record(tmp_path, capsys):
    target = tmp_path / "medium-surprise" / "seed-0000.png"
    target.mkdir(parents=True)
    assert main(["medium", *SMALL, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr()
    assert "run_maze: warning: " in printed.err
    assert "no figure could be drawn" in printed.err
    assert printed.err.count("\n") == 1
    assert read(target.with_name("seed-0000")).evaluations == 60


def test_summary_counts_unsolved_runs_with_the_budget(tmp_path):
    settings = Settings(maze="hard", search="novelty").resolve()
    both = ((True, 20_000), (False, 75_000))
    ends = [Finished(settings, tmp_path, solved, count, 1.0, False) for solved, count in both]
    table = summary(ends)
    assert "novelty on hard, 2 runs" in table
    assert "1 of 2" in table
    assert "47,500 (sd 38,891)" in table


def test_summary_intervals_stay_within_the_budget(tmp_path):
    settings = Settings(maze="hard", search="novelty").resolve()
    for counts in ([20_000, 75_000], [100, 75_000, 75_000], [75_000] * 5, [75_000], [1, 2], [10, 75_000, 30, 75_000]):
        ends = [Finished(settings, tmp_path, count < 75_000, count, 1.0, False) for count in counts]
        low, high = evaluations_interval(summary(ends))
        assert 0 <= low <= sum(counts) / len(counts) <= high <= 75_000


def evaluations_interval(table):
    """The numbers in the last column of the line on evaluations."""
    return [int(number.replace(",", "")) for number in table.rstrip().rsplit("  ", 1)[1].split(" to ")]


def test_command_with_quiet_prints_nothing(tmp_path, capsys):
    for runs in ("1", "2"):
        assert main(["medium", *SMALL, "--quiet", "--runs", runs, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr()
    assert printed.out + printed.err == ""


def test_replay_writes_figure_and_animation(tmp_path, capsys):
    main(["medium", *SMALL, "--quiet", "--out", str(tmp_path)])
    folder = tmp_path / "medium-surprise" / "seed-0000"
    figure, film = folder.with_name("seed-0000.png"), tmp_path / "drive.gif"
    figure.unlink()
    assert main(["--replay", str(folder), "--animate", str(film)]) == 0
    assert figure.exists()
    assert film.read_bytes()[:4] == b"GIF8"


def test_replay_of_a_record_with_control_characters_escapes_them(tmp_path, capsys):
    main(["medium", *SMALL, "--quiet", "--out", str(tmp_path)])
    record = read(tmp_path / "medium-surprise" / "seed-0000")
    odd = dataclasses.replace(
        record,
        maze=record.maze._replace(name="\x1b[2J\ud800\n"),
        settings=dataclasses.replace(record.settings, search="\x1b]0;t\x07"),
    )
    write(odd.files(), tmp_path / "\x1b[31m")
    assert main(["--replay", str(tmp_path / "\x1b[31m")]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(r"\x1b]0;t\x07 on \x1b[2J\ud800\n, seed 0: not solved")
    assert (printed.out + printed.err).replace("\n", "").isprintable()
    assert (tmp_path / "\x1b[31m.png").stat().st_size > 10_000


def test_errors_escape_control_characters(tmp_path, capsys):
    message = r"\x1b[31m: a record must be a folder that contains record.jsonl"
    assert message in error_line(capsys, "--replay", tmp_path / "\x1b[31m")
    assert r"--\x1b[31m" in error_line(capsys, "hard", "--\x1b[31m")


COLOUR_RESET = "\x1b[0m"  # written at exit by colorama, which numba uses where it is installed


def on_terminal(columns, *arguments):
    """The lines that a terminal of this width shows after the command, and all lines that it ever showed."""
    fcntl, pty, termios = map(pytest.importorskip, ("fcntl", "pty", "termios"))
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "divergent.run_maze", *arguments], stdin=slave, stdout=slave, stderr=slave
    ) as launched:
        os.close(slave)
        written = b""
        with contextlib.suppress(OSError):  # Linux's end of a terminal
            while part := os.read(master, 4096):
                written += part
    os.close(master)
    assert launched.returncode == 0, written
    screen, shown, row, column = [""], [], 0, 0
    for character in written.decode().removesuffix(COLOUR_RESET):
        assert character.isprintable() or character in "\r\n", written
        if character == "\r":
            shown.append(screen[row].rstrip())
            column = 0
        elif character == "\n":
            row += 1
        else:
            if column == columns:
                row, column = row + 1, 0
            screen += [""] * (row + 1 - len(screen))
            screen[row] = screen[row][:column].ljust(column) + character + screen[row][column + 1 :]
            column += 1
    return [line.rstrip() for line in screen], list(dict.fromkeys(shown))


@pytest.mark.parametrize(
    ("columns", "search", "expected"),
    [
        (80, "novelty", r"^ *[\d,]+ evaluations +[\d,]+/s  best distance [ \d.]+  archive +\d+  +[\d.]+ s$"),
        (40, "surprise", r"^ *[\d,]+ evaluations  best distance [ \d.]+$"),
    ],
)
def test_status_line_fits_the_terminal_and_is_cleared(tmp_path, columns, search, expected):
    arguments = ["--search", search, "--generations", "40", "--out", str(tmp_path)]
    screen, shown = on_terminal(columns, "hard", *arguments)
    printed = "".join(screen)  # lines of the result may be longer than the terminal
    assert printed.startswith(f"{search} on hard, seed 0: ")
    assert "seed-0000.png" in printed
    assert printed.endswith(f"explore  python -m divergent.explore {tmp_path}/hard-{search}/seed-0000")
    assert [line for line in shown if re.match(expected, line)]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_progress_of_several_runs_moves_before_the_first_run_ends(tmp_path, jobs):
    arguments = ["--search", "random", "--generations", "200", "--runs", "2", "--jobs", jobs, "--out", str(tmp_path)]
    _, shown = on_terminal(80, "hard", *arguments)
    assert [line for line in shown if re.search(r"% *\|.* 0/2 runs, 0 solved, [1-9][\d,]+ evaluations \[", line)]
    assert all(len(line) < 80 for line in shown)


@pytest.mark.parametrize(
    ("width", "species", "archive", "expected"),
    [
        (99, 16, 1234, "70,000 evaluations   9,000/s  best distance  12.5  species 16  archive 1,234    7.8 s"),
        (79, 16, 1234, "70,000 evaluations   9,000/s  best distance  12.5  archive 1,234    7.8 s"),
        (79, 16, 0, "70,000 evaluations   9,000/s  best distance  12.5  species 16    7.8 s"),
        (79, 0, 0, "70,000 evaluations   9,000/s  best distance  12.5    7.8 s"),
        (39, 16, 1234, "70,000 evaluations  best distance  12.5"),
        (19, 16, 1234, "70,000 evaluations"),
        (9, 16, 1234, ""),
    ],
)
def test_status_omits_zeros_and_parts_without_room(width, species, archive, expected):
    row = {"evaluations": 70_000, "best_fitness": 287.5, "species": species, "archive": archive}
    assert _status(row, 9000.0, 7.8, width) == expected


def test_run_maze_help_contains_examples(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    printed = capsys.readouterr().out
    assert "examples:" in printed
    assert "python -m divergent.run_maze hard --search surprise" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["hard", "--search", "suprise"],
            "setting search must be a known name, got 'suprise' (did you mean surprise?); choose from objective",
        ),
        (["hrad"], "hrad"),
        ([], "MAZE must be the name of a maze or a maze file, got none"),
        (["hard", "--clusters", 300], "clusters must be at most the population size 250, got 300"),
        (["hard", "--runs", 0], "runs must be at least 1, got 0"),
        (["hard", "--jobs", 0], "jobs must be at least 1, got 0"),
        (["hard", "--jobs", 100_000, "--runs", 50_000], "for each core of this machine), got 50,000"),
        (["hard", "--runs", 10**9], "runs must be at most 100,000, got 1,000,000,000"),
        (
            ["hard", "--generations", 10**9],
            "at most 1,000,000,000 evaluations, got 250,000,000,000, which need about 482 days",
        ),
        (
            ["hard", "--population", 10**9],
            "population must be at most 1,000,000, got 1,000,000,000, which needs 4,000 GB",
        ),
        (
            ["hard", "--steps", 10**20],
            "steps must be at most 1,000,000, got 100,000,000,000,000,000,000, which needs 1,600",
        ),
        (["hard", "--behaviour", f"trail:{10**9}"], "which needs 4,000 GB of memory"),
        (["hard", "--seed", -1], "seed must be an integer, at least 0, got -1"),
        (["hard", "--seed", "one"], "argument --seed: invalid int value: 'one'"),
        (["hard", "--neighbours", 7, "--clusters", 6], "neighbours must be at most the number of clusters 6, got 7"),
        (["hard", "--generations", 0], "generations must be an integer, at least 1, got 0"),
        (["hard", "--population", 1], "population must be an integer, at least 2, got 1"),
        (["hard", "--steps", 0], "steps must be an integer, at least 1, got 0"),
        (["hard", "--history", 1], "history must be an integer, at least 2"),
        (["hard", "--predictor", "crystal"], "predictor must be a known name or a callable, got 'crystal'"),
        (["hard", "--deviation", "none"], "deviation must be a known name or a callable, got 'none'"),
        (["hard", "--behaviour", "trail:x"], "behaviour must be 'end' or 'trail:M'"),
        (["hard", "--learn-from", "books"], "setting learn_from must be a known name, got 'books'"),
        (["hard", "--loop", "for"], "setting loop must be a known name, got 'for'"),
        (["hard", "--search", "random", "--clusters", 5], "options must belong to search random, got clusters"),
        (["generated:x"], "generated:x"),
        (
            ["hard", "--animate", "film.gif"],
            "--animate must be combined with --replay RECORD, got only --animate 'film.gif'",
        ),
        (["--replay", "nowhere"], "nowhere: a record must be a folder that contains record.jsonl"),
        (["hard", "--replay", "nowhere"], "MAZE must be omitted if --replay is given, got 'hard'"),
        (["hard", "--colour", "red"], "unrecognized arguments: --colour red"),
    ],
)
def test_command_with_invalid_arguments_prints_one_line(capsys, arguments, message):
    assert message in error_line(capsys, *arguments)


def test_rules_of_lehman_choose_the_robot_and_are_recorded(tmp_path):
    arguments = ["medium", "--search", "random", "--population", "10", "--generations", "1", "--quiet"]
    assert main([*arguments, "--rules", "lehman2008", "--out", str(tmp_path)]) == 0
    plan = read(tmp_path / "medium-random-lehman2008" / "seed-0000").settings
    assert (plan.rules, plan.robot) == ("lehman2008", "five-rangefinder")


def test_command_with_other_settings_names_the_difference(tmp_path, capsys):
    main(["medium", *SMALL, "--quiet", "--out", str(tmp_path)])
    printed = error_line(capsys, "medium", *SMALL, "--out", tmp_path, "--neighbours", 3)
    assert "settings must equal the settings of this run, got neighbours 1 instead of 3" in printed


def test_command_with_an_unreachable_goal_warns_and_runs(tmp_path):
    maze = tmp_path / "closed.txt"
    maze.write_text("5\n50 50\n0\n150 50\n0 0 200 0\n200 0 200 100\n200 100 0 100\n0 100 0 0\n100 0 100 100\n")
    ended = command(maze, *SMALL, "--out", tmp_path)
    assert ended.returncode == 0
    assert ended.stderr.startswith("run_maze: warning: ")
    assert ended.stderr.count("\n") == 1


def test_command_with_output_below_a_file_fails(tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    assert "Not a directory" in error_line(capsys, "medium", *SMALL, "--out", tmp_path / "file" / "runs", "--quiet")
    assert (tmp_path / "file").read_text() == "in the way"


def test_command_with_a_truncated_record_fails(tmp_path, capsys):
    main(["medium", *SMALL, "--quiet", "--out", str(tmp_path)])
    text = tmp_path / "medium-surprise" / "seed-0000" / "record.jsonl"
    text.write_bytes(text.read_bytes()[:-100])
    assert "the file is truncated" in error_line(capsys, "medium", *SMALL, "--out", tmp_path)
    assert "the file is truncated" in error_line(capsys, "--replay", text.parent)


def test_command_without_room_on_the_disk_leaves_no_record(tmp_path):
    resource = pytest.importorskip("resource")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    # a cache of its own would have to be written too
    ended = command("medium", *SMALL, "--out", tmp_path, preexec_fn=limit)
    assert ended.returncode == 2
    assert "File too large" in ended.stderr
    assert ended.stderr.strip().count("\n") == 0
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_command_prints_how_to_resume(tmp_path, jobs):
    launched = subprocess.Popen(
        [sys.executable, "-m", "divergent.run_maze", "hard", "--search", "random", "--runs", "4", "--jobs", str(jobs),
         "--out", str(tmp_path)],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # in the background it may be ignored
    )  # fmt: skip
    wait_until(lambda: list(tmp_path.rglob("*.checkpoint.npz")))
    os.killpg(launched.pid, signal.SIGINT)
    _, printed = launched.communicate(timeout=60)
    assert launched.returncode == 130
    assert printed.rstrip().endswith("run_maze: interrupted; the same command resumes the runs")
    assert "Traceback" not in printed


@pytest.mark.slow
@pytest.mark.parametrize("search", ["nss", "nsslc"])
def test_killed_command_resumes_to_the_same_record(tmp_path, search):
    words = [
        "hard", "--search", search, "--generations", "150", "--population", "60", "--steps", "100", "--quiet", "--out"
    ]  # fmt: skip
    launched = subprocess.Popen(
        [sys.executable, "-m", "divergent.run_maze", *words, tmp_path / "killed"], start_new_session=True
    )
    wait_until(lambda: list(tmp_path.rglob("*.checkpoint.npz")))
    launched.kill()
    launched.wait(timeout=60)
    assert not list(tmp_path.rglob(TEXT))
    for out in ("killed", "whole"):
        assert command(*words, tmp_path / out).returncode == 0
    folders = [tmp_path / out / f"hard-{search}" / "seed-0000" for out in ("killed", "whole")]
    for name in (TEXT, ARRAYS):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    assert read(folders[0]).evaluations == 9000


@pytest.mark.slow
def test_command_with_a_lost_worker_prints_one_line(tmp_path):
    launched = subprocess.Popen(
        [sys.executable, "-m", "divergent.run_maze", "hard", "--search", "random", "--runs", "4", "--jobs", "2",
         "--quiet", "--out", str(tmp_path)],
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    wait_until(lambda: list(tmp_path.rglob("*.checkpoint.npz")))
    os.kill(workers_of(launched.pid)[0], signal.SIGKILL)
    _, printed = launched.communicate(timeout=60)
    assert launched.returncode == 1
    assert printed.strip() == "run_maze: a worker process was lost; the same command resumes the runs"


def wait_until(happened, seconds=90):
    """Wait for a condition, such as the first checkpoint of a command."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def workers_of(parent):
    """The processes that do the runs of a command."""
    workers = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            below = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) == parent
            if below and b"LokyProcess" in (entry / "cmdline").read_bytes():
                workers.append(int(entry.name))
    return workers

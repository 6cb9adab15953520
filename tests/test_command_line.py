import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from divergent._command_line import status_of


def failing(error):
    def action():
        raise error

    return action


@pytest.mark.skipif(os.name != "posix", reason="Windows ends a process to which os.kill sends a signal")
@pytest.mark.parametrize("error", [SystemError, RuntimeError], ids=["in compiled code", "during compilation"])
def test_status_of_a_lost_interrupt_is_130(error, capsys):
    def interrupted():
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)  # the signal arrives during the sleep at the latest
        raise error("another error of numba")

    assert status_of("try", interrupted) == 130
    assert capsys.readouterr().err.strip() == "try: interrupted; the same command resumes the runs"


@pytest.mark.skipif(os.name != "posix", reason="Windows ends a process to which os.kill sends a signal")
def test_status_of_an_interrupt_in_a_callback_prints_no_traceback(capsys):
    class Callback:
        def __del__(self):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)

    def interrupted():
        callback = Callback()
        del callback
        raise RuntimeError("another error of numba")

    assert status_of("try", interrupted) == 130
    assert capsys.readouterr().err.strip() == "try: interrupted; the same command resumes the runs"


def test_status_of_restores_the_handlers_of_interrupts():
    before = signal.getsignal(signal.SIGINT), sys.unraisablehook
    assert status_of("try", lambda: None) == 0
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook) == before


@pytest.mark.parametrize(
    "arguments",
    [["divergent"], ["divergent.run_maze", "--help"], ["divergent.replicate", "list"]],
    ids=lambda arguments: arguments[0],
)
def test_command_with_a_closed_pipe_prints_nothing(arguments):
    with subprocess.Popen(
        [sys.executable, "-m", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.close()
        printed = process.stderr.read()
    assert printed == ""
    assert process.returncode in (0, 141)  # argparse ignores a closed pipe


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (ValueError("no such thing"), 2, "name: no such thing\n"),
        (FileNotFoundError("nowhere: no record"), 2, "name: nowhere: no record\n"),
        (ConnectionError("the scheduler is lost"), 1, "name: the scheduler is lost\n"),
        (KeyboardInterrupt(), 130, "name: interrupted; the same command resumes the runs\n"),
        (KeyboardInterrupt("all is kept"), 130, "name: interrupted; all is kept\n"),
        (BrokenPipeError(), 141, ""),
        (MemoryError(), 2, "name: not enough memory; finished runs are kept\n"),
        (MemoryError("6 GiB"), 2, "name: not enough memory (6 GiB); finished runs are kept\n"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_status_of_an_error_prints_one_line(error, status, line, capsys):
    assert status_of("name", failing(error)) == status
    assert capsys.readouterr().err == line


def test_status_of_an_error_caused_by_memory_reports_memory(capsys):
    def closing_fails():
        try:
            raise MemoryError
        finally:
            raise ValueError("I/O operation on closed file")  # as zipfile does

    assert status_of("name", closing_fails) == 2
    assert capsys.readouterr().err == "name: not enough memory; finished runs are kept\n"


def test_status_of_an_unexpected_error_raises_it():
    with pytest.raises(ZeroDivisionError):
        status_of("name", lambda: 1 / 0)


def run(*arguments, **options):
    """Run Python with these arguments."""
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=120, check=False, **options
    )


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        ("KeyboardInterrupt", 130, "run_maze: interrupted; the same command resumes the runs\n"),
        ("OSError('disk failure')", 2, "run_maze: disk failure\n"),
    ],
)
def test_command_whose_imports_fail_reports_one_line(error, status, line, tmp_path):
    (tmp_path / "deap").mkdir()
    (tmp_path / "deap" / "__init__.py").write_text(f"raise {error}")
    ended = run("-m", "divergent.run_maze", "hard", env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert (ended.returncode, ended.stderr) == (status, line)


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot close streams before the start")
@pytest.mark.parametrize("closed", [1, 2])
def test_command_with_a_closed_stream_writes_nothing_elsewhere(closed):
    ended = run("-m", "divergent", "nonsense", preexec_fn=lambda: os.close(closed))
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == (closed != 2)


def third_party_package(folder, main):
    """The environment in which `python -m theirs` runs a package that imports divergent first."""
    (folder / "theirs").mkdir()
    (folder / "theirs" / "__init__.py").write_text("from divergent import *\n")
    (folder / "theirs" / "__main__.py").write_text(main)
    return os.environ | {"PYTHONPATH": str(folder)}


def test_third_party_command_that_fails_shows_its_traceback(tmp_path):
    environment = third_party_package(tmp_path, "raise FileNotFoundError('theirs')\n")
    ended = run("-m", "theirs", env=environment)
    assert ended.returncode == 1
    assert ended.stderr.startswith("Traceback (most recent call last):\n")
    assert ended.stderr.endswith("\nFileNotFoundError: theirs\n")


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot close streams before the start")
def test_third_party_command_keeps_its_excepthook_warnings_and_streams(tmp_path):
    environment = third_party_package(
        tmp_path,
        "import sys, warnings, theirs\n"
        "print(warnings.showwarning.__module__, sys.stdin)\n"
        "sys.excepthook = lambda kind, error, trace: print('their hook:', error)\n"
        "theirs.Outcome, theirs.run\n"
        "raise FileNotFoundError('nowhere')\n",
    )
    ended = run("-m", "theirs", env=environment, preexec_fn=lambda: os.close(0))
    assert ended.stdout == "warnings None\ntheir hook: nowhere\n"
    assert ended.stderr == ""


LIMITED = """
import resource, sys
from divergent import run_maze
resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9,) * 2)
sys.exit(run_maze.main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are enforced on Linux only")
def test_command_without_enough_memory_ends_in_one_line_and_status_2(tmp_path):
    # positions of 9 * 10**8 evaluations take 7 GB
    options = ["hard", "--population", "1000000", "--generations", "900", "--quiet", "--out", str(tmp_path)]
    done = subprocess.run([sys.executable, "-c", LIMITED, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("run_maze: not enough memory (Unable to allocate 6.71 GiB")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_command_whose_output_is_full_ends_in_one_line_and_status_2():
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "divergent"], stdout=full, stderr=subprocess.PIPE, text=True, env=environment,
            check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "divergent: [Errno 28] No space left on device: 'standard output'\n"

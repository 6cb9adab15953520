import subprocess
import sys

import pytest

from divergent.command import status_of


def failing(error):
    def action():
        raise error

    return action


def test_an_interrupt_inside_a_compiled_function_is_an_interrupt(capsys):
    def interrupted():
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()

    assert status_of("try", interrupted) == 130
    assert capsys.readouterr().err.strip() == "try: interrupted; the same command goes on where it was stopped"


@pytest.mark.parametrize(
    "arguments",
    [["divergent"], ["divergent.run_maze", "--help"], ["divergent.replicate", "list"]],
    ids=lambda one: one[0],
)
def test_a_pipe_that_is_closed_ends_a_command_quietly(arguments):
    with subprocess.Popen(
        [sys.executable, "-m", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as one:
        one.stdout.close()
        said = one.stderr.read()
    assert said == ""
    assert one.returncode in (0, 141)  # argparse itself may notice, and be content


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (ValueError("no such thing"), 2, "asked: no such thing\n"),
        (FileNotFoundError("nowhere: no record"), 2, "asked: nowhere: no record\n"),
        (ConnectionError("the scheduler is lost"), 1, "asked: the scheduler is lost\n"),
        (KeyboardInterrupt(), 130, "asked: interrupted; the same command goes on where it was stopped\n"),
        (KeyboardInterrupt("all is kept"), 130, "asked: interrupted; all is kept\n"),
        (BrokenPipeError(), 141, ""),
    ],
    ids=lambda one: type(one).__name__,
)
def test_an_end_has_a_status_and_a_line(error, status, said, capsys):
    assert status_of("asked", failing(error)) == status
    assert capsys.readouterr().err == said


def test_a_mistake_of_ours_keeps_its_traceback():
    with pytest.raises(ZeroDivisionError):
        status_of("asked", lambda: 1 / 0)

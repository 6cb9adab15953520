import contextlib
import dataclasses
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from divergent.maze import read_maze
from divergent.run_maze import parser
from divergent.runs import Settings, dask
from divergent.runs.dask import CERTIFICATES, on_cluster

SHORT = Settings(maze="medium", search="random", population=20, generations=5, steps=40)
LONG = dataclasses.replace(SHORT, generations=100_000)
COMMAND = [
    "-m", "divergent.run_maze", "medium", "--search", "random", "--population", "20", "--steps", "40", "--runs", "2",
]  # fmt: skip


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@contextlib.contextmanager
def process(*arguments, heard=False, **options):
    """A process that is ended, with its children, when it is not needed any more."""
    streams = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE if heard else subprocess.DEVNULL)
    one = subprocess.Popen(
        [sys.executable, *map(str, arguments)], text=True, start_new_session=True, **streams, **options
    )
    try:
        yield one
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(one.pid, signal.SIGKILL)
        one.communicate()


@contextlib.contextmanager
def scheduler(protocol="tcp", *options):
    """A scheduler, and its address."""
    port = free_port()
    place = ["--host", "127.0.0.1", "--port", port, "--protocol", protocol, "--no-dashboard"]
    with process("-m", "distributed.cli.dask_scheduler", *place, *options) as one:
        wait_until(lambda: answers(port))
        yield one, f"{protocol}://127.0.0.1:{port}"


def worker(address, *options):
    place = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
    return process("-m", "distributed.cli.dask_worker", address, *place, *options)


def answers(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True


def wait_until(happened, seconds=120):
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def asked(*settings):
    return [(one.resolve(), read_maze(one.maze)) for one in settings]


def test_a_missing_library_is_a_sentence(tmp_path):
    code = (
        "import sys; sys.modules['distributed'] = None\n"
        "from divergent.run_maze import main\n"
        f"sys.exit(main(['medium', '--scheduler', 'tcp://127.0.0.1:8786', '--out', {str(tmp_path)!r}]))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 2
    assert ended.stderr == (
        "run_maze: a scheduler needs the library distributed, which is not installed: "
        'pip install "divergent[cluster]"\n'
    )


def test_an_address_where_nobody_is_is_refused(monkeypatch):
    monkeypatch.setattr(dask, "ANSWER_WITHIN", 1.0)
    with pytest.raises(ConnectionError, match=r"no scheduler answers at tcp://127\.0\.0\.1:"):
        next(on_cluster(asked(SHORT), f"tcp://127.0.0.1:{free_port()}"))


def test_a_port_that_says_nothing_is_refused(monkeypatch):
    monkeypatch.setattr(dask, "ANSWER_WITHIN", 1.0)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(ConnectionError, match=r"no scheduler answers at .* \(it is silent\)"):
            next(on_cluster(asked(SHORT), f"tcp://127.0.0.1:{silent.getsockname()[1]}"))


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("smoke://hill", "unknown address scheme 'smoke'"),
        ("ucx://10.0.0.1:8786", ""),  # the reason depends on the libraries that are installed
        ("inproc://x", "not enough values"),
        ("tcp://hill:x", "invalid literal"),
        ("", "missing port number"),
    ],
)
def test_scheduler_without_a_usable_address_raises_value_error(address, reason):
    rule = f"scheduler must be an address that Dask can connect to, got {address!r} "
    with pytest.raises(ValueError, match=rf"{re.escape(rule)}\({reason}.*; give that of a running scheduler"):
        next(on_cluster(asked(SHORT), address))


def test_certificates_that_are_missing_are_named():
    with pytest.raises(ValueError, match="needs certificates: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE"):
        next(on_cluster(asked(SHORT), "tls://127.0.0.1:8786"))


@pytest.mark.slow
def test_a_scheduler_without_workers_is_waited_for_with_a_sentence_and_lost_in_one(tmp_path):
    with scheduler() as (server, address):
        with process(*COMMAND, "--quiet", "--out", tmp_path, "--scheduler", address, heard=True) as command:
            said = command.stderr.readline()
            assert said.startswith(f"run_maze: warning: no workers at {address} yet; waiting for them")
            server.kill()
            _, said = command.communicate(timeout=120)
        assert command.returncode == 1
        assert said == (
            f"run_maze: the scheduler at {address} is lost; finished runs are kept, "
            "and the same command does those that are missing\n"
        )
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.slow
def test_an_interrupted_command_cancels_what_the_workers_do(tmp_path):
    command = [*COMMAND, "--quiet", "--generations", 1_000_000, "--out", tmp_path]
    with scheduler() as (_, address), worker(address) as one:
        attentive = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler), "heard": True}
        with process(*command, "--scheduler", address, **attentive) as asking:
            wait_until(lambda: busy(address))
            asking.send_signal(signal.SIGINT)
            _, said = asking.communicate(timeout=60)
        assert asking.returncode == 130
        assert said == (
            "run_maze: interrupted; finished runs are kept, those under way on the cluster are cancelled; "
            "the same command begins these again\n"
        )
        wait_until(lambda: not busy(address))
        # the thread that did the run is free again, though the run had hours to go
        assert [record.evaluations for _, record in filter(None, on_cluster(asked(SHORT), address))] == [100]
        assert one.poll() is None
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def busy(address):
    """Whether the scheduler has something to do."""
    from distributed import Client

    with Client(address) as client:
        return any(client.processing().values())


@pytest.mark.slow
def test_a_run_that_loses_every_worker_is_told_after_the_others_are_done(monkeypatch):
    """Its workers end themselves when they begin it, seed 13."""
    monkeypatch.setattr(dask, "_run_on_worker", unlucky)
    runs = asked(dataclasses.replace(SHORT, seed=13), SHORT)
    restart = "import subprocess, sys\nwhile True: subprocess.run([sys.executable, *sys.argv[1:]])"
    with scheduler("tcp") as (_, address):
        place = [address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        again = process("-c", restart, "-m", "distributed.cli.dask_worker", *place)
        with again, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # no workers yet
            told = filter(None, on_cluster(runs, address))
            assert next(told)[0] == 1
            with pytest.raises(
                ConnectionError, match=r"every worker that tried seed 13 was lost .*; other runs are kept"
            ):
                next(told)


def unlucky(plan, maze):
    if plan.seed == 13:
        os._exit(1)
    from divergent.runs import Run

    return Run(plan, maze).finish()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")
def test_certificates_let_a_command_in_and_their_absence_keeps_it_out(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    files = ["--tls-ca-file", certificate, "--tls-cert", certificate, "--tls-key", key]
    shown = {"authority": certificate, "certificate": certificate, "key": key}
    let_in = os.environ | {CERTIFICATES[name]: str(path) for name, path in shown.items()}
    with scheduler("tls", *files) as (_, address), worker(address, *files):
        command = [sys.executable, *COMMAND, "--generations", "5", "--scheduler", address, "--out", str(tmp_path)]
        outcome = {}
        for name, environment in (("out", os.environ), ("in", let_in)):
            outcome[name] = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False, timeout=120
            )
    assert outcome["out"].returncode == 2
    assert "needs certificates" in outcome["out"].stderr
    assert outcome["in"].returncode == 0, outcome["in"].stderr
    assert re.search("random on medium, 2 runs", outcome["in"].stdout)


def test_the_commands_of_the_page_are_those_that_are_tested():
    text = (Path(__file__).parents[2] / "docs" / "dask.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL) for line in block.splitlines()]
    commands = [shlex.split(line) for line in lines if line.startswith("python -m divergent.run_maze")]
    assert len(commands) == 2
    for words in commands:
        assert parser().parse_args(words[3:]).scheduler.endswith("://10.0.0.1:8786")
    for option in ("--tls-ca-file", "--tls-cert", "--tls-key", "--nthreads 1"):
        assert option in text
    for variable in CERTIFICATES.values():
        assert f"export {variable}=" in text

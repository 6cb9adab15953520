import contextlib
import dataclasses
import os
import random
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
from divergent.runs import Settings, make_run
from divergent.runs import _dask as dask
from divergent.runs._dask import CERTIFICATES, on_cluster

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
    started = subprocess.Popen(
        [sys.executable, *map(str, arguments)], text=True, start_new_session=True, **streams, **options
    )
    try:
        yield started
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.communicate()


@contextlib.contextmanager
def scheduler(protocol="tcp", *options):
    """A scheduler, and its address."""
    port = free_port()
    place = ["--host", "127.0.0.1", "--port", port, "--protocol", protocol, "--no-dashboard"]
    with process("-m", "distributed.cli.dask_scheduler", *place, *options) as running:
        wait_until(lambda: answers(port))
        yield running, f"{protocol}://127.0.0.1:{port}"


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


def plans(*settings):
    return [(each.resolve(), read_maze(each.maze)) for each in settings]


def test_command_without_the_library_distributed_names_the_remedy(tmp_path):
    code = (
        "import sys; sys.modules['distributed'] = None\n"
        "from divergent.run_maze import main\n"
        f"sys.exit(main(['medium', '--scheduler', 'tcp://127.0.0.1:8786', '--out', {str(tmp_path)!r}]))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 2
    assert ended.stderr == (
        "run_maze: the package 'distributed' must be installed to use the argument scheduler; "
        'run: pip install -e ".[cluster]"\n'
    )


def test_on_cluster_without_a_scheduler_at_the_address_raises(monkeypatch):
    monkeypatch.setattr(dask, "ANSWER_WITHIN", 1.0)
    with pytest.raises(ConnectionError, match=r"scheduler must be running at tcp://127\.0\.0\.1:"):
        next(on_cluster(plans(SHORT), f"tcp://127.0.0.1:{free_port()}", make_run))


def test_on_cluster_with_a_silent_port_raises(monkeypatch):
    monkeypatch.setattr(dask, "ANSWER_WITHIN", 1.0)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(ConnectionError, match=r"scheduler must be running at .*, got no answer"):
            next(on_cluster(plans(SHORT), f"tcp://127.0.0.1:{silent.getsockname()[1]}", make_run))


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
def test_on_cluster_with_an_invalid_address_raises(address, reason):
    rule = f"scheduler must be an address that Dask can connect to, got {address!r} "
    with pytest.raises(ValueError, match=rf"{re.escape(rule)}\({reason}.*; pass the address of a running scheduler"):
        next(on_cluster(plans(SHORT), address, make_run))


def test_on_cluster_without_certificates_names_the_variables():
    with pytest.raises(
        ValueError,
        match=r"certificates must be configured .*; set the environment variables DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    ):
        next(on_cluster(plans(SHORT), "tls://127.0.0.1:8786", make_run))


@pytest.mark.slow
def test_command_without_workers_warns_and_reports_a_lost_scheduler(tmp_path):
    with scheduler() as (server, address):
        with process(*COMMAND, "--quiet", "--out", tmp_path, "--scheduler", address, heard=True) as command:
            printed = command.stderr.readline()
            assert printed.startswith(f"run_maze: warning: no workers at {address} yet; waiting for them")
            server.kill()
            _, printed = command.communicate(timeout=120)
        assert command.returncode == 1
        assert printed == (
            f"run_maze: scheduler must stay reachable, got no connection to {address}; finished runs are kept, "
            "and the same command executes the missing runs\n"
        )
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.slow
def test_interrupted_command_cancels_the_runs_of_the_workers(tmp_path):
    command = [*COMMAND, "--quiet", "--generations", 1_000_000, "--out", tmp_path]
    with scheduler() as (_, address), worker(address) as worker_process:
        attentive = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler), "heard": True}
        with process(*command, "--scheduler", address, **attentive) as asking:
            wait_until(lambda: busy(address))
            asking.send_signal(signal.SIGINT)
            _, printed = asking.communicate(timeout=60)
        assert asking.returncode == 130
        assert printed == (
            "run_maze: interrupted; finished runs are kept, unfinished runs on the cluster are cancelled; "
            "the same command restarts them\n"
        )
        wait_until(lambda: not busy(address))
        # the thread that did the run is free again, though the run had hours to go
        assert [record.evaluations for _, record in filter(None, on_cluster(plans(SHORT), address, make_run))] == [100]
        assert worker_process.poll() is None
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def busy(address):
    """Whether the scheduler has something to do."""
    from distributed import Client

    with Client(address) as client:
        return any(client.processing().values())


@pytest.mark.slow
def test_on_cluster_with_a_run_that_loses_every_worker_raises_after_the_others(monkeypatch):
    """Its workers end themselves when they begin it, seed 13."""
    monkeypatch.setattr(dask, "_run_on_worker", unlucky)
    runs = plans(dataclasses.replace(SHORT, seed=13), SHORT)
    restart = "import subprocess, sys\nwhile True: subprocess.run([sys.executable, *sys.argv[1:]])"
    with scheduler("tcp") as (_, address):
        place = [address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        again = process("-c", restart, "-m", "distributed.cli.dask_worker", *place)
        with again, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # no workers yet
            finished = filter(None, on_cluster(runs, address, make_run))
            assert next(finished)[0] == 1
            with pytest.raises(
                ConnectionError,
                match=r"workers must stay connected .*, got lost workers in the runs with seed 13; .*runs are kept",
            ):
                next(finished)


def unlucky(make_run, plan, maze):
    if plan.seed == 13:
        os._exit(1)
    return make_run(plan, maze).finish()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")
def test_command_with_certificates_connects_and_without_them_fails(tmp_path):
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
    assert "certificates must be configured" in outcome["out"].stderr
    assert outcome["in"].returncode == 0, outcome["in"].stderr
    assert re.search("random on medium, 2 runs", outcome["in"].stdout)


def test_modules_of_dask_draw_from_their_own_generator():
    from dask import sizeof

    dask.separate_random()
    assert sizeof.random is not random
    before = random.getstate()
    sizeof.sizeof(list(range(1000)))
    sizeof.random.seed(1)
    assert random.getstate() == before


@pytest.mark.slow
def test_command_run_with_a_scheduler_gives_the_records_of_this_machine(tmp_path):
    roof = Path(__file__).parents[2] / "examples" / "problems" / "roof.py"
    command = ["-m", "divergent", "run", str(roof), "--search", "novelty", "objective", "--runs", "2", "--quiet"]
    command += ["--population", "12", "--generations", "6"]
    with scheduler() as (_, address), worker(address), worker(address):
        outcome = subprocess.run(
            [sys.executable, *command, "--scheduler", address, "--out", str(tmp_path / "cluster")],
            capture_output=True, text=True, check=False, timeout=240,
        )  # fmt: skip
    assert outcome.returncode == 0, outcome.stderr
    subprocess.run([sys.executable, *command, "--out", str(tmp_path / "here")], check=True)
    records = sorted(path.relative_to(tmp_path / "here") for path in (tmp_path / "here").rglob("record.jsonl"))
    assert len(records) == 4
    for path in records:
        for name in ("record.jsonl", "arrays.npz"):
            local, remote = (tmp_path / place / path.parent / name for place in ("here", "cluster"))
            assert local.read_bytes() == remote.read_bytes()


def test_commands_of_the_cluster_page_are_the_tested_ones():
    text = (Path(__file__).parents[2] / "docs" / "howto" / "cluster.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL) for line in block.splitlines()]
    commands = [shlex.split(line) for line in lines if line.startswith("python -m divergent.run_maze")]
    assert len(commands) == 2
    for words in commands:
        assert parser().parse_args(words[3:]).scheduler.endswith("://10.0.0.1:8786")
    for option in ("--tls-ca-file", "--tls-cert", "--tls-key", "--nthreads 1"):
        assert option in text
    for variable in CERTIFICATES.values():
        assert f"export {variable}=" in text

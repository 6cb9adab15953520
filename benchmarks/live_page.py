"""Measure the CPU time of a run with and without its live page: python benchmarks/live_page.py [REPEATS [GENERATIONS]].

The same run is repeated under three conditions: without a server, with a server, and with an open page. The open page
requests updates once a second from a separate process, as a browser does. The script prints the CPU time of all threads
of the process that executes the run. The script also prints the ratio of the CPU time to the CPU time without a server.
"""

import statistics
import subprocess
import sys
import time

from divergent import Settings
from divergent.explorer.live import RunWatch
from divergent.maze import read_maze
from divergent.runs import make_run

PAGE = """
import json, sys, time, urllib.request
url, version = sys.argv[1], 0
try:
    urllib.request.urlopen(url).read()
    while True:
        answer = json.load(urllib.request.urlopen(url.replace("/?", f"/update?version={version}&")))
        version = answer.get("version", version)
        time.sleep(1)
except OSError:
    pass
"""
CONDITIONS = ("no server", "server", "open page")


def measure(condition: str, generations: int) -> float:
    """Return the CPU time in seconds of one run under one of the three conditions."""
    plan = Settings(maze="hard", search="surprise", seed=5, generations=generations).resolve()
    run = make_run(plan, read_maze("hard"))
    pages: list[subprocess.Popen] = []

    def announce(line: str) -> None:
        if condition == "open page":
            pages.append(subprocess.Popen([sys.executable, "-c", PAGE, line.split()[-1]]))

    watch = None if condition == "no server" else RunWatch(announce)
    run.watch = watch
    start = time.process_time()
    run.finish()
    seconds = time.process_time() - start
    if watch is not None:
        watch.close()
    for page in pages:
        page.kill()
        page.wait()
    return seconds


def main(repeats: int = 3, generations: int = 60) -> None:
    """Measure all conditions in alternation, and print the median ratio of CPU times for each condition."""
    measure("no server", 2)  # compiles the kernels
    rounds = []
    for number in range(repeats):
        order = CONDITIONS if number % 2 == 0 else CONDITIONS[::-1]
        rounds.append({condition: measure(condition, generations) for condition in order})
        print("  ".join(f"{condition} {rounds[-1][condition]:.2f} s" for condition in CONDITIONS), flush=True)
    for condition in CONDITIONS[1:]:
        ratios = [seconds[condition] / seconds["no server"] for seconds in rounds]
        spread = f"{min(ratios):.3f} to {max(ratios):.3f}"
        print(f"{condition}: {statistics.median(ratios):.3f} of the run without a server ({spread})")


if __name__ == "__main__":
    main(*[int(argument) for argument in sys.argv[1:]])

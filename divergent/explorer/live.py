"""Show a running loop in a browser through a server on the loopback interface, protected by a token."""

import base64
import hmac
import json
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

from divergent._text import printable
from divergent.explorer._page import PageData
from divergent.explorer._rerun import live_maze_scene
from divergent.explorer._scene import Scene, scene_of
from divergent.history import History
from divergent.loops._contract import Step
from divergent.runs._maze_plan import MazePlan
from divergent.runs.build import Parts

HOST = "127.0.0.1"
SHARE = 20  # building page data takes at most 1/20 of the run time
LINGER = 3.0  # a page counts as open for this number of seconds after its last request
CELLS = 20  # number of grid cells per behaviour dimension, to measure the concentration of a generation
CONCENTRATED = 0.8  # the page reports concentration if three grid cells contain at least this fraction of a generation
FEW_CELLS = 3
DOMINANT = 0.6  # the page reports a dominant species if it has more than this fraction of a generation's offspring
STAGNANT = 20  # the page reports stagnation after this number of generations without improvement
WAITING = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Waiting</title>'
    '<link rel="icon" href="data:,">'
    "<p>The first generation is being evaluated.</p></html>"
)


class Watch:
    """Web page of a running loop, updated while the loop evaluates individuals.

    The page is served on the loopback interface only, under an address with a random token. A browser that opens or
    closes the page does not change the results of the run. The history of the run is recorded even if no page is open.
    While a page is open, building its data takes at most 5% of the run time. An open page keeps its data when the run
    ends or is killed.

    Parameters
    ----------
    history : History
        The history of the loop.
    budget : int or None, default=None
        Number of evaluations of the complete run, used to estimate the remaining time.
    scene : callable or None, default=None
        Function that returns the page content of the history; None uses `scene_of` with `options`.
    port : int, default=0
        Port of the server; 0 selects any free port.
    **options
        Arguments `title`, `axes`, `limits` and `solved` of `scene_of`.

    Attributes
    ----------
    url : str
        Address of the page, including the token.

    See Also
    --------
    divergent.explore : Create the page of a finished run.

    Examples
    --------
    >>> from divergent import History
    >>> with Watch(History(), budget=1000) as watch:
    ...     watch.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self,
        history: History,
        *,
        budget: int | None = None,
        scene: Callable[[History], Scene] | None = None,
        port: int = 0,
        **options: Any,
    ) -> None:
        self.history = history
        self._budget = budget
        self._make_scene = scene or (lambda history: scene_of(history, **options))
        self._token = secrets.token_urlsafe(18)
        self._data: tuple[int, PageData] | None = None
        self._wanted = threading.Event()
        self._wanted.set()
        self._next_build = 0.0
        self._asked = -LINGER
        self._delivered = 0
        self._built = 0  # number of evaluations that the newest page data contain
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._generation = _GenerationSummary()
        self._status: dict[str, Any] = {"state": "running", "evaluations": 0, "messages": []}
        self._server = ThreadingHTTPServer((HOST, port), _handler_of(self))
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://{HOST}:{self.port}/?token={self._token}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def steps(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Record each step of a loop in the history, and yield the same step.

        Parameters
        ----------
        steps : iterable of Step
            Steps of the loop.

        Yields
        ------
        Step
            Each step of the loop, unchanged.
        """
        try:
            for step in steps:
                self.history.note(step)
                if self._generation.add(step):
                    self._update()
                yield step
        except GeneratorExit:  # Python raises GeneratorExit if the caller stops the loop early, such as at a solution
            self.finish()
            raise
        self.finish()

    def finish(self) -> None:
        """Send the last evaluations to an open page and report the end of the run."""
        self._next_build = 0.0
        if self._is_open():
            self._wanted.set()
        self._update()
        # a request after the end of the run builds the final page data
        self._status = self._status | {"state": "finished"}

    def close(self) -> None:
        """Wait up to 3 seconds until an open page has received the last evaluations, and stop the server."""
        deadline = time.monotonic() + LINGER
        while self._is_behind() and time.monotonic() < deadline:
            time.sleep(0.05)
        self._server.shutdown()
        self._server.server_close()

    def is_valid(self, token: str) -> bool:
        """Return whether the token of a request equals the token of the page address.

        Parameters
        ----------
        token : str
            Token of a request.

        Returns
        -------
        bool
            Whether the token is valid.
        """
        return hmac.compare_digest(token.encode(), self._token.encode())

    def page(self) -> str:
        """Return the HTML of the page."""
        newest = self._newest()
        if newest is None:
            return WAITING
        version, data = newest
        live = {"version": version, "token": self._token}
        return data._replace(description=data.description | {"live": live}).page().text

    def update(self, version: int) -> dict[str, Any]:
        """Return the status of the run, and the page data if a newer version is available.

        Parameters
        ----------
        version : int
            Version of the data that the browser has.

        Returns
        -------
        dict
            JSON-serialisable dictionary with the status of the run and, if newer, the page data.
        """
        self._asked = time.monotonic()
        status, newest = self._status, self._newest()
        answer: dict[str, Any] = {"status": status}
        if newest is not None and newest[0] != version:
            number, data = newest
            arrays = base64.b64encode(data.arrays[0]).decode("ascii")
            answer |= {"version": number, "run": data.description["runs"][0], "arrays": arrays}
        if newest is not None and status["state"] == "finished":
            self._delivered = newest[0]
        return answer

    def _newest(self) -> tuple[int, PageData] | None:
        """Return the newest page data and their version number; after the end of the run, the data are complete."""
        self._wanted.set()
        if self._status["state"] == "finished":
            with self._lock:
                if self._built != len(self.history):
                    self._build()
        return self._data

    def _is_open(self) -> bool:
        """Return whether a page has requested data in the last three seconds."""
        return time.monotonic() - self._asked < LINGER

    def _is_behind(self) -> bool:
        """Return whether an open page waits for the last evaluations of a finished run."""
        return self._is_open() and self._status["state"] == "finished" and (self._data or (0,))[0] != self._delivered

    def _update(self) -> None:
        """Update the status of the run, and rebuild the page data if a page has requested newer data."""
        seconds = time.monotonic() - self._began
        evaluations = len(self.history)
        rate = evaluations / max(seconds, 1e-9)
        self._status = {
            "state": "running",
            "evaluations": evaluations,
            "budget": self._budget,
            "rate": round(rate, 1),
            "remaining": None if self._budget is None else round(max(self._budget - evaluations, 0) / max(rate, 1e-9)),
            "messages": self._generation.messages(),
        }
        if not self._wanted.is_set() or time.monotonic() < self._next_build or not evaluations:
            return
        self._wanted.clear()
        start = time.monotonic()
        self._build()
        now = time.monotonic()
        self._next_build = now + SHARE * (now - start)

    def _build(self) -> None:
        """Build the page data of all evaluations so far."""
        data = PageData.of([self._make_scene(self.history)], level=1)  # fast compression for the local browser
        self._data = ((self._data[0] if self._data else 0) + 1, data)
        self._built = len(self.history)


class _GenerationSummary:
    """Warnings about the last complete generation: concentrated behaviours, a dominant species, or stagnation."""

    def __init__(self) -> None:
        self._number = -1
        self._behaviours: list[Any] = []
        self._species: list[int] = []
        self._low: Any = None
        self._high: Any = None
        self._best: float | None = None
        self._improved = 0
        self._messages: list[str] = []

    def add(self, step: Step) -> bool:
        """Add the offspring of a step to their generation, and return whether the step begins a new generation."""
        ended = step.generation != self._number
        if ended:
            self._messages = self._diagnose()
            self._number, self._behaviours, self._species = step.generation, [], []
        for individual in step.offspring:
            self._behaviours.append(individual.fitness.behaviour)
            value = individual.fitness.wvalues[0]
            if self._best is None or value > self._best:
                self._best, self._improved = value, step.generation
        self._species += step.species or []
        return ended

    def messages(self) -> list[str]:
        """Return warnings on the last complete generation: behaviours in few cells, a dominant species, stagnation."""
        return self._messages

    def _diagnose(self) -> list[str]:
        messages = []
        behaviours = [row for row in self._behaviours if row is not None and np.ndim(row) == 1]
        if len(behaviours) >= FEW_CELLS * 4:
            messages += self._concentration(np.array(behaviours, dtype=float))
        if self._species:
            name, size = Counter(self._species).most_common(1)[0]
            if size > DOMINANT * len(self._species):
                messages.append(f"species {name} contains {size / len(self._species):.0%} of the offspring")
        if self._number - self._improved >= STAGNANT:
            messages.append(f"no better individual for {self._number - self._improved} generations")
        return messages

    def _concentration(self, behaviours: np.ndarray) -> list[str]:
        """Return a message if the behaviours of a generation are concentrated in few grid cells."""
        low, high = behaviours.min(axis=0), behaviours.max(axis=0)
        self._low = low if self._low is None else np.minimum(self._low, low)
        self._high = high if self._high is None else np.maximum(self._high, high)
        side = np.where(self._high > self._low, (self._high - self._low) / CELLS, 1.0)
        cells = np.floor((behaviours - self._low) / side).clip(0, CELLS - 1).astype(int)
        counts = sorted(Counter(map(tuple, cells.tolist())).values(), reverse=True)
        fraction = sum(counts[:FEW_CELLS]) / len(behaviours)
        if fraction < CONCENTRATED or len(counts) <= FEW_CELLS:
            return [f"the last generation occupies only {len(counts)} cells"] if len(counts) <= FEW_CELLS else []
        return [f"{fraction:.0%} of the last generation are in {FEW_CELLS} cells"]


def _handler_of(watch: Watch) -> type[BaseHTTPRequestHandler]:
    """Return the class that handles the HTTP requests for a page."""
    # The host name is checked because another site may resolve to the loopback address (DNS rebinding).
    names = {HOST, "localhost"}

    class Handler(BaseHTTPRequestHandler):
        """HTTP handler that rejects requests without a valid token, and otherwise returns the page or new page data."""

        def do_GET(self) -> None:
            """Answer a request."""
            address = urlsplit(self.path)
            query = parse_qs(address.query)
            host = (self.headers.get("Host") or "").rpartition(":")[0]
            if host not in names or not watch.is_valid(query.get("token", [""])[0]):
                self._answer(HTTPStatus.FORBIDDEN, "text/plain", b"the address of this page has a token\n")
            elif address.path == "/":
                self._answer(HTTPStatus.OK, "text/html; charset=utf-8", watch.page().encode("utf-8"))
            elif address.path == "/update":
                version = query.get("version", ["0"])[0]
                content = watch.update(int(version) if version.isdigit() else 0)
                self._answer(HTTPStatus.OK, "application/json", json.dumps(content, allow_nan=False).encode("utf-8"))
            else:
                self._answer(HTTPStatus.NOT_FOUND, "text/plain", b"there is no such page\n")

        def log_message(self, format: str, *arguments: Any) -> None:
            """Log no requests, because the terminal shows the progress of the run."""

        def _answer(self, status: HTTPStatus, kind: str, content: bytes) -> None:
            try:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.send_header("X-Content-Type-Options", "nosniff")
                self.send_header("Referrer-Policy", "no-referrer")
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                self.close_connection = True  # the browser has closed the connection

    return Handler


class RunWatch:
    """Observer that shows a run on a live web page.

    Assign the observer to the attribute `watch` of a `divergent.runs.Run`.

    Parameters
    ----------
    announce : callable
        Function that receives a line of text with the address of the page.

    Attributes
    ----------
    watch : Watch or None
        Live page of the run; None before the run has started.
    """

    def __init__(self, announce: Callable[[str], Any]) -> None:
        self._announce = announce
        self.watch: Watch | None = None

    def __call__(self, parts: Parts, steps: Iterator[Step]) -> Iterator[Step]:
        """Return the steps of a run, and add each step to the history of the page.

        Parameters
        ----------
        parts : Parts
            All components of the run, such as its strategy and its species.
        steps : iterator of Step
            Steps of the loop.

        Returns
        -------
        iterator of Step
            Each step of the loop, unchanged.
        """
        history = History(strategy=parts.strategy, species=parts.species)
        plan, problem = parts.plan, parts.problem
        if isinstance(plan, MazePlan):
            make_scene = partial(live_maze_scene, plan, parts.task.maze)
        else:
            shown: dict[str, Any] = {"axes": problem.axes or None, "limits": problem.limits or None}
            make_scene = partial(scene_of, title=problem.title, solved=problem.solved, **shown)
        self.watch = Watch(history, budget=plan.budget, scene=make_scene)
        self._announce(printable(f"watch    {self.watch.url}"))
        return self.watch.steps(steps)

    def close(self) -> None:
        """Stop the server."""
        if self.watch is not None:
            self.watch.close()

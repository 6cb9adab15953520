"""Load problems from Python files, and send problems to worker processes."""

import functools
import importlib.util
import inspect
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from divergent.persistence._files import digest
from divergent.problem import Problem
from divergent.validation import brief

# keys are ids of problems; ids stay unique because modules keep references to their problems
_LOADED: dict[int, "ProblemSource"] = {}


class ProblemSource(NamedTuple):
    """The file that defines a problem."""

    path: str
    """Absolute path of the file."""
    sha256: str
    """SHA-256 digest of the content of the file when the file was read."""


def load_problem(path: Any, name: str | None = None) -> Problem:
    """Execute a Python file and return the problem that it defines.

    Parameters
    ----------
    path : str or os.PathLike
        Path of the Python file; like a script, the file can import modules from its folder.
    name : str or None, default=None
        Name of the problem; needed if the file defines several problems.

    Returns
    -------
    Problem
        The problem.

    Raises
    ------
    FileNotFoundError
        If the file does not exist.
    ValueError
        If the file does not define the named problem, or if `name` is None and the file does not define exactly one
        problem.

    See Also
    --------
    divergent.run : Run the problem.
    """
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"problem file must exist, got {file}")
    content = file.read_bytes()
    problems = _execute(str(file.resolve()), content)
    if not problems:
        raise ValueError(f"{file}: file must define a divergent.Problem in a global variable, got none")
    if name is None and len(problems) > 1:
        names = ", ".join(problems)
        raise ValueError(f"{file}: file must define one problem if name is None, got {names}; choose a problem by name")
    if name is not None and name not in problems:
        raise ValueError(f"name must be the name of a problem in {file} ({', '.join(problems)}), got {brief(name)}")
    return problems[name] if name is not None else next(iter(problems.values()))


@functools.cache
def _execute(path: str, content: bytes) -> dict[str, Problem]:
    """Execute a problem file and return its problems by name; the result is cached by file content."""
    sha256 = digest(content)
    folder = str(Path(path).parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    module_name = f"problem_file_{sha256[:16]}"
    spec = importlib.util.spec_from_loader(module_name, loader=None, origin=path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = path
    sys.modules[module_name] = module
    with warnings.catch_warnings():
        # deap.creator warns about existing classes if an earlier version of the file was loaded
        warnings.filterwarnings("ignore", "A class named .* has already been created", RuntimeWarning)
        exec(compile(content, path, "exec"), module.__dict__)
    problems = {problem.name: problem for problem in _problems_in(module)}
    for problem in problems.values():
        _LOADED[id(problem)] = ProblemSource(path, sha256)
    return problems


def _problems_in(module: ModuleType) -> Iterator[Problem]:
    """Yield the problems in the global variables of a module, including problems in lists and dictionaries."""
    for value in list(vars(module).values()):
        if isinstance(value, Problem):
            yield value
        elif isinstance(value, list | tuple | dict):
            items = value.values() if isinstance(value, dict) else value
            yield from (item for item in items if isinstance(item, Problem))


def source_of(problem: Problem) -> ProblemSource | None:
    """Return the file that defines a problem or its toolbox function, or None if there is no such file."""
    if id(problem) in _LOADED:
        return _LOADED[id(problem)]
    if isinstance(problem, _Sent):
        return problem.source
    factory: Any = problem.toolbox
    while isinstance(factory, partial):
        factory = factory.func
    if not inspect.isroutine(factory):
        factory = type(factory)
    try:
        file = Path(inspect.getfile(factory)).resolve()
        return ProblemSource(str(file), digest(file.read_bytes()))
    except (TypeError, OSError):
        return None


@dataclass(frozen=True, eq=False)
class _Sent(Problem):
    """A problem that a worker process received, with the path and digest of its source file."""

    source: ProblemSource | None = None


class PackedProblem(NamedTuple):
    """A problem that is serialised for a worker process."""

    problem: Problem | None
    """The problem itself if it is a maze problem, which pickle can serialise; otherwise None."""
    source: ProblemSource | None
    name: str
    content: bytes
    """Content of the problem file, or the pickled problem with the classes of `deap.creator`."""
    is_file: bool

    def load(self) -> Problem:
        """Return the problem; a worker process executes the problem file or unpickles the problem."""
        if self.problem is not None:
            return self.problem
        if self.is_file:
            assert self.source is not None
            return _execute(self.source.path, self.content)[self.name]
        return _unpickle(self.content, self.source)


def pack_problem(problem: Problem) -> PackedProblem:
    """Serialise a problem for worker processes.

    Maze problems are sent unchanged. If a problem was loaded from a problem file, worker processes execute the content
    of the file. All other problems are pickled by value, together with the classes of `deap.creator`.

    Parameters
    ----------
    problem : Problem
        The problem.

    Returns
    -------
    PackedProblem
        The serialised problem.

    Raises
    ------
    ValueError
        If the problem cannot be pickled.
    """
    from divergent.maze._problem import MazeProblem

    source = source_of(problem)
    if isinstance(problem, MazeProblem):
        return PackedProblem(problem, source, problem.name, b"", False)
    if id(problem) in _LOADED:
        assert source is not None
        return PackedProblem(None, source, problem.name, Path(source.path).read_bytes(), True)
    return PackedProblem(None, source, problem.name, _pickle(problem), False)


def _pickle(problem: Problem) -> bytes:
    """Pickle a problem and the classes of `deap.creator` by value."""
    import cloudpickle
    from deap import creator

    classes = [value for value in vars(creator).values() if isinstance(value, creator.MetaCreator)]
    try:
        return cloudpickle.dumps((classes, problem))
    except Exception as error:
        raise ValueError(
            f"problem {problem.name!r} must be picklable to be sent to worker processes, got "
            f"{type(error).__name__}: {' '.join(str(error).split()):.200}; create unpicklable objects in toolbox(rng), "
            "define the problem in a file, or use one process"
        ) from error


@functools.cache
def _unpickle(content: bytes, source: ProblemSource | None) -> Problem:
    """Unpickle a problem once per process."""
    import pickle

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # DEAP warns about classes that exist already
        _, problem = pickle.loads(content)
    fields = {name: getattr(problem, name) for name in Problem.__dataclass_fields__}
    return _Sent(**fields, source=source)

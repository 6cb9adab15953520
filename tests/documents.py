"""What the tests of README and documentation share: the blocks of a page, and running them."""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from divergent import cli, run_maze
from divergent.replicate.__main__ import parser as replicate_parser

HOME = Path(__file__).parents[1]
PARSERS = {"divergent.run_maze": run_maze.parser, "divergent.replicate": replicate_parser}


def blocks_of(text, language=None):
    """The fenced blocks of a page: (language, content), or the contents of one language."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return blocks if language is None else [content for name, content in blocks if name == language]


def ran(code, folder):
    """What a program prints that is run in an empty folder."""
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", code],
        capture_output=True, text=True, timeout=300, check=False, cwd=folder, env=os.environ | {"MPLBACKEND": "Agg"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_command(line):
    """A line for the shell names a target, a module and options that exist."""
    words = shlex.split(line, comments=True)
    if not words:
        return
    if words[0] == "make":
        assert f"\n{words[1]}:" in (HOME / "Makefile").read_text()
    elif words[0] in ("python", "python3") and words[1] == "-m":
        module, arguments = words[2], words[3:]
        if module == "divergent":
            assert cli.main(arguments) == 0
        elif module in PARSERS and arguments != ["--help"]:
            PARSERS[module]().parse_args(arguments)
        else:
            assert importlib.util.find_spec(module), line
    elif words[0] == "python":
        assert (HOME / words[1]).is_file(), line
    elif words[0] == "divergent":
        assert words[1] in cli.COMMANDS, line
    else:
        assert words[0] in (".", "pip", "dask", "jupyter", "openssl", "export"), line

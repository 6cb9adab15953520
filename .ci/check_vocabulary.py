"""Fail on words and names that the vocabulary rules out: python .ci/check_vocabulary.py [FILE ...]."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

# words of an older style that never name anything of the field; "dead end" is a term
WORDS = (
    "birth", "born", "newborn", "newcomer", "mother", "father", "she", "her", "die[sd]", "death", "doomed",
    r"dead(?!$|[ _-]end)", "nobody", "somebody", "everybody", "everyone", "whoever", "whom", "anew",
    "refuse", "refused", "refusal", "standing population", "whole number", "behaviours? of (?:two|many) number",
    "beside", "said", "says", "what it leaves behind", "one's own", "of your own", "picture", "twin",
    "usual", "mend", "mended", "described robot", "original robot", "sharpened rule", "plain data",
)  # fmt: skip
RULE = re.compile(rf"(?<![a-z])(?:{'|'.join(WORDS)})s?(?![a-z])", re.IGNORECASE)
# identifiers that are part of file formats or file names: a key of the state of species, a value of the setting
# learn_from in earlier records, and a figure of the report
IDENTIFIERS = re.compile(r'birth_order|"(births|beside)"')
# names of variables, parameters and functions that do not state what they hold
NAMES = {"one", "found", "told", "said", "there", "who", "some", "thing"}
FOLDERS = ("divergent/", "benchmarks/", "examples/", "tests/", "docs/", ".ci/")
SUFFIXES = (".py", ".md", ".ipynb", ".cff", ".rst")
# files that must contain the words, with the reason
ALLOWED = {".ci/check_vocabulary.py": "lists the words"}


def offences(path: Path) -> list[str]:
    """The lines of a file that contain one of the words, as `path:line: word`."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":  # outputs hold encoded images
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    lines = enumerate(IDENTIFIERS.sub("", text).splitlines(), 1)
    return [f"{path}:{number}: {match[0]!r}" for number, line in lines for match in RULE.finditer(line)]


def bound_name(node: ast.AST) -> str | None:
    """The name that a node of a syntax tree binds, or None."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return name
        case ast.alias(name=name, asname=alias):
            return alias or name
    return None


def bindings(path: Path) -> list[str]:
    """The bindings of a Python file with one of the names, as `path:line: binding name`."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    lines = sorted((node.lineno, name) for node in nodes if (name := bound_name(node)) in NAMES)
    return [f"{path}:{number}: binding {name!r}" for number, name in lines]


def main(names: list[str]) -> int:
    """Print every offence and return the exit status."""
    if not names:
        names = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    paths = [Path(name) for name in names if name.endswith(SUFFIXES) and name not in ALLOWED]
    problems = [line for path in paths if path.is_file() for line in offences(path)]
    sources = [Path(name) for name in names if name.endswith(".py") and name.startswith(FOLDERS)]
    problems += [line for path in sources if path.is_file() for line in bindings(path)]
    print("\n".join(problems) or "vocabulary: no word or name that is ruled out")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

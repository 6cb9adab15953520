"""Fail on words that the vocabulary of the project rules out: python .ci/check_vocabulary.py [FILE ...]."""

import json
import re
import subprocess
import sys
from pathlib import Path

# words of an older style that never name anything of the field
WORDS = (
    "mother", "father", "newborn", "nobody", "somebody", "everybody", "whoever", "anew",
    "refuse", "refuses", "refused", "refusal", "standing population", "whole number",
)  # fmt: skip
RULE = re.compile(rf"(?<![a-z])({'|'.join(WORDS)})s?(?![a-z])", re.IGNORECASE)
SUFFIXES = (".py", ".md", ".ipynb", ".cff", ".rst")
# files that must contain the words, with the reason
ALLOWED = {
    ".ci/check_vocabulary.py": "lists the words",
    "docs/explorer.md": "describes the page whose labels still have them",
}


def offences(path: Path) -> list[str]:
    """The lines of a file that contain one of the words, as `path:line: word`."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":  # outputs hold encoded images
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    lines = text.splitlines()
    return [f"{path}:{number}: {found[0]!r}" for number, line in enumerate(lines, 1) for found in RULE.finditer(line)]


def main(names: list[str]) -> int:
    """Print every offence and return the exit status."""
    if not names:
        names = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    paths = [Path(name) for name in names if name.endswith(SUFFIXES) and name not in ALLOWED]
    found = [line for path in paths if path.is_file() for line in offences(path)]
    print("\n".join(found) or "vocabulary: no word that is ruled out")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

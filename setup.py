"""Complete setup.cfg: the description on PyPI is the README with absolute links, since PyPI has none of the files."""

import re
from configparser import ConfigParser
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent


def description() -> str:
    """Return the README with its relative links made absolute."""
    config = ConfigParser()
    config.read(HERE / "setup.cfg", encoding="utf-8")
    repository = config["metadata"]["url"]

    def absolute(match: re.Match[str]) -> str:
        image, text, target = match.groups()
        if target.startswith(("https://", "#")):
            return match[0]
        return f"{image}[{text}]({repository}/{'raw' if image else 'blob'}/main/{target})"

    readme = (HERE / "README.md").read_text(encoding="utf-8")
    return re.sub(r"(!?)\[([^\]]*)\]\(([^)]+)\)", absolute, readme)


setup(long_description=description(), long_description_content_type="text/markdown")

"""Bundle the modules of the explorer into divergent/explorer/script.js: python .ci/bundle_explorer.py.

A page on a disk may not load modules from files, so that all modules become one script. The bundler is esbuild (MIT),
fetched by npx in the version below. The first line of the script has a digest of the modules, which a test compares.
"""

import hashlib
import subprocess
from pathlib import Path

EXPLORER = Path(__file__).parents[1] / "divergent" / "explorer"
ESBUILD = "esbuild@0.28.2"


def digest() -> str:
    """Return the digest of all modules, by name and content."""
    total = hashlib.sha256()
    for path in sorted((EXPLORER / "js").glob("*.js")):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def main() -> None:
    """Run esbuild and write the script."""
    options = ["--bundle", "--format=iife", "--target=es2022", "--charset=utf8", "--legal-comments=none"]
    command = ["npx", "--yes", ESBUILD, "js/main.js", *options, f"--banner:js=// modules: {digest()}"]
    script = subprocess.run(command, cwd=EXPLORER, check=True, capture_output=True, text=True).stdout
    (EXPLORER / "script.js").write_text(script, encoding="utf-8")
    print(f"{EXPLORER / 'script.js'}: {len(script):,} characters")


if __name__ == "__main__":
    main()

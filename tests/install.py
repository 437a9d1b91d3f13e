#!/usr/bin/env python3
"""Makes a virtual environment from the packages of one folder of tests, and prints its Python.

    install.py NAME            makes it from tests/NAME/packages.txt, unless it is there
    install.py NAME --check    only says whether it is there

It lies in target/NAME of this checkout, or of CARGO_TARGET_DIR: verifier takes 56 MB, schemathesis 94, providers 106, notebook 283, duckdb 94, nats 40, deny 34.
Needs Python 3.11 or newer with venv.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent


def main(name, only_check):
    """Makes the environment of that name from its list of packages with their hashes."""
    packages = TESTS / name / "packages.txt"
    if not packages.is_file():
        known = ", ".join(sorted(path.parent.name for path in TESTS.glob("*/packages.txt")))
        sys.exit(f"expected one of {known}, found `{name}`")
    home = Path(os.environ.get("CARGO_TARGET_DIR") or TESTS.parent / "target") / name / "venv"
    python = home / "bin" / "python"
    wanted = hashlib.sha256(packages.read_bytes()).hexdigest()
    mark = home / "installed"
    if not (mark.is_file() and mark.read_text() == wanted):
        if only_check:
            sys.exit(f"expected an environment in `{home}`, found none for these packages; run `python3 tests/install.py {name}`")
        shutil.rmtree(home, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", home], check=True, stdout=sys.stderr)
        pip = [python, "-m", "pip", "install", "--quiet", "--no-input", "--only-binary", ":all:", "--require-hashes"]
        subprocess.run([*pip, "--requirement", packages], check=True, stdout=sys.stderr)
        # Last, so that an installation that was cut off is made again.
        mark.write_text(wanted)
    print(python)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__.strip())
    main(sys.argv[1], sys.argv[2:] == ["--check"])
